//! The places where paths were cut, for one of them to go on for all.

use crate::setting::Setting;
use crate::state::State;

/// A place at which a path was cut, with what was known there.
#[derive(Debug)]
struct Cut {
    block: u64,
    calls: Vec<u64>,
    state: State,
}

/// The cuts of all executions of a session.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    cuts: Vec<Cut>,
}

impl Cuts {
    /// Returns whether a path that is cut at a place in these calls goes on as one before it; if
    /// not, it goes on for all that were cut there.
    pub(super) fn goes_on_alike(
        &mut self,
        (place, calls): (u64, &[u64]),
        state: &mut State,
        setting: Setting<'_>,
    ) -> bool {
        let stack_pointer = setting.architecture().stack_pointer();
        let pointer = state.get(stack_pointer);
        let here = |cut: &&mut Cut| {
            // Stacks that are filled differently are not the same place.
            let same = cut.state.get(stack_pointer) == pointer;
            same && cut.block == place && cut.calls == calls
        };
        match self.cuts.iter_mut().find(here) {
            // The path from there has done all that this one could.
            Some(cut) if cut.state.includes(state, setting) => return true,
            Some(cut) => {
                // Widened, not joined: paths may come here again and again, and that must end.
                cut.state.widen(state, setting);
                *state = cut.state.clone();
            }
            None => {
                self.cuts.push(Cut { block: place, calls: calls.to_vec(), state: state.clone() });
            }
        }
        false
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.cuts.len()
    }

    /// Forgets all but so many.
    pub(super) fn truncate(&mut self, cuts: usize) {
        self.cuts.truncate(cuts);
    }
}
