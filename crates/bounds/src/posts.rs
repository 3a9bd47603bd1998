//! Posts of semaphores from other cores, for which one core looks.
//!
//! A post tells the core of those who wait to look, as a signal of an event does. But lists of
//! calls do not name semaphores, so nobody knows how often that is: where looking takes time, that
//! core has no bounds, nor has who waits for what is done there.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{ComponentId, System};

use crate::amount::Amount;
use crate::bound::TaskBound;
use crate::interrupt::Interrupt;
use crate::kernel_cost::KernelCost;
use crate::obstacle::Obstacle;

/// Returns the cores that look, each with the reason.
fn all(system: &System) -> impl Iterator<Item = (u32, Obstacle)> + '_ {
    let several = system.cores() > 1;
    let components = system.components.iter().enumerate().filter(move |_| several);
    components.flat_map(|(index, described)| {
        let locks = described.code.locks.iter().enumerate();
        locks.filter_map(move |(lock, described)| {
            let component = ComponentId::from(index);
            Some((described.core?.value, Obstacle::Posts { component, lock }))
        })
    })
}

/// Iterates over the interrupts by which cores look for posts.
pub(crate) fn interrupts<'s>(
    system: &'s System,
    kernel: &'s KernelCost,
) -> impl Iterator<Item = Interrupt> + 's {
    // One such interrupt of unbounded cost leaves no window an end, so how often it comes is all
    // one.
    let arrivals = Arrivals { period: 1, jitter: 0 };
    let looks = all(system).filter(|_| !kernel.is_free);
    looks.map(move |(core, _)| Interrupt { core, arrivals, cost: Amount(None), times: 1 })
}

/// Says of the cores that look why they have no bounds.
pub(crate) fn withdraw(system: &System, kernel: &KernelCost, tasks: &mut [TaskBound]) {
    for (core, obstacle) in all(system).filter(|_| !kernel.is_free) {
        // The unbounded interrupt has taken these bounds already. Here they only get the reason for
        // it.
        let own = tasks.iter_mut().filter(|task| system.task(task.task).core == core);
        own.for_each(|task| task.withdraw(obstacle));
    }
}
