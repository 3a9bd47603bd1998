//! The entries of calls that pass a gate or come back from one.
//!
//! What the flow needs further on stays in the registers in which it came: the slow steps are
//! entered by jumps, with the registers of a call.

use super::token::{Never, RefusedReturn, Trap};
use crate::context::Context;
use core::arch::asm;
use fusee_kernel::GateIndex;
use fusee_trap_flow as flow;
use fusee_trap_flow::Returned;

/// The running thread passes a gate, with what fits into registers.
pub(crate) extern "C" fn invoke(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    _selector: usize,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    flow::invoke(trap, [a0, a1, a2, a3, a4, a5], context)
}

/// The running thread passes a gate, with more than fits into registers.
pub(crate) extern "C" fn invoke_with_message(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    further: usize,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    flow::invoke_with_message(trap, [a0, a1, a2, a3, a4, a5], further, context)
}

/// The caller, whose words are kept, does not enter at once.
#[inline(always)]
pub(super) fn go_on_slow(gate: GateIndex, context: Context) -> Never {
    // SAFETY:
    // 1. This is a call that does not return. Its seventh and eighth argument are where a call has
    //    them, and the ones before are not looked at.
    unsafe {
        asm!(
            "j {otherwise}",
            otherwise = sym invoke_slow,
            in("a6") usize::from(gate.0), in("a7") context.address(),
            options(noreturn),
        )
    }
}

/// The caller waits, or is refused. What is needed is in the registers in which it was before: who
/// is called only by name would be given it in others.
extern "C" fn invoke_slow(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    gate: u16,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. The handler of the trap has jumped here and has given its own right up.
    let trap = unsafe { Trap::begin() };
    flow::invoke_slow(trap, GateIndex(gate), context)
}

/// Refuses a return.
#[cold]
#[inline(never)]
extern "C" fn refuse(context: Context, error: usize) -> RefusedReturn {
    RefusedReturn { context: context.address(), error }
}

/// The running thread comes back from a gate, with what fits into registers. Only a refused return
/// comes back to `vector`.
pub(crate) extern "C" fn return_(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    selector: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    match flow::return_(trap, [a0, a1, a2, a3, a4, a5], context) {
        Returned::Left(never) => match never {},
        Returned::Refused(error) => refuse(context, error),
        Returned::Slow(_) => hand_on(a0, a1, a2, a3, a4, a5, selector, context),
    }
}

/// The running thread comes back from a gate, with more than fits into registers. Only a refused
/// return comes back to `vector`.
pub(crate) extern "C" fn return_with_message(
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
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    match flow::return_with_message(trap, [a0, a1, a2, a3, a4, a5], further, context) {
        Returned::Left(never) => match never {},
        Returned::Refused(error) => refuse(context, error),
        Returned::Slow(_) => hand_on_with_message(a0, a1, a2, a3, a4, a5, further, context),
    }
}

/// As [`hand_on`], of a thread whose words are still to be kept.
#[inline(never)]
extern "C" fn hand_on_with_message(
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
    // 1. The handler of the trap has come here and has given its own right up.
    let mut trap = unsafe { Trap::begin() };
    flow::keep_message(&mut trap, [a0, a1, a2, a3, a4, a5], further, context);
    hand_on(a0, a1, a2, a3, a4, a5, further, context)
}

/// More changes than the frame of a thread that has one, and its words are kept: a waiter gets the
/// gate. What is needed is in the register in which it was before.
#[inline(never)]
extern "C" fn hand_on(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    _further: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. The handler of the trap has come here and has given its own right up.
    let trap = unsafe { Trap::begin() };
    flow::hand_on(trap, context)
}
