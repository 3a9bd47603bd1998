//! Loops whose iterations are summed up: no bound below a run, millions at
//! once.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{self, Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-Os"];

fn program(target: Target, level: &str, iterations: u64) -> Program {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/programs.c");
    let iterations_flag = format!("-DROUNDS={iterations}");
    // No vectors, whose lanes would make other loops of these.
    let plain = match target {
        Target::Aarch64 | Target::A32 => {
            &["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"][..]
        }
        _ => &[],
    };
    let flags: Vec<&str> =
        std::iter::once(iterations_flag.as_str()).chain(plain.iter().copied()).collect();
    let elf = build_with(
        &[&source],
        &format!("loops-{target:?}{level}-{iterations}"),
        target,
        level,
        &flags,
    );
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn functions(program: &Program) -> Vec<(String, u64)> {
    let loops =
        program.symbols().iter().filter(|symbol| symbol.code && symbol.name.starts_with("loop_"));
    loops.map(|symbol| (symbol.name.clone(), symbol.address)).collect()
}

fn bounded(program: &Program, entry: u64, iterations: u64) -> Bound {
    let effort = Effort { iterations, ..Effort::default() };
    let found =
        bound(program, &Instructions, entry, &Facts::default(), effort).expect("no failure");
    let path: u64 = found.path.iter().map(|visit| visit.time).sum();
    assert_eq!(found.time.unwrap_or(0), path, "the path takes as long as the bound says");
    found
}

fn cases() -> Vec<(Target, &'static str)> {
    programs::cases(&TARGETS, &LEVELS)
}

/// The number that ends a loop is a guess: another one that counts does not make it true. Taken for
/// true, the iteration in which this loop is left was none, and no path came back.
#[test]
fn a_number_that_goes_beyond_its_end_does_not_end_a_loop() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/countdown.S");
    let elf = build_with(&[&source], "countdown", Target::Rv32, "-O1", &["-DROUNDS=6"]);
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("loop_countdown").expect("it").address;
    for iterations in [0, 16_384] {
        let found = bounded(&program, entry, iterations);
        let obstacles: Vec<_> = found.obstacles.iter().map(|one| &one.what).collect();
        assert!(
            found.time.is_some_and(|time| time >= COUNTDOWN),
            "{:?}, {obstacles:?}",
            found.time
        );
    }
}

/// Instructions of the countdown from 6: 3 before, rounds of 12, 12, 11, 9 and 7, and 4 at the end.
const COUNTDOWN: u64 = 58;

/// Nothing is executed iteration by iteration but what no summary is found for.
#[test]
fn iterations_that_are_summed_up_cover_every_run() {
    side_by_side(&cases(), |_, &(target, level)| {
        let program = program(target, level, 20);
        let mut interpreter = Interpreter::new(&program);
        let functions = functions(&program);
        assert_eq!(functions.len(), 11, "{target:?} {level}");
        for (name, entry) in functions {
            let case = format!("{name} {target:?} {level}");
            let run = interpreter.call(entry, 0);
            let exact = bounded(&program, entry, Effort::default().iterations).time;
            let found = bounded(&program, entry, 0);
            let time = found.time.unwrap_or_else(|| panic!("{case}: {:?}", found.obstacles));
            assert!(
                time >= run && exact.is_some_and(|exact| exact >= run),
                "{case}: bounds {exact:?}, {time}; run {run}"
            );
            let least = exact.unwrap_or(time);
            assert!(time <= least + least / 3, "{case}: {time} for {least}");
        }
    });
}

/// A counter that comes to a number ends a loop only if the loop is left then.
#[test]
fn a_number_that_is_only_met_does_not_end_a_loop() {
    side_by_side(&cases(), |_, &(target, level)| {
        let program = program(target, level, 20);
        let named = |name| program.symbol(name).expect("it").address;
        for name in ["meets", "passes"] {
            let run = Interpreter::new(&program).call(named(name), 0);
            for iterations in [0, Effort::default().iterations] {
                let found = bounded(&program, named(name), iterations);
                assert!(
                    found.time.is_some_and(|time| time >= run),
                    "{name} {target:?} {level}: {:?}, {:?}, run {run}",
                    found.time,
                    found.obstacles
                );
            }
        }
        let entry = named("endless_meets");
        let run = Interpreter::new(&program).call(entry, 0);
        // More than that would be spent in vain.
        for iterations in [0, 1000] {
            let found = bounded(&program, entry, iterations);
            let case = format!("{target:?} {level}: bound {:?}, run {run}", found.time);
            assert!(found.time.is_none(), "{case}");
            let obstacles: Vec<&str> =
                found.obstacles.iter().map(|one| one.fact.as_str()).collect();
            assert!(obstacles.iter().any(|fact| fact.starts_with("loops.")), "{obstacles:?}");
        }
    });
}

