//! The addresses that a component may have as a device's.

use fusee_image_format::Platform;
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_platform::DeviceKind;

/// The reason for which no component gets some addresses as a device's.
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

/// Returns the reason for which no component of a machine gets so many bytes from an address on;
/// none: it gets them.
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
mod tests;
