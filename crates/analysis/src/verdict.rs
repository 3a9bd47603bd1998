//! What a test says, and what it says about itself.

use std::fmt;

use crate::TaskSet;

/// A test's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Every deadline is met in every legal run.
    Schedulable,
    /// Not shown to be schedulable; a miss is certain only if the test is exact.
    NotShown,
}

impl Verdict {
    /// The verdict of a condition.
    pub fn from_condition(holds: bool) -> Self {
        if holds { Verdict::Schedulable } else { Verdict::NotShown }
    }

    /// Whether every deadline is met.
    pub fn is_schedulable(self) -> bool {
        self == Verdict::Schedulable
    }
}

/// What a "no" is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// A set without a "yes" does miss a deadline in some legal run.
    Exact,
    /// A set without a "yes" may still be schedulable.
    Sufficient,
}

/// What a test takes for granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// D = T for every task.
    ImplicitDeadlines,
    /// D <= T for every task.
    ConstrainedDeadlines,
    /// No release jitter.
    NoJitter,
    /// No blocking.
    NoBlocking,
    /// A shorter period never has a lower priority.
    RateMonotonic,
    /// Tasks of equal priority have equal periods.
    EqualPeriodsOnOneLevel,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumption::ImplicitDeadlines => "deadlines equal to periods",
            Assumption::ConstrainedDeadlines => "deadlines no longer than periods",
            Assumption::NoJitter => "no release jitter",
            Assumption::NoBlocking => "no blocking",
            Assumption::RateMonotonic => "rate-monotonic priorities",
            Assumption::EqualPeriodsOnOneLevel => "equal periods among equal priorities",
        })
    }
}

/// A test was asked about a set that it says nothing about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{test} assumes {assumption}, which task {task} breaks")]
pub struct OutsideAssumptions {
    /// The test's name.
    pub test: &'static str,
    /// The assumption.
    pub assumption: Assumption,
    /// Position of a task that breaks it.
    pub task: usize,
}

/// A schedulability test for task sets on one core.
pub trait SchedulabilityTest {
    /// Its name in the field.
    fn name(&self) -> &'static str;

    /// Who published it, and which repair applies.
    fn source(&self) -> &'static str;

    /// What it takes for granted.
    fn assumptions(&self) -> &'static [Assumption];

    /// What its "no" is worth, within the assumptions.
    fn exactness(&self) -> Exactness;

    /// The answer for a set that keeps the assumptions.
    fn decide(&self, set: &TaskSet) -> Verdict;

    /// Checks the assumptions, then decides.
    ///
    /// # Errors
    /// The first assumption that is broken, with the task that breaks it.
    fn check(&self, set: &TaskSet) -> Result<Verdict, OutsideAssumptions> {
        for &assumption in self.assumptions() {
            if let Some(task) = breaks(set, assumption) {
                return Err(OutsideAssumptions { test: self.name(), assumption, task });
            }
        }
        Ok(self.decide(set))
    }
}

/// The first task that breaks an assumption.
fn breaks(set: &TaskSet, assumption: Assumption) -> Option<usize> {
    let tasks = set.tasks();
    match assumption {
        Assumption::ImplicitDeadlines => tasks.iter().position(|t| t.deadline != t.period),
        Assumption::ConstrainedDeadlines => tasks.iter().position(|t| t.deadline > t.period),
        Assumption::NoJitter => tasks.iter().position(|t| t.jitter > 0),
        Assumption::NoBlocking => tasks.iter().position(|t| t.blocking > 0),
        Assumption::RateMonotonic => not_rate_monotonic(set),
        Assumption::EqualPeriodsOnOneLevel => unequal_periods(set),
    }
}

/// The first task whose period differs from that of an earlier one of its priority.
fn unequal_periods(set: &TaskSet) -> Option<usize> {
    let mut of_level = std::collections::BTreeMap::new();
    set.tasks().iter().position(|t| *of_level.entry(t.priority).or_insert(t.period) != t.period)
}

/// The first task that has a strictly longer period and a strictly higher priority than another one.
fn not_rate_monotonic(set: &TaskSet) -> Option<usize> {
    let mut order: Vec<usize> = (0..set.tasks().len()).collect();
    order.sort_by_key(|&i| (set.tasks()[i].period, i));
    let mut lowest_before = None;
    let mut lowest_of_period = (0, None);
    for &i in &order {
        let task = &set.tasks()[i];
        if lowest_of_period.0 != task.period {
            lowest_before = lowest_of_period.1.into_iter().chain(lowest_before).min();
            lowest_of_period = (task.period, None);
        }
        if lowest_before.is_some_and(|p| task.priority > p) {
            return Some(i);
        }
        lowest_of_period.1 = lowest_of_period.1.into_iter().chain([task.priority]).min();
    }
    None
}
