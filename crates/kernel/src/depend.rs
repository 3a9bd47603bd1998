//! Services for locks of components: to sleep on an account, and to wake.
//!
//! A component may know better than the kernel which thread is to get something next. Then it keeps
//! its own lists and asks for two things only. [`depend`](crate::Event::Depend) lets the calling
//! thread sleep, and as long as it sleeps the thread that it depends on inherits from it.
//! [`wake`](crate::Event::Wake) ends that, or is remembered if its thread does not sleep yet, so
//! that nothing is lost between a look at a list and going to sleep.
//!
//! For the kernel a sleeping thread waits at a gate which the thread that it depends on holds. Each
//! component with these services has a row of such gates, one for each thread, in the order of
//! threads: a component wakes no thread that sleeps through another component's row. The gate's
//! record stands on its thread's *home*, whatever that thread does at the moment, exactly while
//! another thread sleeps there. So inheritance, the search for circles and the search for a lender
//! are those of gates. When a job ends, the threads that depend on its thread are told.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    Capability, ComponentIndex, Error, GateIndex, Kind, Next, ResumeReason, Sink, Status,
    ThreadIndex, Time, Word,
};

/// The value with which a thread resumes that slept until it was woken.
pub(crate) const WOKEN: u32 = 0;
/// The value with which it resumes if no thread may be about to wake it: the thread that it depends
/// on has no job any more, or its component was restarted.
pub(crate) const GONE: u32 = 1;

