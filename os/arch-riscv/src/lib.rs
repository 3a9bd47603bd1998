//! RISC-V: traps, registers, protection, timer and interrupt controller.
//!
//! The kernel runs in machine mode with nothing below it, components in user mode behind page
//! tables. Of all that runs in machine mode only this crate says `unsafe`. It is small on purpose:
//! every decision is taken in `fusee_kernel`, the order in which a trap asks for them is in
//! `fusee_trap_flow`, and the data that any machine has is in `fusee_system`. 32 and 64 bits are
//! the same source; they differ in the width of a register and in how a 64-bit clock is read.
//!
//! The order of a trap: `trap::vector` saves what the path needs and calls one function of `trap`
//! or `trap::passage`; that begins the flow, which asks the kernel and ends in one of the exits of
//! `exit`. None of them returns, so nothing of the kernel lives on its stack between two traps.
#![no_std]
#![allow(unsafe_code, reason = "registers, traps and devices are reached no other way")]
#![cfg(any(target_arch = "riscv64", target_arch = "riscv32"))]

mod arena;
mod asm;
mod boot;
mod clock;
mod context;
#[cfg(feature = "schedulers")]
mod copies;
mod csr;
mod devices;
mod examine;
mod exit;
mod halt;
mod layout;
mod machine;
mod machine_map;
mod message;
mod physical;
mod protection;
mod registers;
#[cfg(feature = "cores")]
mod shared;
mod start;
mod trap;
