//! The amount by which each execution time may grow.
//!
//! For each body, the largest own execution time under which every deadline that
//! is guaranteed now still is. Bounds never fall when an execution time grows, so
//! bisection finds it exactly, to the nanosecond. Each step is an analysis of the
//! whole system; that is why nobody does it unless asked.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System, TaskId};

use crate::analyze::analyze;
use crate::body::BodyRef;
use crate::bound::Analysis;
use crate::change::{Change, body, own_time};

/// The amount by which one execution time may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Growth {
    /// The body whose own execution it is.
    pub body: BodyRef,
    /// The present execution time.
    pub now: Duration,
    /// The most it may be without losing a guarantee; `None`: as much as you like.
    pub most: Option<Duration>,
}

/// Returns all bodies that a task with a guaranteed deadline could lose it to: tasks first, then
/// methods.
pub fn sensitivity(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
    analysis: &Analysis,
) -> Vec<Growth> {
    let tasks = system.task_ids().map(|(id, _)| BodyRef::Task(id));
    let methods = system.gate_ids().filter(|(id, _)| !derived.gate(*id).tasks.is_empty());
    let methods =
        methods.flat_map(|(id, gate)| (0..gate.methods.len()).map(move |m| BodyRef::Method(id, m)));
    tasks.chain(methods).filter_map(|body| growth(system, costs, analysis, body)).collect()
}

/// Returns the amount by which one body's own execution time may grow; `None`: it is unknown now,
/// or nothing is guaranteed.
pub fn growth(
    system: &System,
    costs: &CostTable,
    analysis: &Analysis,
    of: BodyRef,
) -> Option<Growth> {
    let described = body(system, of)?;
    described.wcet_origin?;
    let now = own_time(described)?;
    let guaranteed = guaranteed(analysis);
    // Without a guarantee there is nothing that growth could take away.
    if guaranteed.is_empty() {
        return None;
    }
    let keeps = |time: u64| {
        let (changed, derived) = Change::Time(of, Duration(time)).apply(system);
        keeps_all(&analyze(&changed, &derived, costs), &guaranteed)
    };
    let longest = guaranteed.iter().filter_map(|&t| analysis.tasks[t.index()].deadline).max()?.ns();
    // Beyond every deadline a body can delay nobody who would still be in time. If all guarantees
    // last there, no growth takes one away.
    let beyond = now.checked_add(longest)?.checked_add(1)?;
    if keeps(beyond) {
        return Some(Growth { body: of, now: Duration(now), most: None });
    }
    // All guarantees hold as it is now, and one is lost beyond every deadline: the limit is
    // between.
    let (mut kept, mut lost) = (now, beyond);
    while lost - kept > 1 {
        let middle = kept + (lost - kept) / 2;
        if keeps(middle) { kept = middle } else { lost = middle }
    }
    Some(Growth { body: of, now: Duration(now), most: Some(Duration(kept)) })
}

/// Tasks whose deadline is guaranteed.
pub(crate) fn guaranteed(analysis: &Analysis) -> Vec<TaskId> {
    analysis
        .tasks
        .iter()
        .filter(|t| t.deadline.is_some() && t.is_schedulable())
        .map(|t| t.task)
        .collect()
}

/// Returns `true` if none of the guarantees is lost.
pub(crate) fn keeps_all(analysis: &Analysis, guaranteed: &[TaskId]) -> bool {
    guaranteed.iter().all(|&t| analysis.tasks[t.index()].is_schedulable())
}
