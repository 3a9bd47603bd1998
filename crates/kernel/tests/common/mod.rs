//! Memory for a kernel, made of vectors.

use fusee_kernel::*;

/// A system's whole state; equal stores behave equally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    pub cores: Vec<Core>,
    pub levels: Vec<List>,
    pub threads: Vec<Thread>,
    pub frames: Vec<Frame>,
    pub gates: Vec<Gate>,
    pub stacks: Vec<StackIndex>,
    pub notifications: Vec<Notification>,
    pub components: Vec<Component>,
    pub arrivals: Vec<Time>,
    pub expiries: Vec<Time>,
    pub tree: Vec<ThreadIndex>,
}

impl Store {
    pub fn new(tables: &Tables<'_>) -> Store {
        let sizes = tables.sizes();
        Store {
            cores: vec![Core::EMPTY; sizes.cores],
            levels: vec![List::EMPTY; sizes.levels],
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

    pub fn memory(&mut self) -> Memory<'_> {
        Memory {
            cores: &mut self.cores,
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
}
