//! The way out of a trap: the thread that goes on.
//!
//! An operation has changed the kernel's state and says what it knows of the next thread. [`leave`]
//! has that thread chosen by the kernel's own [`Flow`](fusee_kernel::Flow), without which no thread
//! gets to [`go_on`]; and that asks, word by word, for the running thread and its reason to resume.
//! Everything ends in one of the machine's ways out, or in sleep. A thread whose component is gone,
//! or whose initial data are still to be put back, is sent to an address where nothing is:
//! interrupts that are due come first, and then the fault at that address takes one frame off it,
//! or puts one piece of the component's initial data back. So no trap takes longer for the frames
//! or the data that are left.

use crate::defect::seeded;
use crate::{Arch, Registers};
use fusee_image_format::abi;
use fusee_kernel::{
    Changed, ContextSwitch, Error, Failure, Next, NextChosen, Passage, ResumeError, ResumeReason,
    ThreadIndex, Time,
};

const NO_WORDS: [usize; 6] = [0; 6];

/// Ends a trap that has changed the kernel's state: the next thread is chosen and goes on.
#[inline(never)]
pub fn leave<'m, A: Arch<'m>>(mut arch: A, now: Time, changed: Changed) -> A::Exit {
    // The listener first: what it hears can make another thread the next one.
    let heard = arch.hear(now, changed);
    match heard.next() {
        // These two are known to have the core. Without the question who runs, the path is shorter,
        // and an analysis of the binary sees where it leads.
        Next::Starts => start(arch),
        Next::Gets => get(arch),
        _ => {
            let chosen = arch.flow().reschedule_heard(now, heard);
            go_on(arch, chosen)
        }
    }
}

/// As [`leave`], where the running thread has not just taken the core.
#[inline(always)]
pub fn reschedule<'m, A: Arch<'m>>(mut arch: A, now: Time, changed: Changed) -> A::Exit {
    // Without the two short ends of `leave`, which cannot come here and would be code for nothing.
    let heard = arch.hear(now, changed);
    let chosen = arch.flow().reschedule_heard(now, heard);
    go_on(arch, chosen)
}

/// Ends an interrupt that changes nothing of the running thread: it goes on, or the core sleeps on.
pub fn go_back<'m, A: Arch<'m>>(mut arch: A) -> A::Exit {
    let thread = running(&mut arch);
    if thread.is_none() {
        // Not `resume_interrupted`: an idle core has no registers of a thread.
        return arch.idle();
    }
    let context = arch.context(thread);
    // A thread that is still to be told something could not go on, because its component is still
    // to be restored: there it goes back.
    let told = arch.kernel().thread(thread).reason == ResumeReason::Nothing;
    if !A::LEAKS_WHERE_RESTORED && !seeded!(HalfRestored, true, told) {
        return nowhere(arch, context, ResumeError::Unrestored);
    }
    arch.resume_interrupted(context)
}

/// Returns the running thread, with the timer set for it; if none runs, the core is to sleep.
#[inline(always)]
fn running<'m, A: Arch<'m>>(arch: &mut A) -> ThreadIndex {
    // Before the timer and before any register is read: a broken state must not run on.
    arch.check();
    // On every way out: whoever runs now may have another limit than the thread before.
    arm(arch);
    arch.kernel().current()
}

/// Starts a job of the thread that has just taken the core.
#[inline(never)]
fn start<'m, A: Arch<'m>>(mut arch: A) -> A::Exit {
    let thread = running(&mut arch);
    let context = arch.context(thread);
    match arch.tell(thread) {
        Ok(_) => enter_home(arch, thread, context),
        // Its home may have been restarted since the release. Then the fault is what it meets
        // first.
        Err(why) => nowhere(arch, context, why),
    }
}

/// Gives the running thread its signal.
#[inline(never)]
fn get<'m, A: Arch<'m>>(mut arch: A) -> A::Exit {
    let thread = running(&mut arch);
    let context = arch.context(thread);
    match arch.tell(thread) {
        Ok(_) => take_bits(arch, thread, context),
        Err(why) => nowhere(arch, context, why),
    }
}

/// A thread begins a job where its component says.
#[inline(always)]
fn enter_home<'m, A: Arch<'m>>(arch: A, thread: ThreadIndex, context: A::Context) -> A::Exit {
    // The number is its argument, so that one entry point can serve all threads of a component.
    let (number, home) = (arch.number(thread), arch.home(thread));
    arch.enter_at(context, home, [number, 0, 0, 0, 0, 0], 0, 0)
}

/// A thread goes on behind its call with the bits of a signal.
#[inline(always)]
fn take_bits<'m, A: Arch<'m>>(arch: A, thread: ThreadIndex, context: A::Context) -> A::Exit {
    // The value is still there after `tell`, which takes only the reason away.
    let bits = arch.kernel().thread(thread).value as usize;
    arch.resume_call(context, [bits, 0, 0, 0, 0, 0], 0, abi::OK)
}

/// A thread gets what it has waited for.
#[inline(always)]
pub(crate) fn wake<'m, A: Arch<'m>>(mut arch: A, switch: ContextSwitch, bits: u32) -> A::Exit {
    // A limit has to be set at the timer, which the short way below does not do.
    if seeded!(UnarmedWake, false, switch.limited) {
        let chosen = arch.flow().resume_with(switch.thread, ResumeReason::Signal, bits);
        return go_on(arch, chosen);
    }
    // The timer needs no look: nothing that sets it has changed.
    arch.check();
    let context = arch.context_of(switch.thread, switch.topmost);
    arch.resume_call(context, [bits as usize, 0, 0, 0, 0, 0], 0, abi::OK)
}

