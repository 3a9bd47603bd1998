//! Coming back from a gate and handing it on.
//!
//! Ownership goes to the first waiter in the same step: there is no window in which a third thread could take the
//! gate. The returning thread's priority is what its other gates and their waiters demand, which its frame knows.

use crate::kernel::HERE;
use crate::mutation::Mutation;
use crate::{Delivery, Error, Frame, GateIndex, GateKind, Kind, Outcome, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Comes back from the gate passed last. Constant time, unless somebody lends.
    ///
    /// Refused with [`Error::Idle`], [`Error::NotInGate`] or [`Error::Locked`].
    pub fn return_(&mut self, now: Time) -> Result<Outcome, Error> {
        match self.return_at_once(now) {
            Some(thread) => Ok(self.goes_on(thread, Delivery::Return)),
            None => self.refuse_or_settle(now),
        }
    }

    /// What [`return_`](Self::return_) does where nothing but the frame changes, for machines that have a shorter way
    /// then: the same thread goes on, and the timer stays as it is set. None: nothing has changed, and `return_` says
    /// why.
    #[inline(always)]
    pub fn return_at_once(&mut self, now: Time) -> Option<ThreadIndex> {
        let saved_priority = self.is_mutated(Mutation::SavedPriority);
        let core = &self.memory.cores[HERE];
        let (current, payer, ready) = (core.current, core.payer, &core.ready);
        let thread = self.memory.threads.get_mut(current.at())?;
        let below = thread.depth.checked_sub(1)?;
        let top = thread.first_frame as usize + thread.depth as usize;
        let (home, frame) = (self.memory.frames[top - 1], self.memory.frames[top]);
        let component = self.memory.components[home.component.at()];
        let gate = &mut self.memory.gates[frame.gate.at()];
        if component.epoch != home.epoch || gate.kind == GateKind::Mutex {
            return None;
        }
        if gate.exclusive {
            let changes_more = payer != current
                || ready.beats(frame.floor)
                || !gate.waiters.is_empty()
                || thread.is_exhausted()
                || saved_priority;
            if changes_more {
                return None;
            }
            gate.holder = ThreadIndex::NONE;
            thread.effective = frame.floor;
        } else {
            self.memory.stacks[frame.stack.at()] = gate.free;
            gate.free = frame.stack;
        }
        thread.depth = below;
        self.record(now, Kind::Return, current, frame.gate.0, 0);
        Some(current)
    }

    #[cold]
    fn refuse_or_settle(&mut self, now: Time) -> Result<Outcome, Error> {
        let thread = self.caller()?;
        if self.thread(thread).depth == 0 {
            return Err(Error::NotInGate);
        }
        let gate = self.top(thread).gate;
        if self.gate(gate).kind == GateKind::Mutex {
            return Err(Error::Locked);
        }
        Ok(self.finish_return(now, thread, gate))
    }

    /// Unlocks the mutex that the caller has locked last. Constant time, unless somebody lends.
    ///
    /// Refused with [`Error::Idle`] or [`Error::NotLocked`].
    pub fn unlock(&mut self, now: Time, mutex: GateIndex) -> Result<Outcome, Error> {
        let thread = self.caller()?;
        if self.thread(thread).depth == 0 || self.top(thread).gate != mutex || self.gate(mutex).kind != GateKind::Mutex
        {
            return Err(Error::NotLocked);
        }
        Ok(self.finish_return(now, thread, mutex))
    }

    fn finish_return(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) -> Outcome {
        self.record(now, Kind::Return, thread, gate.0, 0);
        let next = self.take_off(now, thread, Delivery::Return);
        if next.is_some() {
            self.run_or_queue(now, next);
        }
        self.settle(now)
    }

    /// Removes the topmost frame of the running thread, which has one; who gets the gate queues. Constant time, unless
    /// somebody lends.
    pub(crate) fn leave(&mut self, now: Time, thread: ThreadIndex, delivery: Delivery) {
        let next = self.take_off(now, thread, delivery);
        if next.is_some() {
            self.make_ready(now, next);
        }
    }

    /// Removes the topmost frame; answers who has the gate now and is still to be queued.
    fn take_off(&mut self, now: Time, thread: ThreadIndex, delivery: Delivery) -> ThreadIndex {
        let frame = *self.top(thread);
        let state = self.thread_mut(thread);
        state.depth -= 1;
        state.delivery = delivery;
        if self.gate(frame.gate).exclusive {
            self.leave_gate(now, thread, frame, delivery)
        } else {
            self.memory.give_stack(frame.gate, frame.stack);
            ThreadIndex::NONE
        }
    }

    /// Hands an exclusive gate on and lowers the priority of who had it.
    fn leave_gate(&mut self, now: Time, thread: ThreadIndex, frame: Frame, delivery: Delivery) -> ThreadIndex {
        if self.core().payer != thread {
            // The lender may get the gate now; what it has lent is gone.
            self.charge(now);
        }
        let saved = self.is_mutated(Mutation::SavedPriority);
        self.thread_mut(thread).effective = if saved { self.thread(thread).base } else { frame.floor };
        let leaks = matches!(delivery, Delivery::Failed(_)) && self.is_mutated(Mutation::LeakedGate);
        let next = if leaks { ThreadIndex::NONE } else { self.hand_on(now, thread, frame.gate) };
        if self.thread(thread).is_exhausted() {
            self.reconsider(now, thread);
        }
        next
    }

    /// Gives the gate to its first waiter, or to nobody. Constant time.
    fn hand_on(&mut self, now: Time, from: ThreadIndex, gate: GateIndex) -> ThreadIndex {
        let state = &mut self.memory.gates[gate.at()];
        let next = state.waiters.head();
        state.holder = ThreadIndex::NONE;
        if next.is_none() || self.is_mutated(Mutation::LostHandOff) {
            return ThreadIndex::NONE;
        }
        self.memory.gates[gate.at()].waiters.remove(self.memory.threads, next);
        self.thread_mut(next).status = Status::Idle;
        self.record(now, Kind::HandOver, next, gate.0, u64::from(from.0));
        self.enter_by_hand_over(now, next, gate);
        next
    }
}
