//! The beginning of an execution.

use crate::value::Value;
use fusee_isa::language::{Register, Width};

/// The place at which an execution begins, with what is known there.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// Its first instruction.
    pub at: u64,
    /// Registers, each with what it holds.
    pub registers: &'a [(Register, Value)],
    /// Contents of memory: address, width, number.
    pub memory: &'a [(u64, Width, u64)],
    /// True if a kernel goes on here after it has waited for an interrupt.
    pub resumed: bool,
}
