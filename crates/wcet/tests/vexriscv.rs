//! The machine `vexriscv` held against the core's own Verilog.

#![allow(clippy::print_stdout, reason = "the ratios are shown with --nocapture")]

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::path::{Path, PathBuf};

use fusee_rtl::{Board, Calls, Run};
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::{Pipeline, description};
use fusee_wcet::program::Program;
use fusee_wcet::replay::{Executed, Replay};
use support::{Target, build};

/// What one program took.
struct Measured {
    /// The bound on its `run`, if there is one.
    bound: Option<u64>,
    /// The longest call of `run`, in cycles of the core.
    observed: u64,
    /// The whole program's cycles by the model that follows its trace.
    replayed: u64,
    /// The whole program's cycles.
    total: u64,
}

fn board() -> Board {
    let verilog = fusee_rtl::find().expect("the Verilog; `make setup` installs it");
    Board::build(&verilog, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("fusee")).expect("the board")
}

fn sources() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = std::fs::read_dir(corpus).expect("the corpus");
    let mut sources: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    sources.sort();
    sources
}

fn measure(board: &Board, elf: &Path, wait_states: u32) -> Measured {
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("run").expect("run").address;
    let description = description::built_in("vexriscv", wait_states).expect("it is built in");
    let on_trace = Pipeline::new(description.clone(), &program, None).expect("a machine");
    let mut replay = Replay::new(&program, &on_trace);
    let (mut calls, mut stack, mut cycles) = (Calls::of(entry), 0, None);
    let run = Run { first: wait_states, further: wait_states, cycles: 50_000_000 };
    let outcome = board.run(elf, run, &mut |retired| {
        calls.see(retired);
        let executed = Executed { address: retired.address, result: retired.result.into() };
        replay.step(executed).expect("an instruction");
        if retired.address == entry {
            stack = replay.register(2);
        }
        let (first, _) = cycles.unwrap_or((retired.cycle, 0));
        cycles = Some((first, retired.cycle));
    });
    assert_eq!(outcome.expect("it ends").status, 0);
    let machine = Pipeline::new(description, &program, Some(stack)).expect("a machine");
    let effort = Effort { blocks: 100_000, ..Effort::default() };
    let found = bound(&program, &machine, entry, &Facts::default(), effort).expect("no failure");
    let observed = calls.times.iter().copied().max().expect("a call");
    let (first, last) = cycles.expect("it runs");
    Measured { bound: found.time, observed, replayed: replay.time(), total: last - first }
}

/// Programs whose recursion depends on their data: refused.
const REFUSED: [&str; 1] = ["quick_sort"];

/// Holds bounds and model against the core for every program at these levels; prints each ratio.
fn hold(levels: &[&str]) {
    let board = board();
    let mut ratios = Vec::new();
    for source in sources() {
        let name = source.file_stem().and_then(|stem| stem.to_str()).unwrap_or("").to_owned();
        for level in levels {
            let (cold, warm) = (build(&source, Target::Board, level), build(&source, Target::WarmBoard, level));
            for wait_states in [0, 10] {
                let case = format!("{name} {level}, {wait_states} wait states");
                let on_warm = check(&measure(&board, &warm, wait_states), &name, &case);
                let on_cold = check(&measure(&board, &cold, wait_states), &name, &case);
                // Behind a flush, fetching and loading overlap, which the model leaves out.
                assert!(on_warm.1 <= 1.05, "{case}: the model takes {} of the core's time", on_warm.1);
                println!("{case}: bound / observed {:.3}, model / core {:.4}", on_cold.0, on_warm.1);
                ratios.extend(Some(on_cold.0).filter(|&ratio| ratio > 0.0));
            }
        }
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    println!("{} bounds, bound / observed: median {median:.3}", ratios.len());
    assert!(median <= 1.6);
}

/// Nothing is above its bound; gives bound / observed and model / core.
fn check(measured: &Measured, name: &str, case: &str) -> (f64, f64) {
    let &Measured { bound, observed, replayed, total } = measured;
    assert_eq!(bound.is_none(), REFUSED.contains(&name), "{case}: {bound:?}");
    assert!(bound.is_none_or(|bound| bound >= observed), "{case}: bound {bound:?} < observed {observed}");
    assert!(replayed >= total, "{case}: the model takes {replayed}, the core {total}");
    (bound.unwrap_or(0) as f64 / observed as f64, replayed as f64 / total as f64)
}

#[test]
fn bounds_and_model_cover_the_core() {
    hold(&["-O2"]);
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_and_model_cover_the_core_at_every_level() {
    hold(&["-O1", "-O2", "-Os"]);
}

/// What is fetched the wrong way behind a leaf function's return, which ends a line.
#[test]
fn what_is_fetched_the_wrong_way_is_covered() {
    let board = board();
    let stray = |words: &str| {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong_way.c");
        let text = format!(
            "void leaf(void);\nint prepare(int input) {{ return input < 2; }}\n\
             void run(void) {{ for (int i = 0; i < 50; i++) leaf(); }}\n\
             __asm__(\".balign 4096\\n.globl leaf\\nleaf: .rept 7\\nnop\\n.endr\\nret\\n{words}\\n.balign 32\\n\");\n"
        );
        std::fs::write(&source, text).expect("a source");
        let elf = build(&source, Target::WarmBoard, "-O2");
        let measured = measure(&board, &elf, 0);
        check(&measured, "wrong_way", words);
        measured.observed
    };
    let plain = stray("nop");
    // Looks like a fence that empties the instruction cache: every call pays for it.
    let flushing = stray(".word 0x1008");
    assert!(flushing > plain + 50 * 80, "{flushing} cycles with the word, {plain} without");
    // Second on the wrong way.
    stray("nop\\n.word 0x1008");
    // Data behind data, jumps to far away, a product that the next one waits for.
    for words in [
        ".word 0xffffffff\\n.word 0x1008",
        ".word 0\\n.word 0x1008",
        ".word 0x0200006f",
        "j .+2048",
        "mul a0,a0,a0\\nadd a0,a0,a0",
        "div a0,a0,a0\\nadd a0,a0,a0",
        "lw a0,0(sp)\\nadd a0,a0,a0",
        "fence\\nnop",
    ] {
        stray(words);
    }
}
