//! A function that somebody calls, and that comes back.

use super::Engine;
use super::mode::{Loaded, Mode};
use crate::execute::KernelRun;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Way;
use crate::flow::{Block, Loop};
use crate::machine::Machine;
use crate::program::Program;
use crate::setting::Setting;
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::Effect;

/// The mode of a function that is called.
#[derive(Debug, Default)]
pub(in crate::execute) struct Called;

impl Mode for Called {
    const GUESSES: bool = true;
    const TAKES_BACK: bool = true;
    const REFUTES: bool = true;
    const RETURNS: bool = true;

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
        frame: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
    ) {
        engine.keep(frame, None, path);
    }

    fn may_join(_: &State, _: &State, _: Setting<'_>) -> bool {
        true
    }

    fn stops_at<M: Machine>(_: &mut Engine<'_, M, Self>, _: u64) -> bool {
        false
    }

    fn stands_still<M: Machine>(
        _: &mut Engine<'_, M, Self>,
        _: &Frame<M::Timing>,
        _: &Loop,
    ) -> bool {
        false
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
