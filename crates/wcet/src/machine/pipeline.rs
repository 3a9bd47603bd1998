//! An in-order pipeline with caches, a write buffer and results under way.
//!
//! The timing state counts cycles from now: until each result can be used, until
//! the bus has written what waits, and what the caches hold. An instruction takes
//! its fetch, its wait for operands, its own cycles and its accesses, one after
//! the other. Each of these is a sum or a maximum of earlier times, so a state in
//! which everything is later covers one in which something is earlier, and the
//! maximum of both covers both.
//!
//! Not every cycle that is counted is a cycle for everyone. While a division or a
//! load keeps a late stage, what stands before it stands still, and an instruction
//! that waits for an earlier result goes on waiting afterwards: such cycles let the
//! bus go on, and no result. A miss that is counted for a line that may be loaded
//! later lets nothing go on, for it is not known when those cycles are spent.
//!
//! Two instructions issued together are no exception: where a partner is open the
//! future takes at most one cycle less than where none is, and a path that has
//! paid for an open partner has paid that cycle.

mod again;
mod ahead;
mod data;
mod fetch;
mod issue;
mod near;
mod paging;
mod translated;

use super::cache::{Cache, Shape, Spare};
use super::description::{Description, Write};
use super::{Machine, Misses};
use crate::program::Program;
use crate::state::Access;
use again::Again;
use ahead::Ahead;
use fusee_isa::language::{Class, Instruction, REGISTERS, Register};
use near::Near;
pub use paging::Footprint;
pub use translated::Translated;

/// The number of instructions that a slow one can hold up: those between it and the fetch.
const HELD_UP: u8 = 3;

/// A machine made from its description, for one program.
#[derive(Debug, Clone)]
pub struct Pipeline<'p> {
    description: Description,
    program: &'p Program,
    /// The stack pointer at entry, where it is known.
    stack: Option<u64>,
    fetches: Option<Shape>,
    loads: Option<Shape>,
}

/// Bytes of a page.
const PAGE: u64 = 4096;
/// Translations that the processor keeps, of code and as many of data.
const TRANSLATIONS: usize = 4;
/// Cycles of a walk through tables that are in the cache.
const WALK: u64 = 12;

/// The memory of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timing {
    instructions: Cache,
    data: Cache,
    /// The lines of the last loads through one register.
    near: Option<Near>,
    /// Cycles until each register's result can be used.
    ready: [u32; REGISTERS],
    /// Cycles until the bus has written everything that waits.
    writing: u32,
    /// The last stores: first and last byte, and for how many instructions they matter.
    stores: Vec<(u64, u64, u32)>,
    /// The last loads that may be done again.
    again: Again,
    /// The number of instructions for which the pipeline may still be held up by a slow one.
    held_up: u8,
    /// The time for which the next instructions may have been fetched already.
    ahead: Ahead,
    /// The result of an arithmetic instruction that the next one can be issued with.
    partner: Option<Option<Register>>,
    /// Misses of this block so far.
    misses: Misses,
}

impl<'p> Pipeline<'p> {
    /// Returns the machine for a program; `stack` is the stack pointer at entry, if it is known.
    ///
    /// Nothing where a cache's numbers do not fit together.
    pub fn new(description: Description, program: &'p Program, stack: Option<u64>) -> Option<Self> {
        let shape = |cache: &Option<_>| match cache {
            Some(cache) => super::description::CacheDescription::shape(cache).map(Some),
            None => Some(None),
        };
        let (fetches, loads) =
            (shape(&description.instruction_cache)?, shape(&description.data_cache)?);
        Some(Self { description, program, stack, fetches, loads })
    }

    /// Returns the description of the machine.
    pub fn description(&self) -> &Description {
        &self.description
    }

    fn writes_back(&self) -> bool {
        self.description.data_cache.as_ref().is_some_and(|cache| cache.write == Write::Back)
    }
}

impl Pipeline<'_> {
    /// Returns the time of a miss of the data cache, without the wait for the bus.
    fn data_miss(&self) -> u32 {
        let memory = &self.description.memory;
        // The line that makes room may have to be written.
        memory.line.saturating_add(if self.writes_back() { memory.write } else { 0 })
    }
}

impl Timing {
    /// Lets time pass.
    fn pass(&mut self, cycles: u32) {
        if cycles > 0 {
            self.ready.iter_mut().for_each(|ready| *ready = ready.saturating_sub(cycles));
            self.hold(cycles);
        }
    }

    /// Lets time pass in which the pipeline stands still.
    fn hold(&mut self, cycles: u32) {
        self.writing = self.writing.saturating_sub(cycles);
    }
}

