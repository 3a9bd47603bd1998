//! A core and its ready queue, used together.
//!
//! The order in which threads are ready, and how it is kept, belongs to the policy. This file holds
//! the part that is the same under each: which thread may take the core from which, and what a
//! thread owes when it leaves the core.

use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::{NEVER, Status, ThreadIndex, Time};

impl<P: Policy> Queue<'_, '_, P> {
    /// Puts a released or woken thread behind its equals.
    #[inline(always)]
    pub(crate) fn push_back(&mut self, thread: ThreadIndex) {
        P::push_back(self, thread);
    }

    /// Puts a preempted or boosted thread of this effective urgency before its equals.
    #[inline(always)]
    pub(crate) fn push_front(&mut self, thread: ThreadIndex, urgency: P::Urgency) {
        P::push_front(self, thread, urgency);
    }

    /// Takes a thread out, wherever it is.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, thread: ThreadIndex) {
        P::take_out(self, thread);
    }

    /// As [`take_out`](Self::take_out), where it does not matter how long it takes to get there.
    #[inline(never)]
    pub(crate) fn remove(&mut self, thread: ThreadIndex) {
        self.take_out(thread);
    }

    /// Returns the first ready thread if this thread is ready, and so waits for none.
    #[inline(always)]
    pub(crate) fn first_beside(&self, waits_for: ThreadIndex) -> Option<ThreadIndex> {
        // A holder that is not ready may wait itself or lack a budget. The slow path looks for what
        // must run then.
        if self.threads.get(waits_for.at())?.status != Status::Ready {
            return None;
        }
        P::first(self)
    }

    /// Takes the first out.
    #[inline(never)]
    pub(crate) fn pop(&mut self) -> Option<ThreadIndex> {
        P::pop(self)
    }

    /// Returns `true` if a thread, which exists, takes the core from the running one immediately:
    /// it is more urgent than all others, and pays for itself.
    #[inline(always)]
    pub(crate) fn yields_to(&self, thread: ThreadIndex, running: P::Urgency) -> bool {
        let next = &self.threads[thread.at()];
        // An equal does not take the core, and a ready thread may be more urgent than the woken
        // one.
        let beats = running < next.effective && self.core.ready.is_below(next.effective);
        // Without a budget it needs a lender. The search for one is no part of a fast path.
        beats && !next.is_exhausted()
    }

    /// Takes from the running thread what it owes when it leaves the core now, and answers when the
    /// limit of its time would have been; none: it does not pay for itself, or would have nothing
    /// left, and nothing has changed. Constant time.
    #[inline(always)]
    pub(crate) fn settle_up(&mut self, now: Time) -> Option<Time> {
        // Kept before `start` writes the new one: the machine must hear that there was a limit.
        let limit = self.core.limit;
        (!self.core.is_limited() || self.spend(now)).then_some(limit)
    }

    /// Takes what the running thread has used from its own budget and time slice, where it pays for
    /// itself and has some of the budget left. Constant time.
    #[inline(always)]
    pub(crate) fn spend(&mut self, now: Time) -> bool {
        let used = now.saturating_sub(self.core.since);
        let Some(running) = self.threads.get_mut(self.core.current.at()) else { return false };
        // The end of a budget is not decided here: a lender or an overrun may follow, on the slow
        // path.
        if self.core.is_lent() || running.budget <= used {
            return false;
        }
        // Not before the refusal above: a fast path that gives up must have changed nothing.
        self.core.since = now;
        // Without a limit there is nothing to take from.
        if running.budget != NEVER {
            running.budget -= used;
        }
        if running.slice != NEVER {
            running.slice = seeded!(UnusedSlice, running.slice, running.slice.saturating_sub(used));
        }
        true
    }

    /// Puts a thread that is in no queue, and has a budget left, on the core, on which there was
    /// this limit. Answers whether there was one, or is one now.
    #[inline(always)]
    pub(crate) fn start(&mut self, now: Time, thread: ThreadIndex, before: Time) -> bool {
        let state = &mut self.threads[thread.at()];
        state.status = Status::Running;
        // "No limit" is all ones, so one `and` tests three values: a limited one clears some bit.
        let limited = state.budget & state.slice & before != NEVER;
        self.core.current = thread;
        // It has a budget left, and so it pays for itself.
        self.core.lender = ThreadIndex::NONE;
        self.core.since = now;
        // Without a limit before and now, the core's limit is `NEVER` already.
        if limited {
            self.core.limit = now.saturating_add(seeded!(
                EndlessSlice,
                state.budget,
                state.budget.min(state.slice)
            ));
        }
        limited
    }
}
