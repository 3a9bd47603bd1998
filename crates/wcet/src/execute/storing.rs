//! Stores to places that nothing bounds, and the facts that bound them.
//!
//! A table that is written at an index of which nothing is known may be written
//! anywhere: whatever was known of memory is forgotten, and a loop far behind it
//! has no bound. A fact names the table; it is held against what is proved.

use super::engine::Engine;
use super::granted::{Table, Used};
use crate::language::Effect;
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, Range, Value};

/// Addresses further apart than this are in no one table.
const ANYWHERE: u64 = 1 << 24;

impl<M: Machine> Engine<'_, M> {
    /// Where a store goes according to a fact, if that says more than what is proved.
    pub(super) fn within_table(&mut self, state: &State, effect: &Effect) -> Option<Value> {
        let &Effect::Store { address, width, .. } = effect else { return None };
        let proved = state.address(address, self.program);
        let Some(table) = self.facts.tables.get(&self.at) else {
            self.note_unbounded(proved);
            return None;
        };
        let fact = Used::Table(self.at);
        let (base, begin, end) = self.place_of(table, state)?;
        let places = Range::between(begin, end.checked_sub(width.bytes() as i64)?);
        let known = proved.base == base || proved.range.as_constant().is_some() && proved.base == Base::None;
        let other = known && proved.base != base || proved.base == Base::Stack && base != Base::Stack;
        let within = places.filter(|_| !other).and_then(|places| match known {
            true => proved.range.clamp(places.low(), places.high()),
            false => Some(places),
        });
        let Some(range) = within else {
            self.contradict(fact, "the store goes to another place, or is wider than the table".to_owned());
            return None;
        };
        let told = Value { base, range };
        (told != proved).then(|| {
            self.facts_used.insert(fact);
            told
        })
    }

    /// Where a table begins and ends; nothing where the stack pointer is not known.
    fn place_of(&self, table: &Table, state: &State) -> Option<(Base, i64, i64)> {
        match table {
            Table::Addresses(span) => {
                Some((Base::None, i64::try_from(span.start).ok()?, i64::try_from(span.end).ok()?))
            }
            Table::Stack(span) => {
                let pointer = state.get(self.stack_pointer);
                let at = pointer.range.as_constant().filter(|_| pointer.base == Base::Stack)?;
                Some((Base::Stack, at.checked_add(span.start)?, at.checked_add(span.end)?))
            }
        }
    }

    /// Remembers where a store goes anywhere.
    fn note_unbounded(&mut self, place: Value) {
        let far = place.range.high().abs_diff(place.range.low()) >= ANYWHERE;
        if far && matches!(place.base, Base::None | Base::Stack) {
            self.unbounded_stores.insert(self.at);
        }
    }

    /// What such stores may have to do with an obstacle, for people.
    pub(super) fn after_unbounded_stores(&self) -> String {
        let Some(&first) = self.unbounded_stores.first() else { return String::new() };
        let name = self.program.describe(first);
        let line = crate::facts::table_line(&name, "TABLE");
        format!(
            "; nothing bounds where the store at {name} goes, so it may have changed what this depends on (`{line}`)"
        )
    }
}
