//! Facts about jumps and stores, compared with the only path.
//!
//! Nothing here is executed because of such a fact: a false one changes no bound,
//! but whoever wrote it is to know.

use super::memory::Place;
use super::number::Number;
use super::{ConcreteRun, Refuted};
use crate::execute::granted::{Facts, Table, Used};
use crate::machine::Machine;
use fusee_isa::language::Width;

/// Facts that were found to be false, and where the path is.
#[derive(Default)]
pub(super) struct Told {
    pub(super) refuted: Refuted,
    /// The instruction under way.
    pub(super) at: u64,
}

impl Told {
    /// A function was called so often in all.
    pub(super) fn hold_calls(&mut self, facts: &Facts, entry: u64, calls: u64) {
        if facts.calls.get(&entry).is_some_and(|&most| calls > most) {
            let why = format!("on the only path this function is called {calls} times");
            self.refuted.insert(Used::Calls(entry), why);
        }
    }
}

impl<M: Machine> ConcreteRun<'_, '_, M> {
    /// A computed jump or call leads to an address.
    pub(super) fn hold_targets(&mut self, jump: u64, to: u64) {
        if self.facts.targets.get(&jump).is_some_and(|given| !given.contains(&to)) {
            let why = format!("the only path leads from it to {}", self.setting.describe(to));
            self.told.refuted.insert(Used::Targets(jump), why);
        }
    }

    /// The instruction under way stores somewhere.
    pub(super) fn hold_table(&mut self, place: Place, width: Width) {
        let Some(table) = self.facts.tables.get(&self.told.at) else { return };
        // In a wide type, so that the end of a place at the top of memory does not wrap around.
        let first = i128::from(place.at);
        let end = first + i128::from(width.bytes());
        let is_within = |from: i128, to: i128| from <= first && end <= to;
        let holds = match (table, self.registers[self.stack_pointer.index()]) {
            (Table::Addresses(span), _) => {
                !place.in_stack && is_within(span.start.into(), span.end.into())
            }
            (Table::Stack(span), Number::Stack(pointer)) => {
                let behind = |distance: i64| i128::from(pointer) + i128::from(distance);
                place.in_stack && is_within(behind(span.start), behind(span.end))
            }
            // The place of that table is not known.
            (Table::Stack(_), _) => true,
        };
        if !holds {
            let why =
                "on the only path the store goes to another place, or is wider than the table";
            self.told.refuted.insert(Used::Table(self.told.at), why.to_owned());
        }
    }
}
