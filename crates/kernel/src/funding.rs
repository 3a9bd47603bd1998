//! Threads that run only while somebody else funds them.
//!
//! To the kernel such a thread has a budget of nothing: when it is released or woken it is
//! suspended, as everybody is who has nothing left. Whoever decides about it
//! ([`tcaps::Trees`](crate::tcaps::Trees)) funds one at a time. What that one has used is then what
//! is missing of the amount: it is charged where any thread's time is, on each way through the
//! kernel.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{Kernel, Kind, NEVER, Sink, Status, Thread, ThreadIndex, Time};

/// What a funded thread has: so much that it ends with no machine's clock.
pub(crate) const FUNDED: Time = NEVER / 2;

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// From now on the thread runs only while it is funded. It has no job as yet.
    pub(crate) fn withhold(&mut self, thread: ThreadIndex) {
        self.thread_mut(thread).budget = seeded!(Unwithheld, FUNDED, 0);
    }

    /// What the funded thread, which pays for itself, has used since this was asked last. When its
    /// time slice ends does not change by that, and what it is funded with ends with no machine's
    /// clock: so the limit of its time stays. Constant time.
    pub(crate) fn take_used(&mut self, now: Time, thread: ThreadIndex) -> Time {
        let (core, state) = (&mut *self.memory.core, &mut self.memory.threads[thread.at()]);
        let mut used = FUNDED - state.budget;
        if core.current == thread {
            let ran = now.saturating_sub(core.since);
            core.since = now;
            if state.slice != NEVER {
                state.slice = state.slice.saturating_sub(ran);
            }
            used += ran;
        }
        state.budget = seeded!(UsedTwice, FUNDED - used, FUNDED);
        used
    }

    /// What the running thread has used since [`take_used`](Self::take_used) was asked last, up to
    /// when it took the core, and since when it has that.
    pub(crate) fn used_before(&self, thread: ThreadIndex) -> (Time, Time) {
        (FUNDED - self.thread(thread).budget, self.core().since)
    }

    /// A suspended thread is funded and ready: before its equals, or behind them. On an idle core
    /// it runs at once, if it beats all who are ready. Constant time.
    pub(crate) fn grant(&mut self, now: Time, thread: ThreadIndex, before_equals: bool) {
        let state = self.thread_mut(thread);
        state.budget = FUNDED;
        let urgency = state.effective;
        let core = self.core();
        if core.current.is_none() && core.overrun.is_none() && core.ready.is_below(urgency) {
            self.record(now, Kind::Switch, thread, u16::MAX, 0);
            self.queue().start(now, thread, NEVER);
            return;
        }
        self.thread_mut(thread).status = Status::Ready;
        let mut queue = self.queue_of(thread);
        if before_equals {
            queue.push_front(thread, urgency);
        } else {
            queue.push_back(thread);
        }
    }

    /// A thread is funded no more; if it could go on, it is suspended. Constant time.
    pub(crate) fn revoke(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).budget = 0;
        match self.thread(thread).status {
            Status::Running => {
                seeded!(StillRuns, (), {
                    self.leave_core();
                    self.suspend(now, thread);
                });
            }
            Status::Ready => {
                self.queue_of(thread).remove(thread);
                self.suspend(now, thread);
            }
            _ => {}
        }
    }

    /// Whether a thread has something to do.
    pub(crate) fn could_go_on(&self, thread: ThreadIndex) -> bool {
        self.thread(thread).could_go_on()
    }
}

impl<P: Policy> Thread<P> {
    /// Whether it has something to do.
    pub(crate) fn could_go_on(&self) -> bool {
        matches!(self.status, Status::Running | Status::Ready | Status::Suspended)
    }
}
