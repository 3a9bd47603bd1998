//! Sections that must not be interrupted, told to the dispatcher.

use super::TreeKernel;
use crate::policy::Policy;
use crate::tcaps::{ON_TIME, Priority};
use crate::{Sink, Status, ThreadIndex, Time};

impl<P: Policy, S: Sink> TreeKernel<'_, '_, '_, P, S> {
    /// Tells the dispatcher whether the placed thread, or a holder that it pays for, is in a
    /// section that must not be interrupted. Returns `true` if another thread is first by that.
    /// Steps: declared chain, each with the declared depth; if that changes, the schedulers and the
    /// activated threads.
    pub(super) fn protect(&mut self, now: Time) -> bool {
        let placed = self.trees.placed;
        if placed.is_none() {
            return false;
        }
        let state = self.kernel.thread(placed);
        let waits = state.status == Status::AtGate;
        let late = self.trees.dispatcher.is_late(placed);
        // A thread at home that waits nowhere is in no section. Mostly that is so, and nothing is
        // searched.
        (late || waits || !state.is_home()) && self.protect_inside(now, placed)
    }

    #[inline(never)]
    fn protect_inside(&mut self, now: Time, placed: ThreadIndex) -> bool {
        let section = match self.kernel.goes_on(placed) {
            true => self.kernel.protection(placed),
            // It waits for a signal or has ended: it cannot use the core, whatever section it is
            // in.
            false => None,
        };
        let late = section.map_or(ON_TIME, |urgency| self.level_below(urgency));
        self.trees.dispatcher.set_late(now, placed, late)
    }

    /// Returns the best level of the trees that are not above an urgency. Steps: the schedulers.
    fn level_below(&self, urgency: P::Urgency) -> Priority {
        let dispatcher = &self.trees.dispatcher;
        let roots = dispatcher.tables.schedulers.iter().filter(|own| own.parent.is_none());
        let threads = roots.map(|config| config.thread);
        let below = threads.filter(|own| !P::exceeds(self.kernel.thread(*own).base, urgency));
        // The dispatcher knows levels of trees only, so the section counts as the best that it goes
        // before. Above all trees that is 0, the best there is.
        below.map(|own| dispatcher.kernels_level(dispatcher.own_account(own))).min().unwrap_or(0)
    }
}
