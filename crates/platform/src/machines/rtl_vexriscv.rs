//! The Verilog of a VexRiscv core, under Verilator.
//!
//! The core is the variant for Linux: 32 bits, in order, Sv32 below machine mode, caches for
//! instructions and data of 4 KiB each with one way, four translations for each, which every change
//! of the address space drops. It has no counters, no memory protection but page tables, one place
//! where all traps arrive, and no compressed instructions; 32 devices are masked by a register. A
//! tick of the kernel's clock is a cycle and counts as a nanosecond. The timer is the board's.
//!
//! Addresses that begin with 0xf are not cached, so that devices are there.

use super::virt;
use crate::{
    Board, Compilers, CoreTraits, Descriptor, DeviceKind, Host, KernelPolicy, MeasuredCosts,
    MemoryMap, PageTableFormat, Verilog,
};

/// Everything about it.
pub(crate) const DESCRIPTOR: Descriptor = Descriptor {
    name: "rtl-vexriscv",
    about: "The Verilog of the VexRiscv core, cycle by cycle; a cycle counts as a nanosecond",
    word_bytes: 4,
    page_tables: PageTableFormat::Sv32,
    map: MemoryMap {
        ram: 0x8000_0000,
        blob: 0x8010_0000,
        ram_end: 0x9000_0000,
        test_device: 0xf002_0000,
        software_interrupts: 0xf001_0000,
        timer_compare: 0xf001_4000,
        timer_clock: 0xf001_bff8,
        timer_ratio: 1,
        interrupts: 0,
        interrupt_sources: 32,
        serial: 0xf000_0000,
        serial_interrupt: 1,
    },
    devices: (0xf000_0000, 1 << 32),
    windows: &[
        virt::window("serial line", 0xf000_0000, 0x1000, DeviceKind::Plain),
        virt::window("devices", 0xf003_0000, 0x1_0000, DeviceKind::Plain),
    ],
    cores: 1,
    parallel: false,
    traits: CoreTraits {
        instruction_is_tick: false,
        // A jump backwards is foreseen.
        turn_ticks: 3,
        cold_ticks: 512,
        physical_bits: 32,
        tagged_translations: false,
        time_register: false,
        cycle_register: false,
        memory_protection: false,
        vectored_traps: false,
        interrupt_controller: false,
        clock_runs_asleep: true,
        clock_from_reset: true,
    },
    compilers: Compilers {
        c: &options("-DFUSEE_CYCLES=512"),
        // Of those without compressed instructions, none is compiled for atomic ones as well.
        libraries: &["-march=rv32im"],
        emulation: "elf32lriscv",
        triple: "riscv32-unknown-elf",
        rust: "riscv32ima-unknown-none-elf",
    },
    host: Host::Board(BOARD),
    calls: virt::CALLS,
    costs: &[MeasuredCosts::of(
        KernelPolicy::FIXED_PRIORITY,
        include_str!("../../tables/rtl-vexriscv.toml"),
    )],
};

/// The same core behind slow memory, as a chip outside of it would be.
pub(crate) const SLOW: Descriptor = Descriptor {
    name: "rtl-vexriscv-10",
    about: "The same core, and each access to memory waits for 10 cycles",
    traits: CoreTraits { cold_ticks: 2048, ..DESCRIPTOR.traits },
    compilers: Compilers { c: &options("-DFUSEE_CYCLES=2048"), ..DESCRIPTOR.compilers },
    host: Host::Board(Board { memory_latency: 10, ..BOARD }),
    costs: &[MeasuredCosts::of(
        KernelPolicy::FIXED_PRIORITY,
        include_str!("../../tables/rtl-vexriscv-10.toml"),
    )],
    ..DESCRIPTOR
};

const BOARD: Board =
    Board { cores: Verilog::VexRiscv, memory_latency: 0, cycles_a_second: &[(1, 1_800_000)] };

/// Returns the C compilers' options, with the ticks for the code around a loop.
const fn options(cold_ticks: &'static str) -> [&'static str; 6] {
    [
        "-march=rv32ima",
        "-mabi=ilp32",
        "-mcmodel=medany",
        cold_ticks,
        "-DFUSEE_TURN_CYCLES=2",
        "-DFUSEE_CACHE_LINE=32",
    ]
}
