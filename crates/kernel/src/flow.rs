//! The flow from an event to the thread that goes on.
//!
//! Every event takes this flow, on a machine as on the host: first the fast paths, in their order;
//! else the slow one, of which the [listener](Listener) is told; then the next thread is chosen. A
//! machine keeps registers between these steps, so it takes them one by one. Only they give a
//! [`NextChosen`], and without one no thread goes on. [`Flow::take`] is all of them for callers
//! that have no registers to keep.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    ContextSwitch, Error, Event, GateIndex, GateReturn, Kernel, Next, NotificationIndex, Outcome,
    Passage, ResumeError, ResumeReason, Sink, ThreadIndex, Time,
};

/// A listener that is told of events before any thread goes on. It is not told of fast paths: they
/// change nothing that a listener needs to know, but for returns of which it wants to hear.
pub trait Listener<P: Policy, S> {
    /// `true` if there is a listener at all.
    const LISTENS: bool;

    /// Hears that an event has changed something; what comes next then.
    fn hear(&mut self, kernel: &mut Kernel<'_, P, S>, now: Time, next: Next) -> Next;

    /// Returns `true` if it has to hear of the next return from a gate: then that takes no fast
    /// path.
    #[inline(always)]
    fn awaits_return(&self) -> bool {
        false
    }

    /// Returns `true` if the listener has been told of everything.
    fn is_told(&self, kernel: &Kernel<'_, P, S>, now: Time) -> bool;
}

/// The absence of a listener.
impl<P: Policy, S> Listener<P, S> for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn hear(&mut self, _: &mut Kernel<'_, P, S>, _: Time, next: Next) -> Next {
        next
    }

    fn is_told(&self, _: &Kernel<'_, P, S>, _: Time) -> bool {
        true
    }
}

/// Proof that an event has changed something: no thread goes on before the next one is
/// [chosen](Flow::reschedule).
#[derive(Debug)]
#[must_use = "no thread goes on before the next one is chosen"]
pub struct Changed(Next);

/// Proof that the listener has been told of an event.
#[derive(Debug)]
#[must_use = "no thread goes on before the next one is chosen"]
pub struct Heard(Next);

impl Heard {
    /// Returns what is known of the thread that goes on.
    #[inline(always)]
    pub fn next(&self) -> Next {
        self.0
    }
}

/// Proof that the listener has been told and that the next thread is chosen.
#[derive(Debug)]
#[must_use = "somebody goes on"]
pub struct NextChosen(());

impl NextChosen {
    pub(crate) const DONE: Self = NextChosen(());
}

/// A kernel and its listener, for as long as an event takes.
#[derive(Debug)]
pub struct Flow<'f, 'm, P: Policy, S, L> {
    kernel: &'f mut Kernel<'m, P, S>,
    listener: &'f mut L,
}

impl<'f, 'm, P: Policy, S: Sink, L: Listener<P, S>> Flow<'f, 'm, P, S, L> {
    /// Both, when an event comes.
    #[inline(always)]
    pub fn over(kernel: &'f mut Kernel<'m, P, S>, listener: &'f mut L) -> Self {
        Flow { kernel, listener }
    }

    /// Takes an event, by the steps that a machine takes one by one. A defect in a fast path is
    /// found by asking [`is_told`](Self::is_told) after it.
    ///
    /// # Errors
    /// Those of [`Kernel::handle`].
    pub fn take(&mut self, now: Time, event: Event) -> Result<NextChosen, Error> {
        let changed = match event {
            Event::Invoke(slot) => match self.invoke_fast(now, slot) {
                Ok(passage) => return Ok(self.resume_with(passage.thread, ResumeReason::Enter, 0)),
                Err(None) => return Err(self.kernel.refusal(slot)),
                // The common case before the general one, in the order in which a machine tries
                // them.
                Err(Some(gate)) => match self.block_fast(now, gate) {
                    Some(switch) => return Ok(self.switched(&switch)),
                    None => {
                        let changed = self.invoke_slow(now, gate)?;
                        seeded!(UntoldWait, return Ok(NextChosen::DONE), changed)
                    }
                },
            },
            Event::Return => match self.return_fast(now) {
                Ok(back) => return Ok(self.resume_with(back.thread, ResumeReason::Return, 0)),
                Err(Some(error)) => return Err(error),
                Err(None) => match self.hand_on_fast(now) {
                    Some(passage) => {
                        return Ok(self.resume_with(passage.thread, ResumeReason::Enter, 0));
                    }
                    None => self.return_slow(now)?,
                },
            },
            Event::Signal(slot) => match self.signal_fast(now, slot) {
                Ok((switch, bits)) => {
                    return Ok(self.resume_with(switch.thread, ResumeReason::Signal, bits));
                }
                Err(Some((notification, bits))) => self.signal_slow(now, notification, bits)?,
                Err(None) => {
                    // Whose error comes first is settled there: an idle core has no slots.
                    self.kernel.capability(slot)?;
                    return Err(Error::NoCapability);
                }
            },
            Event::Interrupt(line) => match self.interrupt_fast(now, line) {
                Some((switch, bits)) => {
                    return Ok(self.resume_with(switch.thread, ResumeReason::Signal, bits));
                }
                None => self.interrupt_slow(now, line)?,
            },
            // The others have no fast path.
            _ => self.change(now, event)?,
        };
        Ok(self.reschedule(now, changed))
    }