/// Returns the gate about another thread, of the same component.
fn about(gate: GateIndex, thread: ThreadIndex, other: ThreadIndex) -> GateIndex {
    // The row has a gate for each thread, in their order: the tables' check asks for that.
    GateIndex(gate.0.wrapping_sub(thread.0).wrapping_add(other.0))
}

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Notes that a thread will sleep on another thread's account. Constant time.
    fn sleep_at(&mut self, target: ThreadIndex, gate: GateIndex) {
        if self.gate(gate).holder.is_none() {
            let home =
                seeded!(TopmostDependency, self.thread(target).top(), self.first_frame(target));
            self.adopt(target, home, gate);
        }
    }

    /// The running thread sleeps, and `target` inherits from it, unless it has been woken already.
    /// Twice the declared chain, as at a gate.
    ///
    /// Refused with [`Error::Reentry`] or [`Error::Deadlock`] where it would wait for itself.
    pub(crate) fn change_by_depend(
        &mut self,
        now: Time,
        gate: GateIndex,
        target: ThreadIndex,
    ) -> Result<Next, Error> {
        let caller = self.caller()?;
        let own = about(gate, target, caller);
        // A wake-up counts once: the next sleep needs one of its own.
        if self.gate(own).word.is_woken() {
            self.remember(own, seeded!(KeptWake, true, false));
            self.thread_mut(caller).promise(ResumeReason::Signal, WOKEN);
            return Ok(Next::Other);
        }
        seeded!(EarlyDependency, self.sleep_at(target, gate), ());
        // Refused before anything has changed.
        let root = self.end_of_chain_from(caller, target)?;
        if seeded!(AnyTarget, false, self.thread(target).status == Status::Idle) {
            self.thread_mut(caller).promise(ResumeReason::Signal, GONE);
            return Ok(Next::Other);
        }
        self.sleep_at(target, gate);
        if !self.wait_at(now, gate) {
            // Whoever sleeps lends, so the thread that it waits for may have a payer now.
            let suspended = self.thread(root).status == Status::Suspended;
            if seeded!(UnrevivedTarget, false, suspended) {
                self.revive(root);
            }
            self.choose(now);
        }
        Ok(Next::Other)
    }

    /// Wakes a thread that sleeps through the same component, or remembers that it is woken.
    /// Steps: declared chain, each with the declared depth and the records of a frame.
    pub(crate) fn change_by_wake(
        &mut self,
        now: Time,
        gate: GateIndex,
        thread: ThreadIndex,
    ) -> Result<Next, Error> {
        self.caller()?;
        let asleep = self.thread(thread).gate();
        match asleep.filter(|&at| self.is_of_row(at, gate, thread)) {
            Some(at) => {
                self.end_sleep(now, thread, at, WOKEN);
                self.make_ready(now, thread);
                Ok(Next::Open)
            }
            None => {
                self.remember(gate, seeded!(ForgottenWake, false, true));
                Ok(Next::Same)
            }
        }
    }

    /// Returns `true` if a gate belongs to the component whose gate for a thread is given.
    fn is_of_row(&self, at: GateIndex, gate: GateIndex, thread: ThreadIndex) -> bool {
        // A gate before the row wraps around to a large number: one comparison asks for both ends.
        let place = usize::from(at.0.wrapping_sub(gate.0.wrapping_sub(thread.0)));
        seeded!(WakesAnywhere, self.gate(at).word.depends(), place < self.memory.threads.len())
    }

    /// Wakes all threads that sleep through a component whose data are gone. Steps: its
    /// capabilities and those threads.
    pub(crate) fn wake_all(&mut self, now: Time, component: ComponentIndex) {
        for capability in self.tables.components[component.at()].capabilities {
            let Capability::Thread(gate, _) = *capability else { continue };
            // A wake-up from before was about data that are gone.
            self.remember(gate, false);
            self.wake_dependents(now, gate);
        }
    }

    /// Ends a thread's job, at home, where it holds no mutex, and tells the threads that depend on
    /// it. Steps: those threads.
    pub(crate) fn wake_who_depends(&mut self, now: Time, thread: ThreadIndex) {
        while let Some(gate) = seeded!(SilentEnd, None, self.topmost_record(thread)) {
            self.wake_dependents(now, gate);
        }
    }

    /// Tells all threads that sleep at a gate that no thread may be about to wake them. Steps:
    /// those threads.
    pub(crate) fn wake_dependents(&mut self, now: Time, gate: GateIndex) {
        while let Some(thread) = self.first_waiter(gate) {
            self.end_sleep(now, thread, gate, GONE);
            self.make_ready(now, thread);
        }
    }

    fn first_waiter(&self, gate: GateIndex) -> Option<ThreadIndex> {
        let first = self.gate(gate).waiters.head();
        first.is_some().then_some(first)
    }

    fn remember(&mut self, gate: GateIndex, woken: bool) {
        self.memory.gates[gate.at()].word.set_woken(woken);
    }

    /// Takes a thread out of those that sleep at a gate, and takes away what the thread that it
    /// depends on has inherited from it; it is still to be queued. Steps: as
    /// [`change_by_wake`](Self::change_by_wake).
    fn end_sleep(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex, value: u32) {
        if self.core().is_lent() {
            // The lender may be the thread that is woken.
            self.charge(now);
        }
        let holder = self.gate(gate).holder;
        let state = &mut self.memory.gates[gate.at()];
        state.waiters.remove(self.memory.threads, thread);
        // A record exists exactly while a thread sleeps there, so the last one takes it away.
        let last = state.waiters.is_empty();
        if seeded!(KeptDependency, last && value != WOKEN, last) {
            self.take_record_home(holder, gate);
        }
        let state = self.thread_mut(thread);
        state.status = Status::Idle;
        state.promise(ResumeReason::Signal, value);
        self.record(now, Kind::Wake, thread, gate.0, u64::from(value));
        // Not before the record is off: it would still count.
        seeded!(KeptInheritance, (), self.derive_from(holder));
        seeded!(WokenLender, (), self.reconsider_borrower(now, holder));
    }

    /// Takes a record off a thread's home. Steps: the records there.
    fn take_record_home(&mut self, thread: ThreadIndex, gate: GateIndex) {
        let home = self.first_frame(thread);
        let under = self.gate(gate).word.under();
        let state = &mut self.memory.gates[gate.at()];
        state.holder = ThreadIndex::NONE;
        state.word.set(crate::MutexWord::NOBODY);
        if self.memory.frames[home].gate == gate {
            self.memory.frames[home].gate = under;
            return;
        }
        let mut above = self.memory.frames[home].gate;
        while self.gate(above).word.under() != gate {
            above = self.gate(above).word.under();
        }
        self.memory.gates[above.at()].word.put_over(under);
    }

    /// Ends a wait for this thread, which may have run on the waiting thread's budget. Steps:
    /// threads, each with the declared chain, where its own budget is used up.
    fn reconsider_borrower(&mut self, now: Time, thread: ThreadIndex) {
        let mut root = thread;
        for _ in 0..self.tables.chain {
            match self.thread(root).gate() {
                Some(gate) => root = self.gate(gate).holder,
                None => break,
            }
        }
        if !self.thread(root).is_exhausted() {
            return;
        }
        match self.thread(root).status {
            Status::Running => self.reconsider(now, root),
            // It was ready on the sleeper's time only.
            Status::Ready if !self.may_run(root) => {
                self.queue_of(root).remove(root);
                self.suspend(now, root);
            }
            _ => {}
        }
    }
}
