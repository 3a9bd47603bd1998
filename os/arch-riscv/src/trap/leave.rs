//! The way out of a trap: the thread that goes on.
//!
//! An operation has changed the kernel's state and says what it knows of the next thread. [`leave`]
//! has that thread chosen by the kernel's own [`Flow`](fusee_kernel::Flow), without which no thread
//! gets to [`go_on`]; and that asks, word by word, for the running thread and its reason to resume.
//! Everything ends in one of the exits of `exit`, or in sleep. A thread whose component is gone, or
//! whose initial data are still to be put back, is sent to an address where nothing is: interrupts
//! that are due come first, and then the fault at that address takes one frame off it, or puts one
//! piece of the component's initial data back. So no trap takes longer for the frames or the data
//! that are left.

use super::idle;
use crate::context::{A0, Context, FRAME_WORDS, INTERRUPTED, REQUEST, T0};
use crate::machine::Machine;
use crate::{devices, exit, message};
use fusee_image_format::abi;
use fusee_kernel::{
    Changed, ContextSwitch, Error, Failure, Next, NextChosen, Passage, ResumeError, ResumeReason,
    ThreadIndex, Time,
};

const NO_WORDS: [usize; 6] = [0; 6];

/// Ends a trap that has changed the kernel's state: the next thread is chosen and goes on.
#[inline(never)]
pub(crate) fn leave(machine: &mut Machine, now: Time, changed: Changed) -> ! {
    let heard = machine.system.hear(now, changed);
    match heard.next() {
        Next::Starts => start(machine),
        Next::Gets => get(machine),
        _ => {
            let chosen = machine.system.reschedule_heard(now, heard);
            go_on(machine, chosen)
        }
    }
}

/// As [`leave`], where the running thread has not just taken the core.
#[inline(always)]
pub(crate) fn reschedule(machine: &mut Machine, now: Time, changed: Changed) -> ! {
    let chosen = machine.system.reschedule(now, changed);
    go_on(machine, chosen)
}

/// Ends an interrupt that changes nothing of the running thread: it goes on, or the core sleeps on.
pub(crate) fn go_back(machine: &mut Machine) -> ! {
    let thread = running(machine);
    let context = machine.context(thread);
    // A thread that is still to be told something could not go on, because its component is still
    // to be restored: there it goes back.
    if !cfg!(feature = "leaks-where-restored")
        && machine.system.kernel().thread(thread).reason != ResumeReason::Nothing
    {
        nowhere(context, ResumeError::Unrestored);
    }
    exit::resume_interrupted(context)
}

/// Returns the running thread, with the timer set for it; if none runs, the core sleeps instead.
#[inline(always)]
fn running(machine: &mut Machine) -> ThreadIndex {
    check(machine);
    arm(machine);
    let thread = machine.system.kernel().current();
    if thread.is_none() {
        idle();
    }
    thread
}

/// Starts a job of the thread that has just taken the core.
#[inline(never)]
fn start(machine: &mut Machine) -> ! {
    let (thread, context) = told(machine);
    enter_home(machine, thread, context)
}

/// Gives the running thread its signal.
#[inline(never)]
fn get(machine: &mut Machine) -> ! {
    let (thread, context) = told(machine);
    take_bits(machine, thread, context)
}

/// Tells the running thread the reason for which it resumes, which is known, and returns it with
/// its context; unless it cannot go on.
#[inline(always)]
fn told(machine: &mut Machine) -> (ThreadIndex, Context) {
    check(machine);
    arm(machine);
    let thread = machine.system.kernel().current();
    let context = machine.context(thread);
    match machine.system.tell(thread) {
        Ok(_) => (thread, context),
        Err(why) => nowhere(context, why),
    }
}

/// A thread begins a job where its component says.
#[inline(always)]
fn enter_home(machine: &Machine, thread: ThreadIndex, context: Context) -> ! {
    let number = number(machine, thread);
    exit::enter(context, machine.system.home(thread), [number, 0, 0, 0, 0, 0], 0, 0)
}

/// A thread goes on behind its call with the bits of a signal.
#[inline(always)]
fn take_bits(machine: &Machine, thread: ThreadIndex, context: Context) -> ! {
    let bits = machine.system.kernel().thread(thread).value as usize;
    exit::resume_call(context, context, [bits, 0, 0, 0, 0, 0], 0, abi::OK)
}

/// A thread gets what it has waited for.
#[inline(always)]
pub(crate) fn wake(machine: &mut Machine, switch: ContextSwitch, bits: u32) -> ! {
    if switch.limited {
        let chosen = machine.system.flow().resume_with(switch.thread, ResumeReason::Signal, bits);
        go_on(machine, chosen);
    }
    check(machine);
    let context = machine.context_of(switch.thread, switch.topmost);
    exit::resume_call(context, context, [bits as usize, 0, 0, 0, 0, 0], 0, abi::OK)
}

