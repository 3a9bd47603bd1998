//! The calls of schedulers that are components.

use super::token::{Never, Trap};
use crate::clock;
use crate::context::Context;
use fusee_image_format::abi;
use fusee_kernel::ResumeReason;
use fusee_system::SchedulerCall;
use fusee_trap_flow::{Arch, Registers, answer, go_on};

/// The running thread makes a scheduler's decision.
pub(super) fn decide(mut trap: Trap, context: Context, call: &SchedulerCall) -> Never {
    let caller = trap.kernel().current();
    let now = clock::now();
    match trap.system_mut().decide(now, call) {
        Ok((Some(words), _)) => {
            // Whichever thread runs now, the caller finds the results when it goes on.
            context.keep_words(words);
            context.keep_further(0);
            let chosen = trap.flow().resume_with(caller, ResumeReason::Return, 0);
            go_on(trap, chosen)
        }
        Ok((None, chosen)) => go_on(trap, chosen),
        Err(error) => answer(trap, context, abi::SCHEDULER_ERROR + error as usize),
    }
}
