//! QEMU's `virt` machine with a 64-bit RISC-V core.

use super::virt;
use crate::{Compilers, Descriptor, Emulator, Host, PageTableFormat};

/// Everything about it.
pub(crate) const DESCRIPTOR: Descriptor = Descriptor {
    name: "qemu-rv64",
    about: "QEMU's `virt` with a 64-bit RISC-V core; every instruction takes one nanosecond",
    word_bytes: 8,
    page_tables: PageTableFormat::Sv39,
    map: virt::MAP,
    devices: virt::DEVICES,
    windows: virt::WINDOWS,
    cores: virt::CORES,
    parallel: false,
    traits: virt::traits(56),
    compilers: Compilers {
        c: &["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"],
        libraries: &[],
        emulation: "elf64lriscv",
        triple: "riscv64-unknown-elf",
        rust: "riscv64imac-unknown-none-elf",
    },
    host: Host::Emulator(Emulator { program: "qemu-system-riscv64", machine: "virt" }),
    calls: virt::CALLS,
    costs: virt::costs!("qemu-rv64", LOCK_SERVICES "-locks-trees" below schedulers),
};
