//! Bounds of systems with schedulers that are components, compared with runs.

mod costs;
mod drawn;
mod gates;
mod own_time;
mod servers;
mod slots;

use std::ops::Range;

use fusee_bounds::{Analysis, analyze};
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Recording, Releases, simulate};
use fusee_testing::given_or;

/// Ways to run a system.
fn runs(system: &System, random: &mut Random) -> Vec<Options> {
    let releases = system.tasks.iter().filter_map(|task| task.release.as_ref());
    let longest = releases.map(|release| release.period.value.ns()).max().unwrap_or(1);
    let duration = Duration(longest * 15);
    let base = Options { duration, most_events: 20_000, ..Options::default() };
    let mut runs = vec![base.clone()];
    for seed in 1..3 {
        let execution = if seed == 2 { Execution::Random } else { Execution::Worst };
        runs.push(Options { releases: Releases::Drawn, execution, seed, ..base.clone() });
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, longest)));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed, ..base.clone() });
    }
    runs
}

fn analysis(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("sim"))
}

/// Returns the response of a task where all but the first, a scheduler, are released at these
/// times, as its bound says and as it is seen.
fn bound_and_seen(system: &System, task: usize, starts: &[u64]) -> (Option<u64>, u64) {
    let starts = [0].iter().chain(starts).map(|&start| Duration(start)).collect();
    let releases = Releases::Phased { starts };
    let options = Options { duration: Duration(900), releases, ..Options::default() };
    let seen = &simulate(system, &options).expect("it ran").tasks[task];
    let bound = analysis(system).tasks[task].response();
    (bound.map(Duration::ns), seen.responses.longest.ns())
}

/// Returns the history that led to the longest response of a task.
fn story(system: &System, options: &Options, task: usize) -> String {
    let longest = simulate(system, options).expect("it ran").tasks[task].responses.worst;
    let (from, to) = longest.unwrap_or((Duration::ZERO, options.duration));
    let recording = Recording::Window { from: Duration(from.ns().saturating_sub(20)), to };
    let again = Options { recording, ..options.clone() };
    let records = simulate(system, &again).expect("it ran").records;
    let lines = records.iter().map(|r| format!("{} {:?} {:?}\n", r.time, r.kind, r.thread));
    lines.collect()
}

/// The numbers of bounds compared with runs, and of bounds reached.
#[derive(Debug, Default)]
struct Tally {
    bounds: u64,
    below: u64,
    reached: u64,
    none: u64,
}

impl Tally {
    /// Counts over these systems, which are drawn from a seed.
    fn of(drawn: fn(u64, u64) -> System, seed: u64, places: Range<u64>) -> Self {
        let mut tally = Self::default();
        for index in places {
            tally.attack(&drawn(seed, index), (seed, index));
        }
        tally
    }

    /// Holds the bounds of a system against runs; it is known by a seed and its place.
    fn attack(&mut self, system: &System, (seed, index): (u64, u64)) {
        let analysis = analysis(system);
        let mut longest = vec![Duration::ZERO; system.tasks.len()];
        for options in runs(system, &mut Random::new(seed, index)) {
            let outcome = simulate(system, &options).expect("a system that can be run");
            for (task, (seen, bound)) in outcome.tasks.iter().zip(&analysis.tasks).enumerate() {
                let response = seen.latest();
                longest[task] = longest[task].max(response);
                let Some(bound) = bound.response() else { continue };
                assert!(
                    response <= bound,
                    "system {index} of {seed}: task {task} took {response}, not {bound}\n\
                     {:?}\n{:?}\n{}{}",
                    options.releases,
                    analysis.tasks[task],
                    drawn::text(system),
                    story(system, &options, task),
                );
            }
        }
        for (seen, bound) in longest.iter().zip(&analysis.tasks) {
            let dispatched = system.scheduler_of(bound.task).is_some();
            match bound.response() {
                Some(bound) => {
                    self.bounds += 1;
                    self.below += u64::from(dispatched);
                    self.reached += u64::from(*seen == bound);
                }
                None => self.none += u64::from(system.scheduler(bound.task).is_none()),
            }
        }
    }
}

/// `TREE_SYSTEMS` makes it longer.
#[test]
fn no_run_exceeds_a_bound() {
    let (count, seed) = (given_or("TREE_SYSTEMS", 700), given_or("TREE_SEED", 18));
    let tally = Tally::of(drawn::system, seed, 0..count);
    println!("{count} systems: {tally:?}");
    assert!(tally.below > count && tally.reached * 4 > tally.bounds, "{tally:?}");
}

/// A thread that waits at a gate lends its time: no thread is late by more than its bound says.
#[test]
fn no_run_exceeds_a_bound_where_threads_share_gates() {
    let (count, seed) = (given_or("TREE_SYSTEMS", 250), given_or("TREE_SEED", 18));
    let tally = Tally::of(drawn::sharing, seed, 0..count);
    println!("{count} systems: {tally:?}");
    assert!(tally.below > count / 2 && tally.reached * 8 > tally.bounds, "{tally:?}");
}

/// For a tree all gates of the priority ceiling protocol are one lock, and whoever waits lends.
#[test]
fn no_run_exceeds_a_bound_where_threads_share_ceilings() {
    let (count, seed) = (given_or("TREE_SYSTEMS", 250), given_or("TREE_SEED", 18));
    let tally = Tally::of(drawn::barring, seed, 0..count);
    println!("{count} systems: {tally:?}");
    assert!(tally.below > count / 2 && tally.reached * 8 > tally.bounds, "{tally:?}");
}

/// Nothing ends a section that others find free, and no thread is late by more than its bound says.
#[test]
fn no_run_exceeds_a_bound_where_gates_are_found_free() {
    let (count, seed) = (given_or("TREE_SYSTEMS", 250), given_or("TREE_SEED", 18));
    let tally = Tally::of(drawn::holding, seed, 0..count);
    println!("{count} systems: {tally:?}");
    assert!(tally.below > count / 2 && tally.reached * 8 > tally.bounds, "{tally:?}");
}

/// A thread of the tree runs while a task of the kernel's own at the same level waits, whose job is
/// in the way of a more urgent thread then. Here all together ask for more than there is, and
/// without the less urgent one they would not.
#[test]
fn who_waits_behind_a_less_urgent_thread_is_in_the_way_of_a_more_urgent_one() {
    let tally = Tally::of(drawn::system, 77, 689..690);
    assert_eq!((tally.bounds, tally.none), (0, 5), "{tally:?}");
}
