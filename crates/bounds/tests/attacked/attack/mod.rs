//! A system's bounds, held against several runs of the simulator.

use fusee_bounds::analyze;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

use super::unit_step::{Run, worst_responses};

/// The numbers of systems with a bound, of bounds attacked, and of bounds reached.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    systems: u64,
    bounds: u64,
    reached: u64,
}

impl Tally {
    /// Checks that the campaign was large enough to mean something.
    #[track_caller]
    pub(crate) fn assert_at_least(&self, systems: u64, bounds: u64) {
        assert!(self.systems > systems && self.bounds > bounds, "too few: {self:?}");
    }

    /// Checks that one bound in `part` was reached.
    #[track_caller]
    pub(crate) fn assert_tight(&self, part: u64) {
        assert!(self.reached * part > self.bounds, "bounds are loose: {self:?}");
    }

    fn count(&mut self, (bounds, reached): (u64, u64)) {
        self.systems += u64::from(bounds > 0);
        self.bounds += bounds;
        self.reached += reached;
    }
}

/// The runs of each case: so many variants, of which one in `shuffled` draws among equals.
#[derive(Clone, Copy)]
pub(crate) struct Runs {
    pub(crate) variants: u64,
    pub(crate) shuffled: u64,
}

/// Attacks the bounds of these systems, as far as they are short; none may be exceeded.
pub(crate) fn attack_all(runs: Runs, systems: impl Iterator<Item = System>) -> Tally {
    attack_pairs(runs, systems.map(|system| (system.clone(), system)))
}

/// The same of systems that do something else than is said of them, by code that is not trusted;
/// nothing is promised to the tasks that run it.
pub(crate) fn attack_pairs(runs: Runs, pairs: impl Iterator<Item = (System, System)>) -> Tally {
    let mut tally = Tally::default();
    for (case, (said, done)) in (0..).zip(pairs) {
        if is_short(&said) {
            tally.count(attack((&said, &done), case, runs));
        }
    }
    tally
}

/// Returns the number of bounds attacked, and of bounds reached.
fn attack((said, system): (&System, &System), case: u64, runs: Runs) -> (u64, u64) {
    let derived = Derived::of(said);
    let analysis = analyze(said, &derived, &CostTable::zero("sim"));
    if analysis.tasks.iter().all(|task| task.response().is_none()) {
        return (0, 0);
    }
    let Runs { variants, shuffled } = runs;
    let ticks = longest_period(system).unwrap_or(1) * 6;
    let mut worst = vec![0; system.tasks.len()];
    for variant in 0..variants {
        let run = Run {
            ticks,
            seed: case * 8 + variant,
            dense: variant < 2,
            shuffle: variant % shuffled == 1,
        };
        for (worst, seen) in worst.iter_mut().zip(worst_responses(system, run)) {
            *worst = seen.max(*worst);
        }
    }
    let (mut bounds, mut reached) = (0, 0);
    for (task, seen) in analysis.tasks.iter().zip(worst) {
        let Some(bound) = task.response() else { continue };
        if !said.untrusted_code(&derived, task.task).is_empty() {
            continue;
        }
        assert!(
            seen <= bound.ns(),
            "case {case}: task {} took {seen}, bound {bound:?}\n{task:#?}\n{said:#?}\n{system:#?}",
            task.task.0
        );
        bounds += 1;
        reached += u64::from(seen == bound.ns());
    }
    (bounds, reached)
}

/// Returns `true` if runs of several periods are short enough to be taken tick by tick.
fn is_short(system: &System) -> bool {
    longest_period(system).is_some_and(|period| period < 600)
}

fn longest_period(system: &System) -> Option<u64> {
    system.tasks.iter().filter_map(|t| t.release.as_ref()).map(|r| r.period.value.ns()).max()
}

/// `FUSEE_CASES` makes the campaigns longer.
pub(crate) fn cases(default: u64) -> u64 {
    fusee_testing::given_or("FUSEE_CASES", default)
}
