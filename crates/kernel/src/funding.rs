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

    /// What the funded thread has used since this was asked last, by itself or by whom it waits for
    /// and lends to. When the running one's time slice ends does not change by that, and what it is
    /// funded with ends with no machine's clock: so the limit of its time stays. Constant time.
    pub(crate) fn take_used(&mut self, now: Time, thread: ThreadIndex) -> Time {
        let core = &mut *self.memory.core;
        let mut used = FUNDED - self.memory.threads[thread.at()].budget;
        if seeded!(UnpaidHelp, core.current, core.payer()) == thread {
            let ran = now.saturating_sub(core.since);
            core.since = now;
            let whose = seeded!(PayersSlice, thread, core.current);
            let running = &mut self.memory.threads[whose.at()];
            if running.slice != NEVER {
                let left = running.slice.saturating_sub(ran);
                running.slice = seeded!(FreeSlice, running.slice, left);
            }
            used += ran;
        }
        self.memory.threads[thread.at()].budget = seeded!(UsedTwice, FUNDED - used, FUNDED);
        used
    }

    /// What the funded thread has used since [`take_used`](Self::take_used) was asked last, up to
    /// when who runs took the core, and since when that has it.
    pub(crate) fn used_before(&self, thread: ThreadIndex) -> (Time, Time) {
        (FUNDED - self.thread(thread).budget, self.core().since)
    }

    /// A thread is funded. One that was suspended is ready: before its equals, or behind them; on
    /// an idle core it runs at once, if it beats all who are ready. One that waits at a gate lends.
    /// Constant time; for who waits, the declared chain and a search for who pays.
    pub(crate) fn grant(&mut self, now: Time, thread: ThreadIndex, before_equals: bool) {
        let state = self.thread_mut(thread);
        state.budget = FUNDED;
        if state.status != Status::Suspended {
            // Whoever asks for this settles who runs.
            let _ = self.fund(now, seeded!(UnlentGrant, thread, self.awaited(thread)));
            return;
        }
        let urgency = state.effective;
        let core = self.core();
        if core.current.is_none() && core.overrun.is_none() && core.ready.is_below(urgency) {
            self.record(now, Kind::Switch, thread, u16::MAX, 0);
            self.queue().start(now, thread, NEVER);
            return;
        }
        self.thread_mut(thread).status = Status::Ready;
        let mut queue = self.queue_of(thread);
        if seeded!(DispatchedBehind, false, before_equals) {
            queue.push_front(thread, urgency);
        } else {
            queue.push_back(thread);
        }
    }

    /// A thread is funded no more: it, or whom it waits for, is suspended unless somebody else
    /// pays. Its time is accounted for. Constant time for who is in no gate.
    pub(crate) fn revoke(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).budget = 0;
        let goes_on = seeded!(KeptLoan, thread, self.awaited(thread));
        match self.thread(goes_on).status {
            Status::Running if self.core().payer() == thread => {
                seeded!(StillRuns, (), self.choose_another(now, goes_on));
            }
            Status::Ready if !self.may_run(goes_on) => {
                self.queue_of(goes_on).remove(goes_on);
                self.suspend(now, goes_on);
            }
            _ => {}
        }
    }

    /// Whether a thread has something to do, or whom it waits for at a gate has. Constant time for
    /// who waits at none; else the declared chain.
    #[inline(never)]
    pub(crate) fn goes_on(&self, thread: ThreadIndex) -> bool {
        let waits = self.thread(thread).status == Status::AtGate;
        let awaited = match seeded!(GateIsWait, false, waits) {
            true => self.awaited(thread),
            false => thread,
        };
        self.thread(awaited).could_go_on()
    }
}

impl<P: Policy> Thread<P> {
    /// Whether it has something to do.
    pub(crate) fn could_go_on(&self) -> bool {
        matches!(self.status, Status::Running | Status::Ready | Status::Suspended)
    }
}
