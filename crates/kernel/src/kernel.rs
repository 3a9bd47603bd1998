//! The kernel's interface: events in, outcomes out.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    Capability, Core, Delivery, Error, FixedPriority, Frame, Gate, GateIndex, Kind, Memory, NEVER,
    Next, NotificationIndex, Record, Release, Sink, TableError, Tables, Thread, ThreadIndex, Time,
    Word, timer, word_tables,
};

/// The kernel: tables that never change, memory that does, and a place for records.
#[derive(Debug)]
pub struct Kernel<'m, P: Policy = FixedPriority, S = ()> {
    pub(crate) tables: Tables<'m>,
    pub(crate) memory: Memory<'m, P>,
    pub(crate) sink: S,
}

/// The work that the machine must do after an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The thread that runs; [`ThreadIndex::NONE`]: the core idles until the next event.
    pub thread: ThreadIndex,
    /// The event that the thread is told of.
    pub delivery: Delivery,
    /// When the timer must fire; [`NEVER`]: not at all.
    pub timer: Time,
}

/// A thread has passed a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// The thread that has passed the gate.
    pub thread: ThreadIndex,
    /// The gate that it has passed.
    pub gate: GateIndex,
    /// The stack on which it goes on.
    pub stack: crate::StackIndex,
    /// The stack on which it was; none: its own.
    pub from: crate::StackIndex,
    /// The index of its topmost frame now.
    pub topmost: u16,
    /// `true` if the timer may have to be set, because the time of the thread, or of the one that
    /// ran before, is limited.
    pub limited: bool,
}

/// A thread takes the core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextSwitch {
    /// The thread that has come back.
    pub thread: ThreadIndex,
    /// The index of its topmost frame.
    pub topmost: u16,
    /// The reason for which it resumes.
    pub reason: crate::ResumeReason,
    /// `true` if the timer may have to be set, because the time of the thread, or of the one that
    /// ran before, is limited.
    pub limited: bool,
}

/// A thread has come back from a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateReturn {
    /// The thread that runs now.
    pub thread: ThreadIndex,
    /// The stack on which it was.
    pub from: crate::StackIndex,
    /// The stack on which it goes on; none: its own.
    pub to: crate::StackIndex,
}

/// An event that the kernel handles. Slots are positions in the running component's capability
/// table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// System call: pass the gate in this slot.
    Invoke(u16),
    /// System call: come back from the gate passed last.
    Return,
    /// System call: signal the notification in this slot.
    Signal(u16),
    /// System call: wait for the notification in this slot.
    Wait(u16),
    /// System call: take what is pending in the notification in this slot, if anything.
    Poll(u16),
    /// System call: lock the mutex in this slot.
    Lock(u16),
    /// System call: unlock the mutex in this slot, which the caller has locked last.
    Unlock(u16),
    /// System call: sleep on the account of the thread in this slot, until woken.
    Depend(u16),
    /// System call: wake the thread in this slot.
    Wake(u16),
    /// System call: let equals run first.
    Yield,
    /// System call: the job ends.
    Complete,
    /// The timer fired.
    Timer,
    /// An interrupt line became active.
    Interrupt(u16),
    /// A sporadic thread's job arrives, with its nominal arrival.
    Release(ThreadIndex, Time),
    /// The running thread faulted.
    Fault,
    /// The component that the running thread is in is gone: [`Delivery::Abort`].
    Abort,
    /// The machine has obeyed [`Delivery::Restore`].
    Restored,
}

impl<'m, P: Policy, S: Sink> Kernel<'m, P, S> {
    /// Checks the tables, clears the memory and arms the first releases. Steps: the size of the
    /// system, once.
    pub fn start(tables: Tables<'m>, memory: Memory<'m, P>, sink: S) -> Result<Self, TableError> {
        tables.check()?;
        // Tables know no policy, so `Tables::check` cannot ask this.
        if let Some(gate) = tables.gates.iter().position(|gate| !P::has(gate.protocol)) {
            return Err(TableError::Gate(GateIndex(gate as u16)));
        }
        word_tables::check::<P>(&tables)?;
        if !memory.fits(&tables.sizes()) {
            return Err(TableError::Memory);
        }
        let mut kernel = Kernel::resume(tables, memory, sink);
        kernel.memory.clear(&tables);
        for (index, config) in tables.threads.iter().enumerate() {
            let thread = &mut kernel.memory.threads[index];
            thread.base = P::base(config);
            thread.effective = P::base(config);
            thread.slice = tables.time_slice;
            thread.budget = config.budget.map_or(NEVER, |budget| budget.amount);
            // Kept in the thread: else each look at a frame would multiply by the depth.
            let home = index * (tables.depth as usize + 1);
            kernel.memory.threads[index].home = home as u16;
            kernel.memory.threads[index].topmost = home as u16;
            kernel.memory.threads[index].deepest = (home + tables.depth as usize) as u16;
            kernel.memory.frames[home].component = config.component;
            kernel.memory.expiries[index] = match config.release {
                Release::Once { offset } | Release::Periodic { offset, .. } => offset,
                // Its expiry is set when an arrival comes too early, and only then.
                Release::Sporadic { .. } => NEVER,
            };
        }
        for (index, config) in tables.notifications.iter().enumerate() {
            kernel.memory.notifications[index].pending = config.initial;
        }
        // When all expiries are known: each match is then played once, not once for each thread.
        timer::rebuild(kernel.memory.tree, kernel.memory.expiries);
        kernel.memory.core.next = timer::next(kernel.memory.tree, kernel.memory.expiries).1;
        Ok(kernel)
    }

