//! Reading the facts about tables: within which one a store stays.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::read::{Entry, Key, Reader};
use crate::execute::{Table, Used};
use crate::fact_line;
use crate::place;
use fusee_isa::language::{Effect, Instruction};

const SHAPE: &str = "write the name of a table, or `{ stack = BYTES, bytes = BYTES }`";

impl Reader<'_> {
    pub(super) fn table(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let Some((table, line)) = self.table_and_line(key.get_ref(), value) else { return };
        let Some(store) = self.only_one(key.get_ref(), key.span(), "stores", stores) else {
            return;
        };
        let does = self.program.instruction(store).is_ok_and(|instruction| stores(&instruction));
        // A second table would be another claim about the same store, and
        // which one holds nobody knows.
        if !does || self.result.facts.tables.contains_key(&store) {
            let why = if does { "has a table already" } else { "is no store" };
            return self.malformed(key.span(), format!("`{}` {why}", key.get_ref()), "");
        }
        self.result.facts.tables.insert(store, table);
        self.give(Used::Table(store), key.span(), line);
    }

    fn table_and_line(&mut self, place: &str, value: &Entry<'_>) -> Option<(Table, String)> {
        match value.get_ref() {
            DeValue::String(name) => {
                let table = self.named_table(name, value.span())?;
                Some((table, fact_line::table_line(place, name)))
            }
            DeValue::Table(table) if self.known(table, ["stack", "bytes"]) => {
                self.stack_table(place, table, value)
            }
            _ => {
                self.malformed(
                    value.span(),
                    "a table must be a name or a part of the stack".to_owned(),
                    SHAPE,
                );
                None
            }
        }
    }

    /// A symbol with its size.
    fn named_table(&mut self, name: &str, at: Range<usize>) -> Option<Table> {
        let symbol = place::symbol(self.program, name)
            .map_err(|unknown| self.unknown(&unknown, at.clone()))
            .ok()?;
        let (start, size) = (symbol.address, symbol.size);
        // Without a size the store would be taken to change nothing.
        if size == 0 {
            self.malformed(at, format!("the file does not say how large `{name}` is"), "");
            return None;
        }
        Some(Table::Addresses(start..start.saturating_add(size)))
    }

    fn stack_table(
        &mut self,
        place: &str,
        table: &DeTable<'_>,
        value: &Entry<'_>,
    ) -> Option<(Table, String)> {
        let (Some(above), Some(bytes)) = (table.get("stack"), table.get("bytes")) else {
            self.malformed(
                value.span(),
                "a table in the stack must have `stack` and `bytes`".to_owned(),
                SHAPE,
            );
            return None;
        };
        let above = self.number(
            above,
            "the distance from the stack pointer",
            "bytes above it, at the store",
        )?;
        let bytes = self.number(bytes, "the size of a table", "in bytes")?;
        // Distances from the stack pointer are signed, as the addresses in the stack are.
        let end =
            i64::try_from(above).ok().zip(i64::try_from(bytes).ok()).and_then(|(above, bytes)| {
                let end = above.checked_add(bytes)?;
                Some(Table::Stack(above..end))
            });
        if end.is_none() {
            self.malformed(value.span(), "no table is so large".to_owned(), "");
        }
        Some((end?, fact_line::stack_table_line(place, above, bytes)))
    }
}

/// Returns whether an instruction stores.
fn stores(instruction: &Instruction) -> bool {
    instruction.effects.iter().any(|effect| matches!(effect, Effect::Store { .. }))
}
