//! The machines: word size and where their devices and memory are.

use crate::PageTableFormat;

/// A machine that the kernel boots on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Platform {
    /// QEMU's `virt` machine with a 64-bit RISC-V core.
    QemuRv64 = 1,
    /// QEMU's `virt` machine with a 32-bit RISC-V core.
    QemuRv32 = 2,
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

/// Both of QEMU's machines have the same map.
const VIRT: MemoryMap = MemoryMap {
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

impl Platform {
    /// All platforms.
    pub const ALL: [Platform; 2] = [Platform::QemuRv64, Platform::QemuRv32];

    /// The platform with this number.
    pub fn from_number(number: u32) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| *platform as u32 == number)
    }

    /// The platform with this name.
    pub fn from_name(name: &str) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| platform.name() == name)
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Platform::QemuRv64 => "qemu-rv64",
            Platform::QemuRv32 => "qemu-rv32",
        }
    }

    /// Where things are.
    pub const fn memory_map(self) -> MemoryMap {
        VIRT
    }

    /// Bytes of a register, and of a word of a message.
    pub const fn word_bytes(self) -> u64 {
        match self {
            Platform::QemuRv64 => 8,
            Platform::QemuRv32 => 4,
        }
    }

    /// The form of its page tables.
    pub const fn page_tables(self) -> PageTableFormat {
        match self {
            Platform::QemuRv64 => PageTableFormat::Sv39,
            Platform::QemuRv32 => PageTableFormat::Sv32,
        }
    }
}
