//! The differences between a called function and an entered kernel.

use super::Engine;
use crate::execute::KernelRun;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Way;
use crate::flow::{Block, Loop};
use crate::machine::Machine;
use crate::program::Program;
use crate::setting::Setting;
use crate::state::{Access, State};
use crate::value::Value;
use fusee_isa::language::{Effect, Width};

/// The places that a load may read, and how it does.
#[derive(Debug, Clone, Copy)]
pub(in crate::execute) struct Loaded {
    pub(super) address: Value,
    pub(super) width: Width,
    pub(super) signed: bool,
}

/// The way in which code is entered and left.
pub(in crate::execute) trait Mode: Sized + Default {
    /// True if the execution goes on, by guesses, behind what it cannot follow, to find all that
    /// stands in the way of a bound.
    const GUESSES: bool;
    /// True if all that was found out can be taken back, so that iterations may be tried.
    const TAKES_BACK: bool;
    /// True if a fact is wrong by which no path leaves its loop.
    const REFUTES: bool;
    /// True if a path may return from the entry.
    const RETURNS: bool;

    /// The assumption about instructions that only raise an exception, where the system would stand
    /// still; nothing where facts tell what follows them.
    const STANDS_STILL: Option<&'static str>;

    /// Returns what is assumed of the stack at entry.
    fn assumption(program: &Program) -> Option<String>;

    /// Returns the effects of an instruction; gives the memory that they touch.
    fn effects<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &mut State,
        effects: &[Effect],
    ) -> Vec<Access>;

    /// Returns the entries of a table that a load reads by an index, where there are several.
    fn table_entries<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &State,
        table: &Loaded,
    ) -> Vec<Value>;

    /// A path is at the end of a block at whose beginning its time was `before`; gives the path
    /// that goes on.
    fn cut<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        path: Path<M::Timing>,
        block: (&Block, u64),
    ) -> Option<Path<M::Timing>>;

    /// A path returns from a trap.
    fn return_from_trap<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        frame: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
    );

    /// Returns whether what is at this address is not executed, but asked for; then, whether the
    /// path goes on behind the function under way.
    fn awaits<M: Machine>(_: &mut Engine<'_, M, Self>, _: u64, _: &State) -> Option<bool> {
        // Only the execution of a program's start waits for a place.
        None
    }

    /// Returns whether paths with these states may be joined.
    fn may_join(one: &State, other: &State, setting: Setting<'_>) -> bool;

    /// Returns `true` if nothing leads out of a loop, and no path waits for what would come behind
    /// it.
    fn stands_still<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        frame: &Frame<M::Timing>,
        looping: &Loop,
    ) -> bool;

    /// Returns the longest path that has ended otherwise than by returning: from the entry, and
    /// from a look at pending interrupts.
    fn ended(&self) -> [Option<(u64, Way)>; 2];

    /// Returns how often paths were cut.
    fn pauses(&self) -> u64;

    /// Returns what is known besides, the longest of those paths apart.
    fn run(self) -> KernelRun;
}
