//! Several cores beside a simulator in unit steps: the same schedule.
//!
//! Systems are drawn and described, and each is run both ways: from its description by what
//! `fusee simulate` runs, and tick by tick from the definitions of the protocols.
//! `CORES_SYSTEMS` says how many systems each protocol gets; `make soundness` asks for 20,000 of
//! each.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod drawn;
mod oracle;
mod seen;

use drawn::Drawn;
use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::{Duration, Policy, Protocol};
use fusee_sim::{Options, Recording, Releases, SimError, simulate};
use oracle::{Oracle, Schedule};

const END: u64 = 150;

/// Returns the schedule that the kernels make of a system, released by their timers or from
/// outside.
fn kernels(drawn: &Drawn, by_timer: bool) -> Result<Schedule, String> {
    let starts = drawn.tasks.iter().map(|task| Duration(task.offset)).collect();
    let options = Options {
        duration: Duration(END),
        releases: if by_timer { Releases::Phased { starts } } else { Releases::Drawn },
        recording: Recording::Window { from: Duration::ZERO, to: Duration(END) },
        most_events: 100_000,
        ..Options::default()
    };
    let outcome = simulate(&drawn.system(), &options).map_err(|error| error.to_string())?;
    if outcome.refused > 0 || outcome.cut_short {
        return Err(format!("{} refused, cut short: {}", outcome.refused, outcome.cut_short));
    }
    Ok(seen::schedule(drawn, &outcome.records, END))
}

fn wanted() -> u64 {
    fusee_testing::given_or("CORES_SYSTEMS", 250)
}

/// Compares so many systems; the ticks in which the section of another core's task was executed.
fn compare(protocol: Protocol) -> u64 {
    let helped = compare_all(|dice| Drawn::draw(dice, protocol));
    eprintln!("{protocol:?}: {} systems, helped in {helped} ticks", wanted());
    helped
}

fn compare_all(draw: impl Fn(&mut Random) -> Drawn) -> u64 {
    let mut total = 0;
    for seed in 0..wanted() {
        let drawn = draw(&mut Random::new(seed, 0));
        let (mut expected, helped) = Oracle::run(&drawn, END);
        expected.ends.sort_unstable();
        let mut seen = kernels(&drawn, seed % 2 == 0)
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{drawn:#?}"));
        seen.ends.sort_unstable();
        for (tick, (seen, expected)) in seen.ticks.iter().zip(&expected.ticks).enumerate() {
            assert_eq!(seen, expected, "seed {seed}, tick {tick}\n{drawn:#?}");
        }
        assert_eq!(seen.ends, expected.ends, "seed {seed}\n{drawn:#?}");
        total += helped;
    }
    total
}

#[test]
fn msrp() {
    assert_eq!(compare(Protocol::Msrp), 0);
}

#[test]
fn mrsp() {
    let helped = compare(Protocol::Mrsp);
    assert!(helped > wanted(), "too little help to mean anything: {helped}");
}

#[test]
fn mpcp() {
    assert_eq!(compare(Protocol::Mpcp), 0);
}

#[test]
fn deadlines_on_each_core() {
    assert_eq!(compare_all(|dice| Drawn::draw_deadlines(dice, false)), 0);
}

#[test]
fn msrp_where_deadlines_decide() {
    assert_eq!(compare_all(|dice| Drawn::draw_deadlines(dice, true)), 0);
}

#[test]
fn msrp_where_policies_differ() {
    assert_eq!(compare_all(Drawn::draw_both), 0);
}

/// Returns a description with one gate between two cores.
fn on_two_cores(protocol: Protocol, tasks: Vec<drawn::Task>) -> Drawn {
    let (policies, locals) = (vec![Policy::FixedPriority; 2], vec![Protocol::Fixed; 2]);
    Drawn { policies, protocol, cores: 2, gates: 1, locals, tasks }
}

/// Two cores ask at the same instant, 2, for 4 ticks inside. Asking takes 3, a return 2, a look 1,
/// and each lock is held for 1.
///
/// - Core 0 has the lock from 2 to 3 and asks until 5. It is inside until 9, and the return takes
///   until 11: from 9 to 10 it has the lock, and at 10 it tells core 1.
/// - Core 1 waits for the lock from 2 to 3, and has asked at 6. It looks from 10 to 11, is inside
///   until 15, and returns until 17.
#[test]
fn locks_and_looks_take_their_time() {
    use drawn::{Op, Task};
    let task = |core: usize| {
        let script = vec![Op::Work(2), Op::Ask(0), Op::Work(4), Op::Leave];
        Task { core, priority: 1, period: 100, deadline: 100, offset: 0, script }
    };
    let tasks = vec![task(0), task(1)];
    let drawn = on_two_cores(Protocol::Msrp, tasks);
    let mut costs = CostTable::zero("paper");
    costs.invoke.set(Protocol::Msrp, Duration(3));
    costs.return_.set(Protocol::Msrp, Duration(2));
    let (lock, look) = (Duration(1), Duration(1));
    // Two tasks: the gate is a mutex, which costs as much here.
    let (mutex_lock, mutex_unlock) = (Some(Duration(3)), Some(Duration(2)));
    let between = costs.cores.unwrap_or_default();
    costs.cores = Some(CoreCosts { lock, look, mutex_lock, mutex_unlock, ..between });
    let options = Options { duration: Duration(100), costs: costs.clone(), ..Options::default() };
    let outcome = simulate(&drawn.system(), &options).expect("it runs");
    let responses: Vec<u64> =
        outcome.tasks.iter().map(|task| task.responses.longest.ns()).collect();
    assert_eq!(responses, [11, 17]);
    // Asking and returning, the wait for the lock, and the look.
    assert_eq!((outcome.kernel, outcome.busy), (Duration(5 + 5 + 1 + 1), Duration(12)));
    costs.cores = None;
    let unknown = simulate(&drawn.system(), &Options { costs, ..options });
    assert!(matches!(unknown, Err(SimError::NoCost { .. })), "{unknown:?}");
}

/// The section of the lower task is laid down at 4, in its middle, and taken up again.
///
/// - The release at 4 takes 5 for the loss. The upper task works from 9 to 12.
/// - Its completion takes 7 for the gain, until 19; the section goes on until 21.
/// - Nobody disturbs the task on the other core, which comes later.
#[test]
fn losses_and_gains_take_their_time() {
    use drawn::{Op, Task};
    let asks = || vec![Op::Work(2), Op::Ask(0), Op::Work(4), Op::Leave];
    let lower =
        Task { core: 0, priority: 1, period: 100, deadline: 100, offset: 0, script: asks() };
    let upper = Task { priority: 2, offset: 4, script: vec![Op::Work(3)], ..lower.clone() };
    let other = Task { core: 1, offset: 60, ..lower.clone() };
    let tasks = vec![lower, upper, other];
    let drawn = on_two_cores(Protocol::Mrsp, tasks);
    let mut costs = CostTable::zero("paper");
    let (lose, gain) = (Duration(5), Duration(7));
    costs.cores = Some(CoreCosts { lose, gain, ..costs.cores.unwrap_or_default() });
    let starts = drawn.tasks.iter().map(|task| Duration(task.offset)).collect();
    let releases = Releases::Phased { starts };
    let options = Options { duration: Duration(100), releases, costs, ..Options::default() };
    let outcome = simulate(&drawn.system(), &options).expect("it runs");
    let responses: Vec<u64> =
        outcome.tasks.iter().map(|task| task.responses.longest.ns()).collect();
    assert_eq!((responses, outcome.kernel), (vec![21, 8, 6], Duration(12)));
}
