//! The entries of traps, and the way from there into the portable flow.
//!
//! All decisions are `fusee_kernel`'s, and the order in which they are asked for is
//! `fusee_trap_flow`'s. Here a trap arrives: [`vector`] saves registers and calls one of these
//! functions, each of which takes the words out of the registers and begins the flow. Gates have a
//! module of their own, `passage`.

#[cfg(feature = "cores")]
mod activation;
mod arch;
#[cfg(feature = "cores")]
mod between;
mod passage;
#[cfg(feature = "cores")]
mod restart;
mod saving;
#[cfg(feature = "schedulers")]
mod schedulers;
mod token;
mod vector;
#[cfg(feature = "mutex-words")]
mod words;

use crate::context::Context;
use crate::csr;
use crate::machine_map::TRAITS;
use crate::registers::Registers;
use core::arch::naked_asm;
use fusee_trap_flow as flow;
use token::{Never, Trap};

/// Traps arrive as those of threads from now on.
#[inline(always)]
pub(crate) fn arrive_as_thread() {
    let vectored = usize::from(TRAITS.vectored_traps);
    csr::write!("mtvec", vector::vector as *const () as usize | vectored);
}

/// The running thread signals: the call that most often makes another thread run.
pub(crate) extern "C" fn signal(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    selector: usize,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    flow::signal(trap, selector as u16, context)
}

/// The running thread waits.
pub(crate) extern "C" fn wait(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    selector: usize,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    flow::wait(trap, selector as u16, context)
}

/// The running thread makes any other call.
pub(crate) extern "C" fn call(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    selector: usize,
    context: Context,
) -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let trap = unsafe { Trap::begin() };
    flow::call(trap, [a0, a1, a2, a3, a4, a5], selector as u16, context)
}

/// The timer fired.
pub(crate) extern "C" fn timer() -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt, or the idle core has come here.
    let trap = unsafe { Trap::begin() };
    flow::timer(trap)
}

/// A device interrupts.
pub(crate) extern "C" fn external() -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt, or the idle core has come here.
    let trap = unsafe { Trap::begin() };
    flow::device(trap)
}

/// The running thread faulted, or was sent here because its component is gone or to be put back.
pub(crate) extern "C" fn fault() -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each fault.
    let trap = unsafe { Trap::begin() };
    flow::fault(trap)
}

/// Lets the first job begin: the start is over, and what has made it may go.
#[inline(never)]
pub(crate) fn begin(registers: Registers) -> ! {
    registers.take();
    // SAFETY:
    // 1. The start is over, and this comes instead of the first trap.
    let trap = unsafe { Trap::begin() };
    match flow::tick(trap) {}
}

/// Sleeps until something is to be done, which is then handled as any interrupt: with an empty
/// stack, because what this trap has on it is needed no more, and however often the core is woken
/// in vain, the stack must not grow.
///
/// # Safety
/// Nothing on the kernel's stack is needed any more: the caller keeps no value that is used later,
/// and this never returns.
#[unsafe(naked)]
pub(crate) extern "C" fn idle() -> ! {
    naked_asm!("la sp, __stack_top", "j {sleep}", sleep = sym sleep)
}

extern "C" fn sleep() -> ! {
    sleep_until(external, timer)
}

/// Sleeps until an interrupt is pending, and lets its handler run. More than one thing can be
/// pending: what is left is an interrupt of its own.
#[inline(always)]
pub(crate) fn sleep_until(
    external: extern "C" fn() -> Never,
    timer: extern "C" fn() -> Never,
) -> ! {
    loop {
        csr::wait_for_interrupt();
        let pending = csr::pending();
        if pending.device {
            external();
        }
        if pending.time {
            timer();
        }
        #[cfg(feature = "cores")]
        if pending.software {
            between::software();
        }
    }
}
