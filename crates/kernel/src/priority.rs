//! Effective priorities: derived, never saved and restored.
//!
//! A thread's effective priority is max(base, ceilings of the gates it holds, effective priorities
//! of the threads that wait at them). Waiters queue by effective priority, so the first one speaks
//! for its gate. Each frame has a floor, the priority that its thread has without it, so that a
//! return need not ask the gates that are still held. When a waiter's priority changes, the change
//! walks from gate to holder to the gate that the holder waits at; on the way the floors above the
//! gate are raised and the thread is sorted anew where it queues.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    Error, Frame, GateIndex, Kind, NotificationIndex, Outcome, Sink, Status, ThreadIndex, Time,
    Word,
};

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Gives a thread another base priority, whatever it does at the moment. Steps: declared chain,
    /// each with the declared depth, and the waiters of the gates on its way.
    pub fn reprioritise(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        priority: P::Urgency,
    ) -> Result<Outcome, Error> {
        if thread.at() >= self.tables.threads.len() {
            return Err(Error::NoSuchObject);
        }
        if !P::admits(&self.tables, priority) {
            return Err(Error::Priority);
        }
        // Only the base. What others demand of the thread stays, and is derived from them anew.
        self.thread_mut(thread).base = priority;
        self.derive_from(thread);
        let current = self.core().current;
        if current.is_some() && self.thread(current).is_exhausted() {
            // Another thread may now be the highest of those that could lend.
            seeded!(StaleLender, (), self.reconsider(now, current));
        }
        self.reschedule(now);
        Ok(self.outcome())
    }

    /// Derives a thread's effective priority anew after a change of what it depends on, and that of
    /// the threads that it waits for. Steps: declared chain, each with the declared depth, and the
    /// waiters of the gates on its way.
    pub(crate) fn derive_from(&mut self, thread: ThreadIndex) {
        let mut changed = thread;
        // One more than the chain: the thread itself, and each holder that it waits for.
        for _ in 0..=self.tables.chain {
            let effective = self.derive(changed);
            // Those behind it depend on it by its urgency alone, so nothing changes for them
            // either.
            if effective == self.thread(changed).effective {
                break;
            }
            self.change_effective(changed, effective);
            match self.thread(changed).gate() {
                // A `fifo` gate hands no urgency on, so the walk ends there.
                Some(gate) if self.inherits(gate) => changed = self.gate(gate).holder,
                _ => break,
            }
        }
    }

    /// The effective priority that the thread must have; sets its frames' floors. Steps: its
    /// frames.
    fn derive(&mut self, thread: ThreadIndex) -> P::Urgency {
        let first = self.first_frame(thread) + 1;
        let mut priority = self.thread(thread).base;
        // A record can stand on the frame of the home, which is in no gate. Without words none can.
        if P::Word::ADOPTS {
            priority = priority.max(self.demand_of(&self.memory.frames[first - 1]));
        }
        // Outermost first: each floor is what all frames below it demand.
        for index in first..self.thread(thread).top() + 1 {
            self.memory.frames[index].floor = priority;
            priority = priority.max(self.demand_of(&self.memory.frames[index]));
        }
        priority
    }

    /// Returns the urgency that a frame's gate and mutexes give to its thread. Constant time, but
    /// for the records of mutexes.
    #[inline]
    pub(crate) fn demand_of(&self, frame: &Frame<P>) -> P::Urgency {
        if !P::Word::ADOPTS {
            return self.pressure(frame, frame.gate);
        }
        self.gates_of(frame).map(|gate| self.pressure(frame, gate)).max().unwrap_or(P::LEAST)
    }

    /// Returns the urgency that a gate gives to the thread with this frame of it. Constant time.
    #[inline]
    fn pressure(&self, frame: &Frame<P>, gate: GateIndex) -> P::Urgency {
        let gate = self.gate(gate);
        let own = P::claimed(frame.claim, gate.ceiling);
        // Waiters of an inheriting gate stand by urgency, so the first speaks for all of them.
        let first = gate.waiters.head();
        if gate.inherits && first.is_some() { own.max(self.thread(first).effective) } else { own }
    }

    #[inline]
    pub(crate) fn inherits(&self, gate: GateIndex) -> bool {
        self.memory.gates[gate.at()].inherits
    }

    /// Raises the holder of a gate that inherits to the priority of its first waiter, and the
    /// threads that the holder waits for. Returns `true` if the last of them runs now, so that the
    /// choice is made. Steps: declared chain, each with the frames above a gate, and the waiters of
    /// one gate or notification.
    #[inline(always)]
    pub(crate) fn boost(&mut self, now: Time, gate: GateIndex, priority: P::Urgency) -> bool {
        let mut gate = gate;
        for _ in 0..self.tables.chain {
            let holder = self.gate(gate).holder;
            // Also where the holder is urgent enough by a gate above this one. When it leaves that,
            // its floor must not be below what this gate demands.
            self.raise_floors(holder, gate, priority);
            let state = self.thread(holder);
            if state.effective >= priority {
                return false;
            }
            let Some(next) = state.gate() else {
                return self.boost_last(now, holder, gate, priority);
            };
            let leads = self.raise_waiter(holder, next, priority);
            self.record(now, Kind::Boost, holder, gate.0, P::to_record(priority));
            // A thread that waits behind another one demands no more than that one does.
            if seeded!(ShallowBoost, true, !leads) {
                return false;
            }
            gate = next;
        }
        false
    }

    /// Raises the floors of the frames that a gate's holder has above it. Steps: those frames.
    #[inline(always)]
    fn raise_floors(&mut self, holder: ThreadIndex, gate: GateIndex, priority: P::Urgency) {
        let mut index = self.thread(holder).top();
        if P::Word::ADOPTS {
            // It ends: the gate's holder has the gate, or its record, on one of its frames.
            while !self.has_record(&self.memory.frames[index], gate) {
                let floor = &mut self.memory.frames[index].floor;
                *floor = seeded!(LowFloors, *floor, (*floor).max(priority));
                index -= 1;
            }
            return;
        }
        while let Some(frame) = self.memory.frames.get_mut(index).filter(|frame| frame.gate != gate)
        {
            frame.floor = seeded!(LowFloors, frame.floor, frame.floor.max(priority));
            index = index.wrapping_sub(1);
        }
    }

    /// Raises a holder that waits at no gate to the priority of a thread that has just left the
    /// core, where no thread beat it. Steps: the threads that wait for the same notification.
    #[inline(always)]
    fn boost_last(
        &mut self,
        now: Time,
        holder: ThreadIndex,
        gate: GateIndex,
        priority: P::Urgency,
    ) -> bool {
        self.record(now, Kind::Boost, holder, gate.0, P::to_record(priority));
        let (core, state) = (self.core(), self.thread(holder));
        debug_assert!(core.current.is_none() && !core.ready.beats(priority));
        // An overrun that is to be signalled, or a missing lender, needs the whole choice.
        let (at, decided) = (state.waits_at, core.overrun.is_none() && !state.is_exhausted());
        match state.status {
            Status::Ready => {
                self.queue_of(holder).remove(holder);
                self.thread_mut(holder).effective = priority;
                // It comes before its equals, and need not be put where it is taken out again.
                if decided {
                    self.start_running(now, holder);
                    return true;
                }
                self.queue_of(holder).push_front(holder, priority);
            }
            Status::AtNotification => {
                self.change_at_notification(holder, NotificationIndex(at), priority)
            }
            // It is in no queue, so there is no place to change.
            _ => self.thread_mut(holder).effective = priority,
        }
        false
    }

    /// Sets an effective priority and sorts the thread anew where it queues. Steps: the waiters
    /// there.
    #[inline(never)]
    fn change_effective(&mut self, thread: ThreadIndex, priority: P::Urgency) {
        let at = self.thread(thread).waits_at;
        match self.thread(thread).status {
            Status::Ready => {
                // Out of the queue first: it stands there by the old urgency.
                self.queue_of(thread).remove(thread);
                self.thread_mut(thread).effective = priority;
                let mut queue = self.queue_of(thread);
                seeded!(BoostedBehind, queue.push_back(thread), queue.push_front(thread, priority));
            }
            // At other gates threads wait as they came, whatever their urgency.
            Status::AtGate if self.inherits(GateIndex(at)) => {
                let waiters = &mut self.memory.gates[GateIndex(at).at()].waiters;
                waiters.change_priority(self.memory.threads, thread, priority);
            }
            Status::AtNotification => {
                self.change_at_notification(thread, NotificationIndex(at), priority)
            }
            _ => self.thread_mut(thread).effective = priority,
        }
    }

    /// Sets the effective priority of a thread that waits for a signal. Steps: the waiters there.
    #[inline(always)]
    fn change_at_notification(
        &mut self,
        thread: ThreadIndex,
        notification: NotificationIndex,
        priority: P::Urgency,
    ) {
        let waiters = &mut self.memory.notifications[notification.at()].waiters;
        waiters.change_priority(self.memory.threads, thread, priority);
    }

    /// Raises a thread that waits at a gate; says whether the gate inherits that from it. Steps:
    /// the waiters there, one if so.
    #[inline(always)]
    fn raise_waiter(&mut self, thread: ThreadIndex, gate: GateIndex, priority: P::Urgency) -> bool {
        let state = &mut self.memory.gates[gate.at()];
        if state.inherits {
            return state.waiters.raise(self.memory.threads, thread, priority);
        }
        self.memory.threads[thread.at()].effective = priority;
        false
    }
}
