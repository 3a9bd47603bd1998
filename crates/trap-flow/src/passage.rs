//! Passing a gate and coming back.
//!
//! The common cases, in which the same thread goes on, leave first. Then come those in which the
//! thread that holds the gate, or waits for it, takes the core immediately. The kernel says which
//! case it is; the rest goes through [`leave`](crate::leave()).

use crate::defect::seeded;
use crate::leave::{answer, enter, go_on, method_and_caller, reschedule, resume};
use crate::{Arch, Registers};
use fusee_image_format::abi;
use fusee_kernel::{Error, Event, GateIndex, ResumeReason, Time};

/// Passes a gate, with what fits into registers.
#[inline(always)]
pub fn invoke<'m, A: Arch<'m>>(mut arch: A, words: [usize; 6], context: A::Context) -> A::Exit {
    // Where no decision of this path needs the time, and nothing is recorded, the clock is not
    // read.
    let now = arch.now_for_records();
    match arch.flow().invoke_fast(now, context.slot()) {
        Ok(passage) => {
            arch.check();
            let stack = arch.gate_stack(passage.stack);
            let who = method_and_caller(&arch, context, passage.thread);
            // The words go from registers to registers. Nothing is kept, because nothing interrupts
            // a trap.
            arch.enter_at(context.callees(), stack, words, 0, who)
        }
        Err(Some(gate)) => {
            // Kept before the slow step: the caller may wait, and its registers are another
            // thread's then.
            context.keep_further(0);
            context.keep_words(words);
            arch.go_on_slow(gate, context)
        }
        Err(None) => {
            // A constant: with one core the slot is wrong, so the words would be kept for nothing.
            if A::LEADS_ELSEWHERE {
                context.keep_further(0);
                context.keep_words(words);
            }
            refuse_slot(arch, context)
        }
    }
}

/// Passes a gate, with more than fits into registers.
#[inline(always)]
pub fn invoke_with_message<'m, A: Arch<'m>>(
    mut arch: A,
    words: [usize; 6],
    further: usize,
    context: A::Context,
) -> A::Exit {
    // Asked before the gate is passed: a longer message would be copied beyond the area.
    if further > abi::MEMORY_WORDS {
        return answer(arch, context, abi::MESSAGE_TOO_LONG);
    }
    let now = arch.now_for_records();
    match arch.flow().invoke_fast(now, context.slot()) {
        Ok(passage) => {
            arch.check();
            let stack = arch.gate_stack(passage.stack);
            let from = arch.stack_or_home(passage.from, passage.thread);
            arch.copy_message(from, stack, further);
            let who = method_and_caller(&arch, context, passage.thread);
            arch.enter_at(context.callees(), stack, words, further, who)
        }
        Err(Some(gate)) => {
            context.keep_further(further);
            context.keep_words(words);
            arch.go_on_slow(gate, context)
        }
        Err(None) => {
            if A::LEADS_ELSEWHERE {
                context.keep_further(further);
                context.keep_words(words);
            }
            refuse_slot(arch, context)
        }
    }
}

/// Goes on with an invocation that is not done at once: the caller, whose words are kept, waits, or
/// is refused.
#[inline(always)]
pub fn invoke_slow<'m, A: Arch<'m>>(mut arch: A, gate: GateIndex, context: A::Context) -> A::Exit {
    // The time that counts: from here on somebody may be charged or have a limit.
    let now = arch.now();
    if arch.keeps_others_waiting(Event::Invoke(context.slot())) {
        return answer(arch, context, Error::InGlobal as usize);
    }
    if let Some(switch) = arch.flow().block_fast(now, gate) {
        // The timer may have to be set, or the holder is told something: both are done by `go_on`.
        if switch.limited || switch.reason != ResumeReason::Nothing {
            let chosen = arch.flow().switched(&switch);
            return go_on(arch, chosen);
        }
        arch.check();
        let holder = arch.context_of(switch.thread, switch.topmost);
        return resume(arch, holder);
    }
    wait_at_gate(arch, gate, context)
}

/// The caller, whose words are kept, waits behind others or for a holder that waits itself, or is
/// refused.
#[inline(never)]
pub fn wait_at_gate<'m, A: Arch<'m>>(mut arch: A, gate: GateIndex, context: A::Context) -> A::Exit {
    let now = arch.now();
    // Read before the step, after which the caller waits.
    let caller = arch.kernel().current();
    match arch.flow().invoke_slow(now, gate) {
        Ok(changed) => {
            // At a ceiling nothing is handed over. The thread makes its call anew when it runs, so
            // it has to stand before the call and not behind it.
            if A::ASKS_AGAIN && arch.kernel().asks_again(caller) {
                context.step_back();
            }
            reschedule(arch, now, changed)
        }
        Err(error) => answer(arch, context, error as usize),
    }
}

