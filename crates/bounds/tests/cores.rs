//! Drawn systems of several cores on the kernels, held against their bounds.
//!
//! Two to four cores with up to four tasks each; one or two gates between them of any protocol,
//! one with a gate inside that lets all in; on each core perhaps a local gate, in which some ask
//! for a gate between cores. Where some wait suspended, at `mpcp` gates, periods are longer, and
//! there are crowds besides, in which each task has one job, with up to three requests, so that
//! bounds are reached. Times are small, so that instants coincide. In a second form the
//! kernels' paths cost time, drawn for each system, some of them nothing; all other times are then
//! longer.

use fusee_bounds::analyze;
use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable, ProtocolCosts};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::systems::{Builder, call, compute};

/// What a campaign has seen.
#[derive(Debug, Default)]
struct Tally {
    systems: u64,
    /// Bounds, each held against all runs.
    bounds: u64,
    /// Bounds that a response has reached.
    reached: u64,
    /// Of those, bounds with waiting for other cores in them.
    reached_by_waiting: u64,
    /// And bounds with suspended waiting in them.
    reached_by_suspension: u64,
    /// The largest part of a bound that a response has reached, in percent.
    closest: u64,
}

/// A body of a few steps, with one call at most of each gate.
fn body(random: &mut Random, longest: u64, gates: &[usize]) -> Vec<Step> {
    let mut steps = Vec::new();
    for &gate in gates {
        if random.chance(60) {
            steps.push(compute(random.between(0, longest)));
            steps.push(call(gate));
        }
    }
    if steps.is_empty() || random.chance(70) {
        steps.push(compute(random.between(1, longest)));
    }
    steps
}

/// What systems are drawn from.
#[derive(Clone, Copy)]
struct Mix<'a> {
    policy: Policy,
    protocols: &'a [Protocol],
    seed: u64,
    /// The unit of all times.
    unit: u64,
    /// The most that a path costs.
    path: u64,
    /// Some periods are so many times as long as others.
    spread: u64,
}

