//! The assumptions of a test, and the ways in which a set breaks them.

use std::collections::BTreeMap;
use std::fmt;

use crate::{Request, TaskSet};

/// An assumption of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Assumption {
    /// D = T for every task.
    ImplicitDeadlines,
    /// D <= T for every task.
    ConstrainedDeadlines,
    /// No release jitter.
    NoJitter,
    /// No blocking terms.
    NoBlocking,
    /// No self-suspension.
    NoSuspension,
    /// No preemption thresholds.
    NoThresholds,
    /// The set has no resources.
    NoResources,
    /// No critical section inside another one.
    NoNesting,
    /// All tasks nest resources in one order, so that no circle of waiting can arise.
    OrderedNesting,
    /// No resource is used from several cores.
    LocalResources,
    /// Everything runs on one core.
    OneCore,
    /// A shorter period never has a lower priority.
    RateMonotonic,
    /// Tasks of equal priority have equal periods.
    EqualPeriodsOnOneLevel,
    /// No two tasks of one core have the same priority.
    DistinctPriorities,
    /// Each task is placed on a core, where there are several.
    Placed,
    /// The home core that a test was given for each shared resource is one of the set's.
    HomeCores,
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumption::ImplicitDeadlines => "deadlines equal to periods",
            Assumption::ConstrainedDeadlines => "deadlines no longer than periods",
            Assumption::NoJitter => "no release jitter",
            Assumption::NoBlocking => "no blocking terms",
            Assumption::NoSuspension => "no self-suspension",
            Assumption::NoThresholds => "no preemption thresholds",
            Assumption::NoResources => "no shared resources",
            Assumption::NoNesting => "no nested critical sections",
            Assumption::OrderedNesting => "one order of nesting for all tasks",
            Assumption::LocalResources => "no resources shared between cores",
            Assumption::OneCore => "one core",
            Assumption::RateMonotonic => "rate-monotonic priorities",
            Assumption::EqualPeriodsOnOneLevel => "equal periods among equal priorities",
            Assumption::DistinctPriorities => "distinct priorities on each core",
            Assumption::Placed => "tasks that are placed on cores",
            Assumption::HomeCores => "home cores that are cores of the set, one for each resource",
        })
    }
}

/// A test was asked about a set that it says nothing about.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{test} assumes {assumption}, which {}", subject(*.assumption, *.task))]
pub struct OutsideAssumptions {
    /// The test's name.
    pub test: &'static str,
    /// The assumption in question.
    pub assumption: Assumption,
    /// Position of a task that breaks it.
    pub task: usize,
}

/// Returns the sentence about the breach of an assumption, and the remedy where there is one.
fn subject(assumption: Assumption, task: usize) -> String {
    match assumption {
        Assumption::Placed => {
            "this set for several cores is not yet: place it first (`place` in Python and Rust, \
             `placement` in the `[analysis]` of an experiment)"
                .to_owned()
        }
        Assumption::HomeCores => "the given ones are not".to_owned(),
        _ => format!("task {task} breaks"),
    }
}

/// The first task that breaks an assumption.
pub(crate) fn breaks(set: &TaskSet, assumption: Assumption) -> Option<usize> {
    let tasks = set.tasks();
    let requests = |test: &dyn Fn(&Request) -> bool| {
        (0..tasks.len()).find(|&i| set.requests(i).iter().any(test))
    };
    match assumption {
        Assumption::ImplicitDeadlines => tasks.iter().position(|t| t.deadline != t.period),
        Assumption::ConstrainedDeadlines => tasks.iter().position(|t| t.deadline > t.period),
        Assumption::NoJitter => tasks.iter().position(|t| t.jitter > 0),
        Assumption::NoBlocking => tasks.iter().position(|t| t.blocking > 0),
        Assumption::NoSuspension => tasks.iter().position(|t| t.suspension > 0),
        Assumption::NoThresholds => tasks.iter().position(|t| t.effective_threshold() > t.priority),
        Assumption::NoResources if set.resources() == 0 => None,
        Assumption::NoNesting if !set.nests() => None,
        Assumption::NoResources => requests(&|_| true),
        Assumption::NoNesting => requests(&|r| !r.nested.is_empty()),
        Assumption::OrderedNesting => nests_in_a_circle(set),
        Assumption::LocalResources => shares_across_cores(set),
        Assumption::OneCore => tasks.iter().position(|t| t.core != 0),
        Assumption::RateMonotonic => not_rate_monotonic(set),
        Assumption::EqualPeriodsOnOneLevel => unequal_periods(set),
        Assumption::DistinctPriorities => equal_priorities(set),
        Assumption::Placed => (!set.is_placed()).then_some(0),
        // The test's own parameters say, not the set alone.
        Assumption::HomeCores => None,
    }
}

/// The first task with a nesting (outer, inner) that is left when outermost resources are taken
/// away again and again.
fn nests_in_a_circle(set: &TaskSet) -> Option<usize> {
    let mut pairs = Vec::new();
    for task in 0..set.tasks().len() {
        for section in set.sections(task) {
            pairs.extend(
                section
                    .request
                    .nested
                    .iter()
                    .map(|inner| (section.request.resource, inner.resource, task)),
            );
        }
    }
    let mut before = pairs.len() + 1;
    while pairs.len() < before {
        before = pairs.len();
        let inner: std::collections::BTreeSet<usize> =
            pairs.iter().map(|&(_, inner, _)| inner).collect();
        pairs.retain(|(outer, _, _)| inner.contains(outer));
    }
    pairs.into_iter().map(|(_, _, task)| task).min()
}

fn shares_across_cores(set: &TaskSet) -> Option<usize> {
    let global = (0..set.resources()).find(|&q| set.is_global(q))?;
    set.users(global).map(|(i, _)| i).next()
}

/// The first task that shares its core and priority with an earlier one.
fn equal_priorities(set: &TaskSet) -> Option<usize> {
    let mut seen = std::collections::BTreeSet::new();
    set.tasks().iter().position(|t| !seen.insert((t.core, t.priority)))
}

/// The first task whose period differs from that of an earlier one of its core and priority.
fn unequal_periods(set: &TaskSet) -> Option<usize> {
    let mut of_level = BTreeMap::new();
    set.tasks()
        .iter()
        .position(|t| *of_level.entry((t.core, t.priority)).or_insert(t.period) != t.period)
}

/// The first task that has a strictly longer period and a strictly higher priority than another one
/// on its core.
fn not_rate_monotonic(set: &TaskSet) -> Option<usize> {
    (0..set.cores()).filter_map(|core| not_rate_monotonic_on(set, core)).min()
}

fn not_rate_monotonic_on(set: &TaskSet, core: usize) -> Option<usize> {
    let mut order: Vec<usize> = set.on_core(core).map(|(i, _)| i).collect();
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
