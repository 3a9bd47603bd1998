//! The Verilog of Rocket cores with coherent caches, under Verilator.
//!
//! The cores are those of the configurations `LitexLinux2DConfig`, which has two, and
//! `LitexLinux4Config`: 64 bits, in order, caches for instructions and data of 4 KiB each with one
//! way, four translations for each, eight regions of memory protection. A tick of the kernel's
//! clock is a cycle and counts as a nanosecond. The timer and the interrupt controller are the
//! cores' own, the rest is the board's.

use super::virt;
use crate::{
    Board, Compilers, CoreTraits, Descriptor, DeviceKind, Host, KernelPolicy, MeasuredCosts,
    MemoryMap, PageTableFormat, Verilog,
};

/// Everything about it.
pub(crate) const DESCRIPTOR: Descriptor = Descriptor {
    name: "rtl-rocket",
    about: "The Verilog of the Rocket cores, cycle by cycle; a cycle counts as a nanosecond",
    word_bytes: 8,
    page_tables: PageTableFormat::Sv39,
    map: MemoryMap {
        ram: 0x8000_0000,
        blob: 0x8010_0000,
        ram_end: 0x9000_0000,
        test_device: 0x1000_2000,
        software_interrupts: 0x0200_0000,
        timer_compare: 0x0200_4000,
        timer_clock: 0x0200_bff8,
        timer_ratio: 100,
        interrupts: 0x0c00_0000,
        interrupt_sources: 9,
        serial: 0x1000_1000,
        serial_interrupt: 1,
    },
    devices: virt::DEVICES,
    windows: &[virt::window("serial line", 0x1000_1000, 0x1000, DeviceKind::Plain)],
    cores: 4,
    parallel: true,
    traits: CoreTraits {
        instruction_is_tick: false,
        // No jump is foreseen: one that is taken costs three cycles more.
        turn_ticks: 5,
        cold_ticks: 512,
        physical_bits: 32,
        tagged_translations: false,
        time_register: false,
        cycle_register: true,
        memory_protection: true,
        vectored_traps: true,
        interrupt_controller: true,
        clock_runs_asleep: false,
        clock_from_reset: true,
    },
    compilers: Compilers {
        c: &[
            "-march=rv64imac",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-DFUSEE_CYCLES=512",
            "-DFUSEE_TURN_CYCLES=4",
            "-DFUSEE_CACHE_LINE=64",
        ],
        libraries: &[],
        emulation: "elf64lriscv",
        triple: "riscv64-unknown-elf",
        rust: "riscv64imac-unknown-none-elf",
    },
    host: Host::Board(Board {
        cores: Verilog::Rocket,
        memory_latency: 20,
        cycles_a_second: &[(2, 120_000), (4, 80_000)],
    }),
    calls: virt::CALLS,
    costs: &[
        MeasuredCosts::of(
            KernelPolicy::FIXED_PRIORITY,
            include_str!("../../tables/rtl-rocket.toml"),
        ),
        MeasuredCosts::of(
            KernelPolicy::FIXED_PRIORITY,
            include_str!("../../tables/rtl-rocket-cores.toml"),
        )
        .on(2),
    ],
};
