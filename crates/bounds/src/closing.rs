//! Windows that are closed at their end.
//!
//! A window of length w holds the jobs that arrive before its end, and at its end all
//! time that they take has passed. Then the job in question is done, unless what it
//! has still to do takes no time: a way back, an unlocking, its completion. No
//! interrupt comes between, since an interrupt at an instant comes after what takes no
//! time then. But an action may: a signal, sent at that instant by whoever runs,
//! releases a job of the level, which runs first; and while it executes everybody comes
//! in who arrives at that instant. Such a window is *closed*: it holds also what arrives
//! at its end, and it lasts until that is done, too.
//!
//! At the end of a window all that is counted in it has been spent, or it would have
//! ended before. So the signal has nothing behind it in its job (or section, or budget)
//! that counts:
//!
//! - Where completing a job costs the kernel time, that time is behind everything: all
//!   windows are open.
//! - Where it costs nothing and some other path does, that path can be under way while
//!   an interrupt falls due, and another just at its end: all windows are closed.
//! - Where the kernel costs nothing, a window is closed if a job of its level can be
//!   released by an *ending* signal: one with no execution behind it in a member's job or
//!   in a section of a lower task that matters to the level; any of a member that may be
//!   suspended there; the notice of a budget that can end; a signal from another core.
//!
//! The worst case of every execution time is meant: a job that takes less leaves the
//! window earlier, and what it releases then arrives inside.

use std::collections::BTreeSet;

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Body, GateId, NotificationId, Overrun, ReleaseKind, Step, System, TaskId};

use crate::amount::Amount;
use crate::blocking::relevant;
use crate::context::Context;
use crate::demand::Demands;
use crate::kernel_cost::KernelCost;
use crate::level::Ending;

/// Signals.
type Signals = BTreeSet<NotificationId>;

/// What a window's end depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Every completion takes time.
    Never,
    /// Completions take none, and some other path does.
    Always,
    /// No path takes any.
    BySignals(EndingSignals),
}

/// Signals behind which no execution counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndingSignals {
    /// Of each task's job.
    tasks: Vec<Signals>,
    /// Of each method, by gate and position.
    methods: Vec<Vec<Signals>>,
}

impl Closing {
    pub(crate) fn of(
        system: &System,
        derived: &Derived,
        costs: &CostTable,
        kernel: &KernelCost,
        demands: &Demands,
    ) -> Self {
        if kernel.completion > Amount::ZERO {
            Closing::Never
        } else if !costs.is_zero() {
            Closing::Always
        } else {
            Closing::BySignals(EndingSignals::of(system, derived, kernel, demands))
        }
    }
}

impl EndingSignals {
    fn of(system: &System, derived: &Derived, kernel: &KernelCost, demands: &Demands) -> Self {
        let methods =
            system.gates.iter().map(|gate| vec![Signals::new(); gate.methods.len()]).collect();
        let mut ending = Self { tasks: Vec::new(), methods };
        for &(gate, method) in derived.method_order.iter().rev() {
            let signals = ending.of_body(kernel, demands, &system.gate(gate).methods[method].body);
            ending.methods[gate.index()][method] = signals;
        }
        ending.tasks =
            system.tasks.iter().map(|task| ending.of_body(kernel, demands, &task.body)).collect();
        ending
    }

    /// Goes back from the end up to the first step that takes time. What has no known time has no
    /// bound either.
    fn of_body(&self, kernel: &KernelCost, demands: &Demands, body: &Body) -> Signals {
        let mut signals = Signals::new();
        for step in body.steps.iter().rev() {
            let takes_time = match *step {
                Step::Compute { worst, .. } => worst.ns() > 0,
                Step::Emit(id) => {
                    signals.insert(id);
                    false
                }
                Step::Invoke { gate, method, .. } => {
                    signals.extend(self.of_invocation(gate, method));
                    let demand = demands.invocation(kernel, gate, method);
                    demand.is_ok_and(|demand| demand.total() > Amount::ZERO)
                }
                Step::Wait(_) => false,
            };
            if takes_time {
                break;
            }
        }
        signals
    }

    /// Those of a method, or of any where it is not named.
    fn of_invocation(&self, gate: GateId, method: Option<usize>) -> Signals {
        let methods = self.methods.get(gate.index()).map_or(&[][..], Vec::as_slice);
        let named =
            methods.iter().enumerate().filter(|&(m, _)| method.is_none_or(|named| named == m));
        named.flat_map(|(_, signals)| signals.iter().copied()).collect()
    }
}

/// Whether windows of a level are closed, given its members, the tasks below, and whose budgets can
/// end.
pub(crate) fn is_closed(
    context: &Context<'_>,
    level: i16,
    members: &[TaskId],
    below: &[TaskId],
    ending: &Ending,
) -> bool {
    let signals = match &context.closing {
        Closing::Never => return false,
        Closing::Always => return true,
        Closing::BySignals(signals) => signals,
    };
    let releasing: Signals =
        members.iter().filter_map(|&task| released_by(context.system, task)).collect();
    if releasing.is_empty() {
        return false;
    }
    let system = context.system;
    let gives_notice = |task: TaskId| {
        ending[task.index()].is_some()
            && notice(system, task).is_some_and(|id| releasing.contains(&id))
    };
    let by_member = |&task: &TaskId| {
        let suspended = ending[task.index()].is_some() && context.suspending_budget(task).is_some();
        gives_notice(task)
            || suspended && reaches_any(context, task, &releasing)
            || !signals.tasks[task.index()].is_disjoint(&releasing)
    };
    let in_section = |&task: &TaskId| {
        let mut sections = relevant(context, level, task).map(|(passage, _)| passage);
        sections.any(|p| {
            gives_notice(task) || !signals.of_invocation(p.gate, p.method).is_disjoint(&releasing)
        })
    };
    let core = members.first().map(|&task| system.task(task).core);
    let elsewhere = |(task, described): (TaskId, &fusee_model::Task)| {
        Some(described.core) != core && reaches_any(context, task, &releasing)
    };
    members.iter().any(by_member)
        || below.iter().any(in_section)
        || system.task_ids().any(elsewhere)
}

/// The signal that releases a task.
fn released_by(system: &System, task: TaskId) -> Option<NotificationId> {
    match system.task(task).release.as_ref()?.kind {
        ReleaseKind::Notification(id) => Some(id),
        ReleaseKind::Periodic | ReleaseKind::Sporadic => None,
    }
}

/// The signal at the end of a task's budget.
fn notice(system: &System, task: TaskId) -> Option<NotificationId> {
    match system.task(task).budget.as_ref()?.overrun {
        Overrun::Notify(id) => Some(id),
        Overrun::Suspend | Overrun::Continue => None,
    }
}

/// Whether one of the signals is anywhere on a task's way.
fn reaches_any(context: &Context<'_>, task: TaskId, signals: &Signals) -> bool {
    let sends = |body: &Body| {
        body.steps.iter().any(|step| matches!(step, Step::Emit(id) if signals.contains(id)))
    };
    let passed = context
        .derived
        .task(task)
        .gates
        .iter()
        .flat_map(|&gate| &context.system.gate(gate).methods);
    notice(context.system, task).is_some_and(|id| signals.contains(&id))
        || sends(&context.system.task(task).body)
        || passed.map(|method| &method.body).any(sends)
}
