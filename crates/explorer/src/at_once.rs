//! What the kernel's short ways say before anybody asks again.
//!
//! A machine lets whoever a short way names go on at once, and does not look whether that one's
//! component is gone or still to be put back: the short way has.

use fusee_kernel::{Delivery, Event, Kernel, OnFault, Outcome, Tables, ThreadIndex, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Step, Store};

/// Who goes on at once by a step's short way, if it has one in that state. `None` as well where no
/// component ends.
pub(crate) fn goes_on<P: Rules>(
    step: Step,
    tables: &Tables<'_>,
    (store, now): (&Store<P>, Time),
) -> Option<ThreadIndex> {
    let Step::Event(event) = step else { return None };
    if !tables.components.iter().any(|config| config.on_fault != OnFault::Continue) {
        return None;
    }
    let mut copy = store.clone();
    let mut kernel = Kernel::resume(*tables, copy.memory(), ());
    match event {
        Event::Invoke(slot) => match kernel.invoke_at_once(now, slot) {
            Ok(passage) => Some(passage.thread),
            Err(gate) => kernel.block_at_once(now, gate?).map(|switch| switch.thread),
        },
        Event::Return => match kernel.return_at_once(now) {
            Ok(back) => Some(back.thread),
            Err(Some(_)) => None,
            Err(None) => kernel.hand_on_at_once(now).map(|passage| passage.thread),
        },
        Event::Signal(slot) => {
            kernel.signal_at_once(now, slot).ok().map(|(switch, _)| switch.thread)
        }
        Event::Interrupt(line) => {
            kernel.interrupt_at_once(now, line).map(|(switch, _)| switch.thread)
        }
        _ => None,
    }
}

/// Whether who goes on at once runs, in a component that is there.
pub(crate) fn check(promised: Option<ThreadIndex>, outcome: &Outcome) -> Checked {
    let Some(thread) = promised else { return Ok(()) };
    let gone = matches!(outcome.delivery, Delivery::Abort | Delivery::Restore);
    ensure(Rule::Told, outcome.thread == thread && !gone, || {
        format!("T{} goes on at once, it should be {outcome:?}", thread.0)
    })
}
