//! The time and memory for a kernel of real size, and for many iterations.

#![expect(clippy::print_stdout, reason = "a program's output")]

use std::path::Path;
use std::time::Instant;

use fusee_testing::large_kernel;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Effort, Facts, Supported, bound};
use fusee_wcet::machine::{Instructions, Pipeline, description};
use fusee_wcet::program::Program;

fn main() {
    measure_iterations();
    println!(
        "{:<5} {:>12} {:>9} {:>6} {:>6} {:>8} {:>9} {:>9}  {:<12} {:>9} {:>8} {:>5}",
        "part",
        "instructions",
        "functions",
        "blocks",
        "loops",
        "inlined",
        "executed",
        "bound",
        "machine",
        "seconds",
        "us/block",
        "MiB"
    );
    for parts in [1, 2, 4, large_kernel::PARTS] {
        let program = build(parts);
        measure(&program, parts, &Instructions);
        let vexriscv = description::built_in("vexriscv", 0)
            .and_then(|found| Pipeline::new(found, &program, None));
        measure(&program, parts, &vexriscv.expect("it is built in"));
    }
}

/// Prints the time of analyzing many iterations: three loops, one inside the other, of so many
/// iterations each.
fn measure_iterations() {
    println!(
        "\n{:>13} {:>9} {:>15} {:>9} {:>5}",
        "iterations", "executed", "bound", "seconds", "MiB"
    );
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/programs.c");
    for iterations in [10u64, 32, 100, 316, 1_000, 3_162, 10_000] {
        let flag = format!("-DROUNDS={iterations}");
        let elf = build_with(
            &[&source],
            &format!("scale-iterations-{iterations}"),
            Target::Rv64,
            "-O2",
            &[&flag],
        );
        let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
        let entry = program.symbol("loop_cube").expect("a function").address;
        let begun = Instant::now();
        let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default())
            .expect("no failure");
        let seconds = begun.elapsed().as_secs_f64();
        let (executed, time) = (found.blocks, found.time.expect("a bound"));
        println!(
            "{:>13} {executed:>9} {time:>15} {seconds:>9.3} {:>5}",
            iterations.pow(3),
            peak_memory() / 1024
        );
    }
}

fn build(parts: usize) -> Program {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scale-bench-{parts}.c"));
    std::fs::write(&file, large_kernel::source(parts)).expect("a source");
    let flags = ["-fno-optimize-sibling-calls"];
    let elf = build_with(&[&file], &format!("scale-bench-{parts}"), Target::Rv64, "-O1", &flags);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn measure<M: Supported>(program: &Program, parts: usize, machine: &M) {
    let entry = program.symbol("entry").expect("an entry").address;
    let size = large_kernel::size(program, entry);
    let before = processor_seconds();
    let found =
        bound(program, machine, entry, &Facts::default(), Effort::default()).expect("no failure");
    let seconds = processor_seconds() - before;
    println!(
        "{:<5} {:>12} {:>9} {:>6} {:>6} {:>8} {:>9} {:>9}  {:<12} {seconds:>9.2} {:>8.2} {:>5}",
        format!("1/{}", large_kernel::PARTS / parts),
        size.instructions,
        size.functions,
        size.blocks,
        size.loops,
        size.inlined,
        found.blocks,
        found.time.expect("a bound"),
        machine.name(),
        seconds * 1e6 / found.blocks as f64,
        peak_memory() / 1024
    );
}

/// Processor time of this process so far, in seconds.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = text.rsplit(')').next().expect("fields").split_whitespace().collect();
    // User and system time, in hundredths of a second.
    let ticks: f64 =
        fields[11..13].iter().map(|field| field.parse::<f64>().expect("a number")).sum();
    ticks / 100.0
}

/// The most memory that this process has had, in KiB.
fn peak_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.trim().trim_end_matches("kB").trim().parse().expect("a number")
}
