//! The kernel's whole mutable state, in slices that the caller owns.
//!
//! An image points them at static arrays, the simulator at vectors, the explorer at copies that it
//! compares. Nothing of the state is anywhere else, so two equal memories behave equally.

use crate::ceiling_stack::HeldCeilings;
use crate::mutation::seeded;
use crate::urgency::{FixedPriority, Place, Urgencies};
use crate::{
    Capability, ComponentIndex, Frame, GateIndex, GateKind, List, NotificationKind, Ready, Sizes,
    StackIndex, Tables, Thread, ThreadIndex, Time, Word,
};

/// A core's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Core<P: Urgencies = FixedPriority> {
    /// Its ready queue, as far as it is at hand.
    pub ready: Ready<P>,
    /// The running thread; none: the core idles.
    pub current: ThreadIndex,
    /// The thread whose budget is charged for the running one; none: the running thread pays for
    /// itself. A thread whose overrun is to be signalled pays for itself, too.
    pub lender: ThreadIndex,
    /// The instant from which time is charged, in ticks.
    pub since: Time,
    /// When budget or time slice end.
    pub limit: Time,
    /// The next release of the system.
    pub next: Time,
    /// The thread whose budget has ended, if a signal still has to tell of it: then the timer is
    /// due.
    pub overrun: ThreadIndex,
    /// Its held gates that bar others from more than themselves.
    pub ceilings: P::Ceilings,
}

impl<P: Urgencies> Core<P> {
    /// All releases that have not yet come are of this instant or later ones: the timer's interrupt
    /// may be late.
    #[inline(always)]
    pub(crate) fn since(&self, now: Time) -> Time {
        // Jobs that are due but not yet told have earlier deadlines than `now` gives. A deadline
        // floor from `now` would be too weak, and they would find the gate held.
        now.min(self.next)
    }

    /// Returns `true` if time is limited, by the running thread's own budget or by that of the
    /// thread that pays for it.
    #[inline(always)]
    pub(crate) fn is_limited(&self) -> bool {
        // A lender without a limit leaves the limit at `NEVER`. What it pays is a debt all the
        // same.
        self.limit != crate::NEVER || self.is_lent()
    }

    /// Returns `true` if the running thread runs on another thread's budget.
    #[inline(always)]
    pub(crate) fn is_lent(&self) -> bool {
        self.lender.is_some()
    }

    /// Returns the thread whose budget is charged.
    #[inline]
    pub fn payer(&self) -> ThreadIndex {
        if self.is_lent() { self.lender } else { self.current }
    }

    /// An idle core.
    pub const EMPTY: Self = Core::idle();

    const fn idle() -> Self {
        Core {
            ready: Ready::EMPTY,
            current: ThreadIndex::NONE,
            lender: ThreadIndex::NONE,
            since: 0,
            limit: crate::NEVER,
            next: crate::NEVER,
            overrun: ThreadIndex::NONE,
            ceilings: P::Ceilings::NONE_HELD,
        }
    }
}

/// A gate's state, with what passing it needs of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(16))]
pub struct Gate<P: Urgencies = FixedPriority> {
    /// The thread that is inside, where the protocol is exclusive.
    pub holder: ThreadIndex,
    /// The threads that wait, in the order in which they will enter.
    pub waiters: List,
    /// The first free stack. That of an exclusive gate is not taken off: it is free while no thread
    /// is inside.
    pub free: StackIndex,
    /// The component behind it, as the tables say.
    pub component: ComponentIndex,
    /// The least urgency that the gate gives to its holder, as the tables say.
    pub ceiling: P::Ceiling,
    /// `true` if at most one thread is inside, as the tables say.
    pub exclusive: bool,
    /// `true` if the holder inherits the urgency of waiting threads, as the tables say.
    pub inherits: bool,
    /// The kind of gate, as the tables say.
    pub kind: GateKind,
    /// Its place among those that bar others from more than themselves.
    pub place: Place<P>,
    /// Its word, if it is a mutex that has one.
    pub word: P::Word,
}

