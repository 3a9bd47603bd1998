//! The machine `vexriscv` held against the core's own Verilog.

#![allow(clippy::print_stdout, reason = "the ratios are shown with --nocapture")]

mod paged;
mod sequences;
mod slow;

use std::path::{Path, PathBuf};

use fusee_rtl::{Board, Calls, Run};
use fusee_testing::corpus::{analyse, median, name, sources};
use fusee_testing::programs::{Target, build, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::machine::{Pipeline, description};
use fusee_wcet::program::Program;
use fusee_wcet::replay::{Executed, Replay};

/// The times of one program.
struct Measured {
    /// The bound on its `run`, if there is one.
    bound: Option<u64>,
    /// The longest call of `run`, in cycles of the core.
    observed: u64,
    /// The cycles of all instructions but the first and the last one, by the model that follows the
    /// trace.
    replayed: u64,
    /// The cycles of the same instructions: from the end of the first to the end of the last but
    /// one.
    total: u64,
}

fn board() -> Board {
    let verilog = fusee_rtl::find().expect("the Verilog; `make setup` installs it");
    Board::build(&verilog, &fusee_rtl::cache()).expect("the board")
}

fn measure(board: &Board, source: &Path, elf: &Path, wait_states: u32) -> Measured {
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("run").expect("run").address;
    let description = description::built_in("vexriscv", wait_states).expect("it is built in");
    let on_trace = Pipeline::new(description.clone(), &program, None).expect("a machine");
    let mut replay = Replay::new(&program, &on_trace);
    let (mut calls, mut stack) = (Calls::of(entry), 0);
    // When the first instruction and the last two were over.
    let (mut instructions, mut first, mut ends, mut first_took) = (0, 0, [0, 0], 0);
    let run = Run { first: wait_states, further: wait_states, cycles: 50_000_000 };
    let outcome = board.run(elf, run, &mut |retired| {
        calls.see(retired);
        let executed = Executed { address: retired.address, result: retired.result.into() };
        let took = replay.step(executed).expect("an instruction");
        match instructions {
            0 => first = retired.cycle,
            1 => first_took = took,
            _ => {}
        }
        instructions += 1;
        if retired.address == entry {
            stack = replay.register(fusee_isa::riscv::SP);
        }
        ends = [ends[1], retired.cycle];
    });
    assert_eq!(outcome.expect("it ends").status, 0);
    let machine = Pipeline::new(description, &program, Some(stack)).expect("a machine");
    let found = analyse(source, &program, &machine).bound;
    let observed = calls.times.iter().copied().max().expect("a call");
    assert!(instructions > 2, "it does not run");
    Measured {
        bound: found.time,
        observed,
        replayed: replay.time() - first_took,
        total: ends[0] - first,
    }
}

/// The times of a program at one level and number of wait states.
struct Row {
    /// Bound / longest run with cold caches, where there is a bound.
    bound: Option<f64>,
    /// The model on the trace / the core, with warm and with cold caches.
    model: [f64; 2],
    /// The defects that must not be.
    defects: Vec<String>,
}

fn row(board: &Board, source: &Path, level: &str, wait_states: u32) -> Row {
    let case = format!("{} {level}, {wait_states} wait states", name(source));
    let [warm, cold] = [Target::WarmBoard, Target::Board]
        .map(|target| measure(board, source, &build(source, target, level), wait_states));
    let mut defects: Vec<String> =
        [&warm, &cold].into_iter().flat_map(|measured| defects(measured, &case)).collect();
    let model = [&warm, &cold].map(|measured| measured.replayed as f64 / measured.total as f64);
    if model.iter().any(|&ratio| ratio > MODEL) {
        defects.push(format!("{case}: the model takes {model:?} of the core's time"));
    }
    let bound = cold.bound.map(|bound| bound as f64 / cold.observed as f64);
    println!(
        "{case}: bound / observed {bound:.3?}, model / core {:.4} warm, {:.4} cold",
        model[0], model[1]
    );
    Row { bound, model, defects }
}

/// The most that the model may take of the core's time.
const MODEL: f64 = 1.05;

/// Nothing is wrong in the rows; half of the bounds are at most 60 % above the longest run.
fn judge(rows: &[Row]) {
    let defects: Vec<&str> = rows.iter().flat_map(|row| &row.defects).map(String::as_str).collect();
    assert!(defects.is_empty(), "{}", defects.join("\n"));
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.bound).collect();
    let most = |which: usize| rows.iter().map(|row| row.model[which]).fold(0.0, f64::max);
    let (bounds, least) = (ratios.len(), ratios.iter().copied().fold(f64::MAX, f64::min));
    let median = median(ratios);
    println!("{bounds} bounds, bound / observed: least {least:.3}, median {median:.3}");
    println!("model / core: at most {:.4} warm, {:.4} cold", most(0), most(1));
    assert!(median <= 1.6);
}