/// The caller names no gate at all, or is as deep as it may be, or names a gate between cores, for
/// which its words are kept.
#[cold]
#[inline(never)]
pub fn refuse_slot<'m, A: Arch<'m>>(arch: A, context: A::Context) -> A::Exit {
    arch.invoke_elsewhere(context)
}

/// The result of a return's first step. A processor goes on from here with the registers in which
/// the words came.
#[derive(Debug)]
pub enum Returned<A, E> {
    /// The thread has left the kernel.
    Left(E),
    /// The return is refused with this error.
    Refused(usize),
    /// More changes than the frame of the thread: [`hand_on`] comes next, with the machine.
    Slow(A),
}

/// Comes back from a gate, with what fits into registers.
#[inline(always)]
pub fn return_<'m, A: Arch<'m>>(
    mut arch: A,
    words: [usize; 6],
    context: A::Context,
) -> Returned<A, A::Exit> {
    let now = arch.now_for_records();
    match arch.flow().return_fast(now) {
        Ok(_) => {}
        Err(Some(error)) => return Returned::Refused(error as usize),
        Err(None) => {
            // In the caller's frame: the callee's is above the topmost one by then, where an
            // interrupt saves registers.
            seeded!(LostReturn, (), context.callers().keep_words(words));
            context.callers().keep_further(0);
            return Returned::Slow(arch);
        }
    }
    let callers = context.callers();
    arch.check();
    Returned::Left(arch.resume_call(callers, words, 0, abi::OK))
}

/// Comes back from a gate, with more than fits into registers. Where it is
/// [`Slow`](Returned::Slow), [`keep_message`] comes before [`hand_on`].
#[inline(always)]
pub fn return_with_message<'m, A: Arch<'m>>(
    mut arch: A,
    words: [usize; 6],
    further: usize,
    context: A::Context,
) -> Returned<A, A::Exit> {
    if further > abi::MEMORY_WORDS {
        return Returned::Refused(abi::MESSAGE_TOO_LONG);
    }
    let now = arch.now_for_records();
    let back = match arch.flow().return_fast(now) {
        Ok(back) => back,
        Err(Some(error)) => return Returned::Refused(error as usize),
        Err(None) => return Returned::Slow(arch),
    };
    arch.check();
    let to = arch.stack_or_home(back.to, back.thread);
    // The gate is free by now, but no thread enters it during this trap: the message is still
    // there.
    let from = arch.gate_stack(back.from);
    arch.copy_message(from, to, further);
    let callers = context.callers();
    Returned::Left(arch.resume_call(callers, words, further, abi::OK))
}

/// Keeps the words of a return that changes more than the frame of a thread that has one.
#[inline(always)]
pub fn keep_message<'m, A: Arch<'m>>(
    arch: &mut A,
    words: [usize; 6],
    further: usize,
    context: A::Context,
) {
    let thread = arch.kernel().current();
    let (from, to) = (arch.stack(thread), arch.callers_stack(thread));
    // Copied before the gate is handed on: its next thread writes over the area.
    arch.copy_message(from, to, further);
    context.callers().keep_words(words);
    context.callers().keep_further(further);
}

/// Goes on with a return that changes more than the frame of a thread that has one, and its words
/// are kept: a waiter gets the gate.
#[inline(always)]
pub fn hand_on<'m, A: Arch<'m>>(mut arch: A, context: A::Context) -> A::Return {
    let now = arch.now();
    match arch.flow().hand_on_fast(now) {
        Some(passage) => {
            // The timer may have to be set, which `go_on` does.
            if passage.limited {
                let chosen = arch.flow().resume_with(passage.thread, ResumeReason::Enter, 0);
                return A::leaves(go_on(arch, chosen));
            }
            arch.check();
            // The waiter kept its words in the frame in which it waited, one below its topmost now.
            let callers = arch.context_of(passage.thread, passage.topmost - 1);
            seeded!(OwnWords, callers.keep_words(context.callers().words()), ());
            A::leaves(enter(arch, &passage, callers.callees()))
        }
        None => return_slow(arch, context, now),
    }
}

/// Comes back without a thread that takes the core immediately, or is refused.
#[inline(never)]
fn return_slow<'m, A: Arch<'m>>(mut arch: A, context: A::Context, now: Time) -> A::Return {
    match arch.flow().return_slow(now) {
        Ok(changed) => seeded!(
            UnsettledReturn,
            {
                let _ = changed;
                let context = context.callers();
                let words = context.words();
                A::leaves(arch.resume_call(context, words, 0, abi::OK))
            },
            A::leaves(reschedule(arch, now, changed))
        ),
        // In the callee's frame, behind its call: a return that is refused has changed nothing.
        Err(error) => arch.refuse_return(context, error as usize),
    }
}
