//! QEMU's `virt` for RISC-V: the same board around cores of either width.

use crate::{CallRegisters, CoreTraits, DeviceKind, DeviceWindow, MemoryMap};

/// Memory and devices.
pub(super) const MAP: MemoryMap = MemoryMap {
    ram: 0x8000_0000,
    blob: 0x8010_0000,
    ram_end: 0x9000_0000,
    test_device: 0x0010_0000,
    software_interrupts: 0x0200_0000,
    timer_compare: 0x0200_4000,
    timer_clock: 0x0200_bff8,
    timer_ratio: 100,
    interrupts: 0x0c00_0000,
    interrupt_sources: 96,
    serial: 0x1000_0000,
    serial_interrupt: 10,
};

/// Devices are below main memory.
pub(super) const DEVICES: (u64, u64) = (0, MAP.ram);

/// The devices besides memory, timer, interrupt controller and power. The window of the PCI bus is
/// empty, as is its window of ports: no device is on it but the bridge itself.
pub(super) const WINDOWS: &[DeviceWindow] = &[
    window("clock", 0x0010_1000, 0x1000, DeviceKind::Plain),
    window("serial line", MAP.serial, 0x1000, DeviceKind::Plain),
    window("virtio device", 0x1000_1000, 0x8000, DeviceKind::BusMaster),
    window("firmware device", 0x1010_0000, 0x1000, DeviceKind::Withheld),
    window("flash memory", 0x2000_0000, 0x0400_0000, DeviceKind::Plain),
    window("PCI bridge", 0x3000_0000, 0x1000_0000, DeviceKind::BusMaster),
];

/// Returns a device's addresses.
pub(super) const fn window(
    name: &'static str,
    start: u64,
    bytes: u64,
    kind: DeviceKind,
) -> DeviceWindow {
    DeviceWindow { name, start, bytes, kind }
}

/// The most cores that QEMU gives the board here.
pub(super) const CORES: u32 = 8;

/// QEMU's cores. With `-icount`, an instruction takes a tick.
pub(super) const fn traits(physical_bits: u32) -> CoreTraits {
    CoreTraits {
        instruction_is_tick: true,
        turn_ticks: 2,
        cold_ticks: 0,
        physical_bits,
        tagged_translations: true,
        time_register: true,
        cycle_register: true,
        memory_protection: true,
        vectored_traps: true,
        interrupt_controller: true,
        clock_runs_asleep: true,
        clock_from_reset: false,
    }
}

/// `a7` and `t0`.
pub(super) const CALLS: CallRegisters = CallRegisters { operation: 17, further: 5 };

/// The measured costs of the kernels of one of these machines: files that are called as the
/// machine and what its kernel has. Kernels that are measured on one of the machines alone are
/// named with it.
macro_rules! costs {
    ($machine:literal $(, $also:ident $named:literal below schedulers)*) => {{
        use crate::{KernelPolicy as Policy, MeasuredCosts, Records};
        macro_rules! of {
            ($policy:ident, $what:literal) => {
                MeasuredCosts::of(
                    Policy::$policy,
                    include_str!(concat!("../../tables/", $machine, $what, ".toml")),
                )
            };
        }
        const CORES: u32 = crate::machines::virt::CORES;
        &[
            of!(FIXED_PRIORITY, ""),
            of!(FIXED_PRIORITY, "-many"),
            of!(FIXED_PRIORITY, "-traced").recording(Records::Traced),
            of!(FIXED_PRIORITY, "-traced-many").recording(Records::Traced),
            of!(FIXED_PRIORITY, "-trees").below_schedulers(),
            of!(EARLIEST_DEADLINE, "-edf"),
            of!(PRIORITY_CEILING, "-pcp"),
            of!(MUTEX_WORDS, "-words"),
            of!(MUTEX_WORDS, "-words-trees").below_schedulers(),
            of!(PRIORITY_CEILING, "-pcp-trees").below_schedulers(),
            of!(LOCK_SERVICES, "-locks"),
            of!(DEADLINE_WORDS, "-edf-words"),
            of!(DEADLINE_SERVICES, "-edf-locks"),
            of!(CEILING_WORDS, "-pcp-words"),
            of!(CEILING_SERVICES, "-pcp-locks"),
            of!(FIXED_PRIORITY, "-cores").on(CORES),
            of!(EARLIEST_DEADLINE, "-edf-cores").on(CORES),
            of!(PRIORITY_CEILING, "-pcp-cores").on(CORES),
            of!(MUTEX_WORDS, "-words-cores").on(CORES),
            of!(LOCK_SERVICES, "-locks-cores").on(CORES),
            $(of!($also, $named).below_schedulers(),)*
        ]
    }};
}
pub(super) use costs;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Platform;

    #[test]
    fn a_device_that_masters_the_bus_is_told_from_others() {
        let kind = |address| Platform::QemuRv64.device_at(address).map(|window| window.kind);
        assert_eq!(kind(0x1000_1000), Some(DeviceKind::BusMaster));
        assert_eq!(kind(0x1000_0000), Some(DeviceKind::Plain));
    }
}
