//! The ends of paths: for good, or until something comes back.
//!
//! What follows an instruction that raises an exception on purpose is not in the
//! program. A handler may end it there, a debugger may go on, semihosting does
//! something and comes back. So a path that comes to one counts up to there, the
//! instruction included, and what follows is an obstacle until something is said
//! of it. A path that returns from a trap goes back to what was interrupted, and
//! not to who has called the function that does so: it has come to its end.

use super::mode::Mode;
use super::{Engine, Missing};
use crate::execute::granted::{Boundary, Faults, Stated, Used};
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Visit;
use crate::machine::{Machine, Misses};
use crate::state::State;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Effect, Instruction, Operand};

/// The message about what follows an instruction that raises an exception on purpose.
const OUTSIDE: &str = "what follows this breakpoint is not in this binary: a handler, a debugger \
                       or semihosting decides";

/// A kind of code that comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// A function, with the registers that a call keeps.
    Call,
    /// A trap, with the return address as well.
    Trap,
}

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Notes that a path has come to its end, though it returns to no caller.
    pub(super) fn end_path(&mut self, path: Path<M::Timing>) {
        // Counted here, because another path may cover this one in the merge.
        self.endings.count += 1;
        let mut ended = std::mem::take(&mut self.endings.paths);
        self.merge(&mut ended, path, self.work.effort.states);
        self.endings.paths = ended;
    }

    /// A path has executed an instruction that raises an exception on purpose.
    pub(super) fn breakpoint(
        &mut self,
        frame: &mut Frame<M::Timing>,
        at: &Instruction,
        path: Path<M::Timing>,
    ) {
        let path = match self.behind_trap(at, path) {
            Behind::Nothing => return,
            Behind::Back(path) => return self.arrive(frame, at.next_address(), path),
            Behind::Open(path) => path,
        };
        if let Some(assumption) = K::STANDS_STILL {
            return self.findings.assume(assumption);
        }
        match &self.subject.facts.faults {
            Faults::Open => {
                // There is no bound, but the path still counts as one that has left its loop and
                // come to an end.
                self.obstacle(at.address, OUTSIDE, Missing::End);
                self.end_path(path);
            }
            // Nobody comes here, so the path is dropped, and the result says at which place.
            Faults::Excluded(_) => drop(self.findings.grounds.faults.insert(at.address)),
            Faults::Counted => self.end_path(path),
        }
    }

    /// Returns what facts say of an instruction that leads out of the program, and that was
    /// executed.
    pub(super) fn behind_trap(
        &mut self,
        at: &Instruction,
        mut path: Path<M::Timing>,
    ) -> Behind<Path<M::Timing>> {
        let (facts, boundary) = (self.subject.facts, Boundary::Instruction(at.address));
        if facts.ends.contains(&boundary) {
            self.findings.rest_on(Used::End(at.address));
            self.end_path(path);
            return Behind::Nothing;
        }
        match facts.times.get(&boundary) {
            Some(stated) => {
                self.take_stated(&mut path, (at.address, stated), Comes::Trap);
                Behind::Back(path)
            }
            None => Behind::Open(path),
        }
    }

    /// Returns what a call at an instruction leads to where a fact states its time, whatever is
    /// called.
    pub(super) fn stated_at(
        &mut self,
        at: &Instruction,
        path: &Path<M::Timing>,
    ) -> Option<Path<M::Timing>> {
        let stated = self.subject.facts.times.get(&Boundary::Instruction(at.address))?;
        let mut path = path.clone();
        self.take_stated(&mut path, (at.address, stated), Comes::Call);
        Some(path)
    }

    /// The paths behind a call of a function that is not executed; nothing for any other.
    pub(super) fn instead_of_call(
        &mut self,
        function: u64,
        paths: &[Path<M::Timing>],
    ) -> Option<Vec<Path<M::Timing>>> {
        if !self.subject.facts.replaces(function) {
            return None;
        }
        let behind = |path: &Path<M::Timing>| self.instead_of(function, path.clone());
        Some(paths.iter().filter_map(behind).collect())
    }

    /// A path jumps to a function that is not executed: it comes back to the caller of the one
    /// under way.
    pub(super) fn instead_of_jump(
        &mut self,
        frame: &mut Frame<M::Timing>,
        function: u64,
        path: Path<M::Timing>,
    ) {
        if let Some(path) = self.instead_of(function, path) {
            self.keep(frame, None, path);
        }
    }

    fn instead_of(&mut self, function: u64, mut path: Path<M::Timing>) -> Option<Path<M::Timing>> {
        let (facts, boundary) = (self.subject.facts, Boundary::Function(function));
        if facts.ends.contains(&boundary) {
            self.findings.rest_on(Used::End(function));
            self.end_path(path);
            return None;
        }
        // Only a function that reports a fault is left, and those are taken not to be called.
        let Some(stated) = facts.times.get(&boundary) else {
            self.findings.grounds.faults.insert(function);
            return None;
        };
        self.take_stated(&mut path, (function, stated), Comes::Call);
        Some(path)
    }

    /// Something that is not executed has come back.
    fn take_stated(
        &mut self,
        path: &mut Path<M::Timing>,
        (at, stated): (u64, &Stated),
        comes: Comes,
    ) {
        self.findings.rest_on(Used::Time(at));
        // What it touches is not what a function does by itself.
        if let Some(alone) = &mut self.summaries.alone {
            alone.is_open = true;
        }
        path.time = path.time.saturating_add(stated.time);
        let visit = Visit::once(at, stated.time, Misses::default());
        path.way = self.ways.extend(path.way, visit);
        // It may have left anything in caches, in the pipeline and on the bus.
        path.timing = self.subject.machine.at_entry();
        let pointer = path.state.get(self.stack_pointer());
        // Where its use of the stack is not stated, the depth is unknown from here on.
        let lowest = self.findings.lowest_stack.zip(stated.stack.map(|bytes| bytes as i64));
        self.findings.lowest_stack = lowest
            .filter(|_| pointer.base == Base::Stack)
            .map(|(lowest, bytes)| lowest.min(pointer.range.low().saturating_sub(bytes)));
        self.write_stated(&mut path.state, stated, comes);
        // Read before registers are forgotten: a trap preserves the return address, a call does
        // not.
        let link = self.subject.setting.architecture().link();
        let back = path.state.get(link);
        self.behind_convention(&mut path.state);
        if comes == Comes::Trap {
            path.state.set(link, back);
        }
    }

    /// Forgets the memory that is written meanwhile.
    fn write_stated(&self, state: &mut State, stated: &Stated, comes: Comes) {
        let setting = self.subject.setting;
        match (&stated.writes, comes) {
            // Only these variables are written, so all else stays known, behind a trap as well.
            (Some(all), _) => {
                for one in all {
                    let (first, last) = (one.start as i64, one.end.saturating_sub(1) as i64);
                    let place = Range::between(first, last).map_or(Value::ANY, Value::number);
                    state.overwrite(place, setting);
                }
            }
            // Its arguments may be on the stack, with addresses of what lies there.
            (None, Comes::Call) => state.store_anywhere(setting),
            (None, Comes::Trap) => {
                // A handler sees the registers. What they point to in the stack may be written,
                // too.
                for register in setting.architecture().changed_by_calls() {
                    let value = Operand::Register(register);
                    state.apply(&Effect::Hide { value }, setting);
                }
                state.overwrite(Value::ANY, setting);
            }
        }
    }
}

/// The path behind an instruction that leads out of the program.
pub(super) enum Behind<P> {
    /// The path has ended.
    Nothing,
    /// It goes on at the next instruction.
    Back(P),
    /// No fact says anything.
    Open(P),
}
