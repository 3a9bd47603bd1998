//! What there is to know of a machine.

use crate::PageTableFormat;

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Descriptor {
    /// Its name on the command line and in cost tables.
    pub name: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// Bytes of a register, and of a word of a message.
    pub word_bytes: u64,
    /// The form of its page tables.
    pub page_tables: PageTableFormat,
    /// Main memory and devices.
    pub map: MemoryMap,
    /// Cores that the kernel runs.
    pub cores: u32,
    /// How programs for it are made.
    pub compilers: Compilers,
    /// What it is run by.
    pub emulator: Emulator,
    /// In which registers a system call travels.
    pub calls: CallRegisters,
    /// What the kernel's paths cost there; nothing until somebody has measured it.
    pub costs: Option<CostTables>,
}

/// A machine's physical memory and devices. All are addresses in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryMap {
    /// Start of main memory, and of the kernel.
    pub ram: u64,
    /// The system's tables; the kernel lies below.
    pub blob: u64,
    /// End of main memory as the host configures it.
    pub ram_end: u64,
    /// The device that switches the machine off.
    pub test_device: u64,
    /// Compare register of the timer (64 bits).
    pub timer_compare: u64,
    /// The timer's clock (64 bits).
    pub timer_clock: u64,
    /// Ticks of the kernel's clock in one of the timer's.
    pub timer_ratio: u64,
    /// The interrupt controller.
    pub interrupts: u64,
    /// Interrupt sources of the controller, numbered from 1; one more than the last.
    pub interrupt_sources: u16,
    /// The serial line's registers.
    pub serial: u64,
    /// The serial line's interrupt source.
    pub serial_interrupt: u16,
}

/// What the compilers have to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compilers {
    /// What both C compilers take to generate code for it.
    pub c: &'static [&'static str],
    /// The linker's name of the object format.
    pub emulation: &'static str,
    /// clang's name of the target.
    pub triple: &'static str,
    /// The Rust compiler's name of the target.
    pub rust: &'static str,
}

/// The program that runs it, QEMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Emulator {
    /// QEMU's program.
    pub program: &'static str,
    /// QEMU's name of the machine.
    pub machine: &'static str,
}

/// Numbers of the registers of a system call that say what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRegisters {
    /// The operation, and afterwards the error.
    pub operation: u8,
    /// How many words lie in memory.
    pub further: u8,
}

/// Measured costs of the kernel's paths, as TOML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CostTables {
    /// Of the kernel that records jobs and faults and orders threads by priorities.
    pub plain: &'static str,
    /// Of the same kernel where it records every event.
    pub traced: &'static str,
    /// Of the kernel that records jobs and faults and orders threads by deadlines.
    pub deadlines: &'static str,
}
