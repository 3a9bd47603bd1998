//! Images are what was described; what was tampered with is found out.

use fusee_image::verify;
use fusee_image_format::Platform;
use fusee_testing::images::{EVERYTHING, image, system};

#[test]
fn what_was_built_is_what_was_described() {
    let system = system(EVERYTHING);
    for platform in Platform::emulated() {
        let built = image(&system, platform);
        let report = verify(&built.elf, Some(&system)).expect("an image");
        let messages: Vec<&str> =
            report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert!(messages.is_empty(), "{}: {messages:#?}", platform.name());
        let alone = verify(&built.elf, None).expect("an image");
        assert!(alone.findings.is_empty(), "{:#?}", alone.findings);
        assert!(report.domains.len() == 4 + 1 && report.stacks > 8 && report.capabilities > 8);
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let system = system(EVERYTHING);
    assert_eq!(image(&system, Platform::QemuRv64), image(&system, Platform::QemuRv64));
}

#[test]
fn who_has_a_device_that_masters_the_bus_is_named() {
    let masters = |text: &str| {
        let elf = image(&system(text), Platform::QemuRv64).elf;
        verify(&elf, None).expect("an image").bus_masters
    };
    assert_eq!(masters(EVERYTHING), []);
    let from = "registers_paddr = 0x10000000";
    for (to, device) in [("0x10001000", "virtio device"), ("0x30000000", "PCI bridge")] {
        let found = masters(&EVERYTHING.replace(from, &format!("registers_paddr = {to}")));
        assert_eq!(found.iter().map(|(_, device)| *device).collect::<Vec<_>>(), [device]);
    }
}
