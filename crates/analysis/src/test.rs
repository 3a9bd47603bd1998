//! A schedulability test, and what it says about itself.

use crate::assumption::breaks;
use crate::{Assumption, Exactness, OutsideAssumptions, TaskSet, Verdict};

/// The kind of scheduling that a test is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Fixed priorities, each core alone.
    FixedPriority,
    /// Earliest deadline first, each core alone.
    EarliestDeadline,
    /// Fixed priorities on cores that share resources.
    PartitionedFixedPriority,
    /// Earliest deadline first on cores that share resources.
    PartitionedEarliestDeadline,
    /// Fixed priorities, jobs run on any core of their cluster and share resources.
    ClusteredFixedPriority,
    /// Earliest deadline first, jobs run on any core of their cluster and share resources.
    ClusteredEarliestDeadline,
    /// Fixed priorities, jobs run on any core.
    GlobalFixedPriority,
    /// Earliest deadline first, jobs run on any core.
    GlobalEarliestDeadline,
}

impl Family {
    /// Returns `true` if jobs run on any core, so that it does not matter where tasks are placed.
    pub fn is_global(self) -> bool {
        matches!(self, Family::GlobalFixedPriority | Family::GlobalEarliestDeadline)
    }
}

impl std::fmt::Display for Family {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Family::FixedPriority => "fixed priorities, one core",
            Family::EarliestDeadline => "EDF, one core",
            Family::PartitionedFixedPriority => "fixed priorities, partitioned",
            Family::PartitionedEarliestDeadline => "EDF, partitioned",
            Family::ClusteredFixedPriority => "fixed priorities, clustered",
            Family::ClusteredEarliestDeadline => "EDF, clustered",
            Family::GlobalFixedPriority => "fixed priorities, global",
            Family::GlobalEarliestDeadline => "EDF, global",
        })
    }
}

/// A test's metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// Name in files and on the command line, in kebab case; no two tests share one.
    pub name: &'static str,
    /// Name in the field.
    pub title: &'static str,
    /// The publication, and the repair that applies.
    pub source: &'static str,
    /// The kind of scheduling.
    pub family: Family,
    /// The assumptions of the test.
    pub assumptions: &'static [Assumption],
    /// The meaning of its "no", within the assumptions.
    pub exactness: Exactness,
}

impl Metadata {
    /// Checks that a set keeps the assumptions that are named here.
    pub(crate) fn covers(&self, set: &TaskSet) -> Result<(), OutsideAssumptions> {
        let placed = (!self.family.is_global()).then_some(Assumption::Placed);
        for &assumption in placed.iter().chain(self.assumptions) {
            if let Some(task) = breaks(set, assumption) {
                return Err(OutsideAssumptions { test: self.name, assumption, task });
            }
        }
        Ok(())
    }
}

/// A schedulability test.
///
/// [`check`](Self::check) is what users call; a test gives the rest.
pub trait SchedulabilityTest: Sync {
    /// Returns the metadata of the test.
    fn metadata(&self) -> &'static Metadata;

    /// The answer for a set that keeps the assumptions; for others any answer, but an answer.
    fn decide(&self, set: &TaskSet) -> Verdict;

    /// Bounds on response times from arrival to completion, one for each task, if the test gives
    /// any.
    ///
    /// `None` for a task that is not shown to meet its deadline, so a set is schedulable if every
    /// task has a bound, and no bound is beyond its deadline. A task has one if it does not depend
    /// on those without. Only for sets that keep the assumptions.
    fn response_times(&self, _set: &TaskSet) -> Option<Vec<Option<u64>>> {
        None
    }

    /// Checks the assumptions, then decides.
    ///
    /// # Errors
    /// The first assumption that is broken, with the task that breaks it.
    fn check(&self, set: &TaskSet) -> Result<Verdict, OutsideAssumptions> {
        self.covers(set)?;
        Ok(self.decide(set))
    }

    /// Checks that the set keeps the assumptions.
    ///
    /// # Errors
    /// The first assumption that is broken, with the task that breaks it.
    fn covers(&self, set: &TaskSet) -> Result<(), OutsideAssumptions> {
        self.metadata().covers(set)
    }
}
