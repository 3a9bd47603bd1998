//! The counts of a campaign.

use std::collections::BTreeMap;

use fusee_bounds::TaskBound;
use fusee_model::{Duration, Policy};
use fusee_sim::TaskOutcome;
use fusee_soundness::hostile::{Drawn, Honest};
use fusee_soundness::refusing_rule;

/// The counts of systems drawn and seen.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Systems that were run.
    systems: u64,
    /// Those that the checks refuse, by the rule.
    refused: BTreeMap<String, u64>,
    /// The counts by number of cores and policy.
    kinds: BTreeMap<String, u64>,
    /// Tasks by what is to be held of them.
    tasks: BTreeMap<Honest, u64>,
    /// The reasons for which honest tasks with a deadline have no bound.
    obstacles: BTreeMap<String, u64>,
    /// Runs of a task that took more than it states, that faulted, that was refused something.
    hostile: [u64; 3],
    /// Bounds by the largest tenth of them that one run's responses took.
    tenths: [u64; 11],
    /// The largest share of a bound, in percent.
    closest: u64,
}

impl Tally {
    /// A system is refused; whether it is the first one that a rule refuses.
    pub(crate) fn refuse(&mut self, why: &str) -> bool {
        let count = self.refused.entry(refusing_rule(why).to_owned()).or_default();
        *count += 1;
        *count == 1
    }

    pub(crate) fn drew(&mut self, drawn: &Drawn, tasks: &[Honest]) {
        self.systems += 1;
        let first = drawn.policies[0];
        let decides = match drawn.root {
            Some(root) => root,
            None if drawn.policies.iter().any(|&policy| policy != first) => "both",
            None if first == Policy::EarliestDeadline => "deadlines",
            None => "priorities",
        };
        let cores = if drawn.cores == 1 { "core" } else { "cores" };
        *self.kinds.entry(format!("{} {cores}, {decides}", drawn.cores)).or_default() += 1;
        for &honest in tasks {
            *self.tasks.entry(honest).or_default() += 1;
        }
    }

    pub(crate) fn saw_obstacle(&mut self, bounds: &TaskBound, honest: Honest) {
        if let (Err(obstacle), Honest::Unbounded) = (&bounds.bound, honest) {
            let text = format!("{obstacle:?}");
            let kind = text.split([' ', '(']).next().unwrap_or_default();
            *self.obstacles.entry(kind.to_owned()).or_default() += 1;
        }
    }

    pub(crate) fn saw_hostile(&mut self, seen: &TaskOutcome, stated: Option<Duration>) {
        let takes_more = stated.is_some_and(|stated| seen.execution_max > stated);
        for (count, saw) in
            self.hostile.iter_mut().zip([takes_more, seen.faults > 0, seen.refused > 0])
        {
            *count += u64::from(saw);
        }
    }

    pub(crate) fn saw_honest(&mut self, longest: Duration, bound: Duration) {
        let bound = bound.ns().max(1);
        self.closest = self.closest.max(longest.ns() * 100 / bound);
        self.tenths[(longest.ns() * 10 / bound).min(10) as usize] += 1;
    }

    fn count(&self, honest: Honest) -> u64 {
        self.tasks.get(&honest).copied().unwrap_or(0)
    }

    /// A campaign whose systems are refused, without bounds, or tame says nothing.
    pub(crate) fn assert_worth_its_while(&self) {
        let refused: u64 = self.refused.values().sum();
        assert!(refused * 10 < self.systems, "too many are refused: {self:?}");
        let held = self.count(Honest::Alone) + self.count(Honest::Bounded);
        let others = self.count(Honest::Resting) + self.count(Honest::Unbounded);
        assert!(held > others && held > 2 * self.systems, "few bounds: {self:?}");
        assert!(
            self.hostile.iter().all(|&runs| runs > self.systems / 4),
            "they are tame: {self:?}"
        );
        let has = |kind: &str| self.kinds.keys().any(|own| own.contains(kind));
        for kind in
            ["1 core", "2 cores", "4 cores", "priorities", "deadlines", "both", "Partitions"]
        {
            assert!(has(kind), "no {kind}: {self:?}");
        }
        assert!(self.tenths[9] + self.tenths[10] > 0, "nobody comes near its bound: {self:?}");
    }
}
