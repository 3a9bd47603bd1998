//! Damaged files give an error or some result, never a failure.

use std::path::Path;

use fusee_testing::programs::{Target, build};
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::{LoadError, Program};

fn elf() -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/state_machine.c");
    std::fs::read(build(&source, Target::Rv32, "-Os")).expect("the ELF")
}

/// Reads a file and bounds what it can; says whether it was read.
fn attempt(file: &[u8]) -> bool {
    let Ok(program) = Program::load(file) else { return false };
    let entry = program.symbol("run").map_or(program.entry(), |symbol| symbol.address);
    let effort = Effort { blocks: 300, states: 4096, depth: 20, ..Effort::default() };
    let found =
        bound(&program, &Instructions, entry, &Facts::default(), effort).expect("no failure");
    assert_eq!(found.time.is_none(), !found.obstacles.is_empty());
    true
}

#[test]
fn a_file_that_ends_too_early_is_refused_or_read() {
    let file = elf();
    assert!(attempt(&file));
    assert!(matches!(Program::load(&file[..40]), Err(LoadError::Unreadable(_))));
    let step = file.len() / 200 + 1;
    let lengths = (0..256).chain((256..file.len()).step_by(step));
    let read = lengths.filter(|&length| attempt(&file[..length])).count();
    assert!(read < 256 + 200, "every cut file was read");
}

#[test]
fn flipped_bytes_are_refused_or_read() {
    let file = elf();
    // Bytes of a linear congruential generator: the same in every run.
    let mut state = 1u64;
    let mut draw = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for iteration in 0..600 {
        let mut damaged = file.clone();
        // Headers decide most, so half of the iterations damage nothing else.
        let reach = if iteration % 2 == 0 { 180 } else { file.len() };
        for _ in 0..=draw(4) {
            damaged[draw(reach)] = draw(256) as u8;
        }
        attempt(&damaged);
    }
}
