//! Code in the forms of compilers is bounded without a fact, and exactly.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

/// The argument with which functions that have one take longest.
const WORST: u64 = 15;

/// Bounds the functions whose names begin so: each bound is what a run takes, in few blocks.
fn hold(target: Target, level: &str, family: &str, many: usize) {
    hold_file("programs.c", (target, level), family, many);
}

fn hold_file(file: &str, (target, level): (Target, &str), family: &str, many: usize) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms").join(file);
    let flags = match target {
        Target::Rv32 | Target::Rv64 => &["-fno-unroll-loops"][..],
        // Values that go through vectors are lost sight of.
        _ => &["-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"],
    };
    let name = format!("forms-{family}-{target:?}{level}");
    let elf = build_with(&[&source], &name, target, level, flags);
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let is_one = |name: &str| name.starts_with(family);
    let functions: Vec<_> =
        program.symbols().iter().filter(|symbol| symbol.code && is_one(&symbol.name)).collect();
    assert_eq!(functions.len(), many, "{target:?} {level}");
    for function in functions {
        let case = format!("{} {target:?} {level}", function.name);
        // Another run may find what the one before it has left.
        let run = Interpreter::new(&program).call(function.address, WORST);
        let effort = Effort { blocks: 20_000, ..Effort::default() };
        let found = bound(&program, &Instructions, function.address, &Facts::default(), effort)
            .expect("no failure");
        assert_eq!(found.time, Some(run), "{case}: {:?}", found.obstacles);
    }
}

fn everywhere(targets: &[Target], family: &str, many: usize) {
    let levels = |&target: &Target| ["-O1", "-Os"].map(|level| (target, level));
    let cases: Vec<_> = targets.iter().flat_map(levels).collect();
    side_by_side(&cases, |_, &(target, level)| hold(target, level, family, many));
}

/// On ARM processors comparisons leave flags behind, of which a branch asks.
#[test]
fn a_pointer_comes_to_an_end_pointer() {
    let all = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    everywhere(&all, "pointer", 4);
}

/// Of a number that is tested and then added, and of pointers that loads move, as C compilers write
/// them; the flags of a comparison or of a difference end the loop.
#[test]
fn a_moved_pointer_comes_to_an_end_that_was_computed() {
    for (file, target) in [("ends-aarch64.S", Target::Aarch64), ("ends-a32.S", Target::A32)] {
        hold_file(file, (target, "-Os"), "ends", 4);
    }
}

/// An array as long as an argument says: where it lies in the stack is not told, so loops over it
/// may need facts, and these are enough.
#[test]
fn an_array_may_be_as_long_as_an_argument_says() {
    const FAMILY: &str = "sized";
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms/programs.c");
    for target in [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32] {
        for level in ["-O0", "-O1", "-Os"] {
            let flags = match target {
                Target::Rv32 | Target::Rv64 => &["-fno-unroll-loops"][..],
                _ => &["-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize"],
            };
            let elf =
                build_with(&[&source], &format!("sized-{target:?}{level}"), target, level, flags);
            let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
            let all = program.symbols().iter();
            let all: Vec<_> = all.filter(|one| one.code && one.name.starts_with(FAMILY)).collect();
            assert_eq!(all.len(), 3);
            for function in all {
                let case = format!("{} {target:?} {level}", function.name);
                let run = Interpreter::new(&program).call(function.address, WORST);
                let with = |facts: &Facts| {
                    let effort = Effort { blocks: 50_000, ..Effort::default() };
                    bound(&program, &Instructions, function.address, facts, effort)
                        .expect("no failure")
                };
                let found = with(&Facts::default());
                let mut facts = Facts::default();
                for obstacle in found.obstacles.iter().filter(|one| one.decides()) {
                    assert!(obstacle.fact.starts_with("loops."), "{case}: {obstacle:?}");
                    facts.loop_bounds.insert(obstacle.address, WORST + 1);
                }
                let found = with(&facts);
                let time = found.time.unwrap_or_else(|| panic!("{case}: {:?}", found.obstacles));
                assert!(run <= time && time <= run + run, "{case}: {time} for {run}");
            }
        }
    }
}

/// Compilers copy and clear structures through vectors where there are some.
#[test]
fn what_a_vector_has_copied_is_known() {
    let levels = ["-O1", "-O2", "-Os"];
    levels.iter().for_each(|level| hold_file("vectors.c", (Target::Aarch64, level), "vector", 3));
}

#[test]
fn a_constant_table_forks_no_path() {
    let all = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    everywhere(&all, "straight", 3);
}
