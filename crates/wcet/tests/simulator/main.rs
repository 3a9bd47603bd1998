//! Described machines held against a simulator that shares no code with them.
//!
//! Every program of the corpus is interpreted for each of its inputs; the trace
//! drives concrete machines with caches of many shapes and random pasts, and
//! neither the bound nor the model on the trace may ever be below them.

#![allow(clippy::print_stdout, reason = "progress is shown with --nocapture")]

mod interpreter;
mod timing;

use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_diagnostics::SourceMap;
use fusee_testing::corpus::{analyse_within, name, sources};
use fusee_testing::side_by_side;
use fusee_wcet::execute::Effort;
use fusee_wcet::machine::Pipeline;
use fusee_wcet::machine::cache::Replacement;
use fusee_wcet::machine::description::{self, Description, Write};
use fusee_wcet::program::Program;
use interpreter::{Interpreter, Step};
use timing::Simulator;

const STACK: u64 = 0x8002_0000;

fn example(name: &str) -> Description {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines").join(name);
    let mut sources = SourceMap::default();
    let file = sources.add(&path, std::fs::read_to_string(&path).expect("the example"));
    description::read(&sources, file).expect("a machine")
}

/// Machines of every kind of cache, around the two examples.
fn machines() -> Vec<Description> {
    let small = example("small.toml");
    let mut machines = vec![example("cortex-a8.toml"), small.clone()];
    for (replacement, ways, size) in [
        (Replacement::Lru, 1, 256),
        (Replacement::Lru, 2, 512),
        (Replacement::Lru, 4, 1024),
        (Replacement::Fifo, 2, 512),
        (Replacement::Fifo, 4, 256),
        (Replacement::Random, 4, 512),
    ] {
        for (write, dual) in [(Write::Through, false), (Write::Back, true)] {
            let mut machine = small.clone();
            machine.name =
                format!("{size} bytes, {ways} ways, {replacement:?}, {write:?}, dual {dual}");
            machine.issue.dual = dual;
            for cache in
                [&mut machine.instruction_cache, &mut machine.data_cache].into_iter().flatten()
            {
                (cache.replacement, cache.ways, cache.size) = (replacement, ways, size);
            }
            machine.data_cache.as_mut().expect("it has one").write = write;
            machines.push(machine);
        }
    }
    let mut bare = small;
    (bare.instruction_cache, bare.data_cache, bare.name) = (None, None, "no caches".to_owned());
    machines.push(bare);
    machines
}

fn build(source: &Path, wide: bool, level: &str) -> PathBuf {
    let stem = source.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let flags: [&str; 2] =
        if wide { ["-march=rv64im", "-mabi=lp64"] } else { ["-march=rv32im", "-mabi=ilp32"] };
    let output = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("simulated-{stem}-{}{level}.elf", flags[1]));
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args(flags)
        .args([level, "-mcmodel=medany", "-nostdlib", "-nostartfiles", "-ffreestanding"])
        .args(["-fno-tree-loop-distribute-patterns", "-Wl,--no-warn-rwx-segments"])
        .args(["-Wl,-Ttext=0x80000000", "-Wl,--no-relax", "-Wl,-e,run", "-o"])
        .arg(&output)
        .arg(source)
        .arg("-lgcc")
        .status()
        .expect("riscv64-unknown-elf-gcc runs; `make setup` installs it");
    assert!(status.success(), "{} does not build", source.display());
    output
}

/// Returns the steps of `run` for each input.
fn traces(program: &Program) -> Vec<Vec<Step>> {
    let address = |name| program.symbol(name).expect("it is there").address;
    let mut interpreter = Interpreter::new(program, STACK);
    let mut traces = Vec::new();
    for input in 0.. {
        if interpreter.call(address("prepare"), input, &mut |_| {}) == 0 {
            break;
        }
        let mut steps = Vec::new();
        interpreter.call(address("run"), 0, &mut |step| steps.push(step));
        traces.push(steps);
    }
    traces
}

/// Holds one program against machines; gives how often a bound was compared.
fn hold(source: &Path, wide: bool, level: &str, machines: &[Description], seeds: u64) -> usize {
    let program = Program::load(&std::fs::read(build(source, wide, level)).expect("the ELF"))
        .expect("a program");
    let traces = traces(&program);
    // What has no bound with a tenth of the effort takes long, and says nothing of machines.
    let effort = Effort { blocks: Effort::default().blocks / 10, ..Effort::default() };
    let mut compared = 0;
    for description in machines {
        for stack in [Some(STACK), None] {
            let machine = Pipeline::new(description.clone(), &program, stack).expect("a machine");
            let found = analyse_within(source, &program, &machine, effort).bound;
            // What is refused has nothing to be compared.
            let Some(time) = found.time else { continue };
            for (input, trace) in traces.iter().take(4).enumerate() {
                for seed in 0..seeds {
                    let mut simulator = Simulator::new(description, seed);
                    trace.iter().for_each(|&step| simulator.step(step));
                    let simulated = simulator.now();
                    assert!(
                        time >= simulated,
                        "{} {level}, wide {wide}, {}, stack {stack:?}, input {input}, seed {seed}: \
                         bound {time} < simulated {simulated}",
                        source.display(),
                        description.name
                    );
                    compared += 1;
                }
            }
        }
    }
    compared
}

#[test]
fn bounds_cover_simulated_machines() {
    let machines = machines();
    let compared = side_by_side(&sources(), |index, source| {
        // Each program meets one of the machines here.
        hold(
            source,
            index % 2 == 0,
            ["-O1", "-O2", "-Os"][index % 3],
            &machines[index % machines.len()..][..1],
            2,
        )
    });
    let compared: usize = compared.into_iter().sum();
    assert!(compared > 500, "only {compared} comparisons");
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_cover_simulated_machines_at_every_level() {
    let machines = machines();
    let compared = side_by_side(&sources(), |index, source| {
        let cases = [false, true]
            .into_iter()
            .flat_map(|wide| ["-O1", "-O2", "-Os"].map(|level| (wide, level)));
        // Each compilation meets a third of the machines, and each program every machine twice.
        let held = |(case, (wide, level)): (usize, (bool, &str))| {
            let some: Vec<Description> =
                machines.iter().skip((index + case) % 3).step_by(3).cloned().collect();
            hold(source, wide, level, &some, 2)
        };
        let compared = cases.enumerate().map(held).sum::<usize>();
        println!("{}: {compared} comparisons", name(source));
        compared
    });
    println!(
        "{} comparisons, no bound below a simulated time",
        compared.into_iter().sum::<usize>()
    );
}
