//! Effective priorities: derived, never saved and restored.
//!
//! A thread's effective priority is max(base, ceilings of the gates it holds, effective priorities of who waits at
//! them). Waiters queue by effective priority, so the first one speaks for its gate. Each frame has a floor, the
//! priority that its thread has without it, so that a return need not ask the gates that are still held. When a
//! waiter's priority changes, the change walks from gate to holder to the gate that the holder waits at; on the way the
//! floors above the gate are raised and the thread is sorted anew where it queues.

use crate::mutation::Mutation;
use crate::{Error, GateIndex, Kind, NotificationIndex, Outcome, Sink, Status, ThreadIndex, Time};

impl<S: Sink> crate::Kernel<'_, S> {
    /// Gives a thread another base priority, whatever it does at the moment. Steps: declared depth squared, and the
    /// waiters of the gates on its way.
    pub fn reprioritise(&mut self, now: Time, thread: ThreadIndex, priority: u8) -> Result<Outcome, Error> {
        if thread.at() >= self.tables.threads.len() {
            return Err(Error::NoSuchObject);
        }
        if u16::from(priority) >= self.tables.levels {
            return Err(Error::Priority);
        }
        self.thread_mut(thread).base = priority;
        let mut changed = thread;
        for _ in 0..=self.tables.depth {
            let effective = self.derive(changed);
            if effective == self.thread(changed).effective {
                break;
            }
            self.change_effective(changed, effective);
            match self.thread(changed).gate() {
                Some(gate) if self.inherits(gate) => changed = self.gate(gate).holder,
                _ => break,
            }
        }
        let current = self.core().current;
        if current.is_some() && self.thread(current).is_exhausted() {
            // Another may now be the highest of those who could lend.
            self.reconsider(now, current);
        }
        self.settle(now);
        Ok(self.outcome())
    }

    /// The effective priority that the thread must have; sets its frames' floors. Steps: its frames.
    fn derive(&mut self, thread: ThreadIndex) -> u8 {
        let first = self.first_frame(thread) + 1;
        let mut priority = self.thread(thread).base;
        for index in first..self.thread(thread).top() + 1 {
            self.memory.frames[index].floor = priority;
            priority = priority.max(self.pressure(self.memory.frames[index].gate));
        }
        priority
    }

    /// Raises the floors of the frames that a gate's holder has above it, if it inherits; answers who that is if its own
    /// priority is to be raised, too. Steps: its frames.
    #[inline(always)]
    fn raise_floors(&mut self, gate: GateIndex, priority: u8) -> Option<ThreadIndex> {
        let state = self.memory.gates.get(gate.at()).filter(|state| state.inherits)?;
        let holder = self.memory.threads.get(state.holder.at())?;
        let frames = self.memory.frames.get_mut(holder.home as usize + 1..holder.top() + 1)?;
        for frame in frames.iter_mut().rev().take_while(|frame| frame.gate != gate) {
            frame.floor = frame.floor.max(priority);
        }
        (holder.effective < priority).then_some(state.holder)
    }

    /// What a gate demands of its holder. Constant time.
    #[inline]
    fn pressure(&self, gate: GateIndex) -> u8 {
        let protocol = self.tables.gates[gate.at()].protocol;
        let first = self.gate(gate).waiters.head();
        if protocol.inherits() && first.is_some() {
            protocol.ceiling().max(self.thread(first).effective)
        } else {
            protocol.ceiling()
        }
    }

    #[inline]
    pub(crate) fn inherits(&self, gate: GateIndex) -> bool {
        self.memory.gates[gate.at()].inherits
    }

    /// Raises the holder of a gate to a waiter's priority, and whoever the holder waits for; says whether the last of
    /// them runs now, which is then settled. Steps: declared depth, each with its frames and the waiters of one gate.
    #[inline(always)]
    pub(crate) fn boost(&mut self, now: Time, gate: GateIndex, priority: u8) -> bool {
        let mut gate = gate;
        for _ in 0..self.tables.depth {
            let Some(holder) = self.raise_floors(gate, priority) else { return false };
            let Some(next) = self.thread(holder).gate() else { return self.boost_last(now, holder, gate, priority) };
            self.change_waiter(holder, next, priority);
            self.record(now, Kind::Boost, holder, gate.0, u64::from(priority));
            if self.is_mutated(Mutation::ShallowBoost) {
                return false;
            }
            gate = next;
        }
        false
    }

    /// Raises a holder that waits at no gate. Steps: who waits for the same notification.
    #[inline(always)]
    fn boost_last(&mut self, now: Time, holder: ThreadIndex, gate: GateIndex, priority: u8) -> bool {
        let runs = self.runs_boosted(holder, priority);
        if !runs {
            self.change_effective(holder, priority);
            self.record(now, Kind::Boost, holder, gate.0, u64::from(priority));
            return false;
        }
        self.queue_of(holder).remove(holder);
        self.thread_mut(holder).effective = priority;
        self.record(now, Kind::Boost, holder, gate.0, u64::from(priority));
        self.start_running(now, holder);
        true
    }

    /// Whether a ready thread is the one to run when it has this priority, because nobody else does and it comes before
    /// its equals: then it need not be put where it is taken out again. Constant time.
    #[inline(always)]
    fn runs_boosted(&self, thread: ThreadIndex, priority: u8) -> bool {
        let (core, state) = (self.core(), self.thread(thread));
        let first = core.current.is_none() && core.overrun.is_none() && !core.ready.beats(priority);
        first && state.status == Status::Ready && !state.is_exhausted()
    }

    /// Sets an effective priority and sorts the thread anew where it queues. Steps: the waiters there.
    #[inline(never)]
    fn change_effective(&mut self, thread: ThreadIndex, priority: u8) {
        let at = self.thread(thread).waits_at;
        match self.thread(thread).status {
            Status::Ready => {
                self.queue_of(thread).remove(thread);
                self.thread_mut(thread).effective = priority;
                self.queue_of(thread).push_front(thread, priority);
            }
            Status::AtGate => self.change_waiter(thread, GateIndex(at), priority),
            Status::AtNotification => {
                let waiters = &mut self.memory.notifications[NotificationIndex(at).at()].waiters;
                waiters.change_priority(self.memory.threads, thread, priority);
            }
            _ => self.thread_mut(thread).effective = priority,
        }
    }

    /// Sets the effective priority of a thread that waits at a gate. Steps: the waiters there.
    #[inline(always)]
    fn change_waiter(&mut self, thread: ThreadIndex, gate: GateIndex, priority: u8) {
        let state = &mut self.memory.gates[gate.at()];
        if state.inherits {
            state.waiters.change_priority(self.memory.threads, thread, priority);
        } else {
            self.memory.threads[thread.at()].effective = priority;
        }
    }
}
