//! Memory for a kernel, made of vectors.

use fusee_kernel::*;

/// A system's whole state; equal stores behave equally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) cores: Vec<Core>,
    pub(crate) levels: Vec<List>,
    pub(crate) threads: Vec<Thread>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) stacks: Vec<StackIndex>,
    pub(crate) notifications: Vec<Notification>,
    pub(crate) components: Vec<Component>,
    pub(crate) arrivals: Vec<Time>,
    pub(crate) expiries: Vec<Time>,
    pub(crate) tree: Vec<ThreadIndex>,
}

impl Store {
    pub(crate) fn new(tables: &Tables<'_>) -> Store {
        let sizes = tables.sizes();
        Store {
            cores: vec![Core::EMPTY; sizes.cores.max(1)],
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

    pub(crate) fn memory(&mut self) -> Memory<'_> {
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
}
