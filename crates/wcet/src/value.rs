//! The values of a register: a base and a strided interval of distances.
//!
//! A [`Value`] stands for the numbers `base + d`, where `d` runs through a
//! [`Range`]: `low, low + stride, ..., high`. The base is either nothing (plain
//! numbers, addresses of code and data) or something that is not known but is
//! one thing: the stack at entry, an argument, a number that was loaded.
//! Differences and comparisons of two values of one base are then exact, which
//! makes `while (p != end)` a counted loop although nobody knows where `p`
//! points, and what a branch teaches of `n` is known of `n - 1` as well.
//!
//! Ranges are signed 64-bit; registers of 32 bits hold sign-extended numbers.
//! Sums that leave 64 bits give the range of all numbers, never a wrapped one.

mod arithmetic;
mod compare;
pub mod float;
pub(crate) mod pieces;
mod range;

pub(crate) use arithmetic::exact;
pub use compare::{decide, refine};
pub use range::Range;

/// Addresses further apart than this are in no one object: a store to one of them may go anywhere.
pub const LONGEST_OBJECT: u64 = 1 << 24;
/// The same where it is known what lies where, as in a kernel: there a long range is a long buffer.
pub const LONGEST_BUFFER: u64 = 1 << 32;

/// Something with one address that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// The value is a plain number.
    None,
    /// The stack pointer at entry.
    Stack,
    /// A number that the state knows by this name.
    Symbol(u32),
}

/// A set of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// The base from which the distances count.
    pub base: Base,
    /// The range of the distances.
    pub range: Range,
}

impl Value {
    /// Any number at all.
    pub const ANY: Value = Value { base: Base::None, range: Range::ALL };

    /// Returns the value of one number.
    pub fn constant(number: u64) -> Self {
        Self::number(Range::constant(number as i64))
    }

    /// Plain numbers of a range.
    pub fn number(range: Range) -> Self {
        Self { base: Base::None, range }
    }

    /// Returns a base itself.
    pub fn based(base: Base) -> Self {
        Self { base, range: Range::constant(0) }
    }

    /// Returns the name of its base, if it has one.
    pub fn symbol(&self) -> Option<u32> {
        match self.base {
            Base::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    /// Returns the number, when there is only one and it is known.
    pub fn as_constant(&self) -> Option<u64> {
        match self.base {
            Base::None => self.range.as_constant().map(|n| n as u64),
            _ => None,
        }
    }
}
