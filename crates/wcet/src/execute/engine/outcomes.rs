//! The places to which a path can go from an instruction.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::{Loaded, Mode};
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Visit;
use crate::machine::Machine;
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Flow, Instruction, Operand, Register, Target};

/// Jump tables with more entries than this are not taken apart.
const TABLE: u64 = 1024;

/// A load on which it depends where a block leads: by its instruction, and among the effects of
/// that.
pub(super) type Decisive = (usize, usize);

/// Returns the loads of a block that decide where the jump or return at its end leads.
pub(super) fn decisive(instructions: &[Instruction]) -> Vec<Decisive> {
    let base = match instructions.last().map(|last| last.flow) {
        Some(
            Flow::Jump(Target::Computed(address))
            | Flow::Call { target: Target::Computed(address), .. },
        ) => address.base,
        Some(Flow::Return { link }) => Operand::Register(link),
        _ => return Vec::new(),
    };
    let register = |operand| match operand {
        Operand::Register(register) => Some(register),
        Operand::Constant(_) => None,
    };
    let mut needed: BTreeSet<Register> = register(base).into_iter().collect();
    let mut found = Vec::new();
    // From the end backwards, so that the last write of each register counts.
    for (at, instruction) in instructions.iter().enumerate().rev() {
        for (which, effect) in instruction.effects.iter().enumerate().rev() {
            let Some(target) = effect.target().filter(|target| needed.contains(target)) else {
                continue;
            };
            // An instruction that may be skipped can leave the older value there.
            if instruction.guard.is_none() {
                needed.remove(&target);
            }
            needed.extend(effect.operands().filter_map(register));
            if matches!(effect, Effect::Load { .. }) {
                found.push((at, which));
            }
        }
    }
    found
}

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Sends a path on for which the guard fails; gives the one for which it holds.
    pub(super) fn guarded(
        &mut self,
        frame: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
        last: &Instruction,
        (block, before): (u64, u64),
    ) -> Option<Path<M::Timing>> {
        let Some(guard) = &last.guard else { return Some(path) };
        let operands = (guard.left, guard.right);
        self.watch_operands(&path.state, [guard.left, guard.right]);
        let branch = self.branching(last.address);
        self.loops.note_branch(&path.state, branch, operands);
        if let Some(mut path) = self.branch(&path, guard.comparison.negated(), operands, last.echo)
        {
            let accesses = self.effects(&mut path.state, &guard.otherwise);
            // An instruction takes time also where its condition fails.
            let time = self.time(&mut path.timing, last, &accesses, false);
            path.time = path.time.saturating_add(time);
            let misses = self.subject.machine.take_misses(&mut path.timing);
            path.way = self.ways.extend(path.way, Visit::once(block, path.time - before, misses));
            self.arrive(frame, last.next_address(), path);
        }
        self.branch(&path, guard.comparison, operands, last.echo)
    }

    /// Returns what the effects of a block's instruction lead to: one path for each entry of a
    /// table that a decisive one reads, else a single one.
    pub(super) fn outcomes(
        &mut self,
        mut path: Path<M::Timing>,
        (effects, instruction): (&[Effect], usize),
        decisive: &[Decisive],
    ) -> Vec<(Path<M::Timing>, Vec<Access>)> {
        let mut accesses = Vec::new();
        for (i, effect) in effects.iter().enumerate() {
            let entries = match decisive.contains(&(instruction, i)) {
                true => self.table_entries(&path.state, effect),
                false => Vec::new(),
            };
            accesses.extend(self.effects(&mut path.state, std::slice::from_ref(effect)));
            // A single entry is what the load has given already.
            let (&Effect::Load { target, .. }, true) = (effect, entries.len() > 1) else {
                continue;
            };
            let one = |entry| {
                let (mut path, mut accesses) = (path.clone(), accesses.clone());
                path.state.set(target, entry);
                accesses.extend(self.effects(&mut path.state, &effects[i + 1..]));
                (path, accesses)
            };
            return entries.into_iter().map(one).collect();
        }
        vec![(path, accesses)]
    }

    /// The entries of a table that a load reads by an index, where there are several.
    ///
    /// Before a computed jump the paths of a table's entries are kept apart: an
    /// interval over all of them would also hold addresses that are no entry. Of other numbers it
    /// is as good, and paths that are kept apart for each of them are soon too many.
    fn table_entries(&mut self, state: &State, effect: &Effect) -> Vec<Value> {
        let Effect::Load { address, width, signed, .. } = *effect else { return Vec::new() };
        let address = state.address(address, self.subject.setting);
        K::table_entries(self, state, &Loaded { address, width, signed })
    }

    /// Returns the entries of a table of which all are known.
    pub(super) fn known_entries(&self, state: &State, table: &Loaded) -> Vec<Value> {
        let Loaded { address, width, signed } = *table;
        // A known index needs no table, and too many entries would be too many paths.
        if address.base != Base::None || !(1..TABLE).contains(&address.range.steps()) {
            return Vec::new();
        }
        let one = |offset| {
            state.peek(Value::constant(offset as u64), width, signed, self.subject.setting)
        };
        // Several cases often lead to one place; a set keeps one path for it.
        let entries: BTreeSet<_> =
            address.range.numbers().map(|offset| one(offset).as_constant()).collect();
        // If one entry is unknown, the jump may go anywhere, and a part of the entries would miss
        // that.
        entries
            .into_iter()
            .map(|e| e.map(Value::constant))
            .collect::<Option<Vec<_>>>()
            .unwrap_or_default()
    }
}
