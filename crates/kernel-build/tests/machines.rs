//! A machine that lacks what isolation or time rests on is refused.

use fusee_image_format::{Platform, Status};
use fusee_kernel_build::build;
use fusee_platform::Records as Variant;
use fusee_testing::boots::*;

/// Boots a system of one thread on a core of QEMU's.
fn boot_with(platform: Platform, core: Option<&'static str>, deterministic: bool) -> Run {
    let mut bench = Bench::new(
        vec![Domain::new("run: sys COMPLETE", vec![])],
        vec![(home(0, 5, 1_000), "run")],
    );
    (bench.core, bench.deterministic, bench.end) = (core, deterministic, 1_000_000);
    boot_on(&bench, platform, Variant::Plain)
}

#[track_caller]
fn is_refused(run: &Run, status: Status, why: &str) {
    assert_eq!(run.result.status, status, "{:?}, {:?}", run.result, run.console);
    assert_eq!(run.console, format!("fusee: refused, this machine has {why}\n"));
    assert_eq!(run.result.records, 0, "nothing has run");
}

#[test]
fn without_memory_protection() {
    is_refused(
        &boot_with(Platform::QemuRv64, Some("rv64,pmp=off"), true),
        Status::NoProtection,
        "no memory protection",
    );
    is_refused(
        &boot_with(Platform::QemuRv32, Some("rv32,pmp=off"), true),
        Status::NoProtection,
        "no memory protection",
    );
}

#[test]
fn without_address_spaces() {
    for (platform, core) in
        [(Platform::QemuRv64, "rv64,mmu=off"), (Platform::QemuRv32, "rv32,mmu=off")]
    {
        let run = boot_with(platform, Some(core), true);
        is_refused(&run, Status::NoTranslation, "too few address spaces");
        assert_ne!(run.result.detail, 0, "what it did not keep");
    }
}

#[test]
fn without_a_clock_that_counts_as_the_platform_says() {
    let run = boot_with(Platform::QemuRv64, None, false);
    is_refused(&run, Status::NoClock, "no clock of the right speed");
    assert_ne!(run.result.detail, 700);
}

/// A kernel for which the timer's clock always reads zero: each reading is an instruction that
/// loads it.
fn without_ticks(platform: Platform) -> std::path::PathBuf {
    const READ: [u32; 2] = [0xc010_2073, 0xffff_f07f];
    let kernel = build(platform, Variant::Plain, &|_| {}).expect("a kernel");
    let mut bytes = std::fs::read(&kernel).expect("its file");
    let (mut at, mut replaced) = (0, 0);
    while at + 4 <= bytes.len() {
        let word = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if word & READ[1] == READ[0] {
            bytes[at..at + 4].copy_from_slice(&(word & 0xf80 | 0x13).to_le_bytes());
            replaced += 1;
        }
        at += 2;
    }
    assert!(
        replaced >= 4,
        "two readings each where the clocks are compared, and where the kernel's is set: {replaced}"
    );
    let file = std::env::temp_dir().join(format!(
        "fusee-no-ticks-{}-{}",
        std::process::id(),
        platform.name()
    ));
    std::fs::write(&file, bytes).expect("it can be written");
    file
}

#[test]
fn with_a_timer_that_never_ticks() {
    for platform in [Platform::QemuRv64, Platform::QemuRv32] {
        let mut bench = Bench::new(
            vec![Domain::new("run: sys COMPLETE", vec![])],
            vec![(home(0, 5, 1_000), "run")],
        );
        bench.end = 1_000_000;
        let kernel = without_ticks(platform);
        let run = boot_kernel(&bench, platform, &kernel);
        std::fs::remove_file(kernel).expect("it is there");
        is_refused(&run, Status::NoClock, "no clock of the right speed");
    }
}

#[test]
fn other_cores_are_as_good() {
    for (platform, core) in [(Platform::QemuRv64, "rv64"), (Platform::QemuRv32, "rv32")] {
        let run = boot_with(platform, Some(core), true).finished();
        assert_eq!(run.console, "");
    }
}
