//! A byte of code or data that is not what was linked is found out.

use fusee_image::{Programs, verify};
use fusee_image_format::{END_OFFSET, Platform};
use fusee_testing::images::{EVERYTHING, Programs as Linked, built, programs, system};
use object::{Object, ObjectSegment, ObjectSymbol};

fn beside(linked: &Linked) -> Programs {
    Programs {
        kernels: vec![Some(linked.kernel.clone()); linked.machines.cores.len()],
        domains: linked.domains.clone(),
    }
}

/// Returns the place in the file of all loaded content.
fn loaded(elf: &[u8]) -> Vec<(u64, std::ops::Range<usize>)> {
    let file = object::File::parse(elf).expect("an ELF file");
    let range = |(start, size): (u64, u64)| start as usize..(start + size) as usize;
    file.segments().map(|segment| (segment.address(), range(segment.file_range()))).collect()
}

#[test]
fn every_changed_byte_is_caught() {
    let system = system(EVERYTHING);
    for platform in Platform::emulated() {
        let linked = programs(&system, platform);
        let mut elf = built(&system, &linked, platform).expect("an image").elf;
        let programs = beside(&linked);
        assert_eq!(programs.compare(&elf), Ok(Vec::new()), "{}", platform.name());
        let blob = platform.memory_map().blob;
        let (mut caught, mut missed) = (0, Vec::new());
        for (address, range) in
            loaded(&elf).into_iter().filter(|(at, range)| *at != blob && !range.is_empty())
        {
            // All of what is short, a sample of what is long.
            let step = range.len().div_ceil(100);
            for byte in range.clone().step_by(step) {
                elf[byte] ^= 0x10;
                let seen = |elf: &[u8]| {
                    verify(elf, Some(&system)).map_or(true, |report| !report.findings.is_empty())
                        || programs.compare(elf).map_or(true, |found| !found.is_empty())
                };
                match seen(&elf) {
                    true => caught += 1,
                    false => missed.push(format!("{:#x}", address + (byte - range.start) as u64)),
                }
                elf[byte] ^= 0x10;
            }
        }
        assert_eq!(missed, Vec::<String>::new(), "{}", platform.name());
        assert!(caught > 400, "only {caught} bytes were changed");
    }
}

#[test]
fn what_is_in_the_way_of_a_comparison_is_said() {
    let system = system(EVERYTHING);
    let linked = programs(&system, Platform::QemuRv64);
    let elf = built(&system, &linked, Platform::QemuRv64).expect("an image").elf;
    let mut programs = beside(&linked);
    programs.domains.swap(0, 1);
    assert!(!programs.compare(&elf).expect("an image").is_empty());
    programs.kernels[0] = Some(vec![1, 2, 3]);
    let found = programs.compare(&elf).expect("an image");
    assert!(found.iter().any(|found| found.message.contains("is no program")), "{found:#?}");
    assert!(programs.compare(&elf[..END_OFFSET]).is_err());
    let paths = Programs::paths(&elf).expect("an image");
    assert!(paths.iter().flatten().count() == 4 && paths.len() > 4, "{paths:?}");
}

#[test]
fn a_component_that_is_told_a_wrong_place_for_its_pool_is_named() {
    let system = system(EVERYTHING);
    for platform in Platform::emulated() {
        let linked = programs(&system, platform);
        let mut elf = built(&system, &linked, platform).expect("an image").elf;
        let (domain, program) = linked
            .domains
            .iter()
            .enumerate()
            .find_map(|(i, bytes)| Some((i, bytes.as_ref()?)))
            .expect("a program");
        let program = object::File::parse(&program[..]).expect("an ELF file");
        let symbol = |start: &str| {
            let of = |symbol: &object::Symbol<'_, '_>| {
                symbol.name().is_ok_and(|name| name.starts_with(start))
            };
            program.symbols().find(of).expect("a symbol").address()
        };
        // The constants' segment is loaded as it was linked, so the word stands at the same
        // distance from their start.
        let told = symbol("__fusee_dma_offset_");
        let constants = program
            .segments()
            .find(|segment| (0..segment.size()).contains(&(told - segment.address())));
        let constants = constants.expect("constants").data().expect("bytes");
        let mark = &constants[..12];
        let at =
            elf.windows(12).position(|bytes| bytes == mark).expect("the constants in the image");
        let word = at + (told % 4096) as usize;
        assert!(
            elf[word..word + 4] != [0; 4],
            "domain {domain} on {} is told nothing",
            platform.name()
        );
        // A page further on lies something else.
        elf[word + 1] = elf[word + 1].wrapping_add(0x10);
        let found = beside(&linked).compare(&elf).expect("an image");
        let byte = format!("the byte at {:#x} is", told + 1);
        assert!(
            found.iter().any(|found| found.message.contains(&byte)),
            "{}: {found:#?}",
            platform.name()
        );
    }
}
