//! The entries of traps.
//!
//! `mscratch` holds the context of the running frame, so that the first instruction finds a place
//! for registers. An exception never goes on where it came, so the registers that a call does not
//! preserve are free immediately; an interrupt saves all. `invoke` and `return` have paths of their
//! own: a return saves nothing, because the frame ends.

#[cfg(feature = "cores")]
use super::between::looked;
use super::passage;
use super::saving::{save_all, save_preserved};
use crate::asm::{load, save};
use crate::context::INTERRUPTED;
use crate::halt::{early, kernel_trap};
use crate::machine_map::TRAITS;
use core::arch::naked_asm;
#[cfg(not(feature = "cores"))]
use early as looked;

/// Saves what a call preserves, and what it asks for; `t1` and `t2` are free.
macro_rules! save_call {
    ($request:literal) => {
        concat!(
            save_preserved!(),
            "csrr t1, mepc\naddi t1, t1, 4\n",
            save!("t1", 16),
            "\n",
            "csrr t2, mscratch\n",
            save!("t2", 1),
            "\n",
            save!($request, 18),
        )
    };
}

#[cfg(not(feature = "leaks-what-was-asked"))]
macro_rules! save_other_call {
    () => {
        save_call!("zero")
    };
}

/// A defect: `yield` with all bits set is taken for an interrupt.
#[cfg(feature = "leaks-what-was-asked")]
macro_rules! save_other_call {
    () => {
        save_call!("a6")
    };
}

/// The entry of exceptions, with room for 28 bytes; or of all traps, where interrupts have no
/// entries of their own. Then `t1` is saved first, which an interrupt must leave as it was.
#[cfg(not(feature = "cores"))]
macro_rules! exceptions {
    () => {
        concat!(
            "7: csrrw sp, mscratch, sp
            .if {vectored}
            csrr t1, mcause
            .else\n",
            save!("t1", 28),
            "\ncsrr t1, mcause
            bltz t1, 5f
            .endif
            addi t1, t1, -8
            bnez t1, 8f
            beqz a7, 2f
            addi t1, a7, -1
            beqz t1, 3f
            j 4f"
        )
    };
}

/// Behind the table: nothing more to be told apart, since no core tells another anything. Or the
/// interrupts, of which only the timer's (7) and that of devices (11) are enabled.
#[cfg(not(feature = "cores"))]
macro_rules! calls {
    () => {
        concat!(
            "# {looked}
            .if !{vectored}
            5: andi t1, t1, 8
            bnez t1, 6f\n",
            load!("t1", 28),
            "\ncsrrw sp, mscratch, sp
            j {timer}
            6:\n",
            load!("t1", 28),
            "\ncsrrw sp, mscratch, sp
            j {external}
            .endif"
        )
    };
}

/// The entry of exceptions, and at 12 that of interrupts of other cores: faults go there, too, so
/// that a call takes no instruction more.
#[cfg(feature = "cores")]
macro_rules! exceptions {
    () => {
        ".option push
        .option norvc
        7: csrr t1, mcause
        addi t1, t1, -8
        beqz t1, 1f
        j 6f
        .option pop"
    };
}

/// Behind the table: calls, and what is no call.
#[cfg(feature = "cores")]
macro_rules! calls {
    () => {
        concat!(
            "1: csrrw sp, mscratch, sp
            beqz a7, 2f
            addi t1, a7, -1
            beqz t1, 3f
            j 4f
            6: csrrw sp, mscratch, sp\n",
            save!("t1", 28),
            "\ncsrr t1, mcause
            bgez t1, 8f\n",
            load!("t1", 28),
            "\ncsrrw sp, mscratch, sp
            j {looked}"
        )
    };
}

/// The vector table, for `mtvec` in vectored mode: exceptions at its start, interrupts by number.
/// The interrupts of the lowest numbers are never enabled, so exceptions are told apart where their
/// entries would be: an invocation or a return begins without a jump more.
///
/// # Safety
/// Nobody calls this; traps from user mode arrive here with a context in `mscratch`.
#[unsafe(naked)]
#[unsafe(link_section = ".text.vector")]
pub(super) unsafe extern "C" fn vector() {
    naked_asm!(
        ".balign 256",
        exceptions!(),
        ".if {vectored}",
        // The timer's number is 7, an external interrupt's 11.
        ".org 7b + 28",
        ".option push",
        ".option norvc",
        "j {timer}",
        "j {unexpected}", "j {unexpected}", "j {unexpected}",
        "j {external}",
        ".option pop",
        ".endif",
        calls!(),
        // An invocation.
        "2:",
        save_call!("a6"),
        "mv a7, sp",
        "la sp, __stack_top",
        "beqz t0, {invoke}",
        "mv a6, t0",
        "j {invoke_with_message}",
        // A return. Its words may be kept where the first words of this context are.
        "3:",
        save!("ra", 16),
        "mv a7, sp",
        "la sp, __stack_top",
        "bnez t0, 5f",
        "jal ra, {return_}",
        "j 6f",
        "5:",
        "mv a6, t0",
        "jal ra, {return_with_message}",
        "6:",
        // It is refused, and the registers that a call preserves are as they were.
        "mv sp, a0",
        load!("ra", 16),
        "mv a7, a1",
        "csrr t1, mepc",
        "addi t1, t1, 4",
        "csrw mepc, t1",
        "li a0, 0", "li a1, 0", "li a2, 0", "li a3, 0", "li a4, 0", "li a5, 0", "li a6, 0",
        "li t0, 0", "li t1, 0", "li t2, 0", "li t3, 0", "li t4, 0", "li t5, 0", "li t6, 0",
        "csrrw sp, mscratch, sp",
        "mret",
        // Any other call. Its number is not kept: no number that a component chooses is taken for
        // `INTERRUPTED`. (An invocation with that number names no slot, and is refused
        // immediately.)
        "4:",
        save_other_call!(),
        "addi t1, a7, -3",
        "addi t2, a7, -4",
        save!("a7", 26),
        "mv a7, sp",
        "la sp, __stack_top",
        "beqz t1, {signal}",
        "beqz t2, {wait}",
        "j {call}",
        // A fault, in a component or in the kernel.
        "8: csrr t1, mstatus",
        "srli t1, t1, 11",
        "andi t1, t1, 3",
        "bnez t1, 9f",
        "la sp, __stack_top",
        "j {fault}",
        "9: la sp, __stack_top",
        "j {kernel_trap}",
        vectored = const TRAITS.vectored_traps as usize,
        timer = sym timer,
        external = sym external,
        unexpected = sym early,
        invoke = sym passage::invoke,
        invoke_with_message = sym passage::invoke_with_message,
        return_ = sym passage::return_,
        return_with_message = sym passage::return_with_message,
        signal = sym super::signal,
        wait = sym super::wait,
        call = sym super::call,
        fault = sym super::fault,
        kernel_trap = sym kernel_trap,
        looked = sym looked,
    )
}

/// The entry of an interrupt of one kind: all registers are kept, and its handler begins with an
/// empty stack.
macro_rules! interrupt {
    ($name:ident, $handler:path) => {
        /// # Safety
        /// As [`vector`].
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                "csrrw sp, mscratch, sp",
                save_all!(),
                "li t1, {interrupted}",
                save!("t1", 18),
                "la sp, __stack_top",
                "j {handler}",
                interrupted = const INTERRUPTED as isize,
                handler = sym $handler,
            )
        }
    };
}

interrupt!(timer, super::timer);
interrupt!(external, super::external);
