//! A function's result holds for the calls like it, and no others.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

/// The argument with which each program takes longest.
const WORST: u64 = 40;

fn program(file: &str, target: Target, level: &str) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/alone");
    let name = format!("alone-{file}-{target:?}{level}");
    let sources = [&*folder.join(file), &*folder.join("../escape/main.c")];
    let elf = build_with(&sources, &name, target, level, &[]);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

#[test]
fn no_bound_is_below_what_another_call_does() {
    for target in [Target::Rv32, Target::Rv64] {
        let program = program("programs.c", target, "-O2");
        let mut interpreter = Interpreter::new(&program);
        let named = |name: &str| name.starts_with("alone_") || name.starts_with("stay_");
        let functions: Vec<_> =
            program.symbols().iter().filter(|symbol| symbol.code && named(&symbol.name)).collect();
        assert_eq!(functions.len(), 16, "{target:?}");
        for function in functions {
            let case = format!("{} {target:?}", function.name);
            let effort = Effort { blocks: 10_000, ..Effort::default() };
            let found = bound(&program, &Instructions, function.address, &Facts::default(), effort)
                .expect("no failure");
            let run = interpreter.call(function.address, WORST);
            assert!(run > 80, "{case}: the run takes {run}");
            assert!(found.time.is_none_or(|time| time >= run), "{case}: {:?} < {run}", found.time);
            if function.name.starts_with("stay_") {
                assert_eq!(found.time, Some(run), "{case}: {:?}", found.obstacles);
            }
        }
    }
}

/// A loop that calls the same functions with numbers of which nothing is known: each of them is
/// executed a few times, not once for each call.
#[test]
fn calls_that_are_alike_take_no_effort() {
    for (target, level) in [(Target::Rv32, "-Os"), (Target::Rv64, "-Os"), (Target::Rv32, "-O0")] {
        let program = program("emulated.c", target, level);
        let entry = program.symbol("alone_filters").expect("the function").address;
        let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default())
            .expect("no failure");
        let run = Interpreter::new(&program).call(entry, WORST);
        let case =
            format!("{target:?} {level}: {:?}, run {run}, {} blocks", found.time, found.blocks);
        assert!(found.time.is_some_and(|time| time >= run), "{case}: {:?}", found.obstacles);
        assert!(found.blocks < 60_000, "{case}");
    }
}

/// A path that is a single one is counted where its loops cannot be summed up for the same effort.
#[test]
fn a_single_path_is_counted() {
    for (target, level) in [(Target::Rv32, "-Os"), (Target::Rv64, "-O1")] {
        let program = program("emulated.c", target, level);
        let entry = program.symbol("single_grid").expect("the function").address;
        let effort = Effort { blocks: 600_000, ..Effort::default() };
        let find = |effort| {
            bound(&program, &Instructions, entry, &Facts::default(), effort).expect("no failure")
        };
        let found = find(effort);
        let run = Interpreter::new(&program).call(entry, 0);
        assert_eq!(found.time, Some(run), "{target:?} {level}: {:?}", found.obstacles);
        assert!(found.blocks <= effort.blocks, "{target:?} {level}: {} blocks", found.blocks);
        // Nobody counts who is told not to.
        let summed = find(Effort { iterations: 0, ..effort });
        assert!(summed.time.is_none_or(|time| time >= run), "{target:?} {level}: {summed:?}");
    }
}

/// Memory that functions touch outside of their frames is any number from then on; other memory
/// keeps its content.
#[test]
fn what_functions_touch_elsewhere_is_not_what_it_was() {
    for (target, level) in [(Target::Rv32, "-O1"), (Target::Rv64, "-O2"), (Target::Rv32, "-O0")] {
        let program = program("outside.c", target, level);
        let mut interpreter = Interpreter::new(&program);
        let named = |name: &str| name.starts_with("rough_") || name.starts_with("stays_");
        let functions: Vec<_> =
            program.symbols().iter().filter(|symbol| symbol.code && named(&symbol.name)).collect();
        assert_eq!(functions.len(), 10, "{target:?} {level}");
        for function in functions {
            let case = format!("{} {target:?} {level}", function.name);
            // One by one the calls take more.
            let effort = Effort { blocks: 80_000, ..Effort::default() };
            let found = bound(&program, &Instructions, function.address, &Facts::default(), effort)
                .expect("no failure");
            let run = interpreter.call(function.address, 0);
            assert!(run > 100_000, "{case}: the run takes {run}");
            assert!(found.time.is_none_or(|time| time >= run), "{case}: {:?} < {run}", found.time);
            if function.name.starts_with("stays_") {
                let near = |time| time >= run && time <= run + run / 8;
                assert!(found.time.is_some_and(near), "{case}: {run}, {found:?}");
            }
        }
    }
}
