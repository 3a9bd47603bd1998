//! Memory for one kernel.

use fusee_kernel as kernel;
use kernel::{NEVER, Sizes, StackIndex, ThreadIndex, Time};

/// Vectors of the lengths that the kernel asks for.
pub(crate) struct Buffers {
    cores: Vec<kernel::Core>,
    levels: Vec<kernel::List>,
    threads: Vec<kernel::Thread>,
    frames: Vec<kernel::Frame>,
    gates: Vec<kernel::Gate>,
    stacks: Vec<StackIndex>,
    notifications: Vec<kernel::Notification>,
    components: Vec<kernel::Component>,
    arrivals: Vec<Time>,
    expiries: Vec<Time>,
    tree: Vec<ThreadIndex>,
}

impl Buffers {
    /// Memory before the start.
    pub(crate) fn new(sizes: Sizes) -> Buffers {
        Buffers {
            cores: vec![kernel::Core::EMPTY; sizes.cores.max(1)],
            levels: vec![kernel::List::EMPTY; sizes.levels],
            threads: vec![kernel::Thread::EMPTY; sizes.threads],
            frames: vec![kernel::Frame::EMPTY; sizes.frames],
            gates: vec![kernel::Gate::EMPTY; sizes.gates],
            stacks: vec![StackIndex::NONE; sizes.stacks],
            notifications: vec![kernel::Notification::EMPTY; sizes.notifications],
            components: vec![kernel::Component::EMPTY; sizes.components],
            arrivals: vec![0; sizes.arrivals],
            expiries: vec![NEVER; sizes.threads],
            tree: vec![ThreadIndex::NONE; sizes.tree],
        }
    }

    /// The same, as the kernel takes it.
    pub(crate) fn memory(&mut self) -> kernel::Memory<'_> {
        kernel::Memory {
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