/// Returns the entries above their bound, or below the core.
fn defects(measured: &Measured, case: &str) -> Vec<String> {
    let &Measured { bound, observed, replayed, total } = measured;
    let mut defects = Vec::new();
    if bound.is_none() {
        defects.push(format!("{case}: {bound:?}"));
    }
    if bound.is_some_and(|bound| bound < observed) {
        defects.push(format!("{case}: bound {bound:?} < observed {observed}"));
    }
    if replayed < total {
        defects.push(format!("{case}: the model takes {replayed}, the core {total}"));
    }
    defects
}

#[test]
fn bounds_and_model_cover_the_core() {
    let board = board();
    let some: Vec<PathBuf> = sources().into_iter().step_by(5).collect();
    judge(&side_by_side(&some, |index, source| {
        row(&board, source, LEVELS[index % 3], [0, 10][index / 3 % 2])
    }));
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_and_model_cover_the_core_at_every_level() {
    let board = board();
    let table = side_by_side(&sources(), |_, source| {
        let rows: Vec<Row> = LEVELS
            .into_iter()
            .flat_map(|level| [0, 10].map(|waits| row(&board, source, level, waits)))
            .collect();
        let cell =
            |row: &Row| row.bound.map_or(" refused |".to_owned(), |ratio| format!(" {ratio:.3} |"));
        println!("| {} |{}", name(source), rows.iter().map(cell).collect::<String>());
        rows
    });
    judge(&table.into_iter().flatten().collect::<Vec<_>>());
}

const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];

