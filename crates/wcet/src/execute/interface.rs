//! The promises of a kernel to the programs that run on it.

use std::collections::BTreeSet;

use crate::value::Range;
use fusee_isa::language::Register;

/// A kernel's promises to the programs that run on it.
#[derive(Debug, Clone)]
pub struct KernelInterface {
    /// At a call it holds the number of the operation.
    pub operation: Register,
    /// At a call it holds what the operation is done to.
    pub subject: Register,
    /// Operations from which a program does not come back.
    pub ends: BTreeSet<u64>,
    /// The instructions in which a call that ends one job returns when the next begins.
    pub next_job: std::ops::Range<u64>,
    /// Registers that a call may change, with what they can hold afterwards.
    pub changed: Vec<(Register, Range)>,
}

/// A request of a system call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Request {
    /// The number of the operation.
    pub operation: u64,
    /// The object that it is done to; nothing where that is not known.
    pub subject: Option<u64>,
}
