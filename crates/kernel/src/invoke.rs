//! Passing a gate, or waiting before it.
//!
//! The caller's own thread enters the callee; there is no second thread and nothing to hand over
//! but the processor's place. If the gate is held, the caller waits *in its own frame*, before it
//! has migrated, so that a waiter needs no stack of the callee.

use crate::ceiling_stack::HeldCeilings;
use crate::ceilings::Ceilings;
use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::{
    Capability, Component, ComponentIndex, ContextSwitch, Error, Frame, Gate, GateIndex, GateKind,
    Kind, Outcome, Passage, ResumeReason, Sink, Status, Tables, Thread, ThreadIndex, Time,
};

/// Returns the component behind a gate, unless it is not entered as usual or the thread is as deep
/// as it may be.
#[inline(always)]
fn open<P: Policy>(
    components: &[Component],
    gate: &Gate<P>,
    thread: &Thread<P>,
) -> Option<Component> {
    // A copy: the caller puts its epoch into the new frame, when the table is borrowed no more.
    let component = *components.get(gate.component.at())?;
    let closed = seeded!(GoneCallee, false, component.is_closed());
    (!thread.is_deepest() && !closed).then_some(component)
}

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Passes a gate. Constant time where the gate is free or propagated. Else twice the declared
    /// chain (the search for a deadlock, the boost), each boosted thread sorted anew among the
    /// waiters of one gate.
    ///
    /// Who waits for a ceiling has not been called for: when it runs again it finds nothing, and
    /// makes its call again ([`asks_again`](Self::asks_again)).
    ///
    /// Refused with [`Error::Idle`], [`Error::NoSuchObject`], [`Error::Depth`], [`Error::Dead`],
    /// [`Error::Reentry`], [`Error::Deadlock`] or [`Error::NoStack`].
    pub fn invoke(&mut self, now: Time, gate: GateIndex) -> Result<Outcome, Error> {
        self.change_by_invoke(now, gate)?;
        Ok(self.outcome())
    }

    /// Changes the state as [`invoke`](Self::invoke) does, up to the choice of the next thread.
    pub(crate) fn change_by_invoke(&mut self, now: Time, gate: GateIndex) -> Result<(), Error> {
        self.caller()?;
        // The same steps in the same order as a machine takes them, so that what is explored is
        // what runs.
        if self.passes(now, gate) || self.block_fast(now, gate).is_some() {
            return Ok(());
        }
        self.invoke_slow(now, gate)
    }

    /// Invokes the gate in a slot if the caller enters it without waiting: the same thread goes on,
    /// and the timer stays as it is set. Machines have a shorter path for this case. An error:
    /// nothing has changed; it holds the gate in the slot, if there is one, for the slower paths
    /// below.
    #[inline(always)]
    pub fn invoke_fast(&mut self, now: Time, slot: u16) -> Result<Passage, Option<GateIndex>> {
        // Also kept where the passage fails: the next step needs the gate, and need not look it up
        // again.
        let mut wanted = None;
        let passage = self.pass(now, GateKind::Interface, |tables, component| {
            match tables.components.get(component.at())?.capabilities.get(slot as usize)? {
                Capability::Gate(gate) => wanted = Some(*gate),
                _ => wanted = None,
            }
            wanted
        });
        passage.ok_or(wanted)
    }

    /// Blocks the caller where the gate is held, no thread waits there yet, and the holder is
    /// ready: if the gate inherits, the holder runs next; else the first ready thread does.
    /// Machines have a shorter path for this case: the next thread's reason to resume is still to
    /// be read, and of the values that set the timer only its limit may have changed. `None`:
    /// nothing has changed, and [`invoke_slow`](Self::invoke_slow) does it.
    #[inline(always)]
    pub fn block_fast(&mut self, now: Time, gate: GateIndex) -> Option<ContextSwitch> {
        let short = seeded!(LongWays, false, true);
        let memory = &mut self.memory;
        let mut queue =
            Queue { core: memory.core, lists: &mut memory.levels, threads: memory.threads };
        let state = memory.gates.get_mut(gate.at())?;
        let (current, holder) = (queue.core.current, state.holder);
        // Where threads wait already, the caller must be sorted in among them, and a gate that bars
        // others needs a search for the one that is in the way. Neither belongs on a fast path.
        if !state.waiters.is_empty() || !short || P::Ceilings::bars(&state.place) {
            return None;
        }
        // Without inheritance the holder keeps its urgency, so the first of all ready threads runs.
        let next = if state.inherits { holder } else { queue.first_beside(holder)? };
        // No place, or the same twice: the core idles, no thread is ready, or the holder calls its
        // own gate, which the slow path refuses.
        let [caller, first] = queue.threads.get_disjoint_mut([current.at(), next.at()]).ok()?;
        let (priority, topmost, reason) = (caller.effective, first.topmost, first.reason);
        // A holder that waits itself is the middle of a chain, whose end is to be found and raised;
        // one without budget needs a lender; a caller as deep as it may be is refused. Each takes a
        // search that does not belong on a fast path.
        if first.status != Status::Ready
            || seeded!(ExhaustedHolder, false, first.is_exhausted())
            || caller.is_deepest()
        {
            return None;
        }
        // A thread in a component that is gone, or still to be put back, is told so first.
        let top = memory.frames.get(topmost as usize)?;
        let gone = memory.components.get(top.component.at())?.epoch != top.epoch;
        if seeded!(GoneHolder, false, gone) {
            return None;
        }
        let inherits = state.inherits;
        let becomes = match inherits {
            // No floor is to be raised, and where the holder is the gate is open to the caller,
            // too.
            true => {
                let plain = first.effective < priority
                    && top.gate == gate
                    && top.component == state.component;
                plain.then_some(priority)?
            }
            false => {
                let open = !memory.components.get(state.component.at())?.is_closed();
                open.then_some(first.effective)?
            }
        };
        // The last that can stand against it, because it is the first that changes something.
        let limit = queue.settle_up(now)?;
        let caller = &mut queue.threads[current.at()];
        caller.status = Status::AtGate;
        caller.waits_at = gate.0;
        // Out of the queue at the old level: the place there goes by the effective priority.
        state.waiters.push_only(caller, current);
        queue.take_out(next);
        queue.threads[next.at()].effective = becomes;
        let limited = queue.start(now, next, limit);
        // The same records in the same order as on the slow path: a reader sees no difference.
        self.record(now, Kind::Block, current, gate.0, u64::from(holder.0));
        if inherits {
            self.record(now, Kind::Boost, holder, gate.0, P::to_record(priority));
        }
        self.record(now, Kind::Switch, next, u16::MAX, 0);
        Some(ContextSwitch { thread: next, topmost, reason, limited })
    }

    /// Returns the reason for which [`invoke_fast`](Self::invoke_fast) has found no gate:
    /// there is none in the slot, or the thread has reached its depth and there is no frame behind
    /// its topmost one.
    pub fn refusal(&self, slot: u16) -> Error {
        match self.capability(slot) {
            Ok(Capability::Gate(_)) => Error::Depth,
            Ok(_) => Error::NoCapability,
            Err(error) => error,
        }
    }

    /// As [`pass`](Self::pass), where the gate is known, and the thread is still to be told.
    #[inline(never)]
    fn passes(&mut self, now: Time, gate: GateIndex) -> bool {
        // If there is no such gate, `pass` refuses, and the kind does not matter.
        let kind = self.memory.gates.get(gate.at()).map_or(GateKind::Interface, |state| state.kind);
        let passage = self.pass(now, kind, |_, _| Some(gate));
        if let Some(passage) = passage {
            self.thread_mut(passage.thread).promise(ResumeReason::of_passage(kind), 0);
        }
        passage.is_some()
    }

    /// The running thread enters a component whose initial data are still to be put back, if no
    /// thread is in the way. It goes on there when they have been put back. Constant time.
    fn enters_unrestored(&mut self, now: Time, gate: GateIndex, component: ComponentIndex) -> bool {
        // Open for this one passage, since `pass` refuses a closed component. Before the thread
        // goes on inside, it is told to put the data back, because `close` changes the epoch again.
        self.memory.components[component.at()].open();
        let enters = self.passes(now, gate);
        self.memory.components[component.at()].close();
        enters
    }

    /// The running thread enters the gate that `names` finds, given the tables and the component
    /// that the thread is in, if no thread and no rule is in the way. Constant time.
    #[inline(always)]
    fn pass(
        &mut self,
        now: Time,
        kind: GateKind,
        gate: impl FnOnce(&Tables<'_>, ComponentIndex) -> Option<GateIndex>,
    ) -> Option<Passage> {
        let (caller, since) = (self.memory.core.current, self.memory.core.since(now));
        let thread = self.memory.threads.get_mut(caller.at())?;
        let top = thread.top();
        // Behind the topmost frame there is one of this thread's, unless it is as deep as it may
        // be, which `open` asks. Until then nothing is written.
        let [below, frame] = self.memory.frames.get_mut(top..top + 2)? else { return None };
        let gate = gate(&self.tables, below.component)?;
        let state = self.memory.gates.get_mut(gate.at())?;
        let (floor, stack) = (thread.effective, state.free);
        // The holder is looked at first: while the gate is held, no other check matters yet.
        let component;
        if state.exclusive {
            if state.holder.is_some() || P::Ceilings::bars(&state.place) {
                return None;
            }
            component = open(self.memory.components, state, thread)?;
            state.holder = caller;
            thread.effective =
                seeded!(LowCeiling, floor, floor.max(P::demand(state.ceiling, since)));
        } else {
            // Free stacks are a list through their table. When there is none, `stack` is no place
            // in it.
            component = open(self.memory.components, state, thread)?;
            state.free = *self.memory.stacks.get(stack.at())?;
        }
        // A thread that locks a mutex goes on where it was, in its own component and on its own
        // stack.
        let (component, epoch, place) = match kind {
            GateKind::Mutex => (below.component, below.epoch, below.stack),
            GateKind::Interface => (state.component, component.epoch, stack),
        };
        let from = below.stack;
        *frame = Frame {
            gate,
            stack: place,
            component,
            floor,
            claim: P::claim(state.ceiling, since),
            epoch,
        };
        // Not cut: the tables have fewer than 32,767 frames.
        let topmost = (top + 1) as u16;
        thread.topmost = topmost;
        self.record(now, Kind::Enter, caller, gate.0, 0);
        // The same thread runs on, on the same budget, so the timer stays as it is.
        Some(Passage { thread: caller, gate, stack, from, topmost, limited: false })
    }

    /// Invokes a gate where neither [`invoke_fast`](Self::invoke_fast) nor
    /// [`block_fast`](Self::block_fast) applies, up to the choice of the next thread. Refused
    /// as [`invoke`](Self::invoke).
    #[inline(never)]
    pub fn invoke_slow(&mut self, now: Time, gate: GateIndex) -> Result<(), Error> {
        let caller = self.caller()?;
        // A copy, because the steps below need the whole kernel.
        let state = *self.memory.gates.get(gate.at()).ok_or(Error::NoSuchObject)?;
        if self.thread(caller).is_deepest() {
            return Err(Error::Depth);
        }
        if self.memory.components[state.component.at()].is_dead() {
            return Err(Error::Dead);
        }
        let mut gate = gate;
        if P::Ceilings::bars(&state.place) {
            match self.bar(caller, gate) {
                // It waits at the gate that is in its way, which may be another than the one it
                // asked for.
                Some(bar) => gate = bar,
                None => {
                    // The gate is free: its ceiling is not below its users. Only `pass` refuses
                    // gates with ceilings.
                    self.memory.core.ceilings.put(self.memory.gates, gate);
                    self.enter_by_hand_over(now, caller, gate);
                    return Ok(());
                }
            }
        } else if state.holder.is_none() {
            // The gate is free, and yet no thread has entered: its component's data are still to be
            // put back, or it is a propagated gate without a stack.
            let unrestored = self.memory.components[state.component.at()].is_unrestored();
            let enters = unrestored && self.enters_unrestored(now, gate, state.component);
            return if enters { Ok(()) } else { Err(Error::NoStack) };
        }
        // Asked before anything changes, since a circle or a chain longer than declared is refused.
        let root = self.end_of_chain(caller, gate)?;
        // The thread that runs then pays for itself, and is not beaten.
        if !self.wait_at(now, gate) {
            if self.thread(root).status == Status::Suspended {
                // The caller may pay for the holder now, which nobody did before.
                self.revive(root);
            }
            self.choose(now);
        }
        Ok(())
    }

    /// Returns `true` if a thread waits and has no result when it resumes: it makes its call again.
    #[inline(always)]
    pub fn asks_again(&self, thread: ThreadIndex) -> bool {
        let at = self.thread(thread).gate();
        at.is_some_and(|gate| P::Ceilings::bars(&self.gate(gate).place))
    }

    /// Returns `true` if the running thread would wait if it invoked a gate. Constant time; under
    /// the priority ceiling protocol the steps of a search for the threads that are in the way.
    #[cold]
    pub(crate) fn blocks(&self, gate: GateIndex) -> bool {
        // The call itself refuses a gate that does not exist.
        let Some(state) = self.memory.gates.get(gate.at()) else { return false };
        match P::Ceilings::bars(&state.place) {
            true => self.bar(self.current(), gate).is_some(),
            false => state.holder.is_some(),
        }
    }

    /// Returns the gate at which the running thread waits that asks for one which bars others from
    /// more than itself; none: it enters.
    #[inline]
    fn bar(&self, caller: ThreadIndex, gate: GateIndex) -> Option<GateIndex> {
        let state = self.thread(caller);
        // The base priority asks. With the effective one, two threads that inherit could wait for
        // each other; see `ceilings`.
        let base = seeded!(EffectiveAsks, state.effective, state.base);
        let bar = self.memory.core.ceilings.bar(self.memory.gates, caller, base);
        // If no ceiling bars the caller, the gate is free, unless the caller holds it already.
        bar.or(self.gate(gate).holder.is_some().then_some(gate))
    }

    /// A gate, free by now, is handed on to a thread that waits at it. Constant time.
    pub(crate) fn enter_by_hand_over(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) {
        // Whether it may enter was asked when it called; since then it has waited in its caller's
        // frame, so nothing but the component can have changed.
        let top = self.thread(thread).top();
        let below = self.memory.frames[top];
        let since = self.memory.core.since(now);
        let state = &mut self.memory.gates[gate.at()];
        let component = self.memory.components[state.component.at()];
        let (place, epoch, stack) = match state.kind {
            // The holder of a lock whose component is gone meanwhile passes it on; its taker is as
            // stale as before.
            GateKind::Mutex => (below.component, below.epoch, below.stack),
            // A dead component is entered only so, with a frame that is stale immediately.
            GateKind::Interface => (state.component, component.entering(), state.free),
        };
        state.holder = thread;
        let waiter = &mut self.memory.threads[thread.at()];
        let floor = waiter.effective;
        self.memory.frames[top + 1] = Frame {
            gate,
            stack,
            component: place,
            floor,
            claim: P::claim(state.ceiling, since),
            epoch,
        };
        waiter.topmost += 1;
        waiter.effective = floor.max(P::demand(state.ceiling, since));
        waiter.promise(ResumeReason::of_passage(state.kind), 0);
        self.record(now, Kind::Enter, thread, gate.0, 0);
    }

    /// Follows gate, holder, the gate that the holder waits at, and so on, to the thread that must
    /// run before the gate comes free. Steps: declared chain.
    fn end_of_chain(&self, caller: ThreadIndex, gate: GateIndex) -> Result<ThreadIndex, Error> {
        self.end_of_chain_from(caller, self.gate(gate).holder)
    }

    /// As [`end_of_chain`](Self::end_of_chain), from the thread that holds the gate.
    #[inline(always)]
    pub(crate) fn end_of_chain_from(
        &self,
        caller: ThreadIndex,
        holder: ThreadIndex,
    ) -> Result<ThreadIndex, Error> {
        let mut holder = holder;
        // A caller that holds the gate itself has made another mistake than one that closes a
        // circle.
        if holder == caller {
            return Err(Error::Reentry);
        }
        // By the declared chain and not the depth: several threads in a row can be longer than one
        // nests.
        for _ in 0..seeded!(ShortChain, u16::from(self.tables.depth), self.tables.chain) {
            if holder == caller {
                return Err(Error::Deadlock);
            }
            match self.thread(holder).gate() {
                None => return Ok(holder),
                Some(next) => {
                    holder = seeded!(ShortSightedSearch, return Ok(holder), self.gate(next).holder)
                }
            }
        }
        Err(Error::Depth)
    }

    /// The running thread waits; says whether another runs now.
    #[inline(always)]
    pub(crate) fn wait_at(&mut self, now: Time, gate: GateIndex) -> bool {
        let caller = self.core().current;
        let holder = self.gate(gate).holder;
        // The core must be idle before the walk: `boost` may put the holder on it.
        self.stop_running(now);
        self.record(now, Kind::Block, caller, gate.0, u64::from(holder.0));
        let thread = self.thread_mut(caller);
        thread.status = Status::AtGate;
        thread.waits_at = gate.0;
        let priority = thread.effective;
        let state = &mut self.memory.gates[gate.at()];
        // Only the first of an inheriting gate's waiters can raise the holder, so the chain is
        // followed only for that one.
        let leads = state.waiters.is_led_by(self.memory.threads, priority);
        if seeded!(LastInFirstOut, true, leads && state.inherits) {
            let inherits = state.inherits;
            state.waiters.push_front(self.memory.threads, caller);
            return inherits && self.boost(now, gate, priority);
        }
        // A thread that waits behind another one demands no more than that one does.
        state.waiters.insert(self.memory.threads, caller, state.inherits);
        false
    }
}
