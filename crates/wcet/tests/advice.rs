//! What the analysis asks for: nothing that makes a bound false.

use std::path::Path;

use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

fn program(name: &str, text: &str) -> Program {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("advice-{name}.S"));
    std::fs::write(&source, format!(".text\n.global measure_all\nmeasure_all: ret\n.global run\nrun:\n{text}\n"))
        .expect("a source");
    let elf = build_with(&[&source], &format!("advice-{name}"), Target::Rv64, "-O1", &[]);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn asked(program: &Program, effort: Effort) -> Bound {
    let entry = program.symbol("run").expect("run").address;
    let found = bound(program, &Instructions, entry, &Facts::default(), effort).expect("no failure");
    assert!(found.time.is_none() && !found.obstacles.is_empty(), "{found:?}");
    found
}

fn suggests_unreachable(found: &Bound) -> bool {
    found.obstacles.iter().any(|obstacle| obstacle.fact.contains("unreachable"))
}

/// Fifty rounds around an instruction of an extension that is not known.
#[test]
fn an_instruction_that_is_not_decoded_is_not_said_to_be_out_of_reach() {
    let text = "li a0, 50\n1: .word 0x0200700b\naddi a0, a0, -1\nbnez a0, 1b\nret";
    let found = asked(&program("unknown", text), Effort::default());
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
    let text = "addi sp, sp, -16\nsd ra, 8(sp)\ncall 1f\nld ra, 8(sp)\naddi sp, sp, 16\nret\n1: .word 0x0200700b\nret";
    let found = asked(&program("called", text), Effort::default());
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
}

/// Calls one after the other, more than the effort is enough for, and none of them in a loop.
#[test]
fn effort_that_ran_out_says_nothing_of_what_is_reached() {
    let text = format!(
        "addi sp, sp, -16\nsd ra, 8(sp)\n{}ld ra, 8(sp)\naddi sp, sp, 16\nret\n1: ret",
        "call 1f\n".repeat(100)
    );
    let found = asked(&program("effort", &text), Effort { blocks: 60, ..Effort::default() });
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
    let text = "addi sp, sp, -16\nsd ra, 8(sp)\ncall 1f\nld ra, 8(sp)\naddi sp, sp, 16\nret\n1: j 2f\n2: ret";
    let found = asked(&program("depth", text), Effort { depth: 1, ..Effort::default() });
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
}
