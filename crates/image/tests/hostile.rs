//! Bytes that are no image, or a damaged one: an error, never a panic.

use fusee_image::{ImageError, Refused, verify};
use fusee_image_format::Platform;
use fusee_testing::images::{EVERYTHING, built, image, link, programs, system};
use proptest::prelude::*;

#[test]
fn an_image_that_is_cut_off_is_refused() {
    let system = system(EVERYTHING);
    let elf = image(&system, Platform::QemuRv64).elf;
    for length in (0..elf.len()).step_by(997).chain(0..200) {
        assert!(verify(&elf[..length], Some(&system)).is_err(), "{length} bytes");
    }
    assert!(verify(b"no image at all", None).is_err());
}

#[test]
fn an_image_held_against_another_description_differs() {
    let elf = image(&system(EVERYTHING), Platform::QemuRv64).elf;
    for (from, to) in [
        ("client.period = \"10 ms\"", "client.period = \"11 ms\""),
        ("client.shared_access = \"R\"", "client.shared_access = \"RW\""),
        ("client.on_fault = \"restart\"", "client.on_fault = \"dead\""),
        ("from client.store, from slow.store", "from client.store"),
        ("registers_paddr = 0x10000000", "registers_paddr = 0x10001000"),
        ("irq_irq_number = 10", "irq_irq_number = 11"),
        ("has mutex m;", ""),
        ("s_value = 3", "s_value = 2"),
        (
            "slow.period = \"20 ms\"",
            "slow.period = \"20 ms\"; server.store_priority_protocol = \"propagated\"",
        ),
    ] {
        assert!(EVERYTHING.contains(from), "{from}");
        let other = system(&EVERYTHING.replace(from, to));
        let report = verify(&elf, Some(&other)).expect("an image");
        assert!(!report.findings.is_empty(), "{to}");
    }
}

#[test]
fn what_cannot_be_built_is_named() {
    let platform = Platform::QemuRv64;
    let fine = system(EVERYTHING);
    let mut other = programs(&fine, platform);
    other.kernel = link(".globl _start\n_start: j _start\n", 0x8000_0000, Platform::QemuRv32);
    let refused = |programs: &fusee_testing::images::Programs, text: &str| {
        let errors = built(&system(text), programs, platform).expect_err("no image");
        errors.into_iter().next().expect("an error")
    };
    assert!(matches!(refused(&other, EVERYTHING), ImageError::WrongMachine { .. }));
    let mut other = programs(&fine, platform);
    other.domains[0] = Some(link(".text\nnop\n", other.machines.first().domains[0].base, platform));
    assert!(matches!(refused(&other, EVERYTHING), ImageError::NoSymbol { .. }));
    other.domains[0] = None;
    assert!(matches!(refused(&other, EVERYTHING), ImageError::NoProgram { .. }));
    other.domains[0] = Some(b"\x7fELF and no more".to_vec());
    assert!(matches!(refused(&other, EVERYTHING), ImageError::Program { .. }));
    let whole = programs(&fine, platform);
    let small = EVERYTHING.replace("client.wcet", "client._stack_size = 16; client.wcet");
    assert!(matches!(
        refused(&whole, &small),
        ImageError::SmallStack { needed: 96, given: 16, .. }
    ));
}

/// The build asks of each window whether a component may have it, on each machine.
#[test]
fn a_device_that_no_component_may_have_is_not_built() {
    for platform in [Platform::QemuRv64, Platform::QemuRv32] {
        let errors = |text: &str| {
            let system = system(text);
            built(&system, &programs(&system, platform), platform).expect_err("no image")
        };
        let refused = |start: &str, size: &str| {
            let text = EVERYTHING
                .replace("paddr = 0x10000000", &format!("paddr = {start}"))
                .replace("registers_size = 0x1000", &format!("registers_size = {size}"))
                .replace("dataport Buf registers", &format!("dataport Buf({size}) registers"));
            let errors = errors(&text);
            match errors[..] {
                [ImageError::NoDevice { why, .. }] => why,
                _ => panic!("{errors:?}"),
            }
        };
        let firmware = Refused::Withheld("firmware device");
        for (start, size, why) in [
            ("0x43f90000", "0x1000", Refused::Nothing(0x43f9_0000)),
            ("0x10100000", "0x1000", firmware),
            ("0x0c000000", "0x1000", Refused::Kernel),
            ("0x0bff0000", "0x10000000", Refused::Kernel),
            ("0x10008000", "0x2000", Refused::Nothing(0x1000_9000)),
            ("0x80000000", "0x1000", Refused::Memory),
        ] {
            assert_eq!(refused(start, size), why, "{platform}: {start}");
        }
        let line = EVERYTHING.replace("irq_number = 10", "irq_number = 700");
        let errors = errors(&line);
        assert!(matches!(errors[..], [ImageError::NoInterrupt { line: 700, .. }]), "{errors:?}");
    }
}

#[test]
fn a_stack_that_nobody_knows_is_named_with_what_stands_in_the_way() {
    let platform = Platform::QemuRv64;
    let text = EVERYTHING;
    let fine = system(text);
    let job = "__fusee_job_client:\n la a0, table\n ld a1, 0(a0)\n jalr a1\n1: ecall\n j 1b\n";
    let source = format!(
        ".globl __fusee_job_client\n.type __fusee_job_client, @function\n{job}.size \
         __fusee_job_client, . - __fusee_job_client\n.globl \
         __fusee_init_client\n__fusee_init_client: ecall\n j __fusee_init_client\n\
         .data\ntable: .dword 0\n"
    );
    let mut programs = programs(&fine, platform);
    programs.domains[0] = Some(link(&source, programs.machines.first().domains[0].base, platform));
    let errors = built(&fine, &programs, platform).expect_err("a call through a pointer");
    let ImageError::UnknownStack { reason, attribute, .. } = &errors[0] else {
        panic!("{errors:?}")
    };
    assert!(reason.contains("`__fusee_job_client` calls through a pointer"), "{reason}");
    assert_eq!(attribute, "client._stack_size");
    let given = system(&text.replace("client.wcet", "client._stack_size = 512; client.wcet"));
    assert!(built(&given, &programs, platform).is_ok());
    let general = system(&text.replace("client.wcet", "system.stack_size = 512; client.wcet"));
    assert!(built(&general, &programs, platform).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_changed_bytes_are_read_without_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        thread_local! {
            static IMAGE: (fusee_model::System, Vec<u8>) = {
                let system = system(EVERYTHING);
                let elf = image(&system, Platform::QemuRv32).elf;
                (system, elf)
            };
        }
        IMAGE.with(|(system, elf)| {
            let mut elf = elf.clone();
            // Half of the changes go to the headers and the tables.
            for (number, (place, byte)) in changes.iter().enumerate() {
                let end = if number % 2 == 0 { elf.len() } else { elf.len().min(0x2800) };
                let place = place.index(end);
                elf[place] = *byte;
            }
            let _ = verify(&elf, Some(system));
        });
    }
}
