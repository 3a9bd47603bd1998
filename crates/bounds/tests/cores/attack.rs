//! Runs of drawn systems, held against bounds.

use fusee_bounds::analyze;
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Releases, simulate};

use super::drawn::{MEETING, Mix, costs, crowd, drawn, meeting, nested};

/// The counts of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) systems: u64,
    /// Bounds, each held against all runs.
    pub(crate) bounds: u64,
    /// Bounds that a response has reached.
    pub(crate) reached: u64,
    /// The bounds among those with waiting for other cores in them.
    pub(crate) reached_by_waiting: u64,
    /// And bounds with suspended waiting in them.
    pub(crate) reached_by_suspension: u64,
    /// The largest part of a bound that a response has reached, in percent.
    pub(crate) closest: u64,
    /// The number of bounds that were reached to so many tenths.
    pub(crate) tenths: [u64; 11],
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
pub(crate) fn attack(system: &System, runs: &[Options], index: u64, tally: &mut Tally) {
    let analysis = analyze(system, &Derived::of(system), &runs[0].costs);
    tally.systems += u64::from(analysis.tasks.iter().any(|task| task.bound.is_ok()));
    let mut longest = vec![Duration::ZERO; system.tasks.len()];
    for options in runs {
        let outcome = simulate(system, options)
            .unwrap_or_else(|error| panic!("case {index}: {error}\n{system:#?}"));
        for (longest, seen) in longest.iter_mut().zip(&outcome.tasks) {
            *longest = seen.latest().max(*longest);
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
        let tenths = longest.ns() * 10 / bound.response.ns().max(1);
        tally.tenths[tenths as usize] += 1;
        if longest == bound.response {
            tally.reached += 1;
            tally.reached_by_waiting += u64::from(bound.waiting_time() > Duration::ZERO);
            tally.reached_by_suspension += u64::from(bound.suspension_time() > Duration::ZERO);
        }
    }
}

pub(crate) fn campaign(mix: Mix<'_>, cases: u64, kind: Kind) -> Tally {
    let mut tally = Tally::default();
    for index in 0..cases {
        let (system, costs) = ((kind.draw)(mix, index), costs(mix, index));
        let runs = (kind.runs)(&system, (mix.unit, &costs), &mut Random::new(77, index));
        attack(&system, &runs, index, &mut tally);
    }
    tally
}

/// The kind of systems drawn, and the way in which they run.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) draw: fn(Mix<'_>, u64) -> System,
    pub(crate) runs: fn(&System, (u64, &CostTable), &mut Random) -> Vec<Options>,
}

pub(crate) const ANY: Kind = Kind { draw: drawn, runs };
pub(crate) const MEETINGS: Kind = Kind { draw: meeting, runs: meetings };
pub(crate) const CROWDS: Kind = Kind { draw: crowd, runs: meetings };
pub(crate) const NESTED: Kind = Kind { draw: nested, runs };
