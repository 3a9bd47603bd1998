//! Copies that the compiler asks for by name.
//!
//! Elsewhere only the start copies by calls, and what it calls goes with it. What schedulers decide
//! about has qualities, which are copied whole: so these stay.

use core::arch::naked_asm;

/// Copies bytes, words at a time where all are whole.
///
/// # Safety
/// As C has it: both ranges are that long and do not overlap.
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.kept")]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, bytes: usize) -> *mut u8 {
    naked_asm!(
        "mv a3, a0",
        "or a4, a0, a1",
        "or a4, a4, a2",
        "andi a4, a4, {word} - 1",
        "bnez a4, 2f",
        "1: beqz a2, 3f",
        ".if {word} == 8",
        "ld a5, 0(a1)",
        "sd a5, 0(a3)",
        ".else",
        "lw a5, 0(a1)",
        "sw a5, 0(a3)",
        ".endif",
        "addi a1, a1, {word}",
        "addi a3, a3, {word}",
        "addi a2, a2, -{word}",
        "j 1b",
        "2: beqz a2, 3f",
        "lbu a5, 0(a1)",
        "sb a5, 0(a3)",
        "addi a1, a1, 1",
        "addi a3, a3, 1",
        "addi a2, a2, -1",
        "j 2b",
        "3: ret",
        word = const size_of::<usize>(),
    )
}

/// Fills bytes.
///
/// # Safety
/// As C has it: the range is that long.
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".text.kept")]
unsafe extern "C" fn memset(to: *mut u8, value: i32, bytes: usize) -> *mut u8 {
    naked_asm!(
        "mv a3, a0",
        "1: beqz a2, 2f",
        "sb a1, 0(a3)",
        "addi a3, a3, 1",
        "addi a2, a2, -1",
        "j 1b",
        "2: ret",
    )
}
