//! Passing a gate, or waiting before it.
//!
//! The caller's own thread enters the callee; there is no second thread and nothing to hand over but the processor's
//! place. If the gate is held, the caller waits *in its own frame*, before it has migrated, so that a waiter needs no
//! stack of the callee.

use crate::mutation::Mutation;
use crate::{
    Capability, Delivery, Error, Frame, GateIndex, GateKind, Kind, Outcome, Passage, Sink, Status, ThreadIndex, Time,
};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Passes a gate. Constant time where the gate is free or propagated. Else twice the declared depth (the search
    /// for a deadlock, the boost), each boosted thread sorted anew among the waiters of one gate.
    ///
    /// Refused with [`Error::Idle`], [`Error::NoSuchObject`], [`Error::Depth`], [`Error::Dead`], [`Error::Reentry`],
    /// [`Error::Deadlock`] or [`Error::NoStack`].
    pub fn invoke(&mut self, now: Time, gate: GateIndex) -> Result<Outcome, Error> {
        let caller = self.caller()?;
        let kind = self.memory.gates.get(gate.at()).map_or(GateKind::Interface, |state| state.kind);
        match self.pass(now, caller, gate, kind) {
            Some(_) => Ok(self.goes_on(caller, Delivery::Enter(gate))),
            None => self.refuse_or_block(now, caller, gate),
        }
    }

    /// What [`invoke`](Self::invoke) of the gate in a slot does where the caller enters at once, for machines that have
    /// a shorter way then: the same thread goes on, and the timer stays as it is set. None: nothing has changed, and
    /// [`handle`](Self::handle) says why.
    #[inline(always)]
    pub fn invoke_at_once(&mut self, now: Time, slot: u16) -> Option<Passage> {
        let caller = self.core().current;
        let thread = self.memory.threads.get(caller.at())?;
        let component = self.memory.frames[thread.first_frame as usize + thread.depth as usize].component;
        match self.tables.components.get(component.at())?.capabilities.get(slot as usize)? {
            Capability::Gate(gate) => self.pass(now, caller, *gate, GateKind::Interface),
            _ => None,
        }
    }

    /// Enters, if nothing stands against it and nobody is in the way. Constant time.
    #[inline(always)]
    fn pass(&mut self, now: Time, caller: ThreadIndex, gate: GateIndex, kind: GateKind) -> Option<Passage> {
        let thread = self.memory.threads.get_mut(caller.at())?;
        let state = self.memory.gates.get_mut(gate.at())?;
        let component = self.memory.components[state.component.at()];
        // Nobody holds a gate that is not exclusive.
        if thread.depth >= self.tables.depth || component.is_dead() || state.holder.is_some() {
            return None;
        }
        let (top, floor, stack) = (thread.first_frame as usize + thread.depth as usize, thread.effective, state.free);
        if state.exclusive {
            state.holder = caller;
            thread.effective = floor.max(state.ceiling);
        } else {
            state.free = *self.memory.stacks.get(stack.at())?;
        }
        thread.depth += 1;
        let epoch = match kind {
            GateKind::Mutex => self.memory.frames[top].epoch,
            GateKind::Interface => component.epoch,
        };
        self.memory.frames[top + 1] = Frame { gate, stack, component: state.component, floor, epoch };
        self.record(now, Kind::Enter, caller, gate.0, 0);
        Some(Passage { thread: caller, gate, stack })
    }

    /// The caller does not enter at once. Steps: those of [`invoke`](Self::invoke).
    #[cold]
    fn refuse_or_block(&mut self, now: Time, caller: ThreadIndex, gate: GateIndex) -> Result<Outcome, Error> {
        let state = *self.memory.gates.get(gate.at()).ok_or(Error::NoSuchObject)?;
        if self.thread(caller).depth >= self.tables.depth {
            return Err(Error::Depth);
        }
        if self.memory.components[state.component.at()].is_dead() {
            return Err(Error::Dead);
        }
        if state.holder.is_none() {
            return Err(Error::NoStack);
        }
        let root = self.end_of_chain(caller, gate)?;
        self.wait_at(now, gate);
        self.fund(now, root);
        Ok(self.settle(now))
    }

    /// A gate, free by now, is handed on to a thread that waits at it. Constant time.
    pub(crate) fn enter_by_hand_over(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) {
        let top = self.first_frame(thread) + self.thread(thread).depth as usize;
        let below = self.memory.frames[top].epoch;
        let state = &mut self.memory.gates[gate.at()];
        let component = self.memory.components[state.component.at()];
        let epoch = match state.kind {
            // Who held the lock of a component that is gone meanwhile passes it on; its taker is as stale as before.
            GateKind::Mutex => below,
            // A dead component is entered only so, with a frame that is stale at once.
            GateKind::Interface if component.is_dead() => component.epoch.wrapping_add(1),
            GateKind::Interface => component.epoch,
        };
        state.holder = thread;
        let waiter = &mut self.memory.threads[thread.at()];
        let floor = waiter.effective;
        self.memory.frames[top + 1] = Frame { gate, stack: state.free, component: state.component, floor, epoch };
        waiter.depth += 1;
        waiter.effective = floor.max(state.ceiling);
        waiter.delivery = Delivery::Enter(gate);
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
