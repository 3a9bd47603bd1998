//! An eighth of a made-up kernel: bounded, and above a run.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::large_kernel;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

#[test]
fn bounds_an_eighth_of_a_kernel() {
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scale-{}.c", std::process::id()));
    std::fs::write(&file, large_kernel::source(1)).expect("a source");
    let elf =
        build_with(&[&file], "scale-test", Target::Rv64, "-O1", &["-fno-optimize-sibling-calls"]);
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("entry").expect("an entry").address;
    let size = large_kernel::size(&program, entry);
    println!("{size:?}");
    assert!(size.inlined > 48_000 && size.functions == 32 && size.loops == 7, "{size:?}");
    let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default())
        .expect("no failure");
    println!("{} executed, {:?}", found.blocks, found.time);
    // Inputs of ones take every call and the longer way at every branch.
    let mut interpreter = Interpreter::new(&program);
    interpreter.call(program.symbol("prepare").expect("a function").address, u64::MAX);
    let run = interpreter.call(entry, 0);
    let time = found.time.expect("a bound");
    assert!(time >= run && time < run + run / 10, "bound {time}, run {run}");
    // What is shared is executed for each call, but only once for each.
    assert!(found.blocks < size.inlined * 8, "{} for {}", found.blocks, size.inlined);
}
