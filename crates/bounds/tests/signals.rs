//! Drawn systems whose cores signal each other, held against their bounds.
//!
//! Two or three cores with up to three tasks each. Half of the tasks are released by events, each
//! by one of its own, which tasks of any core emit, some of them several times in a job; so
//! arrivals come together, too early, and while others are looked for. Perhaps there is a gate
//! between cores besides. The kernels' paths cost time, in each system a few of them and now and
//! then all.

use fusee_bounds::{Obstacle, analyze};
use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable, ProtocolCosts};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::systems::{Builder, call, compute};

/// The unit of all times, and the most that a path costs.
const UNIT: u64 = 20;
const PATH: u64 = 8;

fn drawn(index: u64) -> System {
    let random = &mut Random::new(1317, index);
    let cores = random.between(2, 3);
    let protocol = [Protocol::Msrp, Protocol::Mrsp][random.below(2) as usize];
    let gated = random.chance(40);
    let mut builder = Builder::default();
    if gated {
        builder = builder.gate(protocol, &[compute(UNIT * random.between(1, 2))]);
    }
    let counts: Vec<u64> = (0..cores).map(|_| random.between(1, 3)).collect();
    let all = counts.iter().sum::<u64>();
    let mut priorities: Vec<u8> = (1..=all as u8).collect();
    for at in (1..priorities.len()).rev() {
        priorities.swap(at, random.below(at as u64 + 1) as usize);
    }
    let released: Vec<bool> = (0..all).map(|task| task > 0 && random.chance(50)).collect();
    let events: Vec<usize> = (0..all as usize).filter(|&task| released[task]).collect();
    for priority in priorities {
        let mut steps = Vec::new();
        for event in 0..events.len() {
            let times = if random.chance(35) { random.between(1, 3) } else { 0 };
            for _ in 0..times {
                if random.chance(60) {
                    steps.push(compute(UNIT * random.below(3)));
                }
                steps.push(Step::Emit(NotificationId::from(event)));
            }
        }
        if gated && random.chance(40) {
            steps.push(call(0));
        }
        steps.push(compute(UNIT * random.between(1, 3)));
        builder = builder.task(priority, UNIT * random.between(12, 45), &steps);
    }
    let mut system = builder.system();
    let mut core = counts
        .iter()
        .enumerate()
        .flat_map(|(core, &count)| std::iter::repeat_n(core as u32, count as usize));
    for task in &mut system.tasks {
        task.core = core.next().expect("a core for each task");
    }
    for (event, task) in events.into_iter().enumerate() {
        let (name, origin) = (format!("e{event}"), Origin::NONE);
        system.notifications.push(Notification { name, counting: false, origin });
        let release = system.tasks[task].release.as_mut().expect("a release");
        release.kind = ReleaseKind::Notification(NotificationId::from(event));
    }
    system
}

fn costs(index: u64) -> CostTable {
    let mut table = CostTable::zero("drawn");
    let random = &mut Random::new(0xc057, index);
    let all = random.chance(30);
    let chosen = [random.below(12), random.below(12)];
    let mut number = 0;
    let mut path = || {
        number += 1;
        let counts = all || chosen.contains(&(number - 1));
        Duration(if counts { random.between(PATH / 2, PATH) } else { 0 })
    };
    let (ask, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(ask));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    (table.release, table.completion) = (path(), path());
    let (lock, look) = (path(), path());
    table.cores = Some(CoreCosts {
        lock,
        look,
        lose: path(),
        gain: path(),
        pass: path(),
        ..CoreCosts::default()
    });
    (table.signal, table.wake) = (path(), path());
    table
}

fn runs(system: &System, costs: &CostTable, index: u64) -> Vec<Options> {
    let random = &mut Random::new(77, index);
    let (duration, costs) = (Duration(1500 * UNIT), costs.clone());
    let base = Options { duration, most_events: 8000, costs, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 0..6 {
        let execution = if seed % 4 == 3 { Execution::Random } else { Execution::Worst };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, 40 * UNIT)));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

/// The counts of a campaign.
#[derive(Debug, Default)]
struct Tally {
    bounds: u64,
    reached: u64,
    withdrawn: u64,
}

