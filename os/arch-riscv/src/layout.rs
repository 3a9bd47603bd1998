//! Symbols that hold the places of the kernel's decisions in memory.
//!
//! `fusee wcet` reads them: they are numbers beside the code, and no part of it.

use crate::machine::Machine;
use core::arch::global_asm;
use core::mem::offset_of;
use fusee_kernel::Layout;
use fusee_system::{Policy, Recorder};

const LAYOUT: Layout = fusee_kernel::Kernel::<'static, Policy, Recorder>::LAYOUT;
/// From the machine to the kernel.
const KERNEL: usize = offset_of!(Machine, system) + fusee_system::System::KERNEL;

macro_rules! told {
    ($($name:literal = $number:expr,)+) => {
        $(global_asm!(
            concat!(".globl __layout_", $name),
            concat!(".type __layout_", $name, ", @object"),
            concat!(".set __layout_", $name, ", {number}"),
            number = const $number,
        );)+
    };
}

told! {
    "core" = KERNEL + LAYOUT.core,
    "threads" = KERNEL + LAYOUT.threads,
    "frames" = KERNEL + LAYOUT.frames,
    "gates" = KERNEL + LAYOUT.gates,
    "components" = KERNEL + LAYOUT.components,
    "current" = LAYOUT.current,
    "thread" = LAYOUT.thread,
    "topmost" = LAYOUT.topmost,
    "frame" = LAYOUT.frame,
    "gate" = LAYOUT.gate,
    "gate_state" = LAYOUT.gate_state,
    "holder" = LAYOUT.holder,
    "component" = LAYOUT.component,
    "capabilities" = LAYOUT.capabilities,
    "capability" = LAYOUT.capability,
}
