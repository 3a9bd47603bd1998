//! Kernels: every way in, from the trap to the instruction that leaves.
//!
//! A kernel's paths depend on its memory, and of that one entry alone shows
//! nothing. So the kernel is taken together with the system that it runs:
//!
//! 1. its start is executed as it is, number by number ([`start`]), as far as
//!    nothing depends on the world outside: that gives the tables as the traps
//!    will find them, the stack, and where traps arrive;
//! 2. all entries are executed on sets of values, again and again, until what
//!    they store is what they were assumed to find ([`Invariant`]);
//! 3. the last iteration's times are the bounds.
//!
//! So "how many threads are there?" or "can this component be restarted?" are
//! no facts that somebody writes down, but what the system's tables say; and a
//! path that needs a budget is found infeasible in a system without one. What
//! stays with people are loops over linked lists, as facts, and the stores that
//! the kernel makes into memory in which it keeps no decisions: its `unsafe`
//! code, whose written arguments say just that.
//!
//! A path begins at a trap and ends where the kernel goes back to user mode, in
//! whichever thread. Where the kernel looks whether an interrupt is pending, or
//! waits for one, one path ends and another begins: [`Bounds::resumed`].
//!
//! [`Invariant`]: fusee_wcet::invariant::Invariant

mod case;
mod facts;
mod settle;
mod start;

use std::collections::BTreeSet;

use fusee_isa::language::{Register, Width};
use fusee_wcet::execute::{Bound, Effort, Facts, Failure, Supported, on_large_stack};
use fusee_wcet::invariant::{Elsewhere, Invariant};
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;

use settle::Settling;

pub use case::Case;
pub use facts::KernelFacts;
pub use start::{Known, NotStarted, Started};

/// The name of the entry that leads from a wait for interrupts back to user mode, or to the next
/// wait.
pub const IDLE: &str = "idle";

/// The way in which a kernel is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trap {
    /// By an exception with one of these causes.
    Exception(Range),
    /// By the interrupt with this number.
    Interrupt(u64),
}

/// One way into a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the entry.
    pub name: String,
    /// The traps by which it is entered.
    pub traps: Vec<Trap>,
    /// The content of registers then, as far as that makes it this entry.
    pub registers: Vec<(Register, Range)>,
}

/// The results for one entry.
#[derive(Debug, Clone)]
pub struct EntryBound {
    /// The name of the entry.
    pub name: String,
    /// The bound with its path, of the trap that takes longest.
    pub bound: Bound,
}

/// The results for a kernel with its system.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The entries, in the order in which they were asked for; [`IDLE`] behind them if there is
    /// one.
    pub entries: Vec<EntryBound>,
    /// The longest path from a place where interrupts are looked for to the next or to user mode;
    /// nothing: no such place.
    pub resumed: Option<u64>,
    /// The addresses at which paths begin after a wait with an empty stack, those of [`IDLE`].
    pub resumptions: BTreeSet<u64>,
    /// Iterations that it took until the stores had settled.
    pub iterations: usize,
}

impl Bounds {
    /// Returns the longest time in which no interrupt is taken, if every entry is bounded.
    pub fn longest(&self) -> Option<u64> {
        let times =
            self.entries.iter().map(|entry| entry.bound.time).collect::<Option<Vec<u64>>>()?;
        times.into_iter().chain(self.resumed).max()
    }
}

/// A kernel that has started.
pub struct Kernel {
    program: Program,
    /// The facts that always hold of its memory, as far as they are known.
    invariant: Invariant,
    started: Started,
    facts: Facts,
}

impl Kernel {
    /// Starts a kernel that decides by nothing `elsewhere`.
    ///
    /// # Errors
    /// [`NotStarted`] for programs that are no kernel.
    pub fn start(program: Program, facts: Facts, elsewhere: Elsewhere) -> Result<Self, NotStarted> {
        let (started, bytes) = start::start(&program)?;
        let invariant = Invariant::new(bytes, elsewhere, started.stack.clone());
        Ok(Self { program, invariant, started, facts })
    }

    /// Returns the kernel's program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the state after the start, with the addresses of traps.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// The number that always is at a place in memory, once all entries have been bounded.
    pub fn number(&self, address: u64, width: Width) -> Option<u64> {
        self.invariant.read(address, width, &self.program)?.as_constant().map(|n| n as u64)
    }

    /// Bounds all entries.
    ///
    /// # Errors
    /// The host's failure.
    pub fn bounds<M: Supported>(
        &mut self,
        machine: &M,
        entries: &[Entry],
        effort: Effort,
    ) -> Result<Bounds, Failure> {
        on_large_stack(|| Settling::new(self, machine, entries, effort).settle())
    }
}
