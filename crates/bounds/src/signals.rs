//! Signals from core to core: what looking for them costs, and how many come.
//!
//! A signal tells the core of its event to look: that is a look and what a signal does there. A
//! look leaves the rest of a count to another one, and the sender's own word can come behind the
//! look that has found its signal: so a signal brings two looks at most, one of which finds it.
//!
//! If each job of an emitter is over before the next is released, and no look comes later than a
//! period of it, what a job signals is looked at within two periods of its release. That is
//! supposed for the bounds: up to the first job for which it does not hold all of them do. Where
//! the bounds found do not show it, they are withdrawn on the cores that look.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::costs::CostTable;
use fusee_model::{NotificationId, System, TaskId};

use crate::amount::Amount;
use crate::bound::TaskBound;
use crate::interrupts::{self, Interrupt};
use crate::kernel_cost::KernelCost;
use crate::obstacle::Obstacle;

/// A task that signals an event of another core.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signal {
    emitter: TaskId,
    pub(crate) event: NotificationId,
    /// The core that looks.
    core: u32,
}

/// All of a system. Nobody has to wait for an event: then any other core may be its own.
pub(crate) fn all(system: &System) -> Vec<Signal> {
    let mut found = Vec::new();
    if system.cores() == 1 {
        return found;
    }
    // A library's caller may name an event that the system has not: it brings nothing.
    let is_there = |event: &NotificationId| event.index() < system.notifications.len();
    for (emitter, task) in system.task_ids() {
        for event in system.emitted_by(emitter).into_iter().filter(is_there) {
            let owner = system.core_of_event(event);
            let others = (0..system.cores())
                .filter(|&core| core != task.core && owner.is_none_or(|owner| owner == core));
            found.extend(others.map(|core| Signal { emitter, event, core }));
        }
    }
    found
}

/// What looks at them interrupt.
pub(crate) fn interrupts<'s>(
    system: &'s System,
    kernel: &'s KernelCost,
) -> impl Iterator<Item = Interrupt> + 's {
    all(system).into_iter().map(|Signal { emitter, event, core }| {
        let Arrivals { period, jitter } = interrupts::arrivals(system.task(emitter));
        let jitter = match system.task(emitter).release {
            Some(_) => jitter.saturating_add(period.saturating_mul(2)),
            None => 0,
        };
        let most = system.emissions(emitter, event).map(|emissions| emissions.most);
        let cost = most.map_or(Amount(None), |most| kernel.look_for(event).times(most));
        let times = most.unwrap_or(1);
        Interrupt { core, arrivals: Arrivals { period, jitter }, cost, times }
    })
}

/// Withdraws the bounds of cores whose looks are not as many as was supposed; and of those that
/// look or send where nobody knows what that costs.
pub(crate) fn withdraw(
    system: &System,
    (costs, kernel): (&CostTable, &KernelCost),
    tasks: &mut [TaskBound],
) {
    if kernel.is_free {
        return;
    }
    let signals = all(system);
    while let Some(core) = signals.iter().find_map(|signal| {
        let obstacle = obstacle(system, (costs, kernel), tasks, signal)?;
        let sender = system.task(signal.emitter).core;
        let bound = |task: &&mut TaskBound| {
            let core = system.task(task.task).core;
            let concerned = core == signal.core || core == sender && costs.cores.is_none();
            concerned && task.bound.is_ok()
        };
        let mut bounds = tasks.iter_mut().filter(bound).peekable();
        bounds.peek()?;
        bounds.for_each(|task| task.bound = Err(obstacle));
        Some(signal.core)
    }) {
        debug_assert!(core < system.cores(), "each time a core loses its bounds");
    }
}

/// What a signal takes the bounds of the core that looks.
fn obstacle(
    system: &System,
    (costs, kernel): (&CostTable, &KernelCost),
    tasks: &[TaskBound],
    signal: &Signal,
) -> Option<Obstacle> {
    let Signal { emitter, event, core } = *signal;
    if costs.cores.is_none() {
        return Some(Obstacle::Look { event });
    }
    let task = system.task(emitter);
    task.release.as_ref()?;
    let Arrivals { period, .. } = interrupts::arrivals(task);
    let response = tasks[emitter.index()].response().map(|response| response.ns());
    let on_time = response.is_some_and(|response| response <= period);
    let looks = pending(system, kernel, core).0.is_some_and(|pending| pending <= period);
    (!on_time || !looks).then_some(Obstacle::Signals { task: emitter, event })
}

/// Rounds in which the longest pending time is looked for.
const MOST_ITERATIONS: u32 = 1_000;

/// For how long a core can be in its kernel, with a look that waits for it.
fn pending(system: &System, kernel: &KernelCost, core: u32) -> Amount {
    if let Some(own) = kernel.between.on(core) {
        return own.pending;
    }
    let interrupts = interrupts::all(system, kernel);
    let mut pending = Amount::ZERO;
    for _ in 0..MOST_ITERATIONS {
        let own = interrupts.iter().filter(|interrupt| interrupt.core == core);
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