    /// Returns `true` if the listener has been told of everything, as it must be whenever a thread
    /// goes on.
    pub fn is_told(&self, now: Time) -> bool {
        self.listener.is_told(self.kernel, now)
    }

    /// Takes the reason for which the running thread resumes; a second call finds none.
    ///
    /// # Errors
    /// The thread cannot go on.
    #[inline(always)]
    pub fn tell(&mut self, thread: ThreadIndex) -> Result<ResumeReason, ResumeError> {
        self.kernel.tell(thread)
    }

    /// The first step of an invocation: [`Kernel::invoke_fast`].
    ///
    /// # Errors
    /// As that: there is a second step, or the slot holds no gate.
    #[inline(always)]
    pub fn invoke_fast(&mut self, now: Time, slot: u16) -> Result<Passage, Option<GateIndex>> {
        self.kernel.invoke_fast(now, slot)
    }

    /// The second: [`Kernel::block_fast`]. None: there is a third.
    #[inline(always)]
    pub fn block_fast(&mut self, now: Time, gate: GateIndex) -> Option<ContextSwitch> {
        self.kernel.block_fast(now, gate)
    }

    /// The last: [`Kernel::invoke_slow`].
    ///
    /// # Errors
    /// As that.
    #[inline(always)]
    pub fn invoke_slow(&mut self, now: Time, gate: GateIndex) -> Result<Changed, Error> {
        self.kernel.invoke_slow(now, gate)?;
        // The kernel has chosen by itself: the walk to the holder has found the thread that runs.
        Ok(Changed(Next::Other))
    }

    /// The first step of a return: [`Kernel::return_fast`].
    ///
    /// # Errors
    /// As that: it is refused, or there is a second step.
    #[inline(always)]
    pub fn return_fast(&mut self, now: Time) -> Result<GateReturn, Option<Error>> {
        // A section that must not be interrupted may end here. Its listener hears of that before
        // any thread goes on, so no fast path is taken.
        if L::LISTENS && self.has_to_tell() {
            return Err(None);
        }
        self.kernel.return_fast(now)
    }

    /// The second: [`Kernel::hand_on_fast`]. None: there is a third.
    #[inline(always)]
    pub fn hand_on_fast(&mut self, now: Time) -> Option<Passage> {
        if L::LISTENS && self.has_to_tell() {
            return None;
        }
        self.kernel.hand_on_fast(now)
    }

    /// Returns `true` if the running thread is in a gate and the listener waits for its return.
    #[inline(always)]
    fn has_to_tell(&self) -> bool {
        let running = self.kernel.memory.threads.get(self.kernel.current().at());
        let awaits = seeded!(UntoldReturn, false, self.listener.awaits_return());
        // At home the return is refused, and the fast path says why.
        awaits && running.is_some_and(|running| !running.is_home())
    }

    /// The last: [`Kernel::return_slow`].
    ///
    /// # Errors
    /// As that.
    #[inline(always)]
    pub fn return_slow(&mut self, now: Time) -> Result<Changed, Error> {
        self.kernel.return_slow(now)?;
        Ok(Changed(Next::Open))
    }

    /// The first step of a signal: [`Kernel::signal_fast`].
    ///
    /// # Errors
    /// As that: there is a second step, or the slot holds no signal.
    #[inline(always)]
    pub fn signal_fast(
        &mut self,
        now: Time,
        slot: u16,
    ) -> Result<(ContextSwitch, u32), Option<(NotificationIndex, u32)>> {
        self.kernel.signal_fast(now, slot)
    }

