//! The calls of schedulers that are components.

use super::leave::{answer, go_on, keep_words};
use crate::clock;
use crate::context::{Context, T0};
use crate::machine::Machine;
use fusee_image_format::abi;
use fusee_kernel::ResumeReason;
use fusee_system::SchedulerCall;

/// The running thread makes a scheduler's decision.
pub(crate) fn decide(context: Context, call: &SchedulerCall) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let caller = machine.system.kernel().current();
    let now = clock::now();
    match machine.system.decide(now, call) {
        Ok((Some(words), _)) => {
            // Whichever thread runs now, the caller finds the results when it goes on.
            keep_words(context, words);
            context.set(T0, 0);
            let chosen = machine.system.flow().resume_with(caller, ResumeReason::Return, 0);
            go_on(machine, chosen)
        }
        Ok((None, chosen)) => go_on(machine, chosen),
        Err(error) => answer(context, abi::SCHEDULER_ERROR + error as usize),
    }
}
