//! Passing a gate and coming back.
//!
//! The common cases, in which the same thread goes on, leave first. Then come those in which the
//! thread that holds the gate, or waits for it, takes the core immediately. The kernel says which
//! case it is; the rest goes through [`leave`].

use super::keep_nobody_waiting;
use super::leave::{
    answer, check, enter, go_on, keep_words, method_and_caller, reschedule, resume,
};
use crate::context::{Context, T0};
use crate::machine::Machine;
use crate::{clock, exit, message};
use core::arch::asm;
use fusee_image_format::abi;
use fusee_kernel::{Event, GateIndex, ResumeReason, Time};

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
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let words = [a0, a1, a2, a3, a4, a5];
    match machine.system.flow().invoke_fast(clock::now_for_records(), context.slot()) {
        Ok(passage) => {
            check(machine);
            let stack = machine.system.gate_stack(passage.stack);
            let who = method_and_caller(machine, context, passage.thread);
            exit::enter(context.callees(), stack, words, 0, who)
        }
        Err(Some(gate)) => {
            context.set(T0, 0);
            keep_words(context, words);
            go_on_slow(gate, context)
        }
        Err(None) => {
            if cfg!(feature = "cores") {
                context.set(T0, 0);
                keep_words(context, words);
            }
            refuse_slot(context)
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
    further: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let words = [a0, a1, a2, a3, a4, a5];
    if further > abi::MEMORY_WORDS {
        answer(context, abi::MESSAGE_TOO_LONG);
    }
    match machine.system.flow().invoke_fast(clock::now_for_records(), context.slot()) {
        Ok(passage) => {
            check(machine);
            let stack = machine.system.gate_stack(passage.stack);
            message::copy(
                machine.system.stack_or_home(passage.from, passage.thread),
                stack,
                further,
            );
            let who = method_and_caller(machine, context, passage.thread);
            exit::enter(context.callees(), stack, words, further, who)
        }
        Err(Some(gate)) => {
            context.set(T0, further);
            keep_words(context, words);
            go_on_slow(gate, context)
        }
        Err(None) => {
            if cfg!(feature = "cores") {
                context.set(T0, further);
                keep_words(context, words);
            }
            refuse_slot(context)
        }
    }
}

/// The caller, whose words are kept, does not enter at once.
#[inline(always)]
fn go_on_slow(gate: GateIndex, context: Context) -> ! {
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
) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let (now, gate) = (clock::now(), GateIndex(gate));
    keep_nobody_waiting(machine, Event::Invoke(context.slot()), context);
    if let Some(switch) = machine.system.flow().block_fast(now, gate) {
        if switch.limited || switch.reason != ResumeReason::Nothing {
            let chosen = machine.system.flow().switched(&switch);
            go_on(machine, chosen);
        }
        check(machine);
        resume(machine.context_of(switch.thread, switch.topmost));
    }
    wait(gate, context)
}

/// The caller, whose words are kept, waits behind others or for a holder that waits itself, or is
/// refused.
#[inline(never)]
fn wait(gate: GateIndex, context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    #[cfg(feature = "priority-ceiling")]
    let caller = machine.system.kernel().current();
    match machine.system.flow().invoke_slow(now, gate) {
        Ok(changed) => {
            #[cfg(feature = "priority-ceiling")]
            if machine.system.kernel().asks_again(caller) {
                context.step_back();
            }
            reschedule(machine, now, changed)
        }
        Err(error) => answer(context, error as usize),
    }
}

/// The caller names no gate at all, or is as deep as it may be, or names a gate between cores, for
/// which its words are kept.
#[cold]
#[inline(never)]
fn refuse_slot(context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    #[cfg(feature = "cores")]
    {
        use fusee_kernel::GateKind::Interface;
        let component = machine.system.kernel().component_of(machine.system.kernel().current());
        if let Some(global) = machine.system.globals.named(component, context.slot(), Interface) {
            super::ask(machine, global, context);
        }
    }
    answer(context, machine.system.kernel().refusal(context.slot()) as usize)
}

/// A refused return: `vector` goes on behind the call, with the registers as they were.
#[repr(C)]
pub(crate) struct RefusedReturn {
    context: Context,
    error: usize,
}

/// Refuses a return.
#[cold]
#[inline(never)]
extern "C" fn refuse(context: Context, error: usize) -> RefusedReturn {
    RefusedReturn { context, error }
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
    let machine = unsafe { Machine::of_trap() };
    let callers = match machine.system.flow().return_fast(clock::now_for_records()) {
        Ok(_) => context.callers(),
        Err(Some(error)) => return refuse(context, error as usize),
        Err(None) => {
            keep_words(context.callers(), [a0, a1, a2, a3, a4, a5]);
            context.callers().set(T0, 0);
            return hand_on(a0, a1, a2, a3, a4, a5, selector, context);
        }
    };
    check(machine);
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], 0, abi::OK)
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
    let machine = unsafe { Machine::of_trap() };
    if further > abi::MEMORY_WORDS {
        return refuse(context, abi::MESSAGE_TOO_LONG);
    }
    let back = match machine.system.flow().return_fast(clock::now_for_records()) {
        Ok(back) => back,
        Err(Some(error)) => return refuse(context, error as usize),
        Err(None) => return hand_on_with_message(a0, a1, a2, a3, a4, a5, further, context),
    };
    check(machine);
    let to = machine.system.stack_or_home(back.to, back.thread);
    message::copy(machine.system.gate_stack(back.from), to, further);
    let callers = context.callers();
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], further, abi::OK)
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
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let thread = machine.system.kernel().current();
    message::copy(machine.system.stack(thread), machine.system.callers_stack(thread), further);
    keep_words(context.callers(), [a0, a1, a2, a3, a4, a5]);
    context.callers().set(T0, further);
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
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    match machine.system.flow().hand_on_fast(now) {
        Some(passage) => {
            if passage.limited {
                let chosen =
                    machine.system.flow().resume_with(passage.thread, ResumeReason::Enter, 0);
                go_on(machine, chosen);
            }
            check(machine);
            let callers = machine.context_of(passage.thread, passage.topmost - 1);
            enter(machine, &passage, callers.callees())
        }
        None => return_slow(context, now),
    }
}

/// Comes back without a thread that takes the core immediately, or is refused.
#[inline(never)]
extern "C" fn return_slow(context: Context, now: Time) -> RefusedReturn {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    match machine.system.flow().return_slow(now) {
        Ok(changed) => reschedule(machine, now, changed),
        Err(error) => RefusedReturn { context, error: error as usize },
    }
}
