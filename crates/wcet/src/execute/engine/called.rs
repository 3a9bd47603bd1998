//! A function that is called, and that comes back.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::{Loaded, Mode};
use crate::execute::KernelRun;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Way;
use crate::flow::{Block, Function, Loop};
use crate::machine::Machine;
use crate::program::Program;
use crate::setting::Setting;
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Flow, Target};

/// The mode of a function that is called.
#[derive(Debug, Default)]
pub(in crate::execute) struct Called {
    /// The place where the execution ends, if it is executed for what is known there.
    pub(in crate::execute) awaited: Option<Awaited>,
}

/// A function that is not executed, with what is known where it is called.
#[derive(Debug)]
pub(in crate::execute) struct Awaited {
    at: u64,
    /// True if paths go on behind it.
    comes_back: bool,
    state: Option<State>,
    calls: u32,
    /// True if a loop leads there.
    is_in_loop: bool,
}

impl Awaited {
    pub(in crate::execute) fn new(at: u64, comes_back: bool) -> Self {
        Self { at, comes_back, state: None, calls: 0, is_in_loop: false }
    }

    /// Returns what is known there, if some path comes there.
    pub(in crate::execute) fn state(self) -> Option<State> {
        self.state
    }

    /// Returns whether a path may come there again.
    pub(in crate::execute) fn is_repeated(&self) -> bool {
        self.calls > 1 || self.is_in_loop
    }

    fn meet(&mut self, state: &State, is_in_loop: bool, setting: Setting<'_>) {
        // Only one call or more than one matters, so the count may saturate.
        self.calls = self.calls.saturating_add(1);
        // Iterations may be joined or summed up, so a call in a loop may be met only once.
        self.is_in_loop |= is_in_loop;
        // Any of the paths may be the one that a run takes.
        match &mut self.state {
            Some(known) => known.join(state, setting),
            None => self.state = Some(state.clone()),
        }
    }
}

impl Mode for Called {
    const GUESSES: bool = true;
    const TAKES_BACK: bool = true;
    const REFUTES: bool = true;
    const RETURNS: bool = true;
    const STANDS_STILL: Option<&'static str> = None;

    fn assumption(program: &Program) -> Option<String> {
        let bytes = program.architecture().stack_alignment();
        Some(format!(
            "the stack pointer at entry is a multiple of {bytes}, and nothing in the stack is at 0"
        ))
    }

    fn effects<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &mut State,
        effects: &[Effect],
    ) -> Vec<Access> {
        let mut accesses = Vec::new();
        for effect in effects {
            accesses.extend(match *effect {
                Effect::Store { address, value, width } => {
                    let place = engine.within_table(
                        state,
                        state.address(address, engine.subject.setting),
                        width,
                    );
                    Some(state.store_at(place, value, width, engine.subject.setting))
                }
                _ => state.apply(effect, engine.subject.setting),
            });
        }
        let stack = state.get(engine.stack_pointer());
        // Once the stack pointer is not a distance from its value at entry, the depth stays
        // unknown.
        engine.findings.lowest_stack = match (stack.base, engine.findings.lowest_stack) {
            (Base::Stack, Some(lowest)) => Some(lowest.min(stack.range.low())),
            _ => None,
        };
        accesses
    }

    fn table_entries<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &State,
        table: &Loaded,
    ) -> Vec<Value> {
        engine.known_entries(state, table)
    }

    fn cut<M: Machine>(
        _: &mut Engine<'_, M, Self>,
        path: Path<M::Timing>,
        _: (&Block, u64),
    ) -> Option<Path<M::Timing>> {
        Some(path)
    }

    fn return_from_trap<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        _: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
    ) {
        engine.end_path(path);
    }

    fn awaits<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        at: u64,
        state: &State,
    ) -> Option<bool> {
        let awaited = engine.mode.awaited.as_mut().filter(|awaited| awaited.at == at)?;
        let is_in_loop = engine.loops.headers().next().is_some();
        awaited.meet(state, is_in_loop, engine.subject.setting);
        Some(awaited.comes_back)
    }

    fn may_join(_: &State, _: &State, _: Setting<'_>) -> bool {
        // A join that loses the stack pointer only makes the depth unknown; the time still holds.
        true
    }

    fn stands_still<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        frame: &Frame<M::Timing>,
        looping: &Loop,
    ) -> bool {
        // A core that is not to start anything waits for ever.
        engine.mode.awaited.is_some() && leads_nowhere(&frame.function, looping)
    }

    fn ended(&self) -> [Option<(u64, Way)>; 2] {
        [None; 2]
    }

    fn pauses(&self) -> u64 {
        0
    }

    fn run(self) -> KernelRun {
        KernelRun::default()
    }
}

/// Returns whether no path leaves a loop.
fn leads_nowhere(function: &Function, looping: &Loop) -> bool {
    let mut inside = BTreeSet::new();
    looping.blocks(&mut inside);
    inside.iter().map(|&block| &function.blocks[block]).all(|block| {
        // Calls, returns and computed jumps may lead out, so a loop with one of them does not stand
        // still.
        let goes_on = matches!(
            block.last().flow,
            Flow::Next
                | Flow::WaitForInterrupt
                | Flow::Jump(Target::Fixed(_))
                | Flow::Branch { .. }
        );
        goes_on && block.successors.iter().all(|next| inside.contains(next))
    })
}