    /// The last: [`Kernel::signal_slow`].
    ///
    /// # Errors
    /// As that.
    #[inline(always)]
    pub fn signal_slow(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Result<Changed, Error> {
        self.kernel.signal_slow(now, notification, bits).map(Changed)
    }

    /// The first step of an interrupt: [`Kernel::interrupt_fast`]. None: there is a second.
    #[inline(always)]
    pub fn interrupt_fast(&mut self, now: Time, line: u16) -> Option<(ContextSwitch, u32)> {
        self.kernel.interrupt_fast(now, line)
    }

    /// The last: [`Kernel::interrupt_slow`].
    ///
    /// # Errors
    /// As that.
    #[inline(always)]
    pub fn interrupt_slow(&mut self, now: Time, line: u16) -> Result<Changed, Error> {
        self.kernel.interrupt_slow(now, line).map(Changed)
    }

    /// The only step of the timer.
    #[inline(always)]
    pub fn timer(&mut self, now: Time) -> Changed {
        Changed(self.kernel.change_by_timer(now))
    }

    /// The only step of any other event. Those that have short ways come here as well from where
    /// nothing is gained by these.
    ///
    /// # Errors
    /// As of [`Kernel::change`].
    #[inline(always)]
    pub fn change(&mut self, now: Time, event: Event) -> Result<Changed, Error> {
        self.kernel.change(now, event).map(Changed)
    }

    /// Nothing but time has passed.
    #[inline(always)]
    pub fn pass_time(&mut self) -> Changed {
        Changed(Next::Other)
    }

    /// A thread that waits for a signal waits no more: it finds none.
    pub fn end_wait(&mut self, now: Time, thread: ThreadIndex) -> Changed {
        Changed(self.kernel.change_by_end_of_wait(now, thread))
    }

    /// Ends a fast path: the running thread resumes for this reason.
    #[inline(always)]
    pub fn resume_with(
        &mut self,
        thread: ThreadIndex,
        reason: ResumeReason,
        value: u32,
    ) -> NextChosen {
        seeded!(Unpromised, (), self.kernel.promise(thread, reason, value));
        NextChosen::DONE
    }

    /// Ends a fast path with a switch to another thread, whose reason to resume is still to be
    /// read.
    #[inline(always)]
    pub fn switched(&mut self, _: &ContextSwitch) -> NextChosen {
        NextChosen::DONE
    }

    /// A scheduler's call has ended, which leaves nothing to tell.
    #[inline(always)]
    pub fn decided(&mut self) -> NextChosen {
        NextChosen::DONE
    }

    /// Returns `true` if an event needs no reschedule: the same thread goes on, and there is no
    /// listener.
    #[inline(always)]
    pub fn is_over(&self, changed: &Changed) -> bool {
        // A listener wants to hear of the time that has passed, also where no thread changes.
        !L::LISTENS && changed.0 == Next::Same
    }

    /// Ends every event that took no fast path: the listener is told, and the most urgent thread
    /// runs.
    #[inline(always)]
    pub fn reschedule(&mut self, now: Time, changed: Changed) -> NextChosen {
        let heard = self.hear(now, changed);
        self.reschedule_heard(now, heard)
    }

    /// Does the first half of [`reschedule`](Self::reschedule): the listener is told.
    #[inline(always)]
    pub fn hear(&mut self, now: Time, changed: Changed) -> Heard {
        Heard(self.listener.hear(self.kernel, now, changed.0))
    }

    /// The second half of [`reschedule`](Self::reschedule): the highest runs.
    #[inline(always)]
    pub fn reschedule_heard(&mut self, now: Time, heard: Heard) -> NextChosen {
        // In all other cases the operation, or the listener, has chosen already.
        if heard.0 == Next::Open {
            seeded!(Unsettled, (), self.kernel.reschedule(now));
        }
        NextChosen::DONE
    }
}

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// Handles an event, as [`Flow::take`] without a listener; then [`outcome`](Self::outcome).
    ///
    /// # Errors
    /// Those of the operation.
    pub fn handle(&mut self, now: Time, event: Event) -> Result<Outcome, Error> {
        let _ = Flow::over(self, &mut ()).take(now, event)?;
        Ok(self.outcome())
    }
}
