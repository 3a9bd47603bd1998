//! Who goes on after a trap.
//!
//! An operation has changed the kernel's state; most often it is settled by then who runs and what it finds. If not, the
//! kernel chooses ([`choose`]), or has told all that must be done ([`obey`]). All of these end in one of the exits of
//! `exit`.

use crate::context::{A0, Context, FRAME_WORDS, INTERRUPTED, REQUEST, T0};
use crate::halt::halt;
use crate::machine::Machine;
use crate::trap::idle;
use crate::{csr, devices, exit, message, physical};
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{Delivery, Error, Failure, GateKind, Outcome, ThreadIndex, Time};

const NO_WORDS: [usize; 6] = [0; 6];

/// The kernel's state has changed: whoever is to run now goes on.
#[inline(always)]
pub(crate) fn leave(machine: &mut Machine, now: Time) -> ! {
    match machine.system.kernel.settled() {
        Some((thread, delivery)) => go_on(machine, thread, delivery),
        None => choose(machine, now),
    }
}

/// A thread gets what it has waited for.
#[inline(always)]
pub(crate) fn wake(machine: &mut Machine, thread: ThreadIndex, bits: u32) -> ! {
    check(machine);
    arm_limit(machine);
    let context = machine.context(thread);
    exit::resume_call(context, context, [bits as usize, 0, 0, 0, 0, 0], 0, abi::OK)
}

/// A thread goes on where it was, and finds nothing: it was interrupted, or made a call that gives nothing.
#[inline(always)]
pub(crate) fn resume(context: Context) -> ! {
    if context.get(REQUEST) == INTERRUPTED { exit::resume_interrupted(context) } else { answer(context, abi::OK) }
}

/// The kernel must choose who runs.
#[inline(never)]
fn choose(machine: &mut Machine, now: Time) -> ! {
    machine.system.kernel.choose(now);
    match machine.system.kernel.settled() {
        Some((thread, delivery)) => go_on(machine, thread, delivery),
        None => {
            let outcome = machine.system.kernel.outcome();
            obey(machine, outcome)
        }
    }
}

/// Lets the thread go on that the kernel has chosen, with what it finds.
#[inline(never)]
fn go_on(machine: &mut Machine, thread: ThreadIndex, delivery: Delivery) -> ! {
    check(machine);
    arm(machine);
    deliver(machine, thread, delivery)
}

/// Does what the kernel says.
#[inline(never)]
pub(crate) fn obey(machine: &mut Machine, outcome: Outcome) -> ! {
    let mut outcome = outcome;
    loop {
        if outcome.restart.is_some() {
            restart(machine, &outcome);
        }
        if outcome.thread.is_some() && outcome.delivery != Delivery::Abort {
            go_on(machine, outcome.thread, outcome.delivery);
        }
        check(machine);
        arm(machine);
        outcome = if outcome.thread.is_none() {
            idle(machine)
        } else {
            match machine.system.kernel.abort(csr::now()) {
                Ok(outcome) => outcome,
                Err(error) => halt(Status::Panic, error as u64, 0),
            }
        };
    }
}

/// Lets the thread go on that the kernel has chosen, with what it finds.
#[inline(never)]
pub(crate) fn deliver(machine: &mut Machine, thread: ThreadIndex, delivery: Delivery) -> ! {
    let context = machine.context(thread);
    match delivery {
        Delivery::None | Delivery::Abort => resume(context),
        Delivery::Start => exit::enter(context, machine.system.home(thread), [thread.at(), 0, 0, 0, 0, 0], 0, 0),
        Delivery::Enter(gate) => {
            if machine.system.kernel.tables().gates[gate.at()].kind == GateKind::Mutex {
                carry_over(context.callers(), context);
                answer(context, abi::OK);
            }
            enter(machine, thread, context)
        }
        Delivery::Return => exit::resume_call(context, context, kept_words(context), context.get(T0), abi::OK),
        Delivery::Failed(failure) => answer(context, abi::FAILURE + failure as usize),
        Delivery::Signal(bits) => exit::resume_call(context, context, [bits as usize, 0, 0, 0, 0, 0], 0, abi::OK),
    }
}

/// The thread has passed the gate, with the words that were kept: it goes on there.
#[inline(always)]
pub(crate) fn enter(machine: &Machine, thread: ThreadIndex, context: Context) -> ! {
    let callers = context.callers();
    let further = callers.get(T0);
    let stack = machine.system.stack(thread);
    if further > 0 {
        message::copy(machine.system.callers_stack(thread), stack, further);
    }
    let who = method_and_caller(callers.get(REQUEST), thread);
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

fn kept_words(context: Context) -> [usize; 6] {
    core::array::from_fn(|index| context.get(A0 + index))
}

/// A mutex moves the thread to another context while it stays where it is.
pub(crate) fn carry_over(from: Context, to: Context) {
    for word in 0..FRAME_WORDS {
        to.set(word, from.get(word));
    }
}

#[cold]
#[inline(never)]
fn restart(machine: &mut Machine, outcome: &Outcome) {
    let ranges = machine.system.copies(outcome.restart);
    for range in ranges {
        // SAFETY:
        // 1. The boot has checked all ranges with `is_copy`.
        // 2. The kernel refers to no memory of components.
        unsafe { physical::restore(range) }
    }
    let bytes = ranges.iter().map(|range| range.bytes).sum();
    let now = csr::now();
    machine.system.kernel.sink().machine(now, MachineKind::Restarted, ThreadIndex::NONE, outcome.restart.0, bytes);
}

/// Stops the machine if a rule of the kernel's state does not hold; in other builds nothing.
#[cfg(feature = "checked")]
pub(crate) fn check(machine: &Machine) {
    if let Err(broken) = machine.system.kernel.check() {
        halt(Status::BrokenInvariant, broken as u64, 0);
    }
}

/// Nothing: this build does not check itself.
#[cfg(not(feature = "checked"))]
#[inline(always)]
pub(crate) fn check(_: &Machine) {}

/// As [`arm`] where no release has been added or taken away since the timer was set, only the limit of who runs may have
/// changed.
#[inline(always)]
pub(crate) fn arm_limit(machine: &mut Machine) {
    if machine.system.kernel.limit() != machine.limit {
        arm(machine);
    }
}

/// Sets the timer if it must fire at another time than it is set to.
#[inline(always)]
fn arm(machine: &mut Machine) {
    machine.limit = machine.system.kernel.limit();
    let deadline = machine.system.deadline();
    if deadline != machine.armed {
        machine.armed = deadline;
        devices::set_timer(deadline);
    }
}

/// What the callee is told: the method, and the caller's thread.
#[inline]
pub(crate) fn method_and_caller(selector: usize, caller: ThreadIndex) -> usize {
    let method = selector as u32 >> abi::METHOD_SHIFT;
    (method << abi::METHOD_SHIFT) as usize | caller.at()
}

const _: () = assert!(Error::NotLocked as usize + abi::FIRST_ERROR <= abi::NO_SUCH_OPERATION);
const _: () = assert!(Failure::Fault as usize > 0);