    /// Goes on with memory that a kernel with the same tables has left behind.
    pub fn resume(tables: Tables<'m>, memory: Memory<'m, P>, sink: S) -> Self {
        Kernel { tables, memory, sink }
    }

    /// Changes the state by an event, up to the choice of the next thread, and returns what is
    /// known of that thread: one of the operations of the other modules, after the look-up of its
    /// capability (constant time). Machines that know which event it is pay for that one only.
    ///
    /// # Errors
    /// Those of the operation, which then has changed nothing.
    #[inline(always)]
    pub fn change(&mut self, now: Time, event: Event) -> Result<Next, Error> {
        match event {
            Event::Invoke(slot) => match self.capability(slot)? {
                Capability::Gate(gate) => self.change_by_invoke(now, gate).map(|()| Next::Other),
                _ => Err(Error::NoCapability),
            },
            Event::Signal(slot) => match self.capability(slot)? {
                Capability::Signal(notification, bits) => {
                    self.change_by_signal(now, notification, bits)
                }
                _ => Err(Error::NoCapability),
            },
            Event::Wait(slot) => match self.capability(slot)? {
                Capability::Wait(notification) => self.change_by_wait(now, notification),
                _ => Err(Error::NoCapability),
            },
            Event::Poll(slot) => match self.capability(slot)? {
                Capability::Wait(notification) => self.change_by_poll(now, notification),
                _ => Err(Error::NoCapability),
            },
            Event::Lock(slot) => match self.capability(slot)? {
                // With words only a contended lock comes here. Without them a mutex is a gate like
                // others.
                Capability::Mutex(mutex) if P::Word::ADOPTS => self.change_by_lock(now, mutex),
                Capability::Mutex(gate) => self.change_by_invoke(now, gate).map(|()| Next::Other),
                _ => Err(Error::NoCapability),
            },
            Event::Unlock(slot) => match self.capability(slot)? {
                Capability::Mutex(mutex) if P::Word::ADOPTS => {
                    self.change_by_unlock_word(now, mutex)
                }
                Capability::Mutex(gate) => self.change_by_unlock(now, gate),
                _ => Err(Error::NoCapability),
            },
            Event::Depend(slot) => match self.capability(slot)? {
                // Under other policies the tables can still name a row. There it is as if the slot
                // were empty.
                Capability::Thread(gate, thread) if P::Word::DEPENDS => {
                    self.change_by_depend(now, gate, thread)
                }
                _ => Err(Error::NoCapability),
            },
            Event::Wake(slot) => match self.capability(slot)? {
                Capability::Thread(gate, thread) if P::Word::DEPENDS => {
                    self.change_by_wake(now, gate, thread)
                }
                _ => Err(Error::NoCapability),
            },
            Event::Return => self.change_by_return(now),
            Event::Yield => self.change_by_yield(now),
            Event::Complete => self.change_by_completion(now),
            Event::Timer => Ok(self.change_by_timer(now)),
            Event::Interrupt(line) => self.change_by_interrupt(now, line),
            Event::Release(thread, nominal) => self.change_by_release(now, thread, nominal),
            Event::Fault => self.change_by_fault(now),
            Event::Abort => self.change_by_abort(now),
            Event::Restored => self.change_by_restored(),
        }
    }

    /// Ends an operation, for callers that read its result as a whole.
    pub(crate) fn finish(
        &mut self,
        now: Time,
        done: Result<Next, Error>,
    ) -> Result<Outcome, Error> {
        // In all other cases the operation has chosen, and a second choice would cost time.
        if done? == Next::Open {
            seeded!(Unsettled, (), self.reschedule(now));
        }
        Ok(self.outcome())
    }

    /// Returns the object that the running component's code names with this slot. Constant time.
    #[inline(always)]
    pub fn capability(&self, slot: u16) -> Result<Capability, Error> {
        self.caller()?;
        self.named(slot).copied().ok_or(Error::NoCapability)
    }

