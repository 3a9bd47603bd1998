//! The first instructions.

use core::arch::naked_asm;

/// Where the machine starts: one core goes on, with a stack and zeroed variables; others sleep for
/// ever.
///
/// # Safety
/// Nobody calls this; the machine begins here.
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.start")]
unsafe extern "C" fn _start() -> ! {
    naked_asm!(
        "csrw mie, zero",
        "csrr t0, mhartid",
        "bnez t0, 3f",
        "la sp, __stack_top",
        "la t0, __bss_start",
        "la t1, __bss_end",
        "1: bgeu t0, t1, 2f",
        "sw zero, 0(t0)",
        "addi t0, t0, 4",
        "j 1b",
        "2: la t0, {early}",
        "csrw mtvec, t0",
        "j {boot}",
        "3: wfi",
        "j 3b",
        boot = sym crate::boot::boot,
        early = sym crate::vector::early,
    )
}
