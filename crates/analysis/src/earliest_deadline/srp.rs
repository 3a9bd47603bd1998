//! EDF with resources on one core.
//!
//! Under the stack resource policy (Baker 1991) a job is blocked before it
//! starts, once, by a section that is already held: one of a task with a later
//! deadline, of a resource that some task with an early enough deadline uses.
//! So the demand of an interval t grows by B(t), the longest section of a task
//! with D - J > t whose resource has a user with D - J <= t (Baruah 2006). When
//! sections are simply not preempted, any section of a task with D - J > t counts.
//! Sections nested in others count with their own resource.
//!
//! At the deadline of a job of no length the demand need not grow, so it is looked at by itself:
//! such a job, too, waits for a section.
//!
//! Without jitter that is the published form. A task with D - J <= t < D can block
//! too, but then none of its jobs is due within t, although the demand counts one,
//! and its execution time is no shorter than its section. Counting its section on
//! top would be wasteful, and would break QPA: B must fall where the demand rises.

pub use super::blocking::Blocking;
use super::demand::{Row, demand, every_step, rows};
use super::qpa::jump;
use crate::exact::Fraction;
use crate::{Assumption, Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict};

/// Preemption levels of the stack resource policy need deadlines that count from the release.
const STACK_RESOURCE: &[Assumption] = &[
    Assumption::NoJitter,
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::LocalResources,
];
const NON_PREEMPTIVE: &[Assumption] = &[
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::LocalResources,
];

/// Every core's demand with the blocking of its sections, by QPA.
fn decide(set: &TaskSet, blocking: impl Fn(&TaskSet, usize) -> Blocking) -> Verdict {
    Verdict::from_condition(
        (0..set.cores()).all(|core| holds(set, core, &blocking(set, core), jump)),
    )
}

/// Returns `true` if a criterion holds for the tasks of a core, and if the demand leaves the tasks
/// of no length time at their first deadlines; later ones leave no less.
fn holds(
    set: &TaskSet,
    core: usize,
    blocking: &Blocking,
    criterion: impl Fn(&[Row], &Blocking) -> bool,
) -> bool {
    let Some(rows) = rows(set.on_core(core).map(|(_, t)| t)) else { return false };
    let needed = |t: u64| demand(&rows, t)?.checked_add(blocking.at(t));
    let mut silent = set.on_core(core).filter(|(_, t)| t.wcet == 0);
    let in_time = |t: &Task| {
        let window = t.deadline.saturating_sub(t.jitter);
        needed(window).is_some_and(|needed| needed <= window)
    };
    criterion(&rows, blocking) && silent.all(|(_, t)| in_time(t))
}

/// EDF with the stack resource policy, by QPA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdfStackResource;

impl EdfStackResource {
    /// The same verdict by looking at every step of the demand.
    pub fn by_every_step(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition(
            (0..set.cores())
                .all(|core| holds(set, core, &Blocking::stack_resource(set, core), every_step)),
        )
    }
}

impl SchedulabilityTest for EdfStackResource {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-srp",
            title: "processor demand with the stack resource policy",
            source: "Baker 1991; Baruah 2006; Zhang and Burns 2013 (QPA)",
            family: Family::EarliestDeadline,
            assumptions: STACK_RESOURCE,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        decide(set, Blocking::stack_resource)
    }
}

/// EDF with sections that are not preempted, by QPA.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdfNonPreemptiveSections;

impl SchedulabilityTest for EdfNonPreemptiveSections {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-npcs",
            title: "processor demand with non-preemptive sections",
            source: "Jeffay and Stone 1991; Baruah 2005",
            family: Family::EarliestDeadline,
            assumptions: NON_PREEMPTIVE,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        decide(set, Blocking::non_preemptive)
    }
}

/// Baker's density test: for each k by deadline, sum of C / min(D, T) of the first k plus B / D of
/// the k-th <= 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdfStackResourceDensity;

impl SchedulabilityTest for EdfStackResourceDensity {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-srp-density",
            title: "density with the stack resource policy",
            source: "Baker 1991, theorem 10",
            family: Family::EarliestDeadline,
            assumptions: STACK_RESOURCE,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::from_condition((0..set.cores()).all(|core| dense(set, core)))
    }
}

fn dense(set: &TaskSet, core: usize) -> bool {
    let window = |t: &Task| t.deadline.saturating_sub(t.jitter);
    let possible = |t: &Task| t.deadline >= t.jitter && (t.wcet == 0 || window(t) > 0);
    let mut tasks: Vec<&Task> = set.on_core(core).map(|(_, t)| t).collect();
    tasks.sort_by_key(|t| window(t));
    let blocking = Blocking::stack_resource(set, core);
    let holds = |k: usize| {
        let length = window(tasks[k]);
        let blocked = blocking.at(length);
        let needing = tasks[..=k].iter().filter(|t| t.wcet > 0);
        let terms = needing.map(|t| (t.wcet, window(t).min(t.period)));
        let one = Fraction::new(1, 1);
        match length {
            0 => blocked == 0,
            _ => Fraction::sum(terms.chain([(blocked, length)])).compare(&one).is_le(),
        }
    };
    tasks.iter().all(|t| possible(t)) && (0..tasks.len()).all(holds)
}
