//! The bootable kernel.
//!
//! Everything is in the crates below; this one only makes a program of them for the architecture it
//! is compiled for. The system that it runs is data beside it in the image.
#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use fusee_arch_riscv as _;
