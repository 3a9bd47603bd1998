//! What the compilers have to know of a platform.

use std::fmt;

/// A platform that components are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// QEMU's `virt` machine, 64 bits.
    QemuRv64,
    /// QEMU's `virt` machine, 32 bits.
    QemuRv32,
}

impl Platform {
    /// All of them.
    pub const ALL: [Platform; 2] = [Platform::QemuRv64, Platform::QemuRv32];

    /// The platform of that name.
    pub fn named(name: &str) -> Option<Platform> {
        Self::ALL.into_iter().find(|platform| platform.name() == name)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Platform::QemuRv64 => "qemu-rv64",
            Platform::QemuRv32 => "qemu-rv32",
        }
    }

    /// Bytes of a register.
    pub fn word(self) -> u32 {
        match self {
            Platform::QemuRv64 => 8,
            Platform::QemuRv32 => 4,
        }
    }

    /// What both C compilers take to generate code for it.
    pub(crate) fn machine(self) -> [&'static str; 3] {
        match self {
            Platform::QemuRv64 => ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"],
            Platform::QemuRv32 => ["-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"],
        }
    }

    /// The linker's name of the object format.
    pub(crate) fn emulation(self) -> &'static str {
        match self {
            Platform::QemuRv64 => "elf64lriscv",
            Platform::QemuRv32 => "elf32lriscv",
        }
    }

    /// clang's name of the target.
    pub(crate) fn triple(self) -> &'static str {
        match self {
            Platform::QemuRv64 => "riscv64-unknown-elf",
            Platform::QemuRv32 => "riscv32-unknown-elf",
        }
    }

    /// The Rust compiler's name of the target.
    pub(crate) fn rust_target(self) -> &'static str {
        match self {
            Platform::QemuRv64 => "riscv64imac-unknown-none-elf",
            Platform::QemuRv32 => "riscv32imac-unknown-none-elf",
        }
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
