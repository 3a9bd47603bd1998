//! The scheduler: highest effective priority, first come first served.
//!
//! The running thread is in no queue. When another beats it, it goes to the *front* of its level,
//! because it has lost nothing but the processor; a thread that is released or woken goes to the
//! back. Execution time is accounted here and nowhere else: when a thread stops running, and when a
//! limit of the running one is due.

use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::{
    Delivery, Error, Kind, NEVER, Next, Outcome, ResumeError, ResumeReason, Sink, Status,
    ThreadIndex, Time,
};

impl<'m, P: Policy, S: Sink> crate::Kernel<'m, P, S> {
    /// Lets equals run first; their order stays. Constant time.
    pub fn yield_(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_yield(now);
        self.finish(now, done)
    }

    pub(crate) fn change_by_yield(&mut self, now: Time) -> Result<Next, Error> {
        let thread = self.caller()?;
        // No thread would run instead. So its turn goes on, and its time slice is not filled up.
        if !self.is_equalled(thread) {
            return Ok(Next::Same);
        }
        // A thread that gives way begins a new turn when it comes back, as one that has used up its
        // slice does.
        self.stop_running(now);
        seeded!(SpentYield, (), self.thread_mut(thread).slice = self.tables.time_slice);
        self.make_ready(now, thread);
        Ok(Next::Open)
    }

    /// Returns `true` if another ready thread is as urgent as this one and may run next in the
    /// round.
    #[inline(always)]
    fn is_equalled(&self, thread: ThreadIndex) -> bool {
        let (first, effective) = (self.core().ready.top(), self.thread(thread).effective);
        first.is_some_and(|first| P::equals(first, effective)) && !self.is_pinned(thread)
    }

    /// Returns `true` if a thread is inside a gate that keeps threads of the same urgency from
    /// taking the core. Steps: its frames, if the policy has such gates.
    #[inline(always)]
    fn is_pinned(&self, thread: ThreadIndex) -> bool {
        P::PINS && self.frames(thread).iter().any(|frame| P::pins(frame.claim))
    }

