//! Where a kernel's decisions lie in memory, for whoever reads its binary.
//!
//! The compiler chooses how structures are laid out. An analysis of a binary that is to know who
//! runs, and inside which gate, asks here.

use core::mem::offset_of;

use crate::policy::Policy;
use crate::{Capability, ComponentConfig, Core, Frame, Gate, Kernel, Memory, Tables, Thread};

/// Offsets and sizes in bytes; what is behind a slice begins with its pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// From the kernel to the pointer to its core.
    pub core: usize,
    /// From the kernel to its threads.
    pub threads: usize,
    /// From the kernel to its frames.
    pub frames: usize,
    /// From the kernel to its gates.
    pub gates: usize,
    /// From the kernel to the components of its tables.
    pub components: usize,
    /// From a core to who runs there.
    pub current: usize,
    /// Of a thread.
    pub thread: usize,
    /// From a thread to where its topmost frame is.
    pub topmost: usize,
    /// Of a frame.
    pub frame: usize,
    /// From a frame to its gate.
    pub gate: usize,
    /// Of a gate's state.
    pub gate_state: usize,
    /// From there to who holds it.
    pub holder: usize,
    /// Of a component in the tables.
    pub component: usize,
    /// From there to its capabilities.
    pub capabilities: usize,
    /// Of a capability.
    pub capability: usize,
}

impl<P: Policy, S> Kernel<'_, P, S> {
    /// That of this kernel.
    pub const LAYOUT: Layout = Layout {
        core: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, core),
        threads: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, threads),
        frames: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, frames),
        gates: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, gates),
        components: offset_of!(Self, tables) + offset_of!(Tables<'_>, components),
        current: offset_of!(Core<P>, current),
        thread: size_of::<Thread<P>>(),
        topmost: offset_of!(Thread<P>, topmost),
        frame: size_of::<Frame<P>>(),
        gate: offset_of!(Frame<P>, gate),
        gate_state: size_of::<Gate<P>>(),
        holder: offset_of!(Gate<P>, holder),
        component: size_of::<ComponentConfig<'_>>(),
        capabilities: offset_of!(ComponentConfig<'_>, capabilities),
        capability: size_of::<Capability>(),
    };
}
