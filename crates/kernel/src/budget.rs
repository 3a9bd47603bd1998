//! Budgets, and the threads that pay when another's budget is used up.
//!
//! A budget limits execution between two releases. A thread without one has the limit [`NEVER`],
//! which is never charged, so a system without budgets pays one comparison at each switch. A thread
//! that is to be suspended at the end of its budget may be inside gates that others wait for: then
//! the one of highest priority that waits, transitively, and has budget left, lends. The borrower's
//! debt is recorded. If no thread waits, it stays suspended.
//!
//! An operation can use up the last of a budget, and does not end it: a thread that is preempted
//! then is ready without budget, which is found when it comes to run. The signal of an overrun is
//! an event of its own, for which the timer is due immediately.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{Budget, Kind, NEVER, Next, Overrun, Sink, Status, Thread, ThreadIndex, Time};

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Accounts for what the running thread has used up to now. Constant time.
    #[inline]
    pub(crate) fn charge(&mut self, now: Time) {
        if self.core().is_limited() {
            self.take(now);
        } else {
            // There is nothing to take from.
            self.core_mut().since = now;
        }
    }

    #[cold]
    #[inline(never)]
    fn take(&mut self, now: Time) {
        let core = self.core();
        let (current, payer, used) = (core.current, core.payer(), now.saturating_sub(core.since));
        // Accounted for already at this instant, or by the plain case: it pays for itself and has
        // something left.
        if used == 0 || self.queue().spend(now) {
            return;
        }
        // Another thread pays, or the budget ends.
        self.core_mut().since = now;
        seeded!(
            FreeLender,
            if payer == current {
                self.debit(now, payer, used)
            },
            self.debit(now, payer, used)
        );
        let running = self.thread_mut(current);
        if payer != current {
            seeded!(ForgottenDebt, (), running.debt = running.debt.saturating_add(used));
        }
        // The slice is that of the thread that runs, whoever pays: equals take turns on the core.
        if running.slice != NEVER {
            running.slice = running.slice.saturating_sub(used);
        }
    }

    /// Takes ticks from a budget. A thread that may go on at the end of its budget has no limit
    /// until the next release.
    pub(crate) fn debit(&mut self, now: Time, payer: ThreadIndex, used: Time) {
        let account = self.thread_mut(payer);
        if account.budget == NEVER {
            return;
        }
        account.budget = account.budget.saturating_sub(used);
        if account.budget > 0 {
            return;
        }
        let Some(budget) = self.tables.threads[payer.at()].budget else { return };
        match budget.overrun {
            // The budget stays at 0. By that the thread is suspended where it would run next.
            Overrun::Suspend => return,
            Overrun::Continue => {}
            // The signal is an event of its own, which comes immediately: to send it here, in the
            // middle of an operation, could let another thread take the core.
            Overrun::Notify(_) => {
                // "None" is the largest index, so this is the first of all threads that have
                // overrun.
                self.memory.core.overrun = self.memory.core.overrun.min(payer);
                self.thread_mut(payer).overran = true;
            }
        }
        // Without a limit until the next release, or each further tick would be an overrun.
        self.thread_mut(payer).budget = NEVER;
        self.record(now, Kind::Overrun, payer, u16::MAX, 0);
    }

    /// Signals an overrun that has been found since the last event. If there are more, the timer
    /// stays due. Steps: threads.
    #[cold]
    #[inline(never)]
    fn notify_overrun(&mut self, now: Time) {
        // What may be due besides comes after this.
        let core = self.core_mut();
        let thread = core.overrun;
        // This and the lender below undo what `be_due` has set to make the timer due.
        core.limit = NEVER;
        if core.lender == core.current {
            core.lender = ThreadIndex::NONE;
        }
        if core.current.is_some() {
            self.set_limit();
        }
        self.thread_mut(thread).overran = seeded!(ToldForever, true, false);
        let next = self.memory.threads.iter().position(|thread| thread.overran);
        self.core_mut().overrun =
            next.map_or(ThreadIndex::NONE, |thread| ThreadIndex(thread as u16));
        let budget = self.tables.threads[thread.at()].budget;
        if let Some(Budget { overrun: Overrun::Notify(notification), .. }) = budget {
            // The caller chooses the thread that runs next.
            let _ = self.deliver_signal(now, notification, 1);
        }
    }

    /// Budget or time slice of the running thread have come to their limit.
    pub(crate) fn limit_reached(&mut self, now: Time) {
        // On an idle core only the signal of an overrun can be due.
        if self.core().current.is_some() {
            self.charge(now);
        }
        if self.core().overrun.is_some() {
            return self.notify_overrun(now);
        }
        let (current, payer) = (self.core().current, self.core().payer());
        if self.thread(payer).is_exhausted() {
            self.choose_another(now, current);
        // Only the payer has a budget to end here, but the slice is the runner's own.
        } else if self.thread(current).slice == 0 {
            self.rotate(now, current);
        } else {
            self.set_limit();
        }
    }

    /// The running thread's budget is used up, or its lender's, or its lender may be gone: another
    /// pays, or it is suspended.
    pub(crate) fn reconsider(&mut self, now: Time, current: ThreadIndex) {
        self.charge(now);
        self.choose_another(now, current);
    }

    /// As [`reconsider`](Self::reconsider), for a thread whose time has been accounted for until
    /// now.
    #[inline(never)]
    pub(crate) fn choose_another(&mut self, now: Time, current: ThreadIndex) {
        let payer = self.payer_of(current);
        if payer.is_some() {
            self.pay(now, current, payer);
        } else {
            self.leave_core();
            self.suspend(now, current);
        }
    }

    /// The budget is whole again.
    pub(crate) fn refill(&mut self, thread: ThreadIndex) {
        if let Some(Budget { amount, .. }) = self.tables.threads[thread.at()].budget {
            self.thread_mut(thread).budget = amount;
        }
    }

    /// Fills the budget at a release, and lets suspended threads go on that it pays for. Steps:
    /// declared chain.
    pub(crate) fn replenish(&mut self, now: Time, thread: ThreadIndex) -> Next {
        if self.tables.threads[thread.at()].budget.is_none() {
            return Next::Same;
        }
        // What has been used until now is the old budget's.
        if self.core().payer() == thread {
            self.charge(now);
        }
        seeded!(StaleBudget, (), self.refill(thread));
        // The thread that it waits for may have been without a lender.
        let next = self.fund(now, self.awaited(thread));
        self.unless_overrun(next)
    }

    /// Returns the thread that must run before a thread that waits at a gate goes on: the end of
    /// the chain from gate to holder. For a thread that waits at no gate that is the thread itself.
    /// Steps: declared chain.
    pub(crate) fn awaited(&self, thread: ThreadIndex) -> ThreadIndex {
        let mut root = thread;
        for _ in 0..self.tables.chain {
            match self.thread(root).gate() {
                Some(gate) => root = self.gate(gate).holder,
                None => break,
            }
        }
        root
    }

    /// The budget of this thread, or of one that waits behind it, may have grown.
    pub(crate) fn fund(&mut self, now: Time, root: ThreadIndex) -> Next {
        match self.thread(root).status {
            Status::Suspended => {
                self.revive(root);
                Next::Open
            }
            // It may pay for itself again, or the thread whose budget has grown is the better
            // lender.
            Status::Running if self.core().is_lent() || self.thread(root).is_exhausted() => {
                self.reconsider(now, root);
                Next::Open
            }
            Status::Running => {
                self.set_limit();
                Next::Same
            }
            _ => Next::Same,
        }
    }

    /// A suspended thread may have got a thread that pays for it.
    pub(crate) fn revive(&mut self, thread: ThreadIndex) {
        if self.may_run(thread) {
            // Behind its equals, as every thread that was not ready before.
            self.thread_mut(thread).status = Status::Ready;
            self.queue_of(thread).push_back(thread);
        }
    }

    /// Returns the thread whose budget pays for this one, or none if no budget does. Constant time
    /// if it pays for itself.
    #[inline]
    fn payer_of(&self, thread: ThreadIndex) -> ThreadIndex {
        if self.thread(thread).is_exhausted() { self.lender(thread) } else { thread }
    }

    /// Returns `true` if some thread's budget pays for the thread. Constant time if it does itself.
    #[inline]
    pub(crate) fn may_run(&self, thread: ThreadIndex) -> bool {
        self.payer_of(thread).is_some()
    }

    /// Determines the thread that pays for one that begins to run with its own budget used up, and
    /// the instant until which it may run.
    #[cold]
    #[inline(never)]
    pub(crate) fn choose_payer(&mut self, now: Time, thread: ThreadIndex) {
        // The lender is searched for again and not remembered from when the thread became ready: it
        // may have used up its budget since.
        let payer = self.payer_of(thread);
        // Each ready thread has a payer.
        self.pay(now, thread, if payer.is_some() { payer } else { thread });
    }

    /// Lets one thread pay for the running one.
    fn pay(&mut self, now: Time, running: ThreadIndex, payer: ThreadIndex) {
        let lender = if payer == running { ThreadIndex::NONE } else { payer };
        // A record of each search would tell a reader of loans that go on.
        if lender.is_some() && self.core().lender != lender {
            self.record(now, Kind::Lend, running, lender.0, 0);
        }
        self.core_mut().lender = lender;
        self.set_limit();
    }

    #[inline(never)]
    pub(crate) fn set_limit(&mut self) {
        let core = self.core();
        let (current, payer, since) = (core.current, core.payer(), core.since);
        // The payer's budget, but the slice of the thread that runs.
        let left = self.thread(payer).budget.min(self.thread(current).slice);
        self.core_mut().limit = since.saturating_add(left);
    }

    /// Returns the thread of highest priority that waits, transitively, for this one and has
    /// budget: the first of equals.
    ///
    /// All threads are looked at, each up to the end of its chain. A walk from gate to gate down to
    /// the waiters would meet fewer of them, but its length is bounded only if no thread waits
    /// twice, which an analysis of the binary cannot see. Constant time for a thread in no gate;
    /// else steps: threads, each with the declared chain.
    #[cold]
    #[inline(never)]
    fn lender(&self, holder: ThreadIndex) -> ThreadIndex {
        let (mut above, mut best) = (P::NOTHING, ThreadIndex::NONE);
        // A thread in no gate and without a record is waited for by none: no search.
        if self.thread(holder).is_home() && self.topmost_record(holder).is_none() {
            return best;
        }
        for (index, thread) in self.memory.threads.iter().enumerate() {
            // As a bound, because `best` begins below every urgency: also the least urgent thread
            // lends.
            let priority = P::above(thread.effective);
            if seeded!(LastLends, priority >= above, priority > above)
                && !thread.is_exhausted()
                && self.waits_for(thread, holder)
            {
                (best, above) = (ThreadIndex(index as u16), priority);
            }
        }
        best
    }

    /// Returns `true` if a thread waits for another one, directly or along a chain of holders.
    /// Steps: declared chain.
    #[inline(always)]
    fn waits_for(&self, thread: &Thread<P>, holder: ThreadIndex) -> bool {
        let Some(mut gate) = thread.gate() else { return false };
        for _ in 0..self.tables.chain {
            let next = self.gate(gate).holder;
            if next == holder {
                return true;
            }
            let Some(further) = self.thread(next).gate() else { return false };
            gate = further;
        }
        false
    }
}