impl Machine for Pipeline<'_> {
    type Timing = Timing;

    fn name(&self) -> &str {
        &self.description.name
    }

    fn unit(&self) -> &str {
        "cycles"
    }

    fn assumptions(&self) -> Vec<String> {
        let mut sentences =
            vec![format!("the hardware behaves as the machine `{}` is described", self.name())];
        // Data lie in other lines with another stack, and the bound is one for this one.
        if let Some(stack) = self.stack {
            sentences.push(format!("the stack pointer is {stack:#x} at entry"));
        }
        sentences
    }

    fn lacks(&self, class: Class) -> Option<&'static str> {
        let issue = &self.description.issue;
        match class {
            Class::Float if issue.float.is_none() => Some("issue.float"),
            Class::FloatDivide if issue.float_divide.is_none() => Some("issue.float_divide"),
            _ => None,
        }
    }

    /// Returns what was being fetched comes to its end before the handler begins: a line, and
    /// before it the walk for its page with two lines of tables. So does, where the handler ends,
    /// the line behind its last instruction.
    fn trap(&self) -> u64 {
        let lines = u64::from(self.description.memory.line) * 4;
        u64::from(self.description.issue.system) + WALK + lines
    }

    fn at_entry(&self) -> Timing {
        let result = &self.description.result;
        let all = [
            result.arithmetic,
            result.shift,
            result.multiply,
            result.divide,
            result.load,
            result.atomic,
            result.status,
        ];
        // What was executed before the entry is not known, so every register may
        // wait for the slowest result.
        let slowest = all.into_iter().max().unwrap_or(1).saturating_sub(1);
        let memory = &self.description.memory;
        Timing {
            instructions: Cache::default(),
            data: Cache::default(),
            near: None,
            ready: [slowest; REGISTERS],
            // The buffer may be full, and one more store may be on the bus.
            writing: memory
                .write
                .saturating_mul(memory.pending_writes.saturating_add(1))
                .saturating_add(memory.write_start),
            // A store to any word may stand right before the entry.
            stores: vec![(0, u64::MAX, result.store_distance)],
            again: Again::default(),
            held_up: HELD_UP,
            // Nothing is saved at first, and nothing is issued together: both
            // would make the time less.
            ahead: Ahead::default(),
            partner: None,
            misses: Misses::default(),
        }
    }

    fn execute(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64 {
        // They follow each other, though hardware lets some of them overlap: a sum has no timing
        // anomalies.
        let mut time = u64::from(self.fetch(timing, instruction));
        time += u64::from(self.issue(timing, instruction, taken));
        let accessing: u32 =
            accesses.iter().map(|access| self.access(timing, instruction, access)).sum();
        self.finish(timing, instruction);
        time += u64::from(accessing) + u64::from(self.wrong_way(timing, instruction, taken));
        // Whatever adds cycles behind the decoder may hold up what stands before it.
        let slow = accessing > 0 || instruction.class == Class::Divide;
        timing.held_up = if slow { HELD_UP } else { timing.held_up.saturating_sub(1) };
        time
    }

    fn take_misses(&self, timing: &mut Timing) -> Misses {
        std::mem::take(&mut timing.misses)
    }

    fn join(&self, timing: &mut Timing, other: &Timing, lead: i64) {
        // One spare time for both caches: what pays a debt of the one is spent for the other.
        let mut spare = Spare::of(lead);
        if let Some(shape) = &self.loads {
            timing.data.join(&other.data, shape, &mut spare, self.data_miss());
        }
        if let Some(shape) = &self.fetches {
            timing.instructions.join(
                &other.instructions,
                shape,
                &mut spare,
                self.description.memory.line,
            );
        }
        for (mine, &theirs) in timing.ready.iter_mut().zip(&other.ready) {
            *mine = theirs.max(*mine);
        }
        timing.near = Near::meet(timing.near.as_ref(), other.near.as_ref());
        timing.writing = timing.writing.max(other.writing);
        timing.held_up = timing.held_up.max(other.held_up);
        timing.ahead = timing.ahead.meet(other.ahead);
        let unseen: Vec<_> =
            other.stores.iter().filter(|store| !timing.stores.contains(store)).copied().collect();
        timing.stores.extend(unseen);
        timing.again.join(&other.again);
        // Without a partner it takes longer than with any, so that covers both.
        if timing.partner != other.partner {
            timing.partner = None;
        }
    }

    fn simplify(&self, timing: &mut Timing) {
        // Else each iteration that begins with this state would pay the same debt again.
        timing.data.forget_doubts();
        timing.instructions.forget_doubts();
    }

    fn includes(&self, timing: &Timing, other: &Timing) -> bool {
        let within = |shape: &Option<Shape>, mine: &Cache, theirs: &Cache| {
            shape.as_ref().is_none_or(|shape| mine.includes(theirs, shape))
        };
        let later = timing.ready.iter().zip(&other.ready).all(|(mine, theirs)| mine >= theirs);
        later
            && timing.writing >= other.writing
            && timing.held_up >= other.held_up
            && Near::is_within(timing.near.as_ref(), other.near.as_ref())
            && timing.ahead.saves_no_more(other.ahead)
            && (timing.partner.is_none() || timing.partner == other.partner)
            && other.stores.iter().all(|store| timing.stores.contains(store))
            && timing.again.includes(&other.again)
            && within(&self.fetches, &timing.instructions, &other.instructions)
            && within(&self.loads, &timing.data, &other.data)
    }
}
