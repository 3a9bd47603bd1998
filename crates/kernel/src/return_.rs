//! Coming back from a gate and handing it on.
//!
//! Ownership goes to the first waiter in the same step: there is no window in which a third thread could take the
//! gate. The returning thread's priority is derived from what it still holds.

use crate::mutation::Mutation;
use crate::{Delivery, Error, Frame, GateIndex, GateKind, Kind, Outcome, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Comes back from the gate passed last. Constant time for propagated gates, else the declared depth.
    ///
    /// Refused with [`Error::Idle`], [`Error::NotInGate`] or [`Error::Locked`].
    pub fn return_(&mut self, now: Time) -> Result<Outcome, Error> {
        let thread = self.caller()?;
        let Some(&frame) = self.frames(thread).last() else {
            return Err(Error::NotInGate);
        };
        if self.tables.gates[frame.gate.at()].kind == GateKind::Mutex {
            return Err(Error::Locked);
        }
        Ok(self.come_back(now, thread, frame))
    }

    /// Unlocks the mutex that the caller has locked last. Steps: the declared depth.
    ///
    /// Refused with [`Error::Idle`] or [`Error::NotLocked`].
    pub fn unlock(&mut self, now: Time, mutex: GateIndex) -> Result<Outcome, Error> {
        let thread = self.caller()?;
        match self.frames(thread).last() {
            Some(&frame) if frame.gate == mutex && self.tables.gates[mutex.at()].kind == GateKind::Mutex => {
                Ok(self.come_back(now, thread, frame))
            }
            _ => Err(Error::NotLocked),
        }
    }

    fn come_back(&mut self, now: Time, thread: ThreadIndex, frame: Frame) -> Outcome {
        self.record(now, Kind::Return, thread, frame.gate.0, 0);
        self.leave(now, thread, Delivery::Return);
        self.settle(now)
    }

    /// Removes the topmost frame of the running thread, which has one. Steps: its frames.
    pub(crate) fn leave(&mut self, now: Time, thread: ThreadIndex, delivery: Delivery) {
        let depth = self.tables.depth as usize;
        let state = &mut self.memory.threads[thread.at()];
        state.depth -= 1;
        state.delivery = delivery;
        let frame = self.memory.frames[thread.at() * depth + state.depth as usize];
        self.memory.give_stack(frame.gate, frame.stack);
        if !self.tables.gates[frame.gate.at()].protocol.is_exclusive() {
            return;
        }
        if self.core().payer != thread {
            // The lender may get the gate now; what it has lent is gone.
            self.charge(now);
        }
        let leaks = matches!(delivery, Delivery::Failed(_)) && self.is_mutated(Mutation::LeakedGate);
        if !leaks {
            self.hand_on(now, thread, frame.gate);
        }
        let saved = self.is_mutated(Mutation::SavedPriority);
        let effective = if saved { self.thread(thread).base } else { self.derive(thread) };
        self.thread_mut(thread).effective = effective;
        if self.thread(thread).is_exhausted() {
            self.reconsider(now, thread);
        }
    }

    /// Gives the gate to its first waiter, or to nobody. Constant time.
    fn hand_on(&mut self, now: Time, from: ThreadIndex, gate: GateIndex) {
        let state = &mut self.memory.gates[gate.at()];
        let next = state.waiters.head();
        state.holder = ThreadIndex::NONE;
        if next.is_none() || self.is_mutated(Mutation::LostHandOff) {
            return;
        }
        self.memory.gates[gate.at()].waiters.remove(self.memory.threads, next);
        self.thread_mut(next).status = Status::Idle;
        self.record(now, Kind::HandOver, next, gate.0, u64::from(from.0));
        self.enter(now, next, gate);
        self.make_ready(now, next);
    }
}
