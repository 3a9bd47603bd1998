//! The interrupts of a core: releases, ends of budgets, devices, other cores.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{ReleaseKind, System, Task, TaskId};

use crate::amount::Amount;
use crate::interrupt::{Interrupt, arrivals};
use crate::kernel_cost::KernelCost;
use crate::{posts, signals};

/// All of a system, core by core in the order of tasks.
pub(crate) fn all(system: &System, kernel: &KernelCost) -> Vec<Interrupt> {
    let releases = system.tasks.iter().map(|task| release(task, kernel));
    let devices = system.task_ids().filter_map(|(id, _)| device(system, id, kernel));
    let looks = signals::interrupts(system, kernel).chain(posts::interrupts(system, kernel));
    releases.chain(devices).chain(looks).collect()
}

/// Rounds in which the longest pending time is looked for.
const MOST_ITERATIONS: u32 = 1_000;

/// Returns the longest time that a core is in its kernel with an interrupt pending.
pub(crate) fn pending(interrupts: &[Interrupt], kernel: &KernelCost, core: u32) -> Amount {
    if let Some(own) = kernel.between.on(core) {
        return own.pending;
    }
    let mut pending = Amount::ZERO;
    for _ in 0..MOST_ITERATIONS {
        let own = interrupts.iter().filter(|interrupt| interrupt.core == core);
        // One path can be under way, and another interrupt can begin one at the same instant. Then
        // all that come meanwhile may be served first.
        let next = own.fold(kernel.longest_path.times(2), |sum, interrupt| {
            sum.plus(interrupt.within(pending, interrupt.cost))
        });
        if next == pending {
            return pending;
        }
        pending = next;
    }
    Amount(None)
}

/// Returns a task's releases: their own path and, of a task with a budget, the end of that budget.
///
/// A budget is filled at each release and ends at most once before the next.
fn release(task: &Task, kernel: &KernelCost) -> Interrupt {
    // The end of a budget that was filled before a window is not here, but in the section in which
    // it comes (`Context::section`).
    let end = if task.budget.is_some() { kernel.budget_end } else { Amount::ZERO };
    Interrupt {
        core: task.core,
        arrivals: arrivals(task),
        cost: kernel.release.plus(end),
        times: 1,
    }
}

/// Returns the interrupts of a device that releases a task, besides the releases.
///
/// The line is masked until the driver acknowledges it, once in a job: so to the interrupts of a
/// window's releases comes one that is too early for the next. Each signals, and is acknowledged.
fn device(system: &System, id: TaskId, kernel: &KernelCost) -> Option<Interrupt> {
    let task = system.task(id);
    let release = task.release.as_ref()?;
    let ReleaseKind::Notification(event) = release.kind else { return None };
    // Signals of tasks are charged to who sends them. Only a device interrupts by itself.
    if !system.has_device(event) {
        return None;
    }
    let Arrivals { period, .. } = arrivals(task);
    let arrivals = Arrivals { period, jitter: period };
    Some(Interrupt { core: task.core, arrivals, cost: kernel.device(event), times: 1 })
}
