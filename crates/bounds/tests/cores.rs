//! Drawn systems of several cores on the kernels, held against their bounds.
//!
//! Two to four cores with up to four tasks each; one or two gates between them, `msrp` or `mrsp`,
//! one with a gate inside that lets all in; on each core perhaps a local gate, in which some ask
//! for a gate between cores. Times are small, so that instants coincide.

use fusee_bounds::{Analysis, analyze};
use fusee_generate::Random;
use fusee_model::costs::CostTable;
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

/// A system of its seed and index.
fn drawn(protocols: &[Protocol], seed: u64, index: u64) -> System {
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
        let local = [Protocol::Inherited, Protocol::Fixed, Protocol::NonPreemptive];
        let local = local[random.below(3) as usize];
        let inside: &[usize] = if random.chance(60) { &[0] } else { &[] };
        let steps = body(random, 3, inside);
        builder = builder.gate(local, &steps);
    }
    let mut places = Vec::new();
    for core in 0..cores {
        for _ in 0..random.between(1, 4) {
            let steps = body(random, 6, &[0, 3 + core, 1]);
            let period = random.between(15, 80) * (1 + random.below(3));
            let priority = random.between(1, 12) as u8;
            builder = builder.task(priority, period, &steps);
            places.push(core as u32);
        }
    }
    let mut system = builder.system();
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
    system
}

/// Ways to run a system.
fn runs(system: &System, random: &mut Random) -> Vec<Options> {
    let duration = Duration(2000);
    let base = Options { duration, most_events: 6000, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 0..8 {
        let execution = if seed % 4 == 3 { Execution::Random } else { Execution::Worst };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, 40)));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

/// Holds each response of each run against its bound.
fn attack(system: &System, analysis: &Analysis, index: u64, tally: &mut Tally) {
    let mut longest = vec![Duration::ZERO; system.tasks.len()];
    for options in runs(system, &mut Random::new(77, index)) {
        let outcome = simulate(system, &options)
            .unwrap_or_else(|error| panic!("case {index}: {error}\n{system:#?}"));
        for (longest, seen) in longest.iter_mut().zip(&outcome.tasks) {
            *longest = seen.responses.longest.max(seen.oldest).max(*longest);
        }
    }
    for (task, longest) in analysis.tasks.iter().zip(longest) {
        let Ok(bound) = &task.bound else { continue };
        let whose = &system.task(task.task).name;
        let too_long = format!("case {index}: {whose} took {longest}, {bound:#?}\n{system:#?}");
        assert!(longest <= bound.response, "{too_long}");
        tally.bounds += 1;
        if longest == bound.response {
            tally.reached += 1;
            tally.reached_by_waiting += u64::from(bound.waiting_time() > Duration::ZERO);
        }
    }
}

fn campaign(protocols: &[Protocol], seed: u64, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        let system = drawn(protocols, seed, index);
        let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
        tally.systems += u64::from(analysis.tasks.iter().any(|task| task.bound.is_ok()));
        attack(&system, &analysis, index, &mut tally);
    }
    tally
}

#[test]
fn no_response_exceeds_its_bound_where_nobody_preempts_who_waits() {
    let tally = campaign(&[Protocol::Msrp], 61, 150);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_who_waits_helps() {
    let tally = campaign(&[Protocol::Mrsp], 62, 150);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}

#[test]
fn no_response_exceeds_its_bound_where_both_meet() {
    let tally = campaign(&[Protocol::Msrp, Protocol::Mrsp], 63, 150);
    assert!(tally.systems >= 120 && tally.bounds > 500, "{tally:?}");
    assert!(tally.reached > 30 && tally.reached_by_waiting > 5, "{tally:?}");
}
