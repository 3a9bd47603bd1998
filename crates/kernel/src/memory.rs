//! The kernel's whole mutable state, in slices that the caller owns.
//!
//! An image points them at static arrays, the simulator at vectors, the explorer at copies that it compares. Nothing
//! of the state is anywhere else, so two equal memories behave equally.

use crate::{Frame, GateIndex, List, Ready, Sizes, StackIndex, Tables, Thread, ThreadIndex, Time};

/// A core's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Core {
    /// Which levels of its ready queue are occupied.
    pub ready: Ready,
    /// Who runs; none: idle.
    pub current: ThreadIndex,
    /// Whose budget is charged for it.
    pub payer: ThreadIndex,
    /// Since when.
    pub since: Time,
    /// When budget or time slice end.
    pub limit: Time,
    /// Whose budget ended during the operation under way, if its notification is still to be signalled.
    pub overrun: ThreadIndex,
}

impl Core {
    /// An idle core.
    pub const EMPTY: Core = Core {
        ready: Ready::EMPTY,
        current: ThreadIndex::NONE,
        payer: ThreadIndex::NONE,
        since: 0,
        limit: crate::NEVER,
        overrun: ThreadIndex::NONE,
    };
}

/// A gate's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gate {
    /// Who is inside, where the protocol is exclusive.
    pub holder: ThreadIndex,
    /// Who waits, in the order in which they will enter.
    pub waiters: List,
    /// First free stack.
    pub free: StackIndex,
}

impl Gate {
    /// A gate before the start.
    pub const EMPTY: Gate = Gate { holder: ThreadIndex::NONE, waiters: List::EMPTY, free: StackIndex::NONE };
}

/// A notification's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Notification {
    /// Bits or count that nobody has taken yet.
    pub pending: u32,
    /// Who waits, in order of effective priority.
    pub waiters: List,
}

impl Notification {
    /// Nothing pending, nobody waits.
    pub const EMPTY: Notification = Notification { pending: 0, waiters: List::EMPTY };
}

/// A component's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Component {
    /// Changes whenever the component is restarted; [`Component::DEAD`] when it is dead.
    pub epoch: u32,
}

impl Component {
    /// The epoch of a dead component.
    pub const DEAD: u32 = u32::MAX;

    /// A live component.
    pub const EMPTY: Component = Component { epoch: 0 };

    /// Whether it is dead.
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.epoch == Component::DEAD
    }
}

/// Memory for one system; lengths from [`Tables::sizes`].
#[derive(Debug)]
pub struct Memory<'m> {
    /// Cores.
    pub cores: &'m mut [Core],
    /// Ready lists, core by core.
    pub levels: &'m mut [List],
    /// Threads.
    pub threads: &'m mut [Thread],
    /// Invocation stacks, thread by thread.
    pub frames: &'m mut [Frame],
    /// Gates.
    pub gates: &'m mut [Gate],
    /// Links of the gates' lists of free stacks.
    pub stacks: &'m mut [StackIndex],
    /// Notifications.
    pub notifications: &'m mut [Notification],
    /// Components.
    pub components: &'m mut [Component],
    /// Rings of waiting releases, thread by thread.
    pub arrivals: &'m mut [Time],
    /// Each thread's next release.
    pub expiries: &'m mut [Time],
    /// Tournament over the expiries.
    pub tree: &'m mut [ThreadIndex],
}

impl Memory<'_> {
    /// Whether the lengths are those that the tables ask for.
    pub(crate) fn fits(&self, sizes: Sizes) -> bool {
        self.cores.len() == sizes.cores
            && self.levels.len() == sizes.levels
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
        self.cores.fill(Core::EMPTY);
        self.levels.fill(List::EMPTY);
        self.threads.fill(Thread::EMPTY);
        self.frames.fill(Frame::EMPTY);
        self.gates.fill(Gate::EMPTY);
        self.notifications.fill(Notification::EMPTY);
        self.components.fill(Component::EMPTY);
        self.arrivals.fill(0);
        self.expiries.fill(crate::NEVER);
        self.tree.fill(ThreadIndex::NONE);
        self.share_out_stacks(tables);
    }

    fn share_out_stacks(&mut self, tables: &Tables<'_>) {
        let mut next = 0u16;
        for (gate, config) in self.gates.iter_mut().zip(tables.gates) {
            let mut free = StackIndex::NONE;
            for stack in (next..next + config.stacks).rev() {
                self.stacks[stack as usize] = free;
                free = StackIndex(stack);
            }
            gate.free = free;
            next += config.stacks;
        }
    }

    /// Takes a free stack of the gate. Constant time.
    #[inline]
    pub(crate) fn take_stack(&mut self, gate: GateIndex) -> StackIndex {
        let gate = &mut self.gates[gate.at()];
        let stack = gate.free;
        gate.free = self.stacks[stack.at()];
        stack
    }

    /// Gives a stack back. Constant time.
    #[inline]
    pub(crate) fn give_stack(&mut self, gate: GateIndex, stack: StackIndex) {
        let gate = &mut self.gates[gate.at()];
        self.stacks[stack.at()] = gate.free;
        gate.free = stack;
    }
}
