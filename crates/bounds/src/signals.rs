//! Signals from core to core: what looking for them costs, and how many come.
//!
//! A signal tells the core of its event to look: that is a look and what a signal does there. A
//! look leaves the rest of a count to another one, and the sender's own word can come behind the
//! look that has found its signal: so a signal brings two looks at most, one of which finds it.
//!
//! How many come is what the sender's kernel lets through, whatever its code does
//! ([`PostLimit`]): of m signals a job and with a limit that is `ahead` by A, m (w + A) / T at most
//! in a window of length w. A look may come later than its signal, by the longest for which the
//! core can be in its kernel with an interrupt that waits. That rests on how many looks come: so it
//! is looked for from none on, until it stays what it is (module `context`).

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{InterfaceKind, PostLimit, System, TaskId};

use crate::amount::Amount;
use crate::interrupt::{Interrupt, arrivals};
use crate::kernel_cost::KernelCost;
use crate::signal::{Signal, all};

/// Iterates over the interrupts by which cores look for signals.
pub(crate) fn interrupts<'s>(
    system: &'s System,
    kernel: &'s KernelCost,
) -> impl Iterator<Item = Interrupt> + 's {
    let signals = all(system).into_iter().map(|Signal { emitter, event, core }| {
        let (limit, cost) = (system.post_limit(emitter, event), kernel.look_for(event));
        interrupt(system, kernel, Told { sender: emitter, core, limit, cost })
    });
    let registered = registrations(system).into_iter().map(|(task, core)| {
        let limit = system.registration_limit(task);
        interrupt(system, kernel, Told { sender: task, core, limit, cost: kernel.look_for_any() })
    });
    signals.chain(registered)
}

/// A core that a task may tell to look, how often, and what each look costs.
struct Told {
    sender: TaskId,
    core: u32,
    limit: PostLimit,
    cost: Amount,
}

/// Returns the looks of a core at what a task may tell it.
fn interrupt(system: &System, kernel: &KernelCost, told: Told) -> Interrupt {
    let Told { sender, core, limit, cost } = told;
    let once = Arrivals { period: u64::MAX, jitter: 0 };
    // In the first round of the search nothing is known of delays, and it begins with none.
    let late = kernel.pending.get(core as usize).copied().unwrap_or(Some(0));
    let (arrivals, signals) = match limit {
        PostLimit::Never => (once, Some(0)),
        // A thread with one job can send all its signals within any window, but only in one of
        // them.
        PostLimit::Once(signals) => (once, Some(signals)),
        PostLimit::Rate { signals, period, ahead } => {
            // A look comes later than its signal, so more of them can fall into one window. Where
            // nobody knows how much later, the cost is unknown, and not the delay 0.
            let jitter = ahead.saturating_add(late.unwrap_or(0));
            (Arrivals { period, jitter }, late.map(|_| signals))
        }
        // With an unknown cost every window has no end, so the arrivals do not matter here.
        PostLimit::Unknown => (arrivals(system.task(sender)), None),
    };
    let times = signals.map(u64::from);
    let cost = times.map_or(Amount(None), |times| cost.times(times));
    Interrupt { core, arrivals, cost, times: times.unwrap_or(1) }
}

/// Returns the tasks that may register callbacks which another core runs, with that core.
fn registrations(system: &System) -> Vec<(TaskId, u32)> {
    let mut found = Vec::new();
    for (component, interface, _) in system.described_callbacks().filter(|_| system.cores() > 1) {
        let InterfaceKind::Consumes(Some(event)) =
            system.component(component).interfaces[interface].kind
        else {
            continue;
        };
        let owner = system.core_of_event(event);
        for (task, described) in system.task_ids() {
            if system.components_of(task).contains(&component) {
                // As long as no task says by its wait on which core the callback runs, each other
                // core may be told.
                let others = (0..system.cores()).filter(|&core| {
                    core != described.core && owner.is_none_or(|owner| owner == core)
                });
                found.extend(others.map(|core| (task, core)));
            }
        }
    }
    found
}
