//! Passing a gate and coming back.
//!
//! The common cases, in which the same thread goes on, leave at once. Then come those in which the thread that holds the
//! gate, or waits for it, takes the core at once. The kernel says which it is; what is left goes through [`leave`].

use crate::context::{Context, T0};
use crate::leave::{answer, arm_limit, check, enter, go_on, keep_words, leave, method_and_caller, resume};
use crate::machine::Machine;
use crate::{csr, exit, message};
use fusee_image_format::abi;
use fusee_kernel::{Finds, GateIndex};

/// The running thread passes a gate, with what fits into registers.
pub(crate) extern "C" fn invoke(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    selector: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let words = [a0, a1, a2, a3, a4, a5];
    match machine.system.kernel.invoke_at_once(csr::now_for_records(), context.slot()) {
        Ok(passage) => {
            check(machine);
            let stack = machine.system.gate_stack(passage.stack);
            let who = method_and_caller(selector, passage.thread);
            exit::enter(context.callees(), stack, words, 0, who)
        }
        Err(Some(gate)) => {
            context.set(T0, 0);
            keep_words(context, words);
            invoke_otherwise(gate, context)
        }
        Err(None) => {
            context.set(T0, 0);
            keep_words(context, words);
            invoke_slot(selector, context)
        }
    }
}

/// The running thread passes a gate, with more than fits into registers.
pub(crate) extern "C" fn invoke_with_message(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    selector: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let words = [a0, a1, a2, a3, a4, a5];
    let further = context.get(T0);
    if further > abi::MEMORY_WORDS {
        answer(context, abi::MESSAGE_TOO_LONG);
    }
    match machine.system.kernel.invoke_at_once(csr::now_for_records(), context.slot()) {
        Ok(passage) => {
            check(machine);
            let stack = machine.system.gate_stack(passage.stack);
            message::copy(machine.system.stack_or_home(passage.from, passage.thread), stack, further);
            let who = method_and_caller(selector, passage.thread);
            exit::enter(context.callees(), stack, words, further, who)
        }
        Err(Some(gate)) => {
            keep_words(context, words);
            invoke_otherwise(gate, context)
        }
        Err(None) => {
            keep_words(context, words);
            invoke_slot(selector, context)
        }
    }
}

/// The caller, whose words are kept, does not enter at once: it waits, or is refused.
#[inline(never)]
fn invoke_otherwise(gate: GateIndex, context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = csr::now();
    if let Some(thread) = machine.system.kernel.block_at_once(now, gate) {
        if machine.system.kernel.thread(thread).finds != Finds::Nothing {
            go_on(machine);
        }
        check(machine);
        arm_limit(machine);
        resume(machine.context(thread));
    }
    match machine.system.kernel.invoke_otherwise(now, gate) {
        Ok(()) => leave(machine, now),
        Err(error) => answer(context, error as usize),
    }
}

/// The caller names no gate at all, or is as deep as it may be.
#[cold]
#[inline(never)]
fn invoke_slot(selector: usize, context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = csr::now();
    match machine.system.kernel.invoke_slot(now, selector as u16) {
        Ok(()) => leave(machine, now),
        Err(error) => answer(context, error as usize),
    }
}

/// A refused return: `vector` goes on behind the call, with the registers as they were.
#[repr(C)]
pub(crate) struct RefusedReturn {
    context: Context,
    error: usize,
}

/// The running thread comes back from a gate, with what fits into registers. Only a refused return comes back to
/// `vector`.
pub(crate) extern "C" fn return_(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    _selector: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    if machine.system.kernel.return_at_once(csr::now_for_records()).is_none() {
        return return_otherwise(a0, a1, a2, a3, a4, a5, 0, context);
    }
    check(machine);
    let callers = context.callers();
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], 0, abi::OK)
}

/// The running thread comes back from a gate, with more than fits into registers. Only a refused return comes back to
/// `vector`.
pub(crate) extern "C" fn return_with_message(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    _selector: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let further = context.get(T0);
    if further > abi::MEMORY_WORDS {
        return RefusedReturn { context, error: abi::MESSAGE_TOO_LONG };
    }
    let Some(comeback) = machine.system.kernel.return_at_once(csr::now_for_records()) else {
        let thread = machine.system.kernel.current();
        message::copy(machine.system.stack(thread), machine.system.callers_stack(thread), further);
        return return_otherwise(a0, a1, a2, a3, a4, a5, further, context);
    };
    check(machine);
    let from = machine.system.stack_or_home(comeback.from, comeback.thread);
    message::copy(from, machine.system.stack_or_home(comeback.to, comeback.thread), further);
    let callers = context.callers();
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], further, abi::OK)
}

/// More changes than the frame, or the return is refused.
#[inline(never)]
fn return_otherwise(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    further: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = csr::now();
    let callers = context.callers();
    if let Some(thread) = machine.system.kernel.hand_on_at_once(now) {
        keep_words(callers, [a0, a1, a2, a3, a4, a5]);
        callers.set(T0, further);
        check(machine);
        arm_limit(machine);
        let context = machine.context(thread);
        enter(machine, thread, context);
    }
    match machine.system.kernel.return_otherwise(now) {
        Ok(()) => {
            keep_words(callers, [a0, a1, a2, a3, a4, a5]);
            callers.set(T0, further);
            leave(machine, now)
        }
        Err(error) => RefusedReturn { context, error: error as usize },
    }
}
