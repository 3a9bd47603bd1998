//! Machines: how long instructions take.
//!
//! A machine carries what it must remember between instructions in a timing
//! state of its own, which is joined where paths meet. It promises that from a
//! joined state no instruction takes less than from either of the joined ones.

pub mod cache;
mod counting;
pub mod description;
mod follows;
mod instructions;
mod pipeline;
mod touched;
mod within;

pub use crate::state::Access;
pub use counting::Counting;
pub use follows::Follows;
pub use instructions::Instructions;
pub use pipeline::{Footprint, Pipeline, Translated};
pub use touched::{Bytes, Touched};
pub use within::Within;

use fusee_isa::language::{Class, Instruction};

/// Lines that caches had to load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Misses {
    /// Misses of instructions.
    pub instructions: u32,
    /// Misses of data.
    pub data: u32,
}

/// A machine's timing.
pub trait Machine {
    /// The state that one instruction leaves behind for the next ones.
    type Timing: Clone;

    /// True if times depend on what is read and written.
    const SEES_DATA: bool = true;

    /// Returns the machine's name.
    fn name(&self) -> &str;

    /// Returns the unit of its times.
    fn unit(&self) -> &str;

    /// Returns what its times take for granted, in sentences.
    fn assumptions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the time of instructions of a class that the machine is without, if it is.
    fn lacks(&self, _: Class) -> Option<&'static str> {
        None
    }

    /// Returns the time from what a trap ends to the first instruction of its handler.
    fn trap(&self) -> u64 {
        0
    }

    /// Returns the timing state at entry: nothing is known.
    fn at_entry(&self) -> Self::Timing;

    /// Returns the longest time of an instruction; `taken` says whether a branch jumps.
    fn execute(
        &self,
        timing: &mut Self::Timing,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64;

    /// Returns the misses since this was asked last; for people, no time depends on it.
    fn take_misses(&self, _: &mut Self::Timing) -> Misses {
        Misses::default()
    }

    /// Makes `timing` cover `other` as well, at the later of both times.
    ///
    /// `lead` is how much later `timing` is than `other`, below 0 if it is earlier:
    /// what is reached earlier has that much time to spare from now on.
    fn join(&self, timing: &mut Self::Timing, other: &Self::Timing, lead: i64);

    /// Makes `timing` cover more, so that it can cover what follows from it: what it owes is never
    /// paid twice then.
    fn simplify(&self, _: &mut Self::Timing) {}

    /// Returns whether `timing` covers `other`.
    fn includes(&self, timing: &Self::Timing, other: &Self::Timing) -> bool;
}