/// Returns a function's bound in the program of loops that are measured.
fn measured(program: &Program, name: &str) -> Bound {
    let at = program.symbol(name).unwrap_or_else(|| panic!("no {name}")).address;
    let effort = Effort { blocks: 60_000, ..Effort::default() };
    bound(program, &Instructions, at, &Facts::default(), effort).expect("no failure")
}

/// What each iteration takes away ends a loop, whatever the numbers are.
#[test]
fn a_loop_ends_when_there_is_nothing_left_to_take_away() {
    const ENDS: [&str; 14] = [
        "bits",
        "bits_at_end",
        "normal",
        "double",
        "divisor",
        "signed_divisor",
        "meeting",
        "crossing",
        "balance",
        "search",
        "place",
        "root",
        "ring",
        "fixed_ring",
    ];
    const ENDLESS: [&str; 9] =
        ["normal", "ring", "bits", "meeting", "below", "divisor", "place", "half", "search"];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/measured.c");
    let levels = |target| ["-O1", "-O2", "-Os"].map(|level| (target, level));
    let cases = TARGETS.map(levels).concat();
    let found = side_by_side(&cases, |_, &(target, level)| {
        let elf = build_with(
            &[&source],
            &format!("measured-{target:?}{level}"),
            target,
            level,
            &["-fno-unroll-loops", "-fno-tree-vectorize"],
        );
        let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
        let (mut bounded, mut open) = (0, Vec::new());
        for name in ENDS.map(|name| format!("measured_{name}")) {
            let found = measured(&program, &name);
            let Some(time) = found.time else {
                open.push(name);
                continue;
            };
            bounded += 1;
            let at = program.symbol(&name).expect("it").address;
            let mut interpreter = Interpreter::new(&program);
            for argument in ARGUMENTS {
                let run = interpreter.call(at, argument);
                assert!(run <= time, "{name}({argument}) {target:?} {level}: {time}, run {run}");
            }
        }
        for name in ENDLESS.map(|name| format!("endless_{name}")) {
            let found = measured(&program, &name);
            assert_eq!(found.time, None, "{name} {target:?} {level}");
        }
        ((target, level, open), bounded)
    });
    let bounded: usize = found.iter().map(|(_, bounded)| bounded).sum();
    let open: Vec<_> = found.iter().map(|(open, _)| open).collect();
    assert!(bounded >= MEASURED, "only {bounded} are bounded: {open:?}");
}

/// Arguments that take many iterations.
const ARGUMENTS: [u64; 10] =
    [0, 1, 2, 31, 32, 0x3ff, 0x7fff_ffff, 0x5555_5555, 1_134_903_170, 0x1234_5678];

/// So many of the loops are bounded at least, of those that end, at all levels on all processors.
const MEASURED: usize = 102;

/// A million times the work is hardly more to do.
#[test]
fn many_iterations_are_bounded_in_no_time() {
    side_by_side(&cases(), |_, &(target, level)| {
        let program = program(target, level, 1000);
        for (name, entry) in functions(&program) {
            let found = bounded(&program, entry, Effort::default().iterations);
            let case = format!("{name} {target:?} {level}");
            assert!(found.time.is_some(), "{case}: {:?}", found.obstacles);
            assert!(found.blocks < most(&name, level), "{case}: {} blocks", found.blocks);
        }
    });
}

/// Returns the number of blocks that a bound may take; one kind of loop is still executed iteration
/// by iteration.
fn most(name: &str, level: &str) -> u64 {
    match name {
        // The outer counter is made from the inner one.
        "loop_triangle" if level == "-Os" => 2_000_000,
        _ => 400_000,
    }
}
