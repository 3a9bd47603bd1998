//! Which addresses a component may have as a device's.

use fusee_image_format::Platform;
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_platform::DeviceKind;

/// Why no component gets some addresses as a device's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// They are memory's, or no addresses of the machine.
    Memory,
    /// The kernel has the device for itself.
    Kernel,
    /// The device reads and writes all memory, and is for nothing that a component needs.
    Withheld(&'static str),
    /// From this address on there is no device.
    Nothing(u64),
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Memory => f.write_str("devices are elsewhere"),
            Refused::Kernel => {
                f.write_str("timer, interrupt controller and power switch are the kernel's")
            }
            Refused::Withheld(name) => {
                write!(f, "the {name} there writes to all memory, and no component needs it")
            }
            Refused::Nothing(address) => write!(f, "there is no device at {address:#x}"),
        }
    }
}

/// Why no component of a machine gets so many bytes from an address on; none: it does.
pub(crate) fn refused(platform: Platform, start: u64, bytes: u64) -> Option<Refused> {
    let map = platform.memory_map();
    let end = start.saturating_add(bytes);
    if !platform.is_device(start) || !platform.is_device(end - 1) {
        return Some(Refused::Memory);
    }
    let reserved = [
        (map.test_device, PAGE_BYTES),
        (map.timer_compare & !0xffff, 0x1_0000),
        (map.interrupts, 0x400_0000),
    ];
    if reserved.iter().any(|&(first, size)| start < first + size && end > first) {
        return Some(Refused::Kernel);
    }
    let mut next = start;
    while next < end {
        let Some(device) = platform.device_at(next) else { return Some(Refused::Nothing(next)) };
        if device.kind == DeviceKind::Withheld {
            return Some(Refused::Withheld(device.name));
        }
        next = device.start + device.bytes;
    }
    None
}

/// The devices that a machine's components may have.
pub(crate) fn listed(platform: Platform) -> String {
    let all = platform.descriptor().windows.iter();
    let given = all.filter(|device| device.kind != DeviceKind::Withheld);
    let texts = given.map(|device| {
        let last = device.start + device.bytes - 1;
        format!("{} ({:#x} to {last:#x})", device.name, device.start)
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_may_have_is_refused_and_said_why() {
        let refused = |start, bytes| refused(Platform::QemuRv64, start, bytes);
        assert_eq!(refused(0x1000_0000, 0x1000), None);
        assert_eq!(refused(0x1000_1000, 0x8000), None);
        assert_eq!(refused(0x3000_0000, 0x10_0000), None);
        // Memory, also where it only ends there.
        assert_eq!(refused(0x8000_0000, 0x1000), Some(Refused::Memory));
        assert_eq!(refused(0x7fff_f000, 0x2000), Some(Refused::Memory));
        assert_eq!(refused(u64::MAX - 0xfff, 0x1000), Some(Refused::Memory));
        // Of the kernel.
        for (start, bytes) in [(0x0010_0000, 0x1000), (0x0200_0000, 0x1000), (0x0c20_0000, 0x1000)]
        {
            assert_eq!(refused(start, bytes), Some(Refused::Kernel), "{start:#x}");
        }
        assert_eq!(refused(0x0bff_0000, 0x1000_0000), Some(Refused::Kernel), "it is in its middle");
        // The firmware device, alone and behind others.
        assert_eq!(refused(0x1010_0000, 0x1000), Some(Refused::Withheld("firmware device")));
        // Empty windows: of the PCI bus and of its ports, the platform bus, and between devices.
        for start in [0x43f9_0000, 0x4000_0000, 0x7fff_f000, 0x0300_0000, 0x0400_0000, 0x1000_9000]
        {
            assert_eq!(refused(start, 0x1000), Some(Refused::Nothing(start)), "{start:#x}");
        }
        // One that begins at a device and ends where none is.
        assert_eq!(refused(0x1000_8000, 0x2000), Some(Refused::Nothing(0x1000_9000)));
    }

    #[test]
    fn each_machine_has_its_serial_line_and_no_device_in_its_memory() {
        for platform in Platform::ALL {
            assert_eq!(refused(platform, platform.memory_map().serial & !0xfff, 0x1000), None);
            for device in platform.descriptor().windows {
                assert!(platform.is_device(device.start), "{platform}: {}", device.name);
                assert_eq!(device.bytes % PAGE_BYTES, 0, "{platform}: {}", device.name);
            }
        }
        let rocket = |start| refused(Platform::RtlRocket, start, 0x1000);
        assert_eq!(rocket(0x1010_0000), Some(Refused::Nothing(0x1010_0000)));
        assert_eq!(refused(Platform::RtlVexriscv, 0xf003_0000, 0x1_0000), None);
        let behind = Some(Refused::Nothing(0xf004_0000));
        assert_eq!(refused(Platform::RtlVexriscv, 0xf003_0000, 0x1_1000), behind);
    }
}
