//! System calls other than those of gates.

use crate::defect::seeded;
#[cfg(feature = "mutations")]
use crate::leave::go_back;
use crate::leave::{answer, arm, go_on, leave, wake};
use crate::{Arch, Host, Registers};
use fusee_image_format::abi;
use fusee_kernel::{Changed, Error, Event, NextChosen, NotificationIndex, ResumeReason, Time};

/// Handles a signal of the running thread, the call that most often makes another thread run.
#[inline(always)]
pub fn signal<'m, A: Arch<'m>>(mut arch: A, slot: u16, context: A::Context) -> A::Exit {
    let now = arch.now();
    match arch.flow().signal_fast(now, slot) {
        Ok((switch, bits)) => wake(arch, switch, bits),
        Err(Some((notification, bits))) => signal_slow(arch, now, notification, bits, context),
        // Not refused yet: on a machine with several cores the slot may lead to another one.
        Err(None) => arch.signal_elsewhere(slot, context),
    }
}

/// Signals a notification where no thread waits, or the waiting one does not take the core
/// immediately.
#[inline(never)]
fn signal_slow<'m, A: Arch<'m>>(
    mut arch: A,
    now: Time,
    notification: NotificationIndex,
    bits: u32,
    context: A::Context,
) -> A::Exit {
    let changed = arch.flow().signal_slow(now, notification, bits);
    // Before the way out: a signal may have filled the budget of a thread that holds a mutex
    // between cores, and that must not end before the mutex is free.
    arch.keep_account(now);
    match changed {
        // The signaller goes on: then its registers are at hand, and no reason to resume is read.
        Ok(changed) if seeded!(UnsettledSignal, true, arch.flow().is_over(&changed)) => {
            arch.check();
            arm(&mut arch);
            answer(arch, context, abi::OK)
        }
        Ok(changed) => leave(arch, now, changed),
        Err(error) => answer(arch, context, error as usize),
    }
}

/// Handles a wait of the running thread.
#[inline(always)]
pub fn wait<'m, A: Arch<'m>>(mut arch: A, slot: u16, context: A::Context) -> A::Exit {
    let now = arch.now();
    // Asked before the kernel changes anything, since a refused call must change nothing.
    if arch.keeps_others_waiting(Event::Wait(slot)) {
        return answer(arch, context, Error::InGlobal as usize);
    }
    match arch.flow().change(now, Event::Wait(slot)) {
        Ok(changed) => settle_wait(arch, now, changed),
        Err(error) => answer(arch, context, error as usize),
    }
}

/// Ends a wait: whoever is most urgent now goes on.
#[inline(always)]
fn settle_wait<'m, A: Arch<'m>>(arch: A, now: Time, changed: Changed) -> A::Exit {
    seeded!(
        UnsettledWait,
        {
            let waits = arch
                .kernel()
                .memory()
                .threads
                .iter()
                .find(|thread| thread.notification().is_some() && thread.depth() > 0);
            if waits.is_some() { go_back(arch) } else { leave(arch, now, changed) }
        },
        leave(arch, now, changed)
    )
}

/// Handles any other call of the running thread.
#[inline(always)]
pub fn call<'m, A: Arch<'m>>(
    arch: A,
    words: [usize; 6],
    slot: u16,
    context: A::Context,
) -> A::Exit {
    let operation = context.operation();
    // One match over all numbers, of which a compiler makes a table: questions one after the other
    // would make the last operation slower.
    match operation {
        abi::ACKNOWLEDGE => acknowledge(arch, slot, context),
        abi::POLL => poll(arch, slot, context),
        abi::LIMIT => limit(arch, context, words[0]),
        // Before the simple ones: a kernel with words handles locks in a way of its own.
        _ if A::is_special(operation) => arch.special_call(operation, slot, words, context),
        abi::COMPLETE | abi::YIELD | abi::LOCK | abi::UNLOCK => {
            call_simple(arch, operation, slot, context)
        }
        abi::DEPEND | abi::WAKE if A::HAS_SLEEPERS => call_simple(arch, operation, slot, context),
        _ => answer(arch, context, abi::NO_SUCH_OPERATION),
    }
}

/// Lets an interrupt line interrupt again.
#[inline(always)]
fn acknowledge<'m, A: Arch<'m>>(mut arch: A, slot: u16, context: A::Context) -> A::Exit {
    match arch.acknowledge(slot) {
        Ok(()) => answer(arch, context, abi::OK),
        Err(error) => answer(arch, context, error as usize),
    }
}

