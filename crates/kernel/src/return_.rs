//! Coming back from a gate and handing it on.
//!
//! Ownership goes to the first waiter in the same step: there is no window in which a third thread
//! could take the gate. The returning thread's priority is the demand of its other gates and their
//! waiters, which its frame knows.

use crate::ceiling_stack::HeldCeilings;
use crate::ceilings::Ceilings;
use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::{
    Component, Error, Frame, GateIndex, GateKind, GateReturn, Kind, Next, Outcome, Passage,
    ResumeReason, Sink, Status, ThreadIndex, Time,
};

/// Returns success if a thread may go on in a frame: its component is not gone.
#[inline(always)]
fn goes_on_in<P: Policy>(components: &[Component], frame: &Frame<P>) -> Result<(), Option<Error>> {
    match components.get(frame.component.at()) {
        Some(component) if seeded!(GoneCaller, true, component.epoch == frame.epoch) => Ok(()),
        // Not refused: the slow path returns, and the caller is told of its component when it runs.
        _ => Err(None),
    }
}

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Comes back from the gate passed last. Constant time, unless another thread lends time.
    ///
    /// Refused with [`Error::Idle`], [`Error::NotInGate`] or [`Error::Locked`].
    pub fn return_(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_return(now);
        self.finish(now, done)
    }

    pub(crate) fn change_by_return(&mut self, now: Time) -> Result<Next, Error> {
        match self.return_fast(now) {
            // The fast paths write no reason: a machine that takes them knows it, and need not read
            // it again.
            Ok(back) => self.thread_mut(back.thread).promise(ResumeReason::Return, 0),
            Err(Some(error)) => return Err(error),
            Err(None) => match self.hand_on_fast(now) {
                Some(passage) => self.thread_mut(passage.thread).promise(ResumeReason::Enter, 0),
                None => {
                    self.return_slow(now)?;
                    return Ok(Next::Open);
                }
            },
        }
        Ok(Next::Other)
    }

    /// Returns from a gate where nothing but the frame changes: the same thread goes on, and the
    /// timer stays as it is set. Machines have a shorter path for this case. An error: nothing has
    /// changed. `None` inside: there is a gate to come back from, and
    /// [`hand_on_fast`](Self::hand_on_fast) or [`return_slow`](Self::return_slow)
    /// does it.
    #[inline(always)]
    pub fn return_fast(&mut self, now: Time) -> Result<GateReturn, Option<Error>> {
        let short = seeded!(LongWays, false, true);
        let core = &*self.memory.core;
        let (current, lent, ready) = (core.current, core.is_lent(), &core.ready);
        let thread = self.memory.threads.get_mut(current.at()).ok_or(Some(Error::Idle))?;
        if thread.is_home() {
            return Err(Some(Error::NotInGate));
        }
        let below = thread.top() - 1;
        let [home, frame] = self.memory.frames.get(below..below + 2).ok_or(None)? else {
            return Err(None);
        };
        let (stack, floor, to) = (frame.stack, frame.floor, home.stack);
        // The kernel has written this index itself, at the entry.
        let gate = &mut self.memory.gates[frame.gate.at()];
        // A mutex is exclusive. While a thread waits there, no other check matters yet. A
        // propagated gate has raised no thread, so its caller is as urgent as before and runs on.
        if !gate.exclusive {
            goes_on_in(self.memory.components, home)?;
            *self.memory.stacks.get_mut(stack.at()).ok_or(None)? = gate.free;
            gate.free = stack;
        } else {
            // Coming back lowers the thread to its floor. It runs on only if no ready thread is
            // above that, none has waited, and its time is its own.
            let changes_more = !gate.waiters.is_empty()
                || gate.kind == GateKind::Mutex
                || P::Ceilings::bars(&gate.place)
                || lent
                || seeded!(KeptCore, false, ready.beats(floor))
                || thread.is_exhausted()
                || !short;
            if changes_more {
                return Err(None);
            }
            goes_on_in(self.memory.components, home)?;
            gate.holder = ThreadIndex::NONE;
            thread.effective = floor;
        }
        thread.topmost = below as u16;
        self.record(now, Kind::Return, current, frame.gate.0, 0);
        Ok(GateReturn { thread: current, from: stack, to })
    }

    /// Returns from a gate with a waiter that takes over immediately: returns the passage by which
    /// that thread enters. Machines have a shorter path for this case; of the values that set the
    /// timer only its limit may have changed. `None`: nothing has changed, and
    /// [`return_slow`](Self::return_slow) does it.
    #[inline(always)]
    pub fn hand_on_fast(&mut self, now: Time) -> Option<Passage> {
        let short = seeded!(LongWays, false, true);
        let memory = &mut self.memory;
        let mut queue =
            Queue { core: memory.core, lists: &mut memory.levels, threads: memory.threads };
        let frames = &mut *memory.frames;
        let current = queue.core.current;
        let top = queue.threads.get(current.at())?.topmost;
        let frame = frames.get(top as usize)?;
        let (gate, floor) = (frame.gate, frame.floor);
        let state = memory.gates.get_mut(gate.at())?;
        // Its waiters are not handed the gate: each asks again.
        if P::Ceilings::bars(&state.place) {
            return None;
        }
        let next = state.waiters.head();
        let waiter = queue.threads.get(next.at())?;
        let (place, priority) = (waiter.top(), waiter.effective);
        let component = *memory.components.get(state.component.at())?;
        // A mutex leaves its taker in its own frame, and a component that is gone, or still to be
        // put back, has more to tell the thread that enters.
        let plain = state.kind == GateKind::Interface && !component.is_closed();
        let [below, entered] = frames.get_mut(place..place + 2)? else { return None };
        // Compared with the floor: what the gate has given to its holder goes in the same step.
        if !plain || !short || !queue.yields_to(next, floor) {
            return None;
        }
        // A thread that has paid for itself up to now is not exhausted.
        let limit = queue.settle_up(now)?;
        let since = queue.core.since(now);
        // From here on nothing can refuse it. First the thread that comes back, which is then an
        // ordinary ready thread in its caller's frame.
        let (from, stack, epoch) = (below.stack, state.free, component.epoch);
        let holder = &mut queue.threads[current.at()];
        holder.status = Status::Ready;
        // It is not at home, where no interface's gate is on the frame: so nothing wraps around,
        // and the compiler makes no check of it.
        holder.topmost = top.wrapping_sub(1);
        holder.effective = floor;
        holder.promise(ResumeReason::Return, 0);
        // Then the thread that enters, on the stack that the gate keeps for its one holder.
        *entered = Frame {
            gate,
            stack,
            component: state.component,
            floor: priority,
            claim: P::claim(state.ceiling, since),
            epoch,
        };
        let topmost = (place + 1) as u16;
        state.waiters.pop(queue.threads, next);
        state.holder = next;
        let waiter = &mut queue.threads[next.at()];
        waiter.topmost = topmost;
        waiter.effective = priority.max(P::demand(state.ceiling, since));
        // In front of its equals: it has lost the core to a higher one, not its turn.
        seeded!(ReturnedBehind, queue.push_back(current), queue.push_front(current, floor));
        let limited = queue.start(now, next, limit);
        self.record(now, Kind::Return, current, gate.0, 0);
        self.record(now, Kind::HandOver, next, gate.0, u64::from(current.0));
        self.record(now, Kind::Enter, next, gate.0, 0);
        self.record(now, Kind::Switch, next, u16::MAX, 0);
        Some(Passage { thread: next, gate, stack, from, topmost, limited })
    }

    /// Returns from a gate where neither [`return_fast`](Self::return_fast) nor
    /// [`hand_on_fast`](Self::hand_on_fast) has changed anything; the next thread is then
    /// still to be chosen. Refused as [`return_`](Self::return_).
    #[inline(never)]
    pub fn return_slow(&mut self, now: Time) -> Result<(), Error> {
        let thread = self.caller()?;
        if self.thread(thread).is_home() {
            return Err(Error::NotInGate);
        }
        let gate = self.top(thread).gate;
        // A frame of a mutex is left by unlocking: behind a return the method's caller would go on
        // with the mutex held.
        if self.gate(gate).kind == GateKind::Mutex {
            return Err(Error::Locked);
        }
        self.finish_return(now, thread, gate, ResumeReason::Return);
        Ok(())
    }

    /// Unlocks the mutex that the caller has locked last. Constant time, unless another thread
    /// lends time.
    ///
    /// Refused with [`Error::Idle`] or [`Error::NotLocked`].
    pub fn unlock(&mut self, now: Time, mutex: GateIndex) -> Result<Outcome, Error> {
        let done = self.change_by_unlock(now, mutex);
        self.finish(now, done)
    }

    pub(crate) fn change_by_unlock(&mut self, now: Time, mutex: GateIndex) -> Result<Next, Error> {
        let thread = self.caller()?;
        if self.thread(thread).is_home()
            || self.top(thread).gate != mutex
            || self.gate(mutex).kind != GateKind::Mutex
        {
            return Err(Error::NotLocked);
        }
        // It goes on where it was, with nothing from anywhere.
        self.finish_return(now, thread, mutex, ResumeReason::Nothing);
        Ok(Next::Open)
    }

    #[inline(never)]
    fn finish_return(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        gate: GateIndex,
        reason: ResumeReason,
    ) {
        self.record(now, Kind::Return, thread, gate.0, 0);
        let next = self.take_off(now, thread, reason, 0);
        if next.is_some() {
            // The thread that comes back may have lost the core with the gate, or be beaten by
            // another one.
            if self.core().current.is_none() || self.take_over(now, next) != Next::Other {
                self.queue_up(now, next);
            }
        }
    }

    /// Removes the topmost frame of the running thread, which has one, and queues the thread that
    /// gets the gate. Constant time, unless another thread lends time.
    #[inline(never)]
    pub(crate) fn leave(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        reason: ResumeReason,
        value: u32,
    ) {
        let next = self.take_off(now, thread, reason, value);
        if next.is_some() {
            self.queue_up(now, next);
        }
    }

    /// Queues a thread with a gate that it has got. Inside another one it comes before its equals,
    /// or they could find that one held, whose ceiling is to keep them from it. Constant time for a
    /// thread with budget left.
    #[inline(never)]
    pub(crate) fn queue_up(&mut self, now: Time, thread: ThreadIndex) {
        // First behind its equals: whether it is ready at all, or suspended, is decided there.
        self.make_ready(now, thread);
        let state = self.thread(thread);
        let level = state.effective;
        if seeded!(NestedBehind, false, state.status == Status::Ready && state.depth() > 1) {
            let mut queue = self.queue_of(thread);
            queue.remove(thread);
            queue.push_front(thread, level);
        }
    }

    /// Removes the topmost frame, and returns the gate's next holder, which is still to be queued.
    fn take_off(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        reason: ResumeReason,
        value: u32,
    ) -> ThreadIndex {
        let frame = *self.top(thread);
        let state = self.thread_mut(thread);
        // Before the gate is handed on: the search for a lender looks at the frames that are left.
        state.topmost -= 1;
        state.promise(reason, value);
        if self.gate(frame.gate).exclusive {
            self.leave_gate(now, thread, frame)
        } else {
            self.memory.give_stack(frame.gate, frame.stack);
            ThreadIndex::NONE
        }
    }

    /// Hands an exclusive gate on and lowers the priority of its former holder.
    fn leave_gate(&mut self, now: Time, thread: ThreadIndex, frame: Frame<P>) -> ThreadIndex {
        if self.core().is_lent() {
            // The lender may get the gate now; what it has lent is gone.
            self.charge(now);
        }
        // The floor is no value from the entry: it was kept right while waiters came and went.
        self.thread_mut(thread).effective =
            seeded!(SavedPriority, self.thread(thread).base, frame.floor);
        let next = seeded!(
            LeakedGate,
            self.leak(now, thread, frame.gate),
            self.hand_on(now, thread, frame.gate)
        );
        // The lender may have waited for this very gate.
        if self.thread(thread).is_exhausted() {
            self.reconsider(now, thread);
        }
        next
    }

    /// A defect: a thread that fails leaves the gate held.
    #[cfg(feature = "mutations")]
    fn leak(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) -> ThreadIndex {
        let fails = self.thread(thread).reason == ResumeReason::Failed;
        if fails { ThreadIndex::NONE } else { self.hand_on(now, thread, gate) }
    }

    /// Gives the gate to its first waiter, or leaves it free. Constant time, unless the gate
    /// excludes threads from more than itself.
    fn hand_on(&mut self, now: Time, from: ThreadIndex, gate: GateIndex) -> ThreadIndex {
        let state = &mut self.memory.gates[gate.at()];
        let next = state.waiters.head();
        state.holder = ThreadIndex::NONE;
        if P::Ceilings::bars(&state.place) {
            self.lift_bar(now, gate);
            return ThreadIndex::NONE;
        }
        if seeded!(LostHandOff, true, next.is_none()) {
            return ThreadIndex::NONE;
        }
        self.memory.gates[gate.at()].waiters.pop(self.memory.threads, next);
        // Not waiting any more and not yet ready. Whoever looks for a lender until then must not
        // find it waiting for itself.
        self.thread_mut(next).status = Status::Idle;
        self.record(now, Kind::HandOver, next, gate.0, u64::from(from.0));
        self.enter_by_hand_over(now, next, gate);
        next
    }

    /// Returns the thread that holds the highest ceiling.
    #[cfg(feature = "mutations")]
    fn heir(&self) -> Option<ThreadIndex> {
        let none = ThreadIndex::NONE;
        let next = self.memory.core.ceilings.bar(self.memory.gates, none, P::LEAST)?;
        Some(self.gate(next).holder)
    }

    /// A defect: the holder of the next ceiling inherits from the first waiter of this one.
    #[cfg(feature = "mutations")]
    fn raise_heir(&mut self, gate: GateIndex) {
        let head = self.gate(gate).waiters.head();
        let head = self.memory.threads.get(head.at());
        let (Some(heir), Some(head)) = (self.heir(), head) else { return };
        let urgency = head.effective;
        if self.thread(heir).status == Status::Ready && self.thread(heir).effective < urgency {
            let mut queue = self.queue_of(heir);
            queue.remove(heir);
            queue.threads[heir.at()].effective = urgency;
            queue.push_front(heir, urgency);
        }
    }

    /// Frees the gate; the threads that have waited at it make their calls again. Steps: its
    /// waiters.
    #[inline(never)]
    fn lift_bar(&mut self, now: Time, gate: GateIndex) {
        self.memory.core.ceilings.take_out(self.memory.gates, gate);
        // The search for a lender follows below, along holders: it must find no thread waiting
        // here, where there is no holder.
        let mut waiter = self.memory.gates[gate.at()].waiters.head();
        while waiter.is_some() {
            let state = self.thread_mut(waiter);
            state.status = Status::Idle;
            waiter = state.link.next();
        }
        // The thread that is in the way next inherits when another one has asked again and waits
        // for it, and not sooner: the first may enter now, and would wait a second time.
        seeded!(HeirFirst, self.raise_heir(gate), ());
        seeded!(
            HeirBars,
            if self.heir().is_some() {
                return;
            },
            ()
        );
        loop {
            let waiters = &mut self.memory.gates[gate.at()].waiters;
            let next = waiters.head();
            if next.is_none() {
                return;
            }
            waiters.pop(self.memory.threads, next);
            self.record(now, Kind::Retry, next, gate.0, 0);
            self.make_ready(now, next);
            seeded!(FirstOnly, return, ());
        }
    }
}
