//! A kernel's memory in vectors, for hosts: to be copied and compared.
//!
//! The simulator, the explorer and tests hold the kernel's state in one of these. The questions
//! about a state are answered from the memory and the tables alone: the kernel calls none of these
//! functions, so a check that uses them is independent of it.

use std::vec;
use std::vec::Vec;

use crate::ceiling_stack::HeldCeilings;
use crate::{
    Component, Core, FixedPriority, Frame, Gate, Kernel, Memory, NEVER, Notification, Policy,
    Sizes, StackIndex, TableError, Tables, Thread, ThreadIndex, Time,
};

/// The whole state of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store<P: Policy = FixedPriority> {
    /// The state of each core.
    pub cores: Vec<Core<P>>,
    /// The further storage of the ready queue.
    pub levels: Vec<P::Place>,
    /// The state of each thread.
    pub threads: Vec<Thread<P>>,
    /// The invocation stacks of all threads.
    pub frames: Vec<Frame<P>>,
    /// The state of each gate.
    pub gates: Vec<Gate<P>>,
    /// Links of the free stacks.
    pub stacks: Vec<StackIndex>,
    /// The state of each notification.
    pub notifications: Vec<Notification>,
    /// The state of each component.
    pub components: Vec<Component>,
    /// The releases that wait for a job to end.
    pub arrivals: Vec<Time>,
    /// The next release of each thread.
    pub expiries: Vec<Time>,
    /// Tournament over them.
    pub tree: Vec<ThreadIndex>,
}

impl<P: Policy> Store<P> {
    /// Memory before the start.
    pub fn new(sizes: Sizes) -> Self {
        Store {
            // At least one: `memory` takes the first, also where the tables are refused later.
            cores: vec![Core::EMPTY; sizes.cores.max(1)],
            levels: vec![P::VACANT; P::places(&sizes)],
            threads: vec![Thread::EMPTY; sizes.threads],
            frames: vec![Frame::EMPTY; sizes.frames],
            gates: vec![Gate::EMPTY; sizes.gates],
            stacks: vec![StackIndex::NONE; sizes.stacks],
            notifications: vec![Notification::EMPTY; sizes.notifications],
            components: vec![Component::EMPTY; sizes.components],
            arrivals: vec![0; sizes.arrivals],
            expiries: vec![NEVER; sizes.threads],
            tree: vec![ThreadIndex::NONE; sizes.tree],
        }
    }

    /// Returns the state in which a system starts.
    ///
    /// # Errors
    /// The tables are wrong.
    pub fn start(tables: &Tables<'_>) -> Result<Self, TableError> {
        tables.check()?;
        let mut store = Store::new(tables.sizes());
        Kernel::start(*tables, store.memory(), ())?;
        Ok(store)
    }

    /// The state as the kernel takes it.
    pub fn memory(&mut self) -> Memory<'_, P> {
        Memory {
            core: &mut self.cores[0],
            levels: &mut self.levels,
            threads: &mut self.threads,
            frames: &mut self.frames,
            gates: &mut self.gates,
            stacks: &mut self.stacks,
            notifications: &mut self.notifications,
            components: &mut self.components,
            arrivals: &mut self.arrivals,
            expiries: &mut self.expiries,
            tree: &mut self.tree,
        }
    }

    /// Becomes as another one, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        // Field by field, so that each vector keeps its memory: the explorer copies millions of
        // states.
        self.cores.clone_from(&other.cores);
        self.levels.clone_from(&other.levels);
        self.threads.clone_from(&other.threads);
        self.frames.clone_from(&other.frames);
        self.gates.clone_from(&other.gates);
        self.stacks.clone_from(&other.stacks);
        self.notifications.clone_from(&other.notifications);
        self.components.clone_from(&other.components);
        self.arrivals.clone_from(&other.arrivals);
        self.expiries.clone_from(&other.expiries);
        self.tree.clone_from(&other.tree);
    }

    /// Returns a thread's frames, outermost first.
    pub fn frames_of(&self, tables: &Tables<'_>, thread: usize) -> &[Frame<P>] {
        // Worked out from the tables and not read from the thread: a check must not trust what it
        // checks.
        let first = thread * (tables.depth as usize + 1) + 1;
        &self.frames[first..first + self.threads[thread].depth() as usize]
    }

    /// Returns the topmost frame of a thread: that of its home, where it has passed no gate.
    fn top(&self, tables: &Tables<'_>, thread: usize) -> &Frame<P> {
        self.frames_of(tables, thread).last().unwrap_or_else(|| self.home_of(tables, thread))
    }

    /// Returns the component in which a thread is.
    pub fn component_of(&self, tables: &Tables<'_>, thread: usize) -> usize {
        self.top(tables, thread).component.at()
    }

    /// Returns `true` if the component of a thread's topmost frame has died or been restarted
    /// since.
    pub fn is_stale(&self, tables: &Tables<'_>, thread: usize) -> bool {
        let top = self.top(tables, thread);
        let component = &self.components[top.component.at()];
        // Not by `Kernel::is_stale`, for the same reason: it is asked about the kernel's own
        // decisions.
        component.is_dead() || component.entering() != top.epoch
    }

    /// Returns `true` if the initial data of the component of a thread's topmost frame must be put
    /// back before the thread runs.
    pub fn is_unrestored(&self, tables: &Tables<'_>, thread: usize) -> bool {
        self.components[self.component_of(tables, thread)].is_unrestored()
            && !self.is_stale(tables, thread)
    }

    /// Returns `true` if a thread waits and has no result when it resumes: it makes its call again.
    pub fn asks_again(&self, thread: usize) -> bool {
        let at = self.threads[thread].gate();
        at.is_some_and(|gate| P::Ceilings::bars(&self.gates[gate.at()].place))
    }

    /// Returns the frame that stands for a thread's home.
    pub fn home_of(&self, tables: &Tables<'_>, thread: usize) -> &Frame<P> {
        &self.frames[thread * (tables.depth as usize + 1)]
    }

    /// Returns the running thread.
    pub fn running(&self) -> Option<usize> {
        let current = self.cores[0].current;
        current.is_some().then_some(current.at())
    }
}
