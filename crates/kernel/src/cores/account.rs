//! Budgets and time slices between asking and coming back: their ends wait.
//!
//! Threads on other cores wait for a thread that has asked for a global gate, and it keeps its
//! urgency until it comes back. So neither a budget nor a time slice ends in between. Both are
//! extended by more than any thread uses up, and the use is settled when the thread comes back: a
//! budget that has ended by then ends there.

use crate::mutation::seeded;
use crate::{Kernel, NEVER, Policy, Sink, ThreadIndex, Time};

/// The time that is lent to budgets and time slices meanwhile, in ticks.
pub(super) const CREDIT: Time = 1 << 62;

/// Returns `true` if the span contains credit, part of which may be used up.
fn has_credit(span: Time) -> bool {
    // Half, because part of the credit may be used by now; no thread ever uses the other half.
    span >= CREDIT / 2
}

fn with_credit(span: Time) -> Time {
    // Without a limit it has credit already.
    if has_credit(span) { span } else { span + CREDIT }
}

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// Gives a thread that has asked credit, unless it has some. Where it runs, its time up to now
    /// is accounted for.
    pub(super) fn give_credit(&mut self, now: Time, thread: ThreadIndex) {
        let state = self.thread(thread);
        let budget = seeded!(EndsInside, state.budget, with_credit(state.budget));
        let slice = seeded!(TurnsInside, state.slice, with_credit(state.slice));
        // Asked before anything is charged: mostly a thread has credit already, and this costs each
        // step.
        if (budget, slice) == (state.budget, state.slice) {
            return;
        }
        let runs = self.core().current == thread;
        if runs {
            self.charge(now);
        }
        // Worked out once more, since the charge has changed both.
        let state = self.thread_mut(thread);
        state.budget = seeded!(EndsInside, state.budget, with_credit(state.budget));
        state.slice = seeded!(TurnsInside, state.slice, with_credit(state.slice));
        if runs {
            // It pays for itself now.
            self.core_mut().lender = ThreadIndex::NONE;
            self.set_limit();
        }
    }

    /// A thread has come back: what it has used meanwhile counts now. Where it runs, its time up to
    /// now is accounted for.
    pub(super) fn settle_account(&mut self, now: Time, thread: ThreadIndex) {
        let state = self.thread_mut(thread);
        if state.slice != NEVER && has_credit(state.slice) {
            // A slice that ended meanwhile is at 0, and ends now.
            state.slice = state.slice.saturating_sub(CREDIT);
        }
        if state.budget != NEVER && has_credit(state.budget) {
            // As any use of a budget, because its end may follow: a signal, or no limit any more.
            self.debit(now, thread, CREDIT);
        }
    }
}
