//! Where an execution begins.

use crate::value::Value;
use fusee_isa::language::Register;

/// Where an execution begins, and what is known there.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// Its first instruction.
    pub at: u64,
    /// What registers hold.
    pub registers: &'a [(Register, Value)],
    /// What words of memory hold: address, number.
    pub memory: &'a [(u64, u64)],
    /// Whether a kernel goes on here after it has waited for an interrupt.
    pub resumed: bool,
}
