//! What was found out of a loop that was summed up, as a first guess for the
//! next time.
//!
//! A loop inside of another one is summed up again and again. What moves in it
//! and what has no bound are mostly the same each time, and to find that out
//! takes most of the work. A guess only says what is tried first.

use std::collections::BTreeSet;

use crate::state::State;
use crate::state::moving::Variable;
use crate::value::{Base, Value};

/// What was found out of a loop that was summed up.
#[derive(Debug, Clone, Default)]
pub(super) struct Template {
    /// What seemed to move, and did not as far as was taken for granted.
    pub(super) stopped: BTreeSet<Variable>,
    /// What grew until it was widened.
    pub(super) widened: BTreeSet<Variable>,
    /// Whether one iteration less comes back than the numbers that are compared seem to tell.
    pub(super) is_short: bool,
}

impl Template {
    /// Takes for granted that what has grown since then will grow until it is widened.
    pub(super) fn foresee(&self, before: &State, now: &mut State) {
        for &variable in &self.widened {
            let (Some(old), Some(new)) = (before.look(variable), now.look(variable)) else {
                continue;
            };
            if old == new {
                continue;
            }
            match (old.base, new.base) {
                (Base::Stack, Base::Stack) => {
                    now.put(variable, Value { range: old.range.widen(new.range), ..new });
                }
                (_, Base::None) => {
                    let room = now.room(variable);
                    let wide = before.numbers(old).widen(now.numbers(new));
                    now.put(variable, Value::number(wide.meet(room).unwrap_or(room)));
                }
                _ => {}
            }
        }
    }

    /// Remembers what has grown when a state was widened.
    pub(super) fn note_widened(&mut self, before: &State, now: &State) {
        let grew = |&variable: &Variable| before.look(variable) != now.look(variable);
        self.widened.extend(now.variables().into_iter().filter(grew));
    }
}