/// A thread goes on where it was, and finds nothing: it was interrupted, or made a call that gives
/// nothing.
#[inline(always)]
pub(crate) fn resume<'m, A: Arch<'m>>(arch: A, context: A::Context) -> A::Exit {
    // Asked first: an interrupt has saved all registers, and each of them must come back.
    if context.is_interrupted() {
        arch.resume_interrupted(context)
    } else if arch.stands_elsewhere(context) {
        arch.come_back()
    } else {
        answer(arch, context, abi::OK)
    }
}

/// Lets the chosen thread go on.
#[inline(never)]
pub fn go_on<'m, A: Arch<'m>>(mut arch: A, _: NextChosen) -> A::Exit {
    let thread = running(&mut arch);
    if thread.is_none() {
        return arch.idle();
    }
    // By the topmost frame as it is now: the event may have added one or taken one away.
    let context = arch.context(thread);
    let reason = match arch.tell(thread) {
        Ok(reason) => reason,
        Err(why) => {
            // The restart of the component behind a gate does not concern a thread that waits at
            // the gate.
            if arch.has_asked(thread) {
                return arch.come_back();
            }
            return nowhere(arch, context, why);
        }
    };
    match reason {
        // The frame itself says whether it was interrupted or made a call, so the kernel does not.
        ResumeReason::Nothing => resume(arch, context),
        ResumeReason::Start => enter_home(arch, thread, context),
        ResumeReason::Enter => {
            // Worked out from the frames: a thread that has waited may enter long after its call.
            let passage = arch.kernel().passage(thread);
            enter(arch, &passage, context)
        }
        ResumeReason::Lock => {
            // The lock has moved the thread to a new frame while it stays where it is, so the
            // registers that its call preserves go along.
            context.callers().carry_over(context);
            answer(arch, context, abi::OK)
        }
        ResumeReason::Return => {
            // The words were kept here by the callee's return, when another thread took the core.
            arch.resume_call(context, context.words(), context.further(), abi::OK)
        }
        ResumeReason::Failed => {
            let failure = arch.kernel().thread(thread).value as usize;
            // Above all errors of the kernel, so that a caller can tell a failed callee from a
            // refused call.
            let error = abi::FAILURE + failure;
            answer(arch, context, seeded!(LostFailure, abi::OK, error))
        }
        ResumeReason::Signal => take_bits(arch, thread, context),
    }
}

/// The thread's component is gone, or to be put back.
#[cold]
#[inline(never)]
fn nowhere<'m, A: Arch<'m>>(arch: A, context: A::Context, why: ResumeError) -> A::Exit {
    // A frame that is gone is never read again. One that waits for its data may hold the arguments
    // of its call where an interrupt saves registers, and those must stay.
    let kept = why == ResumeError::Gone || A::LEAKS_WHERE_RESTORED;
    let place = if kept { context } else { arch.discarded() };
    arch.nowhere(place)
}

/// The thread has passed the gate, with the words that were kept: it goes on there.
#[inline(always)]
pub fn enter<'m, A: Arch<'m>>(mut arch: A, passage: &Passage, context: A::Context) -> A::Exit {
    // The words were kept in the caller's frame: the callee's own place may hold old registers.
    let callers = context.callers();
    let further = callers.further();
    let stack = arch.gate_stack(passage.stack);
    // Copied only now and not at the call: while the caller waits, another thread is on that stack.
    if further > 0 {
        let from = arch.callers_stack(passage.thread);
        arch.copy_message(from, stack, further);
    }
    let who = method_and_caller(&arch, callers, passage.thread);
    arch.enter_at(context, stack, callers.words(), further, who)
}

/// The thread goes on behind its call, without words.
#[cold]
#[inline(never)]
pub fn answer<'m, A: Arch<'m>>(arch: A, context: A::Context, error: usize) -> A::Exit {
    arch.resume_call(context, NO_WORDS, 0, error)
}

/// Sets the timer if it must fire at another time than it is set to.
#[inline(always)]
pub(crate) fn arm<'m, A: Arch<'m>>(arch: &mut A) {
    let deadline = arch.deadline();
    arm_for(arch, deadline);
}

/// Sets the timer to the given time if it is set to another.
#[inline(always)]
pub fn arm_for<'m, A: Arch<'m>>(arch: &mut A, deadline: Time) {
    // Compared first, because setting a timer is a slow access to a device on most machines.
    if seeded!(UnarmedTimer, deadline < arch.armed(), deadline != arch.armed()) {
        arch.set_timer(deadline);
    }
}

/// Returns the word that tells the callee of a call: the method, and the caller's thread.
#[inline]
pub fn method_and_caller<'m, A: Arch<'m>>(
    arch: &A,
    callers: A::Context,
    caller: ThreadIndex,
) -> usize {
    // Both in one word, which the kernel makes: so a caller cannot name another thread as itself.
    (u32::from(callers.method()) << abi::METHOD_SHIFT) as usize | arch.number(caller)
}

// A component tells errors by their numbers, so none may mean two things.
const _: () = assert!(Error::TooOften as usize + abi::FIRST_ERROR <= abi::NO_SUCH_OPERATION);
const _: () = assert!(Failure::Fault as usize > 0);
