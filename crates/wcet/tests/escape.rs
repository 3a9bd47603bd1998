//! No address in the stack is lost sight of without being told: all may change.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

/// The argument with which each program takes longest.
const WORST: u64 = 40;

fn hold(target: Target, level: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/escape");
    let sources = [&*folder.join("programs.c"), &*folder.join("main.c")];
    let elf = build_with(&sources, &format!("escape-{target:?}{level}"), target, level, &[]);
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let mut interpreter = Interpreter::new(&program);
    let named = |name: &str| name.starts_with("escape_") || name.starts_with("stay");
    let functions: Vec<_> =
        program.symbols().iter().filter(|symbol| symbol.code && named(&symbol.name)).collect();
    assert_eq!(functions.len(), 21, "{target:?} {level}");
    for function in functions {
        let case = format!("{} {target:?} {level}", function.name);
        let effort = Effort { blocks: 1_000, ..Effort::default() };
        let found = bound(&program, &Instructions, function.address, &Facts::default(), effort)
            .expect("no failure");
        let run = interpreter.call(function.address, WORST);
        assert!(
            found.time.is_none_or(|time| time >= run),
            "{case}: bound {:?} < run {run}",
            found.time
        );
        assert!(
            found.time.is_some() || !function.name.starts_with("stay"),
            "{case}: {:?}",
            found.obstacles
        );
    }
}

#[test]
fn what_is_written_through_a_lost_address_is_seen() {
    let targets = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    let cases = targets.map(|target| ["-O1", "-Os"].map(|level| (target, level))).concat();
    side_by_side(&cases, |_, &(target, level)| hold(target, level));
}
