//! One descriptor for each machine: what tools and kernel know of it.
//!
//! Word, page tables, memory map and devices, how programs for it are compiled, how it is
//! emulated, in which registers a system call travels, and what its kernel's paths
//! cost: whoever needs one of these asks a [`Platform`] for it, and no other crate tells
//! machines apart. What was tried before is an enum in each crate that had a question:
//! five enums, twenty-five files to touch for a machine. A trait with a type for each machine
//! would make everything above generic for the sake of data, so a machine is data.
//!
//! A new machine of a known architecture is a file in `machines`, a line below, and a
//! cost table, which `fusee measure` writes; before that nothing is promised for it.
#![no_std]

mod descriptor;
mod kernel_config;
mod machines;
mod page;

pub use descriptor::{
    Board, CallRegisters, Compilers, CoreTraits, Descriptor, DeviceKind, DeviceWindow, Emulator,
    Host, MeasuredCosts, MemoryMap, Verilog, for_cores,
};
pub use kernel_config::{
    Ceilings, Cores, KernelConfig, KernelPolicy, Locks, MISSING, Order, Part, Records, Schedulers,
};
pub use page::{PageTableEntry, PageTableFormat, Permissions};

/// The machines: each with the number that images carry, the feature by which the kernel is
/// compiled for it, which is its name, and its descriptor.
macro_rules! platforms {
    ($($(#[$about:meta])* $value:ident = $number:literal, $name:literal: $descriptor:path,)+) => {
        /// A machine that the kernel boots on.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        pub enum Platform { $($(#[$about])* $value = $number,)+ }

        impl Platform {
            /// The list of all platforms.
            pub const ALL: [Platform; [$($number),+].len()] = [$(Platform::$value),+];

            /// Everything about it.
            pub const fn descriptor(self) -> &'static Descriptor {
                match self {
                    $(Platform::$value => &$descriptor,)+
                }
            }
        }

        /// Those that features ask for.
        const ASKED_FOR: &[Platform] = &[$(#[cfg(feature = $name)] Platform::$value),+];

        /// The features, in the order of all platforms.
        #[cfg(test)]
        const FEATURES: [&str; [$($number),+].len()] = [$($name),+];
    };
}

platforms! {
    /// QEMU's `virt` machine with a 64-bit RISC-V core.
    QemuRv64 = 1, "qemu-rv64": machines::qemu_rv64::DESCRIPTOR,
    /// QEMU's `virt` machine with a 32-bit RISC-V core.
    QemuRv32 = 2, "qemu-rv32": machines::qemu_rv32::DESCRIPTOR,
    /// The Verilog of two 64-bit RISC-V cores, Rocket.
    RtlRocket = 3, "rtl-rocket": machines::rtl_rocket::DESCRIPTOR,
    /// The Verilog of a 32-bit RISC-V core, VexRiscv.
    RtlVexriscv = 4, "rtl-vexriscv": machines::rtl_vexriscv::DESCRIPTOR,
    /// The same core, where memory takes ten cycles longer.
    RtlVexriscv10 = 5, "rtl-vexriscv-10": machines::rtl_vexriscv::SLOW,
}

impl Platform {
    /// The one that is meant where none is named.
    pub const DEFAULT: Platform = Platform::QemuRv64;

    /// The one that code is compiled for, which only the kernel asks: it is one program for each
    /// platform.
    ///
    /// Its build asks for the feature of its name. Whoever compiles the kernel's code otherwise, to
    /// look at it or to check it, gets the first platform with the word of the compiler's target.
    pub const COMPILED_FOR: Platform = match ASKED_FOR {
        [] => Platform::with_word(size_of::<usize>() as u64),
        [asked] => *asked,
        _ => panic!("the kernel is compiled for one platform"),
    };

    /// Returns the first with so many bytes in a word; without one, the code that asks does not
    /// compile.
    const fn with_word(bytes: u64) -> Platform {
        let mut at = 0;
        while Platform::ALL[at].word_bytes() != bytes {
            at += 1;
        }
        Platform::ALL[at]
    }

    /// Those that an emulator runs, millions of instructions in a second.
    pub fn emulated() -> impl Iterator<Item = Platform> {
        let is_emulated =
            |platform: &Platform| matches!(platform.descriptor().host, Host::Emulator(_));
        Platform::ALL.into_iter().filter(is_emulated)
    }

    /// Returns the platform with this number.
    pub fn from_number(number: u32) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| *platform as u32 == number)
    }

    /// Returns the platform with this name.
    pub fn from_name(name: &str) -> Option<Platform> {
        Platform::ALL.into_iter().find(|platform| platform.name() == name)
    }

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// Returns the addresses of memory and devices.
    pub const fn memory_map(self) -> MemoryMap {
        self.descriptor().map
    }

    /// Bytes of a register, and of a word of a message.
    pub const fn word_bytes(self) -> u64 {
        self.descriptor().word_bytes
    }

    /// Returns the form of its page tables.
    pub const fn page_tables(self) -> PageTableFormat {
        self.descriptor().page_tables
    }

    /// Returns the properties in which its cores differ from others of their architecture.
    pub const fn traits(self) -> CoreTraits {
        self.descriptor().traits
    }

    /// Returns `true` if an address is a device's.
    pub const fn is_device(self, address: u64) -> bool {
        let (first, end) = self.descriptor().devices;
        first <= address && address < end
    }

    /// Returns the device at an address that components may have, or that is withheld from them.
    pub fn device_at(self, address: u64) -> Option<&'static DeviceWindow> {
        self.descriptor().windows.iter().find(|window| window.contains(address))
    }

    /// Returns a device among so many bytes from an address on that reads and writes memory by
    /// itself.
    pub fn bus_master(self, start: u64, bytes: u64) -> Option<&'static DeviceWindow> {
        let end = start.saturating_add(bytes.max(1));
        let masters = |window: &&DeviceWindow| {
            window.kind == DeviceKind::BusMaster
                && window.start < end
                && start < window.start + window.bytes
        };
        self.descriptor().windows.iter().find(masters)
    }

    /// Returns the page of the kernel's clock, where that is no register.
    pub const fn clock_page(self) -> Option<u64> {
        if self.traits().cycle_register {
            return None;
        }
        Some(self.memory_map().timer_clock & !0xfff)
    }

    /// Returns the number of the address space of a domain, counted from 0, in its translations:
    /// the first is 1. All have 0 where translations carry no numbers.
    pub const fn address_space_number(self, domain: u16) -> u16 {
        if self.traits().tagged_translations { domain + 1 } else { 0 }
    }
}

impl Verilog {
    /// Returns the name of the platform that these cores are, on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Verilog::Rocket => machines::rtl_rocket::DESCRIPTOR.name,
            Verilog::VexRiscv => machines::rtl_vexriscv::DESCRIPTOR.name,
        }
    }
}

impl core::fmt::Display for Platform {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_called_as_their_platforms() {
        assert_eq!(Platform::ALL.map(Platform::name), FEATURES);
    }

    #[test]
    fn the_host_is_taken_for_a_machine_with_its_word() {
        assert_eq!(Platform::COMPILED_FOR.word_bytes(), size_of::<usize>() as u64);
    }
}