impl<P: Urgencies> Gate<P> {
    /// A gate before the start.
    pub const EMPTY: Self = Gate {
        holder: ThreadIndex::NONE,
        waiters: List::EMPTY,
        free: StackIndex::NONE,
        component: ComponentIndex::NONE,
        ceiling: P::NO_CEILING,
        exclusive: false,
        inherits: false,
        kind: GateKind::Interface,
        place: P::Ceilings::APART,
        word: P::Word::FREE,
    };
}

/// A notification's state, with what a signal needs of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(16))]
pub struct Notification {
    /// The bits or count that no thread has taken yet.
    pub pending: u32,
    /// The threads that wait, in order of effective priority.
    pub waiters: List,
    /// `true` if signals are counted, as the tables say.
    pub counts: bool,
}

impl Notification {
    /// A notification with nothing pending and no waiting thread.
    pub const EMPTY: Notification =
        Notification { pending: 0, waiters: List::EMPTY, counts: false };
}

/// A component's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Component {
    /// Changes whenever the component is restarted. While its initial data are still to be put
    /// back, the highest bit is set as well; [`Component::DEAD`] when it is dead. So one comparison
    /// tells whether a frame may run in it, and one whether it is entered as usual.
    pub epoch: u32,
}

impl Component {
    /// The epoch of a dead component.
    pub const DEAD: u32 = u32::MAX;

    const CLOSED: u32 = 1 << 31;

    /// A live component.
    pub const EMPTY: Component = Component { epoch: 0 };

    /// Returns `true` if it is dead.
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.epoch == Component::DEAD
    }

    /// Returns `true` if its initial data must be put back before any thread goes on in it.
    #[inline]
    pub fn is_unrestored(&self) -> bool {
        self.is_closed() && !self.is_dead()
    }

    /// Returns `true` if it is dead or unrestored.
    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        // `DEAD` has the highest bit as well, so one comparison finds both.
        self.epoch >= Component::CLOSED
    }

    /// Returns the epoch of a frame that enters it now. No frame of a dead component has its epoch.
    #[inline]
    pub fn entering(&self) -> u32 {
        self.epoch & !Component::CLOSED
    }

    /// Begins a new epoch: the old activations are gone, and the initial data are to be put back.
    pub(crate) fn restart(&mut self) {
        // `CLOSED - 1` is left out: `entering` makes that of `DEAD`, and no live frame may have it.
        // After it the numbers begin again; no frame sleeps through two thousand million restarts.
        let next = seeded!(SameEpoch, self.epoch, self.epoch + 1);
        self.epoch = Component::CLOSED | if next < Component::CLOSED - 1 { next } else { 0 };
    }

    /// The initial data have been put back.
    pub(crate) fn open(&mut self) {
        self.epoch = self.entering();
    }

    /// Back to [`is_unrestored`](Self::is_unrestored), after [`open`](Self::open).
    pub(crate) fn close(&mut self) {
        self.epoch |= Component::CLOSED;
    }
}

/// Memory for one system; lengths from [`Tables::sizes`].
#[derive(Debug)]
pub struct Memory<'m, P: Urgencies = FixedPriority> {
    /// The core whose events are handled: there is one for the time being.
    pub core: &'m mut Core<P>,
    /// The further storage of the ready queue.
    pub levels: &'m mut [P::Place],
    /// The state of each thread.
    pub threads: &'m mut [Thread<P>],
    /// Invocation stacks, thread by thread.
    pub frames: &'m mut [Frame<P>],
    /// The state of each gate.
    pub gates: &'m mut [Gate<P>],
    /// Links of the gates' lists of free stacks.
    pub stacks: &'m mut [StackIndex],
    /// The state of each notification.
    pub notifications: &'m mut [Notification],
    /// The state of each component.
    pub components: &'m mut [Component],
    /// Rings of waiting releases, thread by thread.
    pub arrivals: &'m mut [Time],
    /// Each thread's next release.
    pub expiries: &'m mut [Time],
    /// Tournament over the expiries.
    pub tree: &'m mut [ThreadIndex],
}

