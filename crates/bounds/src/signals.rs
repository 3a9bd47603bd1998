//! Signals from core to core: what looking for them costs, and how many come.
//!
//! A signal tells the core of its event to look: that is a look and what a signal does there. A
//! look leaves the rest of a count to another one, and the sender's own word can come behind the
//! look that has found its signal: so a signal brings two looks at most, one of which finds it.
//!
//! If each job of an emitter is over before the next is released, and no look comes later than a
//! period of it, what a job signals is looked at within two periods of its release. That is
//! supposed for the bounds: up to the first job for which it does not hold all of them do. Where
//! the bounds found do not show it, they are withdrawn (module `late_signals`).

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::System;

use crate::amount::Amount;
use crate::interrupt::{Interrupt, arrivals};
use crate::kernel_cost::KernelCost;
use crate::signal::{Signal, all};

/// What looks at them interrupt.
pub(crate) fn interrupts<'s>(
    system: &'s System,
    kernel: &'s KernelCost,
) -> impl Iterator<Item = Interrupt> + 's {
    all(system).into_iter().map(|Signal { emitter, event, core }| {
        let Arrivals { period, jitter } = arrivals(system.task(emitter));
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
