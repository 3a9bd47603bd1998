//! What interrupts a core: releases, ends of budgets, devices, other cores.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{ReleaseKind, System, Task, TaskId};

use crate::amount::Amount;
use crate::kernel_cost::KernelCost;
use crate::{posts, signals};

/// Interrupts of one kind, with what each costs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interrupt {
    /// The core that they interrupt.
    pub(crate) core: u32,
    pub(crate) arrivals: Arrivals,
    pub(crate) cost: Amount,
    /// How many times it takes the core from somebody.
    pub(crate) times: u64,
}

impl Interrupt {
    /// What all that come in a window of some length cost, at so much each.
    pub(crate) fn within(&self, window: Amount, cost: Amount) -> Amount {
        let count = window.0.and_then(|window| self.arrivals.within(window.max(1)));
        count.map_or(Amount(None), |count| cost.times(count))
    }
}

/// How a task's jobs arrive; a task without release has one job, once.
pub(crate) fn arrivals(task: &Task) -> Arrivals {
    match &task.release {
        Some(release) => {
            Arrivals { period: release.period.value.ns().max(1), jitter: release.jitter.value.ns() }
        }
        None => Arrivals { period: u64::MAX, jitter: 0 },
    }
}

/// All of a system, core by core in the order of tasks.
pub(crate) fn all(system: &System, kernel: &KernelCost) -> Vec<Interrupt> {
    let releases = system.tasks.iter().map(|task| release(task, kernel));
    let devices = system.task_ids().filter_map(|(id, _)| device(system, id, kernel));
    let looks = signals::interrupts(system, kernel).chain(posts::interrupts(system, kernel));
    releases.chain(devices).chain(looks).collect()
}

/// A task's releases: their own path and, of a task with a budget, the end of that budget.
///
/// A budget is filled at each release and ends at most once before the next.
fn release(task: &Task, kernel: &KernelCost) -> Interrupt {
    let end = if task.budget.is_some() { kernel.budget_end } else { Amount::ZERO };
    Interrupt {
        core: task.core,
        arrivals: arrivals(task),
        cost: kernel.release.plus(end),
        times: 1,
    }
}

/// The interrupts of a device that releases a task, besides the releases.
///
/// The line is masked until the driver acknowledges it, once in a job: so to the interrupts of a
/// window's releases comes one that is too early for the next. Each signals, and is acknowledged,
/// which takes no longer than a signal.
fn device(system: &System, id: TaskId, kernel: &KernelCost) -> Option<Interrupt> {
    let task = system.task(id);
    let release = task.release.as_ref()?;
    let ReleaseKind::Notification(event) = release.kind else { return None };
    if !system.has_device(event) {
        return None;
    }
    let Arrivals { period, .. } = arrivals(task);
    let arrivals = Arrivals { period, jitter: period };
    Some(Interrupt { core: task.core, arrivals, cost: kernel.signal(event).times(2), times: 1 })
}
