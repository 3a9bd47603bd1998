//! The first instructions.

use core::arch::naked_asm;

/// The code of the other cores when the machine starts: they sleep for ever.
#[cfg(not(feature = "cores"))]
macro_rules! others {
    () => {
        "3: wfi
        j 3b"
    };
}

/// The code of the other cores when the machine starts: they wait until the first tells them to
/// begin, in the kernel of their own, which lies so many times behind. They sleep meanwhile, unless
/// their clocks would sleep, too: those must count from the reset, as the first core's does. Behind
/// the fence they see everything that the first has written.
#[cfg(feature = "cores")]
macro_rules! others {
    () => {
        "3: li t1, 8
        csrw mie, t1
        4:
        .if {sleeps}
        wfi
        .endif
        csrr t1, mip
        andi t1, t1, 8
        beqz t1, 4b
        csrw mie, zero
        fence i, rw
        slli t0, t0, {shift}
        la t1, 5b
        add t1, t1, t0
        jr t1"
    };
}

/// The machine's entry: one core goes on, with a stack and zeroed variables.
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
        "5: la sp, __stack_top",
        "la t0, __bss_start",
        "la t1, __bss_end",
        "1: bgeu t0, t1, 2f",
        "sw zero, 0(t0)",
        "addi t0, t0, 4",
        "j 1b",
        "2: la t0, {early}",
        "csrw mtvec, t0",
        "j {boot}",
        others!(),
        "# {shift} {sleeps}",
        sleeps = const crate::machine_map::TRAITS.clock_runs_asleep as usize,
        shift = const fusee_image_format::CORE_BYTES.trailing_zeros(),
        boot = sym crate::boot::boot,
        early = sym crate::halt::early,
    )
}
