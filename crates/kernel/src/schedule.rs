//! Who runs: highest effective priority, first come first served among equals.
//!
//! The running thread is in no queue. When another beats it, it goes to the *front* of its level, because it has lost
//! nothing but the processor; a thread that is released or woken goes to the back. Execution time is accounted here
//! and nowhere else: when a thread stops running, and when a limit of the running one is due.

use crate::kernel::HERE;
use crate::ready::Queue;
use crate::{ComponentIndex, Delivery, Error, Kind, NEVER, Outcome, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Lets equals run first; their order stays. Constant time.
    pub fn yield_(&mut self, now: Time) -> Result<Outcome, Error> {
        let thread = self.caller()?;
        if self.core().ready.top() == Some(self.thread(thread).effective) {
            self.stop_running(now);
            self.thread_mut(thread).slice = self.tables.time_slice;
            self.make_ready(now, thread);
        }
        Ok(self.settle(now))
    }

    /// The time slice has ended.
    pub(crate) fn rotate(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).slice = self.tables.time_slice;
        if self.core().ready.top() == Some(self.thread(thread).effective) {
            self.record(now, Kind::Rotate, thread, u16::MAX, 0);
            self.stop_running(now);
            self.make_ready(now, thread);
        } else {
            self.set_limit();
        }
    }

    /// The end of every operation: the highest runs. Constant time, unless a thread runs at another's expense.
    pub(crate) fn settle(&mut self, now: Time) -> Outcome {
        let core = &self.memory.cores[HERE];
        let current = core.current;
        let settled = core.overrun.is_none()
            && self.memory.threads.get(current.at()).is_some_and(|running| !core.ready.beats(running.effective));
        if !settled {
            return self.switch(now);
        }
        self.outcome(current)
    }

    /// Another thread may have to run.
    #[cold]
    #[inline(never)]
    fn switch(&mut self, now: Time) -> Outcome {
        self.preempt_if_beaten(now);
        if self.core().overrun.is_some() {
            self.notify_overrun(now);
            self.preempt_if_beaten(now);
        }
        let current = self.core().current;
        if current.is_some() { self.outcome(current) } else { self.dispatch(now) }
    }

    fn preempt_if_beaten(&mut self, now: Time) {
        let current = self.core().current;
        if current.is_none() || !self.core().ready.beats(self.thread(current).effective) {
            return;
        }
        self.stop_running(now);
        if self.may_run(current) {
            self.thread_mut(current).status = Status::Ready;
            self.queue_of(current).push_front(current);
        } else {
            self.suspend(now, current);
        }
    }

    fn dispatch(&mut self, now: Time) -> Outcome {
        let mut queue = Queue {
            ready: &mut self.memory.cores[HERE].ready,
            lists: self.memory.levels,
            threads: self.memory.threads,
        };
        let Some(thread) = queue.pop() else {
            self.record(now, Kind::Switch, ThreadIndex::NONE, u16::MAX, 0);
            return self.outcome(ThreadIndex::NONE);
        };
        self.start_running(now, thread);
        self.outcome(thread)
    }

    /// Puts a thread that is in no queue on the idle core.
    pub(crate) fn start_running(&mut self, now: Time, thread: ThreadIndex) {
        self.record(now, Kind::Switch, thread, u16::MAX, 0);
        let state = &mut self.memory.threads[thread.at()];
        state.status = Status::Running;
        let core = &mut self.memory.cores[HERE];
        core.current = thread;
        core.since = now;
        if state.is_exhausted() {
            self.choose_payer(now, thread);
        } else {
            core.payer = thread;
            core.limit = now.saturating_add(state.budget.min(state.slice));
        }
    }

    /// A thread is released, woken, or gets what it waits for: it runs at once if it beats all others, else it queues
    /// behind its equals, or is suspended if nobody pays. Constant time for who has a budget left.
    pub(crate) fn run_or_queue(&mut self, now: Time, thread: ThreadIndex) {
        let priority = self.thread(thread).effective;
        let current = self.core().current;
        let beaten = current.is_some() && self.thread(current).effective < priority;
        if !beaten || !self.core().ready.is_below(priority) || self.thread(thread).is_exhausted() {
            return self.make_ready(now, thread);
        }
        self.charge(now);
        if self.thread(current).is_exhausted() {
            return self.make_ready(now, thread);
        }
        self.thread_mut(current).status = Status::Ready;
        self.queue_of(current).push_front(current);
        self.start_running(now, thread);
    }

    /// What the machine must do, given who runs now.
    #[inline]
    pub(crate) fn outcome(&mut self, thread: ThreadIndex) -> Outcome {
        let mut delivery = Delivery::None;
        if thread.is_some() {
            delivery = core::mem::replace(&mut self.thread_mut(thread).delivery, Delivery::None);
            if self.is_stale(thread) {
                delivery = Delivery::Abort;
            }
        }
        self.goes_on(thread, delivery)
    }

    /// What the machine must do, given who runs now and what it finds.
    pub(crate) fn goes_on(&self, thread: ThreadIndex, delivery: Delivery) -> Outcome {
        Outcome { thread, delivery, timer: self.next_timer(), restart: ComponentIndex::NONE }
    }

    /// Takes the running thread off the core and accounts for its time; its status is the caller's to set.
    pub(crate) fn stop_running(&mut self, now: Time) {
        self.charge(now);
        let core = self.core_mut();
        core.current = ThreadIndex::NONE;
        core.payer = ThreadIndex::NONE;
        core.limit = NEVER;
    }

    /// Puts a thread behind its equals, or suspends it if nobody pays. Constant time for who has a budget left.
    pub(crate) fn make_ready(&mut self, now: Time, thread: ThreadIndex) {
        if self.may_run(thread) {
            self.thread_mut(thread).status = Status::Ready;
            self.queue_of(thread).push_back(thread);
        } else {
            self.suspend(now, thread);
        }
    }

    pub(crate) fn suspend(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).status = Status::Suspended;
        self.record(now, Kind::Suspend, thread, u16::MAX, 0);
    }

    /// The ready queue of a thread's core.
    #[inline]
    pub(crate) fn queue_of(&mut self, thread: ThreadIndex) -> Queue<'_> {
        debug_assert_eq!(self.tables.threads[thread.at()].core as usize, HERE);
        Queue { ready: &mut self.memory.cores[HERE].ready, lists: self.memory.levels, threads: self.memory.threads }
    }
}
