//! Faults, and frames whose component is gone.
//!
//! A fault ends one invocation: its frame is removed, its gate handed on, and the caller goes on
//! with an error. In the thread's own component it ends the job. The tables say what becomes of the
//! component: it goes on, it dies, or it is restarted. The last two move its epoch, and nothing
//! else happens immediately: a frame of an older epoch is found when its thread comes to run, and
//! is then removed by an event of its own. So a fault costs the same for any number of threads in
//! the component, and threads that wait at a dead component's gate get their error one by one, in
//! order.
//!
//! A restart's copying has no bound that suits everyone, so it is no part of the fault either. The
//! component is marked, and the thread that comes to run in it next has its initial data put back
//! first: at its own priority, in its own time, and interrupted like its own code. No other thread
//! waits for it, and no thread runs in a component that is half restored.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    Component, ComponentIndex, Error, Failure, GateKind, Kind, Next, OnFault, Outcome,
    ResumeReason, Sink, ThreadIndex, Time, Word,
};

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// The running thread faulted. Steps: declared depth.
    ///
    /// Refused with [`Error::Idle`].
    pub fn fault(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_fault(now);
        self.finish(now, done)
    }

    pub(crate) fn change_by_fault(&mut self, now: Time) -> Result<Next, Error> {
        let thread = self.caller()?;
        let component = self.component_of(thread);
        // Recorded first: the number of frames that are left is counted while all are there.
        self.record_unwinding(now, Kind::Fault, thread, component);
        // A frame of an older epoch faults in what is another component by now: that one has done
        // nothing.
        if !self.is_stale(thread) {
            self.end_component(now, component);
        }
        // After the epoch has moved: whoever gets a gate now must enter the component of the new
        // epoch.
        self.unwind(now, thread, Failure::Fault);
        Ok(Next::Open)
    }

    /// Removes the running thread's topmost frame, or ends its job, because the component is gone:
    /// what happens on [`Delivery::Abort`](crate::Delivery::Abort) instead of the thread's next
    /// instruction. Interrupts may come first: each such frame is an event of its own. Steps:
    /// declared depth.
    ///
    /// Refused with [`Error::Idle`] or [`Error::NotStale`].
    pub fn abort(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_abort(now);
        self.finish(now, done)
    }

    pub(crate) fn change_by_abort(&mut self, now: Time) -> Result<Next, Error> {
        let thread = self.caller()?;
        if !self.is_stale(thread) {
            return Err(Error::NotStale);
        }
        let component = self.component_of(thread);
        self.record_unwinding(now, Kind::Abort, thread, component);
        self.unwind(now, thread, Failure::Aborted);
        Ok(Next::Open)
    }

    /// The initial data of the component that the running thread is in have been put back, as
    /// [`Delivery::Restore`](crate::Delivery::Restore) has asked. Constant time.
    ///
    /// Refused with [`Error::Idle`], or with [`Error::NotStale`] where nothing was to be put back.
    pub fn restored(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_restored();
        self.finish(now, done)
    }

    pub(crate) fn change_by_restored(&mut self) -> Result<Next, Error> {
        let thread = self.caller()?;
        if !self.is_unrestored(thread) {
            return Err(Error::NotStale);
        }
        let component = self.component_of(thread);
        seeded!(NeverRestored, (), self.memory.components[component.at()].open());
        // The same thread goes on, with what it was promised before: `tell` has kept that for it.
        Ok(Next::Other)
    }

    /// The running thread fails as it did when it held a mutex that other cores wait for, which it
    /// has given away, and whose account is settled: its invocation ends. Steps: declared depth.
    pub(crate) fn fail_unlocked(&mut self, now: Time, thread: ThreadIndex, failure: Failure) {
        let component = self.component_of(thread);
        let kind = if failure == Failure::Fault { Kind::Fault } else { Kind::Abort };
        self.record_unwinding(now, kind, thread, component);
        self.unwind(now, thread, failure);
        // A waiter that got a gate may have the core by now. Then there is no limit of this thread.
        if self.core().current != thread {
            return;
        }
        if self.thread(thread).is_exhausted() {
            self.choose_another(now, thread);
        } else {
            self.set_limit();
        }
    }

    fn record_unwinding(
        &mut self,
        now: Time,
        kind: Kind,
        thread: ThreadIndex,
        component: ComponentIndex,
    ) {
        // At home the job ends, and no frame is left either.
        let left = u64::from(self.thread(thread).depth().saturating_sub(1));
        self.record(now, kind, thread, component.0, left);
    }

    fn unwind(&mut self, now: Time, thread: ThreadIndex, failure: Failure) {
        // Records first: while one stands on the frame, that names the mutex and not its own gate.
        if P::Word::ADOPTS {
            self.let_go(now, thread);
        }
        // Mutexes locked inside of the invocation that ends, the last first. A thread that waits
        // for one of them enters, and finds the component as the description says.
        while let Some(frame) = self.frames(thread).last()
            && seeded!(
                MutexSurvives,
                false,
                self.tables.gates[frame.gate.at()].kind == GateKind::Mutex
            )
        {
            self.leave(now, thread, ResumeReason::Nothing, 0);
        }
        if !self.thread(thread).is_home() {
            self.leave(now, thread, ResumeReason::Failed, failure as u32);
        } else {
            self.end_job(now, thread);
        }
    }

    /// Ends a component as its description says, after a fault in it.
    #[inline(always)]
    pub(crate) fn end_component(&mut self, now: Time, component: ComponentIndex) {
        self.punish(component);
        // The lists of who sleeps were in the data that are gone, so no thread would ever be woken.
        let gone = self.tables.components[component.at()].on_fault != OnFault::Continue;
        if P::Word::DEPENDS && gone {
            seeded!(ForgottenSleepers, (), self.wake_all(now, component));
        }
    }

    /// Does to the component what its description says.
    fn punish(&mut self, component: ComponentIndex) {
        let state = &mut self.memory.components[component.at()];
        match self.tables.components[component.at()].on_fault {
            OnFault::Continue => {}
            OnFault::Dead => seeded!(LivingDead, (), state.epoch = Component::DEAD),
            OnFault::Restart => seeded!(Unpunished, (), state.restart()),
        }
        // Words are part of the data that are put back. No thread enters a dead component, so its
        // words need no reset.
        if P::Word::ADOPTS && self.memory.components[component.at()].is_unrestored() {
            self.reset_words(component);
        }
    }
}
