//! The ways out of the kernel.
//!
//! Each loads what its path needs, clears every other register, and returns to user mode. What a
//! component finds in a register is its own or zero.

use crate::asm::{load, load_address};
use crate::context::Context;
use crate::machine_map::TRAITS;
use core::arch::asm;
use fusee_system::Stack;

/// 1 where translations do not know their address space.
const UNTAGGED: usize = !TRAITS.tagged_translations as usize;

/// Selects the address space whose `satp` is in this operand. Translations that do not know their
/// address space are forgotten, those of the one before and of the one that comes.
macro_rules! select_space {
    ($register:literal) => {
        concat!("csrw satp, ", $register, "\n.if {untagged}\nsfence.vma\n.endif\n")
    };
}

/// Zeroes `t1` to `t6`, which no call preserves.
macro_rules! clear_temporaries {
    () => {
        "li t1, 0\nli t2, 0\nli t3, 0\nli t4, 0\nli t5, 0\nli t6, 0"
    };
}

/// Begins at a stack's entry point, with arguments.
#[inline(always)]
pub(crate) fn enter(
    context: Context,
    stack: &Stack,
    words: [usize; 6],
    further: usize,
    who: usize,
) -> ! {
    let [a0, a1, a2, a3, a4, a5] = words;
    context.set(crate::context::SPACE, stack.space);
    // SAFETY:
    // 1. `mscratch` gets the context of the frame that runs now, as `vector` expects it.
    // 2. Entry, stack and address space come from the image; user mode cannot leave what that
    //    address space maps.
    // 3. The kernel's stack is given up: nothing on it is needed after this.
    // 4. `t6` points to a stack's entry, whose fields are read at their own offsets and widths.
    unsafe {
        asm!(
            select_space!("{space}"),
            "csrw mscratch, {context}",
            load_address!("t1", "{entry}(t6)"), "csrw mepc, t1",
            load_address!("sp", "{stack_pointer}(t6)"),
            load_address!("tp", "{thread_pointer}(t6)"),
            "li ra, 0", "li gp, 0", "li a7, 0",
            "li s0, 0", "li s1, 0", "li s2, 0", "li s3, 0", "li s4, 0", "li s5, 0",
            "li s6, 0", "li s7, 0", "li s8, 0", "li s9, 0", "li s10, 0", "li s11, 0",
            clear_temporaries!(),
            "mret",
            untagged = const UNTAGGED,
            space = in(reg) stack.space,
            context = in(reg) context.address(),
            entry = const core::mem::offset_of!(Stack, entry),
            stack_pointer = const core::mem::offset_of!(Stack, stack_pointer),
            thread_pointer = const core::mem::offset_of!(Stack, thread_pointer),
            in("t6") stack,
            in("a0") a0, in("a1") a1, in("a2") a2, in("a3") a3, in("a4") a4, in("a5") a5,
            in("a6") who, in("t0") further,
            options(noreturn),
        )
    }
}

/// Goes on behind the call that the thread made last, with results. Registers come from `saved`,
/// and the frame that runs from now on is `context`; they differ where a mutex was locked or
/// unlocked in between.
#[inline(always)]
pub(crate) fn resume_call(
    saved: Context,
    context: Context,
    words: [usize; 6],
    further: usize,
    error: usize,
) -> ! {
    let [a0, a1, a2, a3, a4, a5] = words;
    // SAFETY:
    // 1. `mscratch` gets the context of the frame that runs now, as `vector` expects it.
    // 2. `saved` was filled by `vector` when the thread made its call.
    // 3. The kernel's stack is given up: nothing on it is needed after this.
    unsafe {
        asm!(
            "csrw mscratch, {context}",
            load!("t1", 17, "t6"), select_space!("t1"),
            load!("t1", 16, "t6"), "csrw mepc, t1",
            load!("ra", 0, "t6"), load!("sp", 1, "t6"), load!("gp", 2, "t6"), load!("tp", 3, "t6"),
            load!("s0", 4, "t6"), load!("s1", 5, "t6"), load!("s2", 6, "t6"), load!("s3", 7, "t6"),
            load!("s4", 8, "t6"), load!("s5", 9, "t6"), load!("s6", 10, "t6"),
            load!("s7", 11, "t6"),
            load!("s8", 12, "t6"), load!("s9", 13, "t6"), load!("s10", 14, "t6"),
            load!("s11", 15, "t6"),
            "li a6, 0",
            clear_temporaries!(),
            "mret",
            untagged = const UNTAGGED,
            context = in(reg) context.address(),
            in("t6") saved.address(),
            in("a0") a0, in("a1") a1, in("a2") a2, in("a3") a3, in("a4") a4, in("a5") a5,
            in("a7") error, in("t0") further,
            options(noreturn),
        )
    }
}

/// Goes on where an interrupt came.
#[inline(always)]
pub(crate) fn resume_interrupted(context: Context) -> ! {
    // SAFETY:
    // 1. `mscratch` gets the context of the frame that runs now, as `vector` expects it.
    // 2. The context was filled by `vector` when the interrupt came.
    // 3. The kernel's stack is given up: nothing on it is needed after this.
    // 4. The store that must fail, or hits the context's own unused word, ends a reservation of
    //    another thread.
    unsafe {
        asm!(
            "csrw mscratch, a0",
            "mv sp, a0",
            load!("t1", 17), select_space!("t1"),
            load!("t1", 16), "csrw mepc, t1",
            "addi t1, sp, {unused}",
            "sc.w zero, zero, (t1)",
            load!("ra", 0), load!("gp", 2), load!("tp", 3),
            load!("s0", 4), load!("s1", 5), load!("s2", 6), load!("s3", 7), load!("s4", 8),
            load!("s5", 9),
            load!("s6", 10), load!("s7", 11), load!("s8", 12), load!("s9", 13), load!("s10", 14),
            load!("s11", 15),
            load!("a0", 19), load!("a1", 20), load!("a2", 21), load!("a3", 22), load!("a4", 23),
            load!("a5", 24),
            load!("a6", 25), load!("a7", 26), load!("t0", 27), load!("t1", 28), load!("t2", 29),
            load!("t3", 30),
            load!("t4", 31), load!("t5", 32), load!("t6", 33),
            load!("sp", 1),
            "mret",
            untagged = const UNTAGGED,
            unused = const crate::context::REQUEST * size_of::<usize>(),
            in("a0") context.address(),
            options(noreturn),
        )
    }
}

/// Sends a thread to where nothing is, so that the next that happens to it is a fault, after what
/// interrupts are due: they save registers in the context. That of a thread whose component is gone
/// is needed no more. One that has not begun in its component has nothing to be saved, but
/// arguments kept where its context will be: [`Context::discarded`] is for it.
#[inline(always)]
pub(crate) fn nowhere(context: Context) -> ! {
    // SAFETY:
    // 1. `mscratch` gets a context that nothing else refers to, as `vector` expects it.
    // 2. The last address is in no address space and open to nobody without one: user mode executes
    //    nothing there, so that it does not matter what is left in the registers.
    // 3. The kernel's stack is given up: nothing on it is needed after this.
    unsafe {
        asm!(
            "csrw mscratch, {context}",
            "csrw mepc, {nowhere}",
            "mret",
            context = in(reg) context.address(),
            nowhere = in(reg) usize::MAX - 1,
            options(noreturn),
        )
    }
}