    /// The time slice has ended, and its time is accounted for.
    pub(crate) fn rotate(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).slice = self.tables.time_slice;
        if self.is_equalled(thread) {
            self.record(now, Kind::Rotate, thread, u16::MAX, 0);
            self.leave_core();
            self.make_ready(now, thread);
        } else {
            self.set_limit();
        }
    }

    /// Ends every operation that leaves the next thread open: the most urgent thread runs. The
    /// state then holds that thread and its reason to resume: [`current`](Self::current),
    /// [`tell`](Self::tell), [`next_timer`](Self::next_timer). Constant time, unless a thread runs
    /// at another's expense.
    #[inline(always)]
    pub fn reschedule(&mut self, now: Time) {
        if !self.is_current_first() {
            self.choose(now);
        }
    }

    /// Returns `true` if the running thread stays the right choice: no ready thread beats it.
    /// Constant time.
    #[inline(always)]
    pub fn is_current_first(&self) -> bool {
        let core = self.core();
        let running = self.memory.threads.get(core.current.at());
        running
            // An overrun that is still to be signalled needs `choose`, which makes the timer due.
            .is_some_and(|running| core.overrun.is_none() && !core.ready.beats(running.effective))
    }

    /// Chooses the running thread. Steps: those of [`reschedule`](Self::reschedule).
    #[inline(never)]
    pub(crate) fn choose(&mut self, now: Time) {
        self.preempt_if_beaten(now);
        if self.core().current.is_none() {
            self.dispatch(now);
        }
        // Last, because a thread that starts sets a limit, and this one must stand.
        if self.core().overrun.is_some() {
            self.be_due(now);
        }
    }

    /// Notes that accounting has brought a budget to an end, of which a signal is to tell. That is
    /// an event of its own, which comes immediately: the thread that runs until then has no time.
    #[cold]
    fn be_due(&mut self, now: Time) {
        let core = self.core_mut();
        seeded!(LateOverrun, (), core.limit = core.limit.min(now));
        // It pays for itself, but as if another did: then no short way sets another limit.
        core.lender = core.payer();
    }

    #[inline(always)]
    fn preempt_if_beaten(&mut self, now: Time) {
        let current = self.core().current;
        if current.is_some() && self.core().ready.beats(self.thread(current).effective) {
            self.preempt(now, current);
        }
    }

    #[inline(never)]
    fn preempt(&mut self, now: Time, current: ThreadIndex) {
        self.stop_running(now);
        // The time up to now may have been the last of its budget: that is found when it runs
        // again.
        self.thread_mut(current).status = Status::Ready;
        let level = self.thread(current).effective;
        let mut queue = self.queue_of(current);
        seeded!(PreemptedBehind, queue.push_back(current), queue.push_front(current, level));
    }

    #[inline(always)]
    fn dispatch(&mut self, now: Time) {
        let mut queue = Queue {
            core: self.memory.core,
            lists: &mut self.memory.levels,
            threads: self.memory.threads,
        };
        match queue.pop() {
            Some(thread) => self.start_running(now, thread),
            None => self.record(now, Kind::Switch, ThreadIndex::NONE, u16::MAX, 0),
        }
    }

    /// Puts a thread that is in no queue on the idle core.
    #[inline(always)]
    pub(crate) fn start_running(&mut self, now: Time, thread: ThreadIndex) {
        self.record(now, Kind::Switch, thread, u16::MAX, 0);
        let mut queue = Queue {
            core: self.memory.core,
            lists: &mut self.memory.levels,
            threads: self.memory.threads,
        };
        // The core was idle: `leave_core` has taken away the limit that was there.
        queue.start(now, thread, NEVER);
        if queue.threads[thread.at()].is_exhausted() {
            self.choose_payer(now, thread);
        }
    }

    /// A thread is released, woken, or gets what it waits for: it runs immediately if it beats all
    /// others, and is then returned as the next one; else it queues behind its equals, or is
    /// suspended if no thread pays for it. Constant time for a thread with budget left.
    #[inline(always)]
    pub(crate) fn run_or_queue(&mut self, now: Time, thread: ThreadIndex, runs: Next) -> Next {
        let next = self.take_over(now, thread);
        if next == Next::Other {
            return self.unless_overrun(runs);
        }
        self.make_ready(now, thread);
        next
    }

    /// A thread takes the core, if it beats all others; if not, what comes next once it queues.
    #[inline(always)]
    pub(crate) fn take_over(&mut self, now: Time, thread: ThreadIndex) -> Next {
        let (core, state) = (&*self.memory.core, &self.memory.threads[thread.at()]);
        let (current, priority) = (core.current, state.effective);
        let (first, exhausted) = (core.ready.is_below(priority), state.is_exhausted());
        if let Some(running) = self.memory.threads.get(current.at()) {
            let level = running.effective;
            // A thread that comes behind another one changes nothing, whichever that is.
            let beats =
                seeded!(EqualPreempts, level <= priority, P::exceeds(priority, level)) & first;
            if !beats {
                return Next::Same;
            }
            if exhausted {
                return Next::Open;
            }
            // If the budget of the running thread ends just now, it is not preempted but suspended,
            // or another thread lends: the slow path decides that.
            self.charge(now);
            if self.memory.threads[current.at()].is_exhausted() {
                return Next::Open;
            }
            // As `leave_core` does: `start` writes a limit only if there is one.
            self.memory.core.limit = NEVER;
            self.thread_mut(current).status = Status::Ready;
            let mut queue = self.queue_of(current);
            seeded!(PreemptedBehind, queue.push_back(current), queue.push_front(current, level));
        } else if exhausted || core.overrun.is_some() && !first {
            // But for a moment in which an overrun is notified, no thread is ready when the core is
            // idle.
            return Next::Open;
        }
        self.queue_of(thread).start(now, thread, NEVER);
        self.record(now, Kind::Switch, thread, u16::MAX, 0);
        Next::Other
    }

    /// Returns the next thread as given, unless a budget has ended: then a signal is still to be
    /// sent.
    #[inline(always)]
    pub(crate) fn unless_overrun(&self, next: Next) -> Next {
        if self.core().overrun.is_some() { Next::Open } else { next }
    }

    /// Lets a thread find something when it runs next.
    #[inline(always)]
    pub fn promise(&mut self, thread: ThreadIndex, reason: ResumeReason, value: u32) {
        self.thread_mut(thread).promise(reason, value);
    }

    /// Takes the reason for which the running thread resumes; a second call finds none.
    /// [`Thread::value`](crate::Thread::value) completes it. An error: the thread has nowhere to go
    /// on. Constant time.
    #[inline(always)]
    pub fn tell(&mut self, thread: ThreadIndex) -> Result<ResumeReason, ResumeError> {
        // A component that has failed moves its epoch and touches no frame. This is the place where
        // a thread is about to go on in one of them, so it is checked here.
        let top = self.top(thread);
        if self.memory.components[top.component.at()].epoch != top.epoch {
            seeded!(
                HalfRestored,
                if !self.is_unrestored(thread) {
                    return Err(self.tell_why(thread));
                },
                {
                    return Err(self.tell_why(thread));
                }
            );
        }
        let reason = &mut self.thread_mut(thread).reason;
        Ok(seeded!(ToldTwice, *reason, core::mem::replace(reason, ResumeReason::Nothing)))
    }

    /// The component that the thread is in is gone, or not yet as it was at first. Then the thread
    /// is told what it finds when it is.
    #[cold]
    #[inline(never)]
    fn tell_why(&mut self, thread: ThreadIndex) -> ResumeError {
        if self.is_unrestored(thread) {
            return ResumeError::Unrestored;
        }
        // What was promised to the frame that is gone must not reach the one below. A thread whose
        // component is only to be put back keeps its reason for afterwards.
        self.thread_mut(thread).reason = ResumeReason::Nothing;
        ResumeError::Gone
    }

    /// Returns the work that the machine must do, as a whole, for callers that do not ask part by
    /// part.
    pub fn outcome(&mut self) -> Outcome {
        let thread = self.core().current;
        let mut delivery = Delivery::None;
        if thread.is_some() {
            // Read before `tell`, which needs the kernel for writing.
            let gate = self.top(thread).gate;
            delivery = Delivery::of(self.tell(thread), self.thread(thread).value, gate);
        }
        Outcome { thread, delivery, timer: self.next_timer() }
    }

    /// Takes the running thread off the core and accounts for its time; its status is the caller's
    /// to set.
    pub(crate) fn stop_running(&mut self, now: Time) {
        self.charge(now);
        self.leave_core();
    }

    /// Takes the running thread off the core. Its time is accounted for, and its status is the
    /// caller's to set.
    #[inline]
    pub(crate) fn leave_core(&mut self) {
        let core = self.core_mut();
        core.current = ThreadIndex::NONE;
        core.lender = ThreadIndex::NONE;
        core.limit = NEVER;
    }

    /// Puts a thread behind its equals, or suspends it if no thread pays for it. Constant time for
    /// a thread with budget left.
    #[inline(never)]
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
    pub(crate) fn queue_of(&mut self, thread: ThreadIndex) -> Queue<'_, 'm, P> {
        // Each core runs a one-core kernel, in whose tables all threads are its own.
        debug_assert_eq!(self.tables.threads[thread.at()].core, 0);
        self.queue()
    }

    /// The ready queue of the core whose events are handled.
    #[inline]
    pub(crate) fn queue(&mut self) -> Queue<'_, 'm, P> {
        Queue {
            core: self.memory.core,
            lists: &mut self.memory.levels,
            threads: self.memory.threads,
        }
    }
}
