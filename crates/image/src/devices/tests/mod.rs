//! The windows of named machines that a component may have.

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
    for (start, bytes) in [(0x0010_0000, 0x1000), (0x0200_0000, 0x1000), (0x0c20_0000, 0x1000)] {
        assert_eq!(refused(start, bytes), Some(Refused::Kernel), "{start:#x}");
    }
    assert_eq!(refused(0x0bff_0000, 0x1000_0000), Some(Refused::Kernel), "it is in its middle");
    // The firmware device, alone and behind others.
    assert_eq!(refused(0x1010_0000, 0x1000), Some(Refused::Withheld("firmware device")));
    // Empty windows: of the PCI bus and of its ports, the platform bus, and between devices.
    for start in [0x43f9_0000, 0x4000_0000, 0x7fff_f000, 0x0300_0000, 0x0400_0000, 0x1000_9000] {
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
