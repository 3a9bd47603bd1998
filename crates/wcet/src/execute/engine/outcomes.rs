//! Where a path can go from an instruction.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::{Loaded, Mode};
use crate::execute::path::{Frame, Path};
use crate::execute::ways::Visit;
use crate::machine::Machine;
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Instruction};

/// Jump tables with more entries than this are not taken apart.
const TABLE: u64 = 1024;

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
            path.time += self.time(&mut path.timing, last, &accesses, false);
            let misses = self.subject.machine.take_misses(&mut path.timing);
            path.way = self.ways.extend(path.way, Visit::once(block, path.time - before, misses));
            self.arrive(frame, last.next_address(), path);
        }
        self.branch(&path, guard.comparison, operands, last.echo)
    }

    /// What effects lead to: one path for each entry of a table that they read, else a single one.
    pub(super) fn outcomes(
        &mut self,
        mut path: Path<M::Timing>,
        effects: &[Effect],
    ) -> Vec<(Path<M::Timing>, Vec<Access>)> {
        let mut accesses = Vec::new();
        for (i, effect) in effects.iter().enumerate() {
            let entries = self.table_entries(&path.state, effect);
            accesses.extend(self.effects(&mut path.state, std::slice::from_ref(effect)));
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
    /// interval over all of them would also hold addresses that are no entry.
    fn table_entries(&mut self, state: &State, effect: &Effect) -> Vec<Value> {
        let Effect::Load { address, width, signed, .. } = *effect else { return Vec::new() };
        let address = state.address(address, self.subject.setting);
        K::table_entries(self, state, &Loaded { address, width, signed })
    }

    /// The entries of a table of which all are known.
    pub(super) fn known_entries(&self, state: &State, table: &Loaded) -> Vec<Value> {
        let Loaded { address, width, signed } = *table;
        if address.base != Base::None || !(1..TABLE).contains(&address.range.steps()) {
            return Vec::new();
        }
        let one = |offset| {
            state.peek(Value::constant(offset as u64), width, signed, self.subject.setting)
        };
        let entries: BTreeSet<_> =
            address.range.numbers().map(|offset| one(offset).as_constant()).collect();
        entries
            .into_iter()
            .map(|e| e.map(Value::constant))
            .collect::<Option<Vec<_>>>()
            .unwrap_or_default()
    }
}