/// A thread goes on where it was, and finds nothing: it was interrupted, or made a call that gives
/// nothing.
#[inline(always)]
pub(crate) fn resume(context: Context) -> ! {
    if context.get(REQUEST) == INTERRUPTED {
        exit::resume_interrupted(context)
    } else {
        #[cfg(feature = "cores")]
        if context.get(REQUEST) == crate::context::ASKED {
            super::come_back();
        }
        answer(context, abi::OK)
    }
}

/// Lets the chosen thread go on.
#[inline(never)]
pub(crate) fn go_on(machine: &mut Machine, _: NextChosen) -> ! {
    let thread = running(machine);
    let context = machine.context(thread);
    let reason = match machine.system.tell(thread) {
        Ok(reason) => reason,
        Err(why) => {
            // The restart of the component behind a gate does not concern a thread that waits at
            // the gate.
            #[cfg(feature = "cores")]
            if machine.system.between().asked(thread).is_some() {
                super::come_back();
            }
            nowhere(context, why)
        }
    };
    match reason {
        ResumeReason::Nothing => resume(context),
        ResumeReason::Start => enter_home(machine, thread, context),
        ResumeReason::Enter => enter(machine, &machine.system.kernel().passage(thread), context),
        ResumeReason::Lock => {
            carry_over(context.callers(), context);
            answer(context, abi::OK)
        }
        ResumeReason::Return => {
            exit::resume_call(context, context, kept_words(context), context.get(T0), abi::OK)
        }
        ResumeReason::Failed => {
            answer(context, abi::FAILURE + machine.system.kernel().thread(thread).value as usize)
        }
        ResumeReason::Signal => take_bits(machine, thread, context),
    }
}

/// The thread's component is gone, or to be put back.
#[cold]
#[inline(never)]
fn nowhere(context: Context, why: ResumeError) -> ! {
    let kept = why == ResumeError::Gone || cfg!(feature = "leaks-where-restored");
    exit::nowhere(if kept { context } else { Context::discarded() })
}

/// The thread has passed the gate, with the words that were kept: it goes on there.
#[inline(always)]
pub(crate) fn enter(machine: &Machine, passage: &Passage, context: Context) -> ! {
    let callers = context.callers();
    let further = callers.get(T0);
    let stack = machine.system.gate_stack(passage.stack);
    if further > 0 {
        message::copy(machine.system.callers_stack(passage.thread), stack, further);
    }
    let who = method_and_caller(machine, callers, passage.thread);
    exit::enter(context, stack, kept_words(callers), further, who)
}

/// The thread goes on behind its call, without words.
#[cold]
#[inline(never)]
pub(crate) fn answer(context: Context, error: usize) -> ! {
    exit::resume_call(context, context, NO_WORDS, 0, error)
}

pub(crate) fn keep_words(context: Context, words: [usize; 6]) {
    for (index, word) in words.into_iter().enumerate() {
        context.set(A0 + index, word);
    }
}

pub(crate) fn kept_words(context: Context) -> [usize; 6] {
    core::array::from_fn(|index| context.get(A0 + index))
}

/// A mutex moves the thread to another context while it stays where it is.
pub(crate) fn carry_over(from: Context, to: Context) {
    for word in 0..FRAME_WORDS {
        to.set(word, from.get(word));
    }
}

/// Stops the machine if a rule of the kernel's state does not hold; in other builds nothing.
#[cfg(feature = "checked")]
pub(crate) fn check(machine: &Machine) {
    if let Err(broken) = machine.system.kernel().check() {
        crate::halt::halt(fusee_image_format::Status::BrokenInvariant, broken as u64, 0);
    }
}

/// Nothing: this build does not check itself.
#[cfg(not(feature = "checked"))]
#[inline(always)]
pub(crate) fn check(_: &Machine) {}

/// Sets the timer if it must fire at another time than it is set to.
#[inline(always)]
pub(crate) fn arm(machine: &mut Machine) {
    let deadline = machine.system.deadline();
    arm_for(machine, deadline);
}

/// Sets the timer to the given time if it is set to another.
#[inline(always)]
pub(crate) fn arm_for(machine: &mut Machine, deadline: Time) {
    if deadline != machine.armed {
        machine.armed = deadline;
        devices::set_timer(deadline);
    }
}

/// Returns the word that tells the callee of a call: the method, and the caller's thread.
#[inline]
pub(crate) fn method_and_caller(machine: &Machine, callers: Context, caller: ThreadIndex) -> usize {
    (u32::from(callers.method()) << abi::METHOD_SHIFT) as usize | number(machine, caller)
}

/// Returns the number by which components know a thread: that among the threads of all cores.
#[cfg(feature = "cores")]
#[inline(always)]
fn number(machine: &Machine, thread: ThreadIndex) -> usize {
    machine.system.globals.number(thread)
}

/// Returns the number by which components know a thread: the kernel's own.
#[cfg(not(feature = "cores"))]
#[inline(always)]
fn number(_: &Machine, thread: ThreadIndex) -> usize {
    thread.at()
}

const _: () = assert!(Error::NotLocked as usize + abi::FIRST_ERROR <= abi::NO_SUCH_OPERATION);
const _: () = assert!(Failure::Fault as usize > 0);
