//! Stores to places that nothing bounds, and the facts that bound them.
//!
//! A table that is written at an index of which nothing is known may be written
//! anywhere: whatever was known of memory is forgotten, and a loop far behind it
//! has no bound. A fact names the table; it is held against what is proved.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::Mode;
use crate::execute::Obstacle;
use crate::execute::granted::{Table, Used};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, LONGEST_OBJECT, Range, Value};
use fusee_isa::language::Width;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns where a store goes that is proved to go to `proved`: there, or within the table that
    /// a fact tells.
    pub(super) fn within_table(&mut self, state: &State, proved: Value, width: Width) -> Value {
        let Some(table) = self.subject.facts.tables.get(&self.at) else {
            self.note_unbounded(proved);
            return proved;
        };
        // Without a known stack pointer the table has no place, so the fact cannot narrow anything.
        let Some((base, begin, end)) = self.place_of(table, state) else { return proved };
        // All bytes of the store must lie in the table, not only the first.
        let places =
            end.checked_sub(width.bytes() as i64).and_then(|last| Range::between(begin, last));
        // Behind a name the store may go to any table. A constant, or a place with the base of the
        // table, tells more, and can stand against the fact.
        let known = proved.base == base
            || proved.range.as_constant().is_some() && proved.base == Base::None;
        let other =
            known && proved.base != base || proved.base == Base::Stack && base != Base::Stack;
        let within = places.filter(|_| !other).and_then(|places| match known {
            true => proved.range.clamp(places.low(), places.high()),
            false => Some(places),
        });
        let fact = Used::Table(self.at);
        let Some(range) = within else {
            self.findings.contradict(
                fact,
                "the store goes to another place, or is wider than the table".to_owned(),
            );
            return proved;
        };
        // A fact that says no more than what is proved is not one that the bound rests on.
        let told = Value { base, range };
        if told != proved {
            self.findings.rest_on(fact);
        }
        told
    }

    /// Returns where a table begins and ends; nothing where the stack pointer is not known.
    fn place_of(&self, table: &Table, state: &State) -> Option<(Base, i64, i64)> {
        match table {
            Table::Addresses(span) => {
                Some((Base::None, i64::try_from(span.start).ok()?, i64::try_from(span.end).ok()?))
            }
            Table::Stack(span) => {
                let pointer = state.get(self.stack_pointer());
                let at = pointer.range.as_constant().filter(|_| pointer.base == Base::Stack)?;
                Some((Base::Stack, at.checked_add(span.start)?, at.checked_add(span.end)?))
            }
        }
    }

    /// Remembers where a store goes anywhere.
    fn note_unbounded(&mut self, place: Value) {
        let far = place.range.high().abs_diff(place.range.low()) >= LONGEST_OBJECT;
        if far && matches!(place.base, Base::None | Base::Stack) {
            self.findings.unbounded_stores.insert(self.at);
        }
    }

    /// Returns the stores to places that nothing bounds, each with the fact that would bound it.
    ///
    /// They are in the way only if something else is: what that depends on, they may have changed.
    pub(super) fn stores_in_the_way(&self) -> BTreeSet<Obstacle> {
        let obstacle = |&address: &u64| {
            let symbol = self.subject.setting.describe(address);
            let what = "nothing bounds where this store goes, so it may have changed what other \
                        obstacles depend on";
            let fact = crate::fact_line::table_line(&symbol, "TABLE");
            Obstacle { address, symbol, what: what.to_owned(), fact }
        };
        self.findings.unbounded_stores.iter().map(obstacle).collect()
    }
}
