//! The activated threads: their accounts, and the order in which they run.
//!
//! Activated threads whose account has budget are queued by their level. Each operation here takes
//! as many steps as there are activated threads, and those of qualities.

use super::dispatcher::Side;
use super::{Dispatcher, Principal, Priority, Standing};
use crate::mutation::seeded;
use crate::{AccountIndex, ThreadIndex};

impl Dispatcher<'_> {
    /// A thread runs, or is ready, on an account under a priority of the account's owner.
    pub(super) fn activate(
        &mut self,
        thread: ThreadIndex,
        account: AccountIndex,
        priority: Option<Priority>,
        side: Side,
    ) {
        if self.memory.end_points[thread.at()].account.is_some() {
            // It runs on one account at a time, so the one before lets it go.
            self.stop(thread, Standing::Activated);
        }
        let end_point = &mut self.memory.end_points[thread.at()];
        end_point.standing = Standing::Activated;
        end_point.account = account;
        end_point.priority = priority;
        let own = end_point.scheduler;
        if own.is_some() {
            // It has control: what it asked for when it gave that is over.
            self.clear_place(own);
        }
        let state = &mut self.memory.accounts[account.at()];
        state.activated.push_back(self.memory.activated, thread.at());
        // Without budget it is activated and not queued. It is queued when the account receives.
        if state.is_funded() {
            self.enqueue(thread, side);
        }
    }

    pub(super) fn activate_on_own(&mut self, thread: ThreadIndex, side: Side) {
        self.activate(thread, self.own_account(thread), None, side);
    }

    /// Ends a thread's activation: its standing becomes the given one.
    pub(super) fn stop(&mut self, thread: ThreadIndex, standing: Standing) {
        self.memory.core.ready.remove(self.memory.ready, thread.at());
        let end_point = &mut self.memory.end_points[thread.at()];
        if end_point.account.is_some() {
            let account = &mut self.memory.accounts[end_point.account.at()];
            account.activated.remove(self.memory.activated, thread.at());
        }
        end_point.account = AccountIndex::NONE;
        seeded!(LastingPriority, (), end_point.priority = None);
        end_point.standing = standing;
        // A thread that is stopped is in no section any more, or it would count as running for
        // ever.
        if end_point.is_late() {
            self.end_section(thread);
        }
    }

    /// Queues a thread before its equals, or after them; a scheduler always before the threads of
    /// its own tree, which could keep its control from it as long as they have budget.
    pub(super) fn enqueue(&mut self, thread: ThreadIndex, side: Side) {
        let level = self.level(thread);
        self.memory.core.ready.remove(self.memory.ready, thread.at());
        let own = &mut self.memory.end_points[thread.at()];
        own.level = level;
        // Compared by places, without a walk: this is asked of all ready threads.
        let (span, place) = (own.span, own.place);
        let ready = self.memory.core.ready;
        let behind = |other: usize| {
            let other = &self.memory.end_points[other];
            if other.level != level {
                return other.level > level;
            }
            match side {
                Side::Front => true,
                Side::Successor => !other.span.holds(place),
                Side::Back => seeded!(BehindItsTree, false, span.holds(other.place)),
            }
        };
        let mut next = ready.first();
        while let Some(other) = next
            && !behind(other)
        {
            next = ready.after(self.memory.ready, other);
        }
        self.memory.core.ready.insert_before(self.memory.ready, thread.at(), next);
    }

    /// Queues the threads that are activated on an account by their new level, after its quality
    /// has changed or it has budget again.
    pub(super) fn requeue_activated(&mut self, account: AccountIndex) {
        let running = self.running();
        let mut at = self.memory.accounts[account.at()].activated.first();
        let activated = self.memory.accounts[account.at()].activated;
        while let Some(member) = at {
            let thread = ThreadIndex(member as u16);
            let queued = self.memory.ready[member].is_in();
            // At the same level it keeps its place among its equals.
            if !queued || self.level(thread) != self.memory.end_points[member].level {
                // A thread that runs keeps its turn when its account receives.
                let side = if thread == running { Side::Front } else { Side::Back };
                self.enqueue(thread, side);
            }
            at = activated.after(self.memory.activated, member);
        }
    }

    /// Takes the threads that are activated on an account without budget out of the ready queue.
    pub(super) fn dequeue_activated(&mut self, account: AccountIndex) {
        let activated = self.memory.accounts[account.at()].activated;
        let mut at = activated.first();
        while let Some(member) = at {
            self.memory.core.ready.remove(self.memory.ready, member);
            at = activated.after(self.memory.activated, member);
        }
    }

    /// Returns the root's priority of the time that pays for an activated thread.
    #[inline(always)]
    pub(super) fn level(&self, thread: ThreadIndex) -> Priority {
        let root = seeded!(
            LaunderedDispatch,
            self.effective_quality(thread).roots(),
            self.roots_priority(thread)
        );
        seeded!(SchedulersLevel, self.level_of_scheduler(thread), None)
            .or(root)
            // Time that the root has no opinion about goes behind all other time.
            .unwrap_or(Priority::MAX)
    }

    /// Returns the root's priority for the time that pays for an activated thread.
    #[inline(always)]
    fn roots_priority(&self, thread: ThreadIndex) -> Option<Priority> {
        let end_point = &self.memory.end_points[thread.at()];
        let known = self.memory.accounts[end_point.account.at()].quality.roots()?;
        Some(match end_point.priority {
            // The worse of both: with the better one, a dispatch would launder time that was given
            // as bad.
            Some(priority) if self.tables.owner(end_point.account) == Principal::ROOT => {
                known.max(priority)
            }
            _ => known,
        })
    }

    /// A defect: what a thread's scheduler is queued at, or would be.
    #[cfg(feature = "mutations")]
    fn level_of_scheduler(&self, thread: ThreadIndex) -> Option<Priority> {
        let scheduler = self.tables.end_points[thread.at()].scheduler;
        let config = self.tables.schedulers.get(scheduler.at())?;
        let own = self.own_account(config.thread);
        let account = self.memory.accounts[own.at()];
        account.quality.priority(Principal::ROOT)
    }
}