/// A system of its index.
fn drawn(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 4) as usize;
    let mut between = |low, high| compute(random.between(low, high));
    let (first, second, behind) = (between(1, 5), between(0, 3), between(1, 3));
    let mut protocol = || protocols[random.below(protocols.len() as u64) as usize];
    let (one, other) = (protocol(), protocol());
    // Gates 0 and 1 are between cores, gate 2 is behind gate 1, one local gate for each core.
    let mut builder = Builder::default()
        .gate(one, &[first])
        .gate(other, &[second, call(2)])
        .gate(Protocol::Propagated, &[behind]);
    for _ in 0..cores {
        let ceiling = mix.ceiling();
        let local = [Protocol::Inherited, ceiling, Protocol::NonPreemptive];
        let local = local[random.below(3) as usize];
        // Who holds a local gate must not be suspended.
        let inside: &[usize] = if random.chance(60) && one != Protocol::Mpcp { &[0] } else { &[] };
        let steps = body(random, 3, inside);
        builder = builder.gate(local, &steps);
    }
    let mut places = Vec::new();
    for core in 0..cores {
        for _ in 0..random.between(1, 4) {
            let steps = body(random, 6, &[0, 3 + core, 1]);
            let period = random.between(15, 80) * (1 + random.below(mix.spread));
            let priority = random.between(1, 12) as u8;
            builder = builder.task(priority, period, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    stretch(&mut system, unit);
    for (task, core) in system.tasks.iter_mut().zip(places) {
        task.core = core;
        let Some(release) = &mut task.release else { continue };
        if random.chance(20) {
            release.jitter.value = Duration(random.between(0, release.period.value.ns()));
        }
        if random.chance(20) {
            release.kind = ReleaseKind::Sporadic;
        }
    }
    decided(system, mix, random)
}

impl Mix<'_> {
    /// The protocol of one core under which nobody finds a gate held.
    fn ceiling(&self) -> Protocol {
        match self.policy {
            Policy::FixedPriority => Protocol::Fixed,
            Policy::EarliestDeadline => Protocol::Srp,
        }
    }
}

/// The system under the policy that is asked for; if that goes by deadlines, with some.
fn decided(mut system: System, mix: Mix<'_>, random: &mut Random) -> System {
    system.settings.policy = Some(Sourced { value: mix.policy, origin: Origin::NONE });
    for task in &mut system.tasks {
        let Some(release) = &task.release else { continue };
        let period = release.period.value.ns();
        if mix.policy == Policy::EarliestDeadline && random.chance(60) {
            let value = Duration(random.between(period / 4, period).max(1));
            task.deadline = Some(Sourced { value, origin: Origin::NONE });
        }
    }
    system
}

/// A system of its index in which there is little but a meeting at one gate: short tasks, a job of
/// each. Core 0 has one, which asks several times; the others have one or two that do, and some
/// that interrupt.
fn meeting(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 4) as usize;
    let protocol = protocols[random.below(protocols.len() as u64) as usize];
    let behind: &[usize] = if random.chance(40) { &[1] } else { &[] };
    let section: Vec<Step> = [compute(random.between(1, 4 * unit))]
        .into_iter()
        .chain(behind.iter().map(|&gate| call(gate)))
        .collect();
    let mut builder = Builder::default()
        .gate(protocol, &section)
        .gate(Protocol::Propagated, &[compute(random.between(0, unit))]);
    let mut places = Vec::new();
    for core in 0..cores {
        let (others, users) = match core {
            0 => (0, 1),
            _ => (random.between(0, 4), random.between(1, 2)),
        };
        for number in 0..users + others {
            let asks = if number < users { random.between(1, 4) as usize } else { 0 };
            let length = random.between(0, unit / 2);
            let steps = [vec![compute(length)], vec![call(0); asks]].concat();
            let priority = random.between(1, 9) as u8;
            builder = builder.task(priority, MEETING * unit, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    system.tasks.iter_mut().zip(places).for_each(|(task, core)| task.core = core);
    decided(system, mix, random)
}

/// A system of its index in which up to three tasks of each core ask up to three times at one of
/// two gates, a job of each.
fn crowd(mix: Mix<'_>, index: u64) -> System {
    let Mix { protocols, seed, unit, .. } = mix;
    let random = &mut Random::new(seed, index);
    let cores = random.between(2, 3) as usize;
    let mut builder = Builder::default();
    for _ in 0..2 {
        let protocol = protocols[random.below(protocols.len() as u64) as usize];
        builder = builder.gate(protocol, &[compute(random.between(1, 8))]);
    }
    let local = [mix.ceiling(), Protocol::Inherited, Protocol::NonPreemptive];
    for _ in 0..cores {
        let local = local[random.below(3) as usize];
        builder = builder.gate(local, &[compute(random.between(1, 8))]);
    }
    let mut places = Vec::new();
    for core in 0..cores {
        for _ in 0..random.between(1, 3) {
            let mut steps = vec![compute(random.between(0, 3))];
            for _ in 0..random.below(4) {
                let gate = [0, 0, 1, 2 + core][random.below(4) as usize];
                steps.extend([call(gate), compute(random.between(0, 2))]);
            }
            builder = builder.task(random.between(1, 9) as u8, MEETING, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
    stretch(&mut system, unit);
    system.tasks.iter_mut().zip(places).for_each(|(task, core)| task.core = core);
    decided(system, mix, random)
}

/// Units of time in which a meeting is over.
const MEETING: u64 = 400;

/// Makes all times longer.
fn stretch(system: &mut System, unit: u64) {
    let longer = |time: &mut Duration| time.0 *= unit;
    let bodies = system.tasks.iter_mut().map(|task| &mut task.body);
    let methods = system.gates.iter_mut().flat_map(|gate| &mut gate.methods);
    for body in bodies.chain(methods.map(|method| &mut method.body)) {
        for step in &mut body.steps {
            if let Step::Compute { best, worst } = step {
                longer(best);
                longer(worst);
            }
        }
    }
    for task in &mut system.tasks {
        task.deadline.iter_mut().for_each(|deadline| longer(&mut deadline.value));
        task.release.iter_mut().for_each(|release| longer(&mut release.period.value));
    }
}

/// What kernels cost: each path something, or one or two of them much and the others nothing, so
/// that each term of a bound is the largest now and then.
fn costs(mix: Mix<'_>, index: u64) -> CostTable {
    let mut table = CostTable::zero("drawn");
    table.policy = mix.policy;
    let random = &mut Random::new(mix.seed ^ 0xc057, index);
    let all = random.chance(30);
    let (one, other) = (random.below(9), random.below(9));
    let mut number = 0;
    let mut path = || {
        number += 1;
        let counts = all || number == one + 1 || number == other + 1;
        Duration(if counts { random.between(mix.path / 2, mix.path) } else { 0 })
    };
    let (ask, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(ask));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    (table.release, table.completion) = (path(), path());
    let (lock, look) = (path(), path());
    table.cores = Some(CoreCosts { lock, look, lose: path(), gain: path(), pass: path() });
    (table.block, table.handoff, table.inherit_step) = (path(), path(), path());
    table
}

/// Ways to run a system.
fn runs(system: &System, (unit, costs): (u64, &CostTable), random: &mut Random) -> Vec<Options> {
    let (duration, costs) = (Duration(2000 * unit), costs.clone());
    let base = Options { duration, most_events: 6000, costs, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 0..8 {
        let execution = if seed % 4 == 3 { Execution::Random } else { Execution::Worst };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, 40 * unit)));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

/// Ways in which a meeting can come about.
fn meetings(
    system: &System,
    (unit, costs): (u64, &CostTable),
    random: &mut Random,
) -> Vec<Options> {
    let (duration, costs) = (Duration(MEETING * unit), costs.clone());
    let base = Options { duration, most_events: 6000, costs, ..Options::default() };
    let run = |seed| {
        let within = unit * (1 + seed % 8);
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, within))).collect();
        Options { releases: Releases::Phased { starts }, seed, ..base.clone() }
    };
    (0..60).map(run).collect()
}

/// Holds each response of each run against its bound.
fn attack(system: &System, runs: &[Options], index: u64, tally: &mut Tally) {
    let analysis = analyze(system, &Derived::of(system), &runs[0].costs);
    tally.systems += u64::from(analysis.tasks.iter().any(|task| task.bound.is_ok()));
    let mut longest = vec![Duration::ZERO; system.tasks.len()];
    for options in runs {
        let outcome = simulate(system, options)
            .unwrap_or_else(|error| panic!("case {index}: {error}\n{system:#?}"));
        for (longest, seen) in longest.iter_mut().zip(&outcome.tasks) {
            *longest = seen.responses.longest.max(seen.oldest).max(*longest);
        }
    }
    for (task, longest) in analysis.tasks.iter().zip(longest) {
        let Ok(bound) = &task.bound else { continue };
        let whose = &system.task(task.task).name;
        let costs = &runs[0].costs;
        let too_long =
            format!("case {index}: {whose} took {longest}, {bound:#?}\n{system:#?}\n{costs:#?}");
        assert!(longest <= bound.response, "{too_long}");
        tally.bounds += 1;
        tally.closest = tally.closest.max(longest.ns() * 100 / bound.response.ns().max(1));
        if longest == bound.response {
            tally.reached += 1;
            tally.reached_by_waiting += u64::from(bound.waiting_time() > Duration::ZERO);
            tally.reached_by_suspension += u64::from(bound.suspension_time() > Duration::ZERO);
        }
    }
}

fn campaign(mix: Mix<'_>, cases: u64, kind: Kind) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        let (system, costs) = ((kind.draw)(mix, index), costs(mix, index));
        let runs = (kind.runs)(&system, (mix.unit, &costs), &mut Random::new(77, index));
        attack(&system, &runs, index, &mut tally);
    }
    tally
}

/// What is drawn, and how it runs.
#[derive(Clone, Copy)]
struct Kind {
    draw: fn(Mix<'_>, u64) -> System,
    runs: fn(&System, (u64, &CostTable), &mut Random) -> Vec<Options>,
}

const ANY: Kind = Kind { draw: drawn, runs };
const MEETINGS: Kind = Kind { draw: meeting, runs: meetings };
const CROWDS: Kind = Kind { draw: crowd, runs: meetings };

/// What decides, and with which protocols between cores.
type Decided<'a> = (Policy, &'a [Protocol]);

/// Kernels that cost nothing.
fn free((policy, protocols): Decided<'_>, seed: u64) -> Tally {
    campaign(Mix { policy, protocols, seed, unit: 1, path: 0, spread: 3 }, 150, ANY)
}

/// The same where some wait suspended, with longer periods: any system, and crowds.
fn suspended(protocols: &[Protocol], seed: u64) -> [Tally; 2] {
    let policy = Policy::FixedPriority;
    let mix = Mix { policy, protocols, seed, unit: 1, path: 0, spread: 12 };
    let cases = std::env::var("FREE_SYSTEMS").map_or(150, |cases| cases.parse().expect("a number"));
    [ANY, CROWDS].map(|kind| campaign(mix, cases, kind))
}

/// Kernels whose paths cost up to so much, where 20 are a unit of all other times.
fn costly((policy, protocols): Decided<'_>, seed: u64, path: u64) -> [Tally; 2] {
    let mix = Mix { policy, protocols, seed, unit: 20, path, spread: 3 };
    [(ANY, cases()), (MEETINGS, 2 * cases())].map(|(kind, cases)| campaign(mix, cases, kind))
}

/// The same where some wait suspended: any system, meetings, and crowds.
fn costly_suspended(protocols: &[Protocol], seed: u64, path: u64) -> [Tally; 3] {
    let policy = Policy::FixedPriority;
    let mix = Mix { policy, protocols, seed, unit: 20, path, spread: 12 };
    let kinds = [(ANY, cases()), (MEETINGS, 2 * cases()), (CROWDS, 2 * cases())];
    kinds.map(|(kind, cases)| campaign(mix, cases, kind))
}

/// `COSTLY_SYSTEMS` says how many systems of each kind there are, and twice as many meetings.
fn cases() -> u64 {
    std::env::var("COSTLY_SYSTEMS").map_or(30, |cases| cases.parse().expect("a number"))
}

#[test]
fn no_response_exceeds_its_bound_where_nobody_preempts_who_waits() {
    let tally = free((Policy::FixedPriority, &[Protocol::Msrp]), 61);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_who_waits_helps() {
    let tally = free((Policy::FixedPriority, &[Protocol::Mrsp]), 62);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_both_meet() {
    let tally = free((Policy::FixedPriority, &[Protocol::Msrp, Protocol::Mrsp]), 63);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_who_waits_is_suspended() {
    let [any, crowds] = suspended(&[Protocol::Mpcp], 67);
    assert!(any.systems >= 120 && any.bounds > 500 && any.reached > 50, "{any:?}");
    assert!(crowds.bounds > 600 && crowds.reached_by_suspension > 5, "{crowds:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_all_three_meet() {
    let [any, crowds] = suspended(&[Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp], 68);
    assert!(any.systems >= 120 && any.bounds > 500 && any.reached > 20, "{any:?}");
    assert!(crowds.bounds > 600 && crowds.reached_by_suspension > 3, "{crowds:?}");
}

fn no_costly_response_exceeds_its_bound(decided: Decided<'_>, seed: u64) {
    for path in [6, 20] {
        let [any, meetings] = costly(decided, seed, path);
        assert!(any.systems > cases() / 2 && any.bounds > cases(), "{any:?}");
        assert!(meetings.bounds > 4 * meetings.systems && meetings.closest > 80, "{meetings:?}");
    }
}

#[test]
fn no_costly_response_exceeds_its_bound_where_nobody_preempts_who_waits() {
    let protocols = &[Protocol::Msrp];
    no_costly_response_exceeds_its_bound((Policy::FixedPriority, protocols), 64);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_who_waits_helps() {
    let protocols = &[Protocol::Mrsp];
    no_costly_response_exceeds_its_bound((Policy::FixedPriority, protocols), 65);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_both_meet() {
    let protocols = &[Protocol::Msrp, Protocol::Mrsp];
    no_costly_response_exceeds_its_bound((Policy::FixedPriority, protocols), 66);
}

fn no_costly_response_exceeds_its_bound_in_suspension(protocols: &[Protocol], seed: u64) {
    for path in [6, 20, 200] {
        let [any, meetings, crowds] = costly_suspended(protocols, seed, path);
        if path < 200 {
            assert!(any.systems > cases() / 2 && any.bounds > cases(), "{any:?}");
        }
        assert!(meetings.bounds > 4 * meetings.systems && meetings.closest > 80, "{meetings:?}");
        assert!(crowds.bounds > 2 * crowds.systems && crowds.closest > 70, "{crowds:?}");
    }
}

#[test]
fn no_costly_response_exceeds_its_bound_where_who_waits_is_suspended() {
    no_costly_response_exceeds_its_bound_in_suspension(&[Protocol::Mpcp], 69);
}

#[test]
fn no_costly_response_exceeds_its_bound_where_all_three_meet() {
    let all = [Protocol::Msrp, Protocol::Mrsp, Protocol::Mpcp];
    no_costly_response_exceeds_its_bound_in_suspension(&all, 70);
}

#[test]
fn no_response_exceeds_its_bound_where_deadlines_decide() {
    let tally = free((Policy::EarliestDeadline, &[Protocol::Msrp]), 71);
    assert!(tally.systems >= 110 && tally.bounds > 400, "{tally:?}");
    assert!(tally.reached > 20 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_costly_response_exceeds_its_bound_where_deadlines_decide() {
    let protocols = &[Protocol::Msrp];
    no_costly_response_exceeds_its_bound((Policy::EarliestDeadline, protocols), 72);
}
