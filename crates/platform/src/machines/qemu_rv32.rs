//! QEMU's `virt` machine with a 32-bit RISC-V core.

use super::virt;
use crate::{Compilers, Descriptor, Emulator, Host, PageTableFormat};

/// Everything about it.
pub(crate) const DESCRIPTOR: Descriptor = Descriptor {
    name: "qemu-rv32",
    about: "QEMU's `virt` with a 32-bit RISC-V core; every instruction takes one nanosecond",
    word_bytes: 4,
    page_tables: PageTableFormat::Sv32,
    map: virt::MAP,
    devices: virt::DEVICES,
    windows: virt::WINDOWS,
    cores: virt::CORES,
    parallel: false,
    traits: virt::traits(34),
    compilers: Compilers {
        c: &["-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"],
        libraries: &[],
        emulation: "elf32lriscv",
        triple: "riscv32-unknown-elf",
        rust: "riscv32imac-unknown-none-elf",
    },
    host: Host::Emulator(Emulator { program: "qemu-system-riscv32", machine: "virt" }),
    calls: virt::CALLS,
    costs: virt::costs!("qemu-rv32"),
};
