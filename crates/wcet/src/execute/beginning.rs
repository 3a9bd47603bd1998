//! Where an execution begins.

use crate::value::Value;
use fusee_isa::language::{Register, Width};

/// Where an execution begins, and what is known there.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// Its first instruction.
    pub at: u64,
    /// What registers hold.
    pub registers: &'a [(Register, Value)],
    /// What memory holds: address, width, number.
    pub memory: &'a [(u64, Width, u64)],
    /// Whether a kernel goes on here after it has waited for an interrupt.
    pub resumed: bool,
}
