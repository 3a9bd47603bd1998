//! The times of a machine: one plain description for all processors.
//!
//! A description says what an in-order processor does with time, in cycles. It is
//! written by hand as a TOML file, or built in. Numbers add up: a miss, a wait for
//! a result and a wait for the bus follow each other, although hardware may let
//! them overlap. That is what excludes timing anomalies: every time at which
//! something happens is a sum or a maximum of earlier times, so nothing that
//! happens later than it could makes anything else happen earlier.

mod builtin;
mod file;

pub use builtin::{BUILT_IN, BUILT_IN_FOR, built_in};
pub use file::read;

use serde::Deserialize;

use super::cache::{Replacement, Shape};
use fusee_isa::language::Class;

/// An in-order processor with its caches and its memory.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The machine's name.
    pub name: String,
    /// The cycles for which instructions keep the pipeline.
    pub issue: Issue,
    /// The cycles after which results are there.
    #[serde(default)]
    pub result: Results,
    /// The cycles of branches and jumps.
    #[serde(default)]
    pub control: Control,
    /// The cache of instructions, if there is one.
    pub instruction_cache: Option<CacheDescription>,
    /// The cache of data, if there is one.
    pub data_cache: Option<CacheDescription>,
    /// Memory behind the caches.
    pub memory: Memory,
}

/// Cycles for which instructions keep others from being issued.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issue {
    /// Every class that is not listed.
    #[serde(default = "once")]
    pub default: u32,
    /// The time of a product.
    pub multiply: u32,
    /// Quotients and remainders.
    pub divide: u32,
    /// Floating point and vectors until the result can be used, but quotients and roots; nothing:
    /// there is none.
    pub float: Option<u32>,
    /// Quotients and roots of floating-point numbers until they can be used; nothing: there are
    /// none.
    pub float_divide: Option<u32>,
    /// Atomic accesses, besides their accesses to memory.
    #[serde(default = "once")]
    pub atomic: u32,
    /// Control and status registers.
    pub status: u32,
    /// Fences, but `fence.i`.
    pub fence: u32,
    /// `fence.i`, which also empties the instruction cache.
    pub fence_i: u32,
    /// System calls, trap returns; and the way from what a trap ends to its handler.
    pub system: u32,
    /// True if an arithmetic instruction can be issued together with a following one, or with a
    /// load, that does not use its result.
    #[serde(default)]
    pub dual: bool,
}

fn once() -> u32 {
    1
}

/// After how many cycles an instruction can use a result; 1: the next one can.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Results {
    /// Additions, logic, comparisons.
    pub arithmetic: u32,
    /// The time of a shift.
    pub shift: u32,
    /// The time of a product.
    pub multiply: u32,
    /// Quotients and remainders.
    pub divide: u32,
    /// Loads that hit.
    pub load: u32,
    /// The time of an atomic access.
    pub atomic: u32,
    /// Control and status registers.
    pub status: u32,
    /// Further cycles for a load right behind a store to the same word.
    pub load_after_store: u32,
    /// The number of instructions behind a store that count as right behind it.
    pub store_distance: u32,
}

impl Default for Results {
    fn default() -> Self {
        Self {
            arithmetic: 1,
            shift: 1,
            multiply: 1,
            divide: 1,
            load: 1,
            atomic: 1,
            status: 1,
            load_after_store: 0,
            store_distance: 1,
        }
    }
}

impl Results {
    /// For results of this class.
    pub fn of(&self, class: Class) -> u32 {
        match class {
            Class::Shift => self.shift,
            Class::Multiply => self.multiply,
            Class::Divide => self.divide,
            Class::Load => self.load,
            Class::Atomic => self.atomic,
            Class::Status => self.status,
            // Of floating point the issue has the whole time until its result.
            _ => self.arithmetic,
        }
    }
}

/// The way in which branches are guessed before they are decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// None is taken.
    NotTaken,
    /// Those that lead back are taken.
    BackwardTaken,
}

/// Cycles of branches and jumps, their own included.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Control {
    /// The way in which branches are guessed.
    pub prediction: Prediction,
    /// A branch that was rightly guessed not to be taken.
    pub not_taken: u32,
    /// A branch that was rightly guessed to be taken.
    pub taken: u32,
    /// A branch that was wrongly guessed.
    pub mispredicted: u32,
    /// A jump to a fixed address.
    pub jump: u32,
    /// A jump to a computed address.
    pub indirect: u32,
    /// Instructions fetched the wrong way behind a wrong guess or a computed jump.
    pub wrong_way: u32,
    /// Cycles more where one of those waits for a result of the one before it.
    pub wrong_way_wait: u32,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            prediction: Prediction::NotTaken,
            not_taken: 1,
            taken: 1,
            mispredicted: 1,
            jump: 1,
            indirect: 1,
            wrong_way: 0,
            wrong_way_wait: 0,
        }
    }
}

/// The effect of a store on the data cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Write {
    /// Goes to memory, loads no line.
    #[default]
    Through,
    /// Loads the line; it goes to memory when it makes room.
    Back,
}

/// The description of a cache.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheDescription {
    /// Bytes in all.
    pub size: u64,
    /// Bytes of a line.
    pub line: u64,
    /// Lines of a set.
    #[serde(default = "one")]
    pub ways: u8,
    /// The rule by which a line makes room.
    #[serde(default = "lru")]
    pub replacement: Replacement,
    /// The effect of a store; only for data.
    #[serde(default)]
    pub write: Write,
    /// Words that empty the cache when they are decoded, also on the wrong way.
    pub flush: Option<Flush>,
}

fn one() -> u8 {
    1
}

fn lru() -> Replacement {
    Replacement::Lru
}

impl CacheDescription {
    /// Returns the shape with which it is analyzed; nothing where the numbers do not fit.
    pub fn shape(&self) -> Option<Shape> {
        Shape::new(self.size, self.line, self.ways, self.replacement)
    }
}

/// A pattern of instruction words that empties the instruction cache.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flush {
    /// The bits that are looked at.
    pub mask: u32,
    /// The time of a word.
    pub word: u32,
    /// Cycles that it takes.
    pub cycles: u32,
}

/// Memory behind the caches.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Cycles that a line takes from memory to a cache, beyond a hit.
    pub line: u32,
    /// Cycles that a read of one word takes without a cache, beyond a hit.
    pub read: u32,
    /// Cycles for which a write keeps the bus.
    pub write: u32,
    /// Cycles until a write gets to a bus that is free.
    #[serde(default)]
    pub write_start: u32,
    /// Writes that can wait for the bus while the processor goes on.
    #[serde(default)]
    pub pending_writes: u32,
    /// True if fetches never wait for data that is on its way.
    #[serde(default)]
    pub separate_buses: bool,
    /// The number of instructions behind a load that waits for its line that are fetched meanwhile,
    /// on a bus of their own.
    #[serde(default)]
    pub fetched_ahead: u32,
    /// Addresses that no cache keeps: first ones and those behind the last ones.
    #[serde(default)]
    pub uncached: Vec<[u64; 2]>,
}