/// Instructions fetched the wrong way behind a leaf function's return, which ends a line, are
/// covered.
#[test]
fn what_is_fetched_the_wrong_way_is_covered() {
    let board = board();
    let stray = |words: &str| {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong_way.c");
        let text = format!(
            "void leaf(void);\nint prepare(int input) {{ return input < 2; }}\n\
             void run(void) {{ for (int i = 0; i < 50; i++) leaf(); }}\n\
             __asm__(\".balign 4096\\n.globl leaf\\nleaf: .rept \
             7\\nnop\\n.endr\\nret\\n{words}\\n.balign 32\\n\");\n"
        );
        std::fs::write(&source, text).expect("a source");
        let elf = build(&source, Target::WarmBoard, "-O2");
        let measured = measure(&board, &source, &elf, 0);
        let defects = defects(&measured, words);
        assert!(defects.is_empty(), "{defects:?}");
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

/// Returns the defects of a program with these words, whose file has this name.
fn small(board: &Board, (name, text): (&str, &str), words: &str, wait_states: u32) -> Vec<String> {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    std::fs::write(&source, text).expect("a source");
    let measured = measure(board, &source, &build(&source, Target::WarmBoard, "-O2"), wait_states);
    defects(&measured, &format!("{words}, {wait_states} wait states"))
}

#[test]
fn what_is_slow_holds_up_what_follows() {
    let board = board();
    let one = |index: usize, words: &str, wait_states: u32| {
        small(&board, (&format!("slow-{index}"), &slow::program(words)), words, wait_states)
    };
    let found = side_by_side(&slow::SLOW, |index, words| {
        [0, 2, 10].map(|waits| one(index, words, waits)).concat()
    });
    assert!(found.concat().is_empty(), "{found:#?}");
}

#[test]
fn what_waits_delays_the_way_back() {
    let board = board();
    let found = side_by_side(&slow::WAITING, |index, words| {
        small(&board, (&format!("waiting-{index}"), &slow::warm_program(words)), words, 0)
    });
    assert!(found.concat().is_empty(), "{found:#?}");
}

/// Returns the defects of a drawn program, with any number of wait states.
fn sequence(board: &Board, (name, text): (&str, &str), id: u64) -> Vec<String> {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{id}.s"));
    std::fs::write(&source, text).expect("a source");
    let elf = build_with(&[&source], &format!("{name}-{id}"), Target::WarmBoard, "-O1", &[]);
    let measured = measure(board, &source, &elf, [0, 10, 1, 3][id as usize / 2 % 4]);
    let found = defects(&measured, &format!("{name} {id}"));
    if found.is_empty() {
        for file in [source, elf] {
            std::fs::remove_file(file).expect("it is there");
        }
    }
    found
}

fn sequences_are_covered(name: &str, program: fn(u64) -> String, ids: &[u64]) {
    let board = board();
    let defects = side_by_side(ids, |_, &id| sequence(&board, (name, &program(id)), id)).concat();
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

#[test]
fn drawn_sequences_of_instructions_are_covered() {
    // In these a load's own line is evicted while it waits, and one behind a store waits for what
    // follows.
    let ids: Vec<u64> = (0..40).chain([162, 3_059]).collect();
    sequences_are_covered("sequence", sequences::program, &ids);
}

#[test]
fn drawn_sequences_that_forget_translations_are_covered() {
    sequences_are_covered("forgetting", sequences::forgetting, &(0..20).collect::<Vec<_>>());
}

#[test]
#[ignore = "part of `make soundness`"]
fn thousands_of_drawn_sequences_are_covered() {
    sequences_are_covered("sequence", sequences::program, &(200..3_200).collect::<Vec<_>>());
    sequences_are_covered("forgetting", sequences::forgetting, &(0..1_000).collect::<Vec<_>>());
}

/// Nothing takes longer below page tables than it may, neither by the bound nor by the model that
/// follows the trace; that takes little more than the core, where it does not do so knowingly.
fn pages_are_covered(ids: &[u64]) {
    let board = board();
    let found = side_by_side(ids, |_, &id| paged::Paged { board: &board, id }.measure());
    let all = || ids.iter().zip(&found);
    let preemptions: u64 = found.iter().map(|held| held.preemptions).sum();
    println!("{} programs, {preemptions} preemptions", ids.len());
    let above: Vec<_> = all().filter(|(_, held)| !held.is_covered()).collect();
    assert!(above.is_empty(), "{above:?}");
    let tight: Vec<_> = all()
        .filter(|&(&id, _)| sequences::is_cold(id) && sequences::is_exact(id))
        .map(|(_, held)| held)
        .collect();
    let ratios = || tight.iter().map(|held| held.followed as f64 / held.observed as f64);
    let (least, most) = (ratios().fold(f64::MAX, f64::min), ratios().fold(0.0, f64::max));
    let total = |of: fn(&paged::Held) -> u64| tight.iter().map(|held| of(held)).sum::<u64>() as f64;
    let together = total(|held| held.followed) / total(|held| held.observed);
    println!(
        "model / core: least {least:.3}, median {:.3}, most {most:.3}, together {together:.3}",
        median(ratios().collect())
    );
    assert!(together <= 1.1);
}

#[test]
fn drawn_programs_below_page_tables_are_covered() {
    pages_are_covered(&(0..64).collect::<Vec<_>>());
}

#[test]
#[ignore = "part of `make soundness`"]
fn thousands_of_drawn_programs_below_page_tables_are_covered() {
    pages_are_covered(&(64..3_064).collect::<Vec<_>>());
}
