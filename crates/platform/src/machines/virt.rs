//! QEMU's `virt` for RISC-V: the same board around cores of either width.

use crate::{CallRegisters, MemoryMap};

/// Memory and devices.
pub(super) const MAP: MemoryMap = MemoryMap {
    ram: 0x8000_0000,
    blob: 0x8010_0000,
    ram_end: 0x9000_0000,
    test_device: 0x0010_0000,
    timer_compare: 0x0200_4000,
    timer_clock: 0x0200_bff8,
    timer_ratio: 100,
    interrupts: 0x0c00_0000,
    interrupt_sources: 96,
    serial: 0x1000_0000,
    serial_interrupt: 10,
};

/// `a7` and `t0`.
pub(super) const CALLS: CallRegisters = CallRegisters { operation: 17, further: 5 };
