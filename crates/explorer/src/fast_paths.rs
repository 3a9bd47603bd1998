//! The kernel's fast paths, compared with the outcome of the whole step.
//!
//! A machine lets the thread that a fast path names go on without looking whether that thread's
//! component is gone or still to be put back: the fast path has looked.

use fusee_kernel::{Delivery, Event, Kernel, OnFault, Outcome, Tables, ThreadIndex, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Step, Store};

/// Returns the thread that goes on by a step's fast path, or `None` if the step has no fast path in
/// that state, or no component ever ends.
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
        Event::Invoke(slot) => match kernel.invoke_fast(now, slot) {
            Ok(passage) => Some(passage.thread),
            Err(gate) => kernel.block_fast(now, gate?).map(|switch| switch.thread),
        },
        Event::Return => match kernel.return_fast(now) {
            Ok(back) => Some(back.thread),
            Err(Some(_)) => None,
            Err(None) => kernel.hand_on_fast(now).map(|passage| passage.thread),
        },
        Event::Signal(slot) => kernel.signal_fast(now, slot).ok().map(|(switch, _)| switch.thread),
        Event::Interrupt(line) => kernel.interrupt_fast(now, line).map(|(switch, _)| switch.thread),
        _ => None,
    }
}

/// Checks that the thread of the fast path runs, in a component that is there.
pub(crate) fn check(promised: Option<ThreadIndex>, outcome: &Outcome) -> Checked {
    let Some(thread) = promised else { return Ok(()) };
    let gone = matches!(outcome.delivery, Delivery::Abort | Delivery::Restore);
    ensure(Rule::Told, outcome.thread == thread && !gone, || {
        format!("T{} goes on at once, it should be {outcome:?}", thread.0)
    })
}