    /// As [`capability`](Self::capability), where it does not matter why there is none.
    #[inline(always)]
    pub(crate) fn named(&self, slot: u16) -> Option<&Capability> {
        // Each step is a checked look-up. A component chooses the slot, so nothing here may panic,
        // and the core may be idle.
        let caller = self.memory.threads.get(self.memory.core.current.at())?;
        let top = self.memory.frames.get(seeded!(
            HomeCapabilities,
            caller.home as usize,
            caller.top()
        ))?;
        self.tables.components.get(top.component.at())?.capabilities.get(slot as usize)
    }

    /// Returns the component in which a thread is: that of its topmost frame, or its home.
    pub fn component_of(&self, thread: ThreadIndex) -> crate::ComponentIndex {
        self.top(thread).component
    }

    /// Returns a thread's topmost frame; that of its home, where it has passed no gate. Constant
    /// time.
    #[inline(always)]
    pub fn top(&self, thread: ThreadIndex) -> &Frame<P> {
        &self.memory.frames[self.thread(thread).top()]
    }

    /// Returns the frame below a thread's topmost one; the topmost one itself where there is none.
    /// Constant time.
    #[inline(always)]
    pub fn below(&self, thread: ThreadIndex) -> &Frame<P> {
        let state = self.thread(thread);
        // At home the frame below in the table belongs to another thread, which this one must not
        // see.
        &self.memory.frames[state.top() - usize::from(!state.is_home())]
    }

    /// Returns the passage by which a thread entered the component that it is in, behind a gate.
    /// Constant time.
    #[inline]
    pub fn passage(&self, thread: ThreadIndex) -> Passage {
        let (top, from) = (self.top(thread), self.below(thread).stack);
        let topmost = self.thread(thread).topmost;
        Passage {
            thread,
            gate: top.gate,
            stack: top.stack,
            from,
            topmost,
            limited: self.core().is_limited(),
        }
    }

    /// Returns the index of a thread's first frame.
    #[inline]
    pub(crate) fn first_frame(&self, thread: ThreadIndex) -> usize {
        self.memory.threads[thread.at()].home as usize
    }

    /// Returns the running thread, or the error for an idle core.
    #[inline]
    pub(crate) fn caller(&self) -> Result<ThreadIndex, Error> {
        let current = self.core().current;
        if current.is_some() { Ok(current) } else { Err(Error::Idle) }
    }

    /// Returns the tables of the system.
    pub fn tables(&self) -> &Tables<'m> {
        &self.tables
    }

    /// All of the state.
    pub fn memory(&self) -> &Memory<'m, P> {
        &self.memory
    }

    /// Returns the sink that records go to.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Returns the running thread; [`ThreadIndex::NONE`]: none runs.
    #[inline]
    pub fn current(&self) -> ThreadIndex {
        self.core().current
    }

    /// Returns a thread's state.
    #[inline]
    pub fn thread(&self, thread: ThreadIndex) -> &Thread<P> {
        &self.memory.threads[thread.at()]
    }

    /// Returns a gate's state.
    #[inline]
    pub fn gate(&self, gate: GateIndex) -> &Gate<P> {
        &self.memory.gates[gate.at()]
    }

    /// Returns a thread's invocation stack, outermost first, its home left out.
    #[inline]
    pub fn frames(&self, thread: ThreadIndex) -> &[Frame<P>] {
        let first = self.first_frame(thread) + 1;
        &self.memory.frames[first..self.thread(thread).top() + 1]
    }

    /// When the timer must fire. Constant time.
    #[inline]
    pub fn next_timer(&self) -> Time {
        seeded!(BlindTimer, self.core().next, self.core().next.min(self.core().limit))
    }

    /// When the running thread's budget or time slice end; [`NEVER`]: not. Constant time.
    #[inline]
    pub fn limit(&self) -> Time {
        self.core().limit
    }

    #[inline]
    pub(crate) fn core(&self) -> &Core<P> {
        self.memory.core
    }

    #[inline]
    pub(crate) fn core_mut(&mut self) -> &mut Core<P> {
        self.memory.core
    }

    #[inline]
    pub(crate) fn thread_mut(&mut self, thread: ThreadIndex) -> &mut Thread<P> {
        &mut self.memory.threads[thread.at()]
    }

    #[inline]
    pub(crate) fn record(
        &mut self,
        time: Time,
        kind: Kind,
        thread: ThreadIndex,
        object: u16,
        value: u64,
    ) {
        self.sink.record(Record { time, kind, thread, object, value });
    }

    pub(crate) fn notification_exists(&self, notification: NotificationIndex) -> Result<(), Error> {
        let exists = notification.at() < self.tables.notifications.len();
        // Asked for callers on the host. An index from a capability was checked with the tables.
        exists.then_some(()).ok_or(Error::NoSuchObject)
    }
}