impl<P: Urgencies> Memory<'_, P> {
    /// Returns `true` if the lengths are those that the tables ask for.
    pub(crate) fn fits(&self, sizes: &Sizes) -> bool {
        self.levels.len() == P::places(sizes)
            && self.threads.len() == sizes.threads
            && self.frames.len() == sizes.frames
            && self.gates.len() == sizes.gates
            && self.stacks.len() == sizes.stacks
            && self.notifications.len() == sizes.notifications
            && self.components.len() == sizes.components
            && self.arrivals.len() == sizes.arrivals
            && self.expiries.len() == sizes.threads
            && self.tree.len() == sizes.tree
    }

    /// Everything back to the state before the start.
    pub(crate) fn clear(&mut self, tables: &Tables<'_>) {
        *self.core = Core::idle();
        // Memory may hold what an earlier run has left, so every slice is written, whatever is in
        // it.
        self.levels.fill(P::VACANT);
        self.threads.fill(Thread::EMPTY);
        self.frames.fill(Frame::EMPTY);
        self.gates.fill(Gate::EMPTY);
        self.notifications.fill(Notification::EMPTY);
        for (notification, config) in self.notifications.iter_mut().zip(tables.notifications) {
            notification.counts =
                seeded!(MergedCounts, false, config.kind != NotificationKind::Merging);
        }
        self.components.fill(Component::EMPTY);
        self.arrivals.fill(0);
        self.expiries.fill(crate::NEVER);
        self.tree.fill(ThreadIndex::NONE);
        // This writes all of `stacks` as well, because each stack belongs to exactly one gate.
        self.set_up_gates(tables);
    }

    fn set_up_gates(&mut self, tables: &Tables<'_>) {
        let mut next = 0u16;
        for (gate, config) in self.gates.iter_mut().zip(tables.gates) {
            let mut free = StackIndex::NONE;
            for stack in (next..next + config.stacks).rev() {
                self.stacks[stack as usize] = free;
                free = StackIndex(stack);
            }
            gate.free = free;
            // Copied from the tables, so that a passage reads the gate and no table.
            gate.component = config.component;
            gate.ceiling = P::ceiling(tables, config.protocol);
            gate.exclusive = config.protocol.is_exclusive();
            gate.inherits = config.protocol.inherits();
            gate.kind = config.kind;
            gate.place = P::Ceilings::place(config.protocol);
            next += config.stacks;
        }
        // Other kernels have no such rows, and do not look through the capabilities.
        if P::Word::DEPENDS {
            self.set_up_rows(tables);
        }
    }

    /// Says which gates are those about threads.
    fn set_up_rows(&mut self, tables: &Tables<'_>) {
        for capability in tables.components.iter().flat_map(|component| component.capabilities) {
            let Capability::Thread(gate, thread) = *capability else { continue };
            // The gate for thread 0. It exists: `word_tables::check` has refused rows that do not
            // fit.
            let row = usize::from(gate.0.wrapping_sub(thread.0));
            for gate in self.gates.iter_mut().skip(row).take(tables.threads.len()) {
                gate.word.set_depends();
            }
        }
    }

    /// Gives a stack of a gate that is not exclusive back. Constant time.
    #[inline]
    pub(crate) fn give_stack(&mut self, gate: GateIndex, stack: StackIndex) {
        // Given back in front, which takes constant time wherever the stack was in the list.
        let gate = &mut self.gates[gate.at()];
        self.stacks[stack.at()] = seeded!(LostStacks, StackIndex::NONE, gate.free);
        gate.free = stack;
    }
}
