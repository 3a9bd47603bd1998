//! Passing a gate, or waiting before it.
//!
//! The caller's own thread enters the callee; there is no second thread and nothing to hand over but the processor's
//! place. If the gate is held, the caller waits *in its own frame*, before it has migrated, so that a waiter needs no
//! stack of the callee.

use crate::mutation::Mutation;
use crate::{Delivery, Error, Frame, GateIndex, GateKind, Kind, Outcome, Protocol, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Passes a gate. Constant time where the gate is free or propagated. Else twice the declared depth (the search
    /// for a deadlock, the boost), each boosted thread sorted anew among the waiters of one gate.
    ///
    /// Refused with [`Error::Idle`], [`Error::NoSuchObject`], [`Error::Depth`], [`Error::Dead`], [`Error::Reentry`],
    /// [`Error::Deadlock`] or [`Error::NoStack`].
    pub fn invoke(&mut self, now: Time, gate: GateIndex) -> Result<Outcome, Error> {
        let caller = self.caller()?;
        let config = self.tables.gates.get(gate.at()).ok_or(Error::NoSuchObject)?;
        if self.thread(caller).depth >= self.tables.depth {
            return Err(Error::Depth);
        }
        if self.memory.components[config.component.at()].is_dead() {
            return Err(Error::Dead);
        }
        if config.protocol.is_exclusive() && self.gate(gate).holder.is_some() {
            let root = self.end_of_chain(caller, gate)?;
            self.wait_at(now, gate);
            self.fund(now, root);
            return Ok(self.settle(now));
        }
        if self.gate(gate).free.is_none() {
            return Err(Error::NoStack);
        }
        self.enter(now, caller, gate);
        Ok(self.outcome(caller))
    }

    /// Puts a frame on the thread's stack and, where the gate is exclusive, makes it the holder. Constant time.
    pub(crate) fn enter(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) {
        let config = self.tables.gates[gate.at()];
        let component = self.memory.components[config.component.at()];
        let epoch = match config.kind {
            // Who held the lock of a component that is gone meanwhile passes it on; its taker is as stale as before.
            GateKind::Mutex => self.epoch_of(thread),
            // A dead component is entered only by hand-over, with a frame that is stale at once.
            GateKind::Interface if component.is_dead() => component.epoch.wrapping_add(1),
            GateKind::Interface => component.epoch,
        };
        let stack = self.memory.take_stack(gate);
        let state = &mut self.memory.threads[thread.at()];
        let top = thread.at() * self.tables.depth as usize + state.depth as usize;
        self.memory.frames[top] = Frame { gate, stack, epoch };
        state.depth += 1;
        state.delivery = Delivery::Enter(gate);
        if config.protocol != Protocol::Propagated {
            state.effective = state.effective.max(config.protocol.ceiling());
            self.memory.gates[gate.at()].holder = thread;
        }
        self.record(now, Kind::Enter, thread, gate.0, 0);
    }

    /// Follows gate, holder, the gate that the holder waits at, and so on, to the thread that must run before the
    /// gate comes free. Steps: declared depth.
    fn end_of_chain(&self, caller: ThreadIndex, gate: GateIndex) -> Result<ThreadIndex, Error> {
        let mut holder = self.gate(gate).holder;
        if holder == caller {
            return Err(Error::Reentry);
        }
        for _ in 0..self.tables.depth {
            if holder == caller {
                return Err(Error::Deadlock);
            }
            match self.thread(holder).gate() {
                None => return Ok(holder),
                Some(next) => holder = self.gate(next).holder,
            }
        }
        Err(Error::Depth)
    }

    fn wait_at(&mut self, now: Time, gate: GateIndex) {
        let caller = self.core().current;
        let holder = self.gate(gate).holder;
        self.stop_running(now);
        self.record(now, Kind::Block, caller, gate.0, u64::from(holder.0));
        let thread = self.thread_mut(caller);
        thread.status = Status::AtGate;
        thread.waits_at = gate.0;
        let priority = thread.effective;
        let by_priority = self.inherits(gate);
        let last_in_first_out = self.is_mutated(Mutation::LastInFirstOut);
        let waiters = &mut self.memory.gates[gate.at()].waiters;
        if last_in_first_out {
            waiters.push_front(self.memory.threads, caller);
        } else if by_priority {
            waiters.insert_by_priority(self.memory.threads, caller);
        } else {
            waiters.push_back(self.memory.threads, caller);
        }
        self.boost(now, gate, priority);
    }
}