fn attack(index: u64, costs: &CostTable, tally: &mut Tally) {
    let system = drawn(index);
    let analysis = analyze(&system, &Derived::of(&system), costs);
    let mut longest = vec![Duration::ZERO; system.tasks.len()];
    for options in runs(&system, costs, index) {
        let outcome = simulate(&system, &options)
            .unwrap_or_else(|error| panic!("case {index}: {error}\n{system:#?}"));
        for (longest, seen) in longest.iter_mut().zip(&outcome.tasks) {
            *longest = seen.latest().max(*longest);
        }
    }
    for (task, longest) in analysis.tasks.iter().zip(longest) {
        tally.withdrawn += u64::from(matches!(task.bound, Err(Obstacle::Signals { .. })));
        let Ok(bound) = &task.bound else { continue };
        let whose = &system.task(task.task).name;
        assert!(
            longest <= bound.response,
            "case {index}: {whose} took {longest}, {bound:#?}\n{system:#?}\n{costs:#?}"
        );
        tally.bounds += 1;
        tally.reached += u64::from(longest == bound.response);
    }
}

/// `SIGNAL_SYSTEMS` says how many systems there are.
fn cases() -> u64 {
    fusee_testing::given_or("SIGNAL_SYSTEMS", 150)
}

#[test]
fn no_response_exceeds_its_bound_where_kernels_cost_nothing() {
    let mut tally = Tally::default();
    (0..cases()).for_each(|index| attack(index, &CostTable::zero("free"), &mut tally));
    println!("{tally:?}");
    assert!(tally.bounds > cases() && tally.reached > cases() / 2, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_looks_cost_time() {
    let mut tally = Tally::default();
    (0..2 * cases()).for_each(|index| attack(index, &costs(index), &mut tally));
    println!("{tally:?}");
    assert!(tally.bounds > cases() && tally.withdrawn > 0, "{tally:?}");
}

/// Returns a task on core 0 that signals the event that releases one on core 1.
fn pair(period: u64) -> System {
    let emit = Step::Emit(NotificationId::from(0));
    let builder = Builder::default().task(20, 2_000, &[compute(900)]);
    let builder = builder.task(10, period, &[emit, compute(400)]).task(10, 500, &[compute(100)]);
    let mut system = builder.system();
    let (name, origin) = ("full".to_owned(), Origin::NONE);
    system.notifications.push(Notification { name, counting: false, origin });
    system.tasks[2].core = 1;
    let release = system.tasks[2].release.as_mut().expect("a release");
    release.kind = ReleaseKind::Notification(NotificationId::from(0));
    system
}

#[test]
fn looks_count_where_emitters_keep_their_periods() {
    let costs = |look| {
        let mut costs = CostTable::zero("some");
        costs.cores = Some(CoreCosts { look: Duration(look), ..CoreCosts::default() });
        costs.release = Duration(1);
        costs
    };
    let analysis = |period, look| {
        let system = pair(period);
        analyze(&system, &Derived::of(&system), &costs(look)).tasks[2].bound.clone()
    };
    let (free, costly) = (analysis(1_500, 0), analysis(1_500, 10));
    let response =
        |bound: Result<fusee_bounds::Bound, Obstacle>| bound.expect("a bound").response.ns();
    let (free, costly) = (response(free), response(costly));
    // A look can be under way, and three periods bring signals: each is looked for, and once more
    // in vain.
    assert_eq!((costly - free, free), (10 + 3 * 20, 105));
    let (task, event) = (TaskId::from(1), NotificationId::from(0));
    assert_eq!(analysis(1_000, 10).err(), Some(Obstacle::Signals { task, event }));
    let silent = CostTable { cores: None, ..costs(0) };
    let system = pair(1_500);
    let bounds = analyze(&system, &Derived::of(&system), &silent).tasks;
    assert_eq!(bounds[2].bound.clone().err(), Some(Obstacle::Look { event }));
    assert_eq!(bounds[0].bound.clone().err(), Some(Obstacle::Look { event }), "its core sends");
}

/// Nobody says how often a semaphore is posted, and each post interrupts the core that waits.
#[test]
fn posts_of_other_cores_take_the_bounds_of_the_core_that_looks() {
    let mut system = pair(1_500);
    let component = system.tasks[0].component;
    let core = Some(Sourced { value: 1, origin: Origin::NONE });
    let semaphore = Lock { kind: LockKind::Semaphore, core, ..Lock::mutex("filled".to_owned()) };
    system.components[component.index()].code.locks.push(semaphore);
    let mut costs = CostTable::zero("some");
    let bounds = |costs: &CostTable| analyze(&system, &Derived::of(&system), costs).tasks;
    assert!(bounds(&costs).iter().all(|task| task.bound.is_ok()), "looking takes no time");
    costs.cores = Some(CoreCosts { look: Duration(10), ..CoreCosts::default() });
    costs.release = Duration(1);
    let found = bounds(&costs);
    assert_eq!(found[2].bound.clone().err(), Some(Obstacle::Posts { component, lock: 0 }));
    assert!(found[0].bound.is_ok() && found[1].bound.is_ok(), "the other core looks for nothing");
}