/// Handles a call without a message, by its number.
#[inline(always)]
fn call_simple<'m, A: Arch<'m>>(
    mut arch: A,
    operation: usize,
    slot: u16,
    context: A::Context,
) -> A::Exit {
    // Read before the call, after which another thread may run.
    let thread = arch.kernel().current();
    let now = arch.now();
    if operation == abi::LOCK && arch.keeps_others_waiting(Event::Lock(slot)) {
        return answer(arch, context, Error::InGlobal as usize);
    }
    match arch.simple_call(now, operation, slot) {
        // The core's own mutexes come first, so that a lock on one core costs no look at the
        // others.
        Err(error) if A::LEADS_ELSEWHERE && error == Error::NoCapability => {
            if matches!(operation, abi::LOCK | abi::UNLOCK) {
                return arch.lock_elsewhere(context, operation, slot);
            }
            answer(arch, context, error as usize)
        }
        Err(error) => answer(arch, context, error as usize),
        Ok(chosen) => {
            if operation == abi::UNLOCK {
                // The unlock has taken a frame off the thread, which stays where it is: its
                // registers go back along with it.
                context.carry_over(arch.context(thread));
            }
            if A::LEAKS_WHERE_UNLOCKED && operation == abi::UNLOCK {
                let _ = arch.flow().resume_with(thread, ResumeReason::Return, 0);
            }
            go_on(arch, chosen)
        }
    }
}

/// Returns `true` if [`simple`] knows the operation.
#[inline(always)]
pub const fn is_simple<'m, A: Arch<'m>>(operation: usize) -> bool {
    matches!(operation, abi::COMPLETE | abi::YIELD | abi::LOCK | abi::UNLOCK)
        || A::HAS_SLEEPERS && matches!(operation, abi::DEPEND | abi::WAKE)
}

/// Handles a system call without a message that is not one of those with fast paths, by its number.
/// The next thread is then chosen.
///
/// # Errors
/// Errors of the kernel.
#[inline(always)]
pub fn simple<'m, H: Host<'m>>(
    host: &mut H,
    now: Time,
    operation: usize,
    slot: u16,
) -> Result<NextChosen, Error> {
    match operation {
        abi::COMPLETE => complete(host, now),
        abi::YIELD => change(host, now, Event::Yield),
        abi::LOCK => change(host, now, Event::Lock(slot)),
        abi::UNLOCK => change(host, now, Event::Unlock(slot)),
        abi::DEPEND if H::HAS_SLEEPERS => change(host, now, Event::Depend(slot)),
        abi::WAKE if H::HAS_SLEEPERS => change(host, now, Event::Wake(slot)),
        // No caller comes here with another number. If one did, it would be told of an empty slot.
        _ => Err(Error::NoCapability),
    }
}

#[inline(always)]
fn change<'m, H: Host<'m>>(host: &mut H, now: Time, event: Event) -> Result<NextChosen, Error> {
    let changed = host.flow().change(now, event)?;
    Ok(host.reschedule(now, changed))
}

fn complete<'m, H: Host<'m>>(host: &mut H, now: Time) -> Result<NextChosen, Error> {
    // Read before the job ends, after which another thread runs.
    let thread = host.running();
    let changed = host.flow().change(now, Event::Complete)?;
    // Before the next thread is chosen: the end of the boot thread's job can end the start.
    host.completed(now, thread);
    Ok(host.reschedule(now, changed))
}

/// Limits what the boot thread calls next.
#[cold]
#[inline(never)]
fn limit<'m, A: Arch<'m>>(mut arch: A, context: A::Context, amount: usize) -> A::Exit {
    match arch.limit(arch.now(), amount as u32) {
        Ok(chosen) => go_on(arch, chosen),
        Err(error) => answer(arch, context, error as usize),
    }
}

/// Takes what is pending.
#[inline(always)]
fn poll<'m, A: Arch<'m>>(mut arch: A, slot: u16, context: A::Context) -> A::Exit {
    let now = arch.now();
    match arch.flow().change(now, Event::Poll(slot)) {
        Ok(changed) => leave(arch, now, changed),
        Err(error) => answer(arch, context, error as usize),
    }
}
