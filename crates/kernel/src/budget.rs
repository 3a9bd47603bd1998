//! Budgets, and who pays for a thread whose own is used up.
//!
//! A budget limits execution between two releases. A thread without one has the limit [`NEVER`], which is never
//! charged, so a system without budgets pays one comparison at each switch. A thread that is to be suspended at the
//! end of its budget may be inside gates that others wait for: then the one of highest priority who waits,
//! transitively, and has budget left, lends. The borrower's debt is recorded. Nobody waits: it stays suspended.

use crate::{Budget, GateIndex, Kind, NEVER, Overrun, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Accounts for what the running thread has used up to now. Constant time.
    #[inline]
    pub(crate) fn charge(&mut self, now: Time) {
        let core = &mut *self.memory.core;
        let used = now.saturating_sub(core.since);
        core.since = now;
        // Without a limit there is nothing to take from.
        if !core.is_limited() {
            return;
        }
        self.take(now, used);
    }

    #[cold]
    #[inline(never)]
    fn take(&mut self, now: Time, used: Time) {
        let core = self.core();
        let (current, payer) = (core.current, core.payer);
        if used == 0 || current.is_none() {
            return;
        }
        self.debit(now, payer, used);
        let running = self.thread_mut(current);
        if payer != current {
            running.debt = running.debt.saturating_add(used);
        }
        if running.slice != NEVER {
            running.slice = running.slice.saturating_sub(used);
        }
    }

    /// Takes ticks from a budget. Who may go on at its end is without limit until the next release.
    fn debit(&mut self, now: Time, payer: ThreadIndex, used: Time) {
        let account = self.thread_mut(payer);
        if account.budget == NEVER {
            return;
        }
        account.budget = account.budget.saturating_sub(used);
        if account.budget > 0 {
            return;
        }
        let overrun = self.tables.threads[payer.at()].budget.map(|budget| budget.overrun);
        if overrun != Some(Overrun::Suspend) {
            self.thread_mut(payer).budget = NEVER;
            self.core_mut().overrun = payer;
            self.record(now, Kind::Overrun, payer, u16::MAX, 0);
        }
    }

    /// Signals the overrun that [`charge`](Self::charge) has found during this operation, if any.
    pub(crate) fn notify_overrun(&mut self, now: Time) {
        let thread = self.core().overrun;
        if thread.is_none() {
            return;
        }
        self.core_mut().overrun = ThreadIndex::NONE;
        if let Some(Budget { overrun: Overrun::Notify(notification), .. }) = self.tables.threads[thread.at()].budget {
            self.deliver_signal(now, notification, 1);
        }
    }

    /// Budget or time slice of the running thread have come to their limit.
    pub(crate) fn limit_reached(&mut self, now: Time) {
        self.charge(now);
        let (current, payer) = (self.core().current, self.core().payer);
        if self.thread(payer).is_exhausted() {
            self.reconsider(now, current);
        } else if self.thread(current).slice == 0 {
            self.rotate(now, current);
        } else {
            self.set_limit();
        }
    }

    /// The running thread's budget is used up, or its lender's, or its lender may be gone: another pays, or it is
    /// suspended.
    pub(crate) fn reconsider(&mut self, now: Time, current: ThreadIndex) {
        self.charge(now);
        if self.may_run(current) {
            self.choose_payer(now, current);
        } else {
            self.stop_running(now);
            self.suspend(now, current);
        }
    }

    /// A release: the budget is whole again. Steps: declared depth.
    pub(crate) fn replenish(&mut self, now: Time, thread: ThreadIndex) {
        let Some(Budget { amount, .. }) = self.tables.threads[thread.at()].budget else {
            return;
        };
        if self.core().payer == thread {
            self.charge(now);
        }
        self.thread_mut(thread).budget = amount;
        let mut root = thread;
        for _ in 0..self.tables.depth {
            match self.thread(root).gate() {
                Some(gate) => root = self.gate(gate).holder,
                None => break,
            }
        }
        self.fund(now, root);
    }

    /// Somebody behind this thread, or itself, may have got budget, or come to wait for it.
    pub(crate) fn fund(&mut self, now: Time, root: ThreadIndex) {
        match self.thread(root).status {
            Status::Suspended if self.may_run(root) => {
                self.thread_mut(root).status = Status::Ready;
                self.queue_of(root).push_back(root);
            }
            Status::Running if self.core().payer != root || self.thread(root).is_exhausted() => {
                self.reconsider(now, root);
            }
            Status::Running => self.set_limit(),
            _ => {}
        }
    }

    /// Whether somebody pays for the thread. Constant time if it does itself.
    #[inline]
    pub(crate) fn may_run(&self, thread: ThreadIndex) -> bool {
        !self.thread(thread).is_exhausted() || self.lender(thread).is_some()
    }

    /// Settles who pays for the running thread, and until when it may run.
    pub(crate) fn choose_payer(&mut self, now: Time, thread: ThreadIndex) {
        let mut payer = thread;
        if self.thread(thread).is_exhausted() {
            let lender = self.lender(thread);
            if lender.is_some() {
                payer = lender;
                if self.core().payer != payer {
                    self.record(now, Kind::Lend, thread, payer.0, 0);
                }
            }
        }
        self.core_mut().payer = payer;
        self.set_limit();
    }

    pub(crate) fn set_limit(&mut self) {
        let core = self.core();
        let (current, payer, since) = (core.current, core.payer, core.since);
        let left = self.thread(payer).budget.min(self.thread(current).slice);
        self.core_mut().limit = since.saturating_add(left);
    }

    /// The thread of highest priority that waits, transitively, for this one and has budget. Steps: those threads,
    /// each with the declared depth.
    fn lender(&self, root: ThreadIndex) -> ThreadIndex {
        let mut best = ThreadIndex::NONE;
        let mut next = self.first_waiter(root, 0);
        while next.is_some() {
            let better = best.is_none() || self.thread(next).effective > self.thread(best).effective;
            if better && !self.thread(next).is_exhausted() {
                best = next;
            }
            next = self.next_behind(root, next);
        }
        best
    }

    /// The first who waits at a gate in the thread's frames from this one on.
    fn first_waiter(&self, thread: ThreadIndex, frame: usize) -> ThreadIndex {
        let gates = self.frames(thread).iter().skip(frame).map(|frame| self.gate(frame.gate).waiters.head());
        gates.into_iter().find(|head| head.is_some()).unwrap_or(ThreadIndex::NONE)
    }

    /// The thread after `waiter` among all that wait for `root`: who waits for it, else its neighbour, else the next
    /// gate of whom it waits for, and so on up.
    fn next_behind(&self, root: ThreadIndex, waiter: ThreadIndex) -> ThreadIndex {
        let mut waiter = waiter;
        let mut next = self.first_waiter(waiter, 0);
        while next.is_none() && waiter != root {
            next = self.thread(waiter).link.next;
            if next.is_none() {
                let gate = GateIndex(self.thread(waiter).waits_at);
                let holder = self.gate(gate).holder;
                let place = self.frames(holder).iter().position(|frame| frame.gate == gate);
                next = self.first_waiter(holder, place.map_or(usize::MAX, |place| place + 1));
                waiter = holder;
            }
        }
        next
    }
}
