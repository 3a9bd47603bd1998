//! The critical sections of `LockScheduler`.
//!
//! A section is a word, {owner, contended}. Who finds it taken marks it, sleeps on the account of
//! who is inside, and is woken by whoever leaves after that.

use super::{Act, Locks, Slept};

/// The state of a section.
#[derive(Debug, Clone, Default)]
pub(super) struct Section {
    owner: Option<usize>,
    contended: bool,
    /// `true` for each thread that waits.
    waits: Vec<bool>,
}

impl Section {
    pub(super) fn of(threads: usize) -> Self {
        Section { waits: vec![false; threads], ..Section::default() }
    }
}

impl Locks {
    /// Takes an action at the section of the keeper that a thread has come by.
    pub(super) fn at_section(&mut self, me: usize, act: Act) -> bool {
        let caller = &mut self.callers[me];
        let Some(kept) = self.keepers.get(caller.keeper) else { return false };
        let section = &mut self.sections[kept.section];
        match (act, section.owner) {
            (Act::Enter, None) => {
                (section.owner, section.contended, caller.barred) = (Some(me), false, false);
                true
            }
            (Act::Enter, Some(owner)) => {
                (section.waits[me], section.contended, caller.whom) = (true, true, owner);
                false
            }
            (Act::EnterAgain, owner) => {
                if caller.found == Slept::Gone && section.contended && owner == Some(caller.whom) {
                    // It has ended its job inside.
                    (section.owner, section.contended) = (None, false);
                }
                caller.barred = caller.found == Slept::Refused;
                !caller.barred
            }
            (Act::Leave, _) => {
                caller.look = section.contended.then_some(0);
                (section.owner, section.contended) = (None, false);
                true
            }
            (Act::NameWaiter, _) => {
                let from = caller.look.unwrap_or(usize::MAX);
                let next = (from..section.waits.len()).find(|&thread| section.waits[thread]);
                let Some(next) = next else { return false };
                section.waits[next] = false;
                (caller.whom, caller.look) = (next, Some(next + 1));
                true
            }
            _ => false,
        }
    }
}
