//! The kernel's layout in memory, for analyses of its binary.
//!
//! The compiler chooses how structures are laid out. An analysis of a binary that must know which
//! thread runs, and inside which gate, asks here.

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
    /// The offset of the running thread in a core, in bytes.
    pub current: usize,
    /// The size of a thread in bytes.
    pub thread: usize,
    /// From a thread to where its topmost frame is.
    pub topmost: usize,
    /// The size of a frame in bytes.
    pub frame: usize,
    /// From a frame to its gate.
    pub gate: usize,
    /// The size of a gate's state in bytes.
    pub gate_state: usize,
    /// The offset of the holder in a gate's state, in bytes.
    pub holder: usize,
    /// The size of a component in the tables, in bytes.
    pub component: usize,
    /// From there to its capabilities.
    pub capabilities: usize,
    /// The size of a capability in bytes.
    pub capability: usize,
}

impl<P: Policy, S> Kernel<'_, P, S> {
    /// The layout of this kernel.
    pub const LAYOUT: Layout = Layout {
        core: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, core),
        threads: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, threads),
        frames: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, frames),
        gates: offset_of!(Self, memory) + offset_of!(Memory<'_, P>, gates),
        components: offset_of!(Self, tables) + offset_of!(Tables<'_>, components),
        current: offset_of!(Core<P>, current),
        // The policy decides how large threads and frames are, so each kernel has its own layout.
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
