//! Bounds held against the instructions that QEMU counts, program by program.

#![allow(clippy::print_stdout, reason = "the table is shown with --nocapture")]

use std::path::Path;

use fusee_testing::corpus::{analyse, median, name, sources};
use fusee_testing::programs::{Target, build, observe};
use fusee_testing::side_by_side;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];
const TARGETS: [Target; 2] = [Target::Rv32, Target::Rv64];

/// One program as one compiler run left it.
struct Row {
    loops: usize,
    by_fact: usize,
    /// Bound / longest run; nothing where the program is refused.
    ratio: Option<f64>,
    /// The defects that must not be.
    defect: Option<String>,
}

fn check(source: &Path, target: Target, level: &str) -> Row {
    let elf = build(source, target, level);
    let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
    let found = analyse(source, &program, &Instructions);
    let case = format!("{} {target:?} {level}", name(source));
    let observed = observe(&elf, target).into_iter().max().expect("an input");
    let obstacles = &found.bound.obstacles;
    let defect = match found.bound.time {
        None => Some(format!("{case}: {obstacles:?}")),
        Some(time) => {
            (time < observed).then(|| format!("{case}: bound {time} < observed {observed}"))
        }
    };
    let ratio = found.bound.time.map(|time| time as f64 / observed as f64);
    println!(
        "{case}: {} loops, {} by facts, bound / observed {ratio:.3?}",
        found.loops, found.by_fact
    );
    Row { loops: found.loops, by_fact: found.by_fact, ratio, defect }
}

/// At least 85 % of the loops need no fact, and half of the bounds are at most 15 % above the
/// longest run.
fn judge(rows: &[&Row]) {
    let defects: Vec<&str> = rows.iter().filter_map(|row| row.defect.as_deref()).collect();
    assert!(defects.is_empty(), "{}", defects.join("\n"));
    let loops: usize = rows.iter().map(|row| row.loops).sum();
    let by_fact: usize = rows.iter().map(|row| row.by_fact).sum();
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio).collect();
    let bounds = ratios.len();
    let median = median(ratios);
    println!(
        "{loops} loops, {} bounded without a fact; {bounds} bounds, median {median:.3}",
        loops - by_fact
    );
    assert!(by_fact * 100 <= loops * 15, "{by_fact} of {loops} loops need a fact");
    assert!(median <= 1.15, "half of the bounds are more than {median} times what was observed");
}

/// Programs of every kind, for the instruction sets that the table leaves out.
const SOME: [&str; 19] = [
    "binary_search",
    "bubble_sort",
    "controller",
    "copy_bytes",
    "cosine_transform",
    "crc32",
    "divisions",
    "fibonacci",
    "fir_filter",
    "insertion_sort",
    "matrix_product",
    "median",
    "popcount",
    "queue",
    "quick_sort",
    "square_root",
    "state_machine",
    "text_length",
    "triangle",
];

#[test]
fn bounds_cover_every_run_on_other_processors() {
    let some: Vec<_> =
        sources().into_iter().filter(|source| SOME.contains(&name(source))).collect();
    let others = [Target::Aarch64, Target::A32];
    let rows = side_by_side(&some, |index, source| {
        others.map(|target| check(source, target, LEVELS[index % 3]))
    });
    judge(&rows.iter().flatten().collect::<Vec<_>>());
}

#[test]
fn bounds_cover_every_run_of_the_corpus() {
    let rows = side_by_side(&sources(), |index, source| {
        check(source, TARGETS[index / 3 % 2], LEVELS[index % 3])
    });
    judge(&rows.iter().collect::<Vec<_>>());
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_cover_every_run_of_the_corpus_at_every_level() {
    let table = side_by_side(&sources(), |_, source| {
        let rows: Vec<Row> = TARGETS
            .iter()
            .flat_map(|&target| LEVELS.map(|level| check(source, target, level)))
            .collect();
        let cells = rows.iter().map(|row| {
            let ratio = row.ratio.map_or("refused".to_owned(), |ratio| format!("{ratio:.3}"));
            format!(
                " {}{} | {ratio} |",
                row.loops - row.by_fact,
                if row.by_fact > 0 { format!("+{}", row.by_fact) } else { String::new() }
            )
        });
        println!("| {} |{}", name(source), cells.collect::<String>());
        rows
    });
    judge(&table.iter().flatten().collect::<Vec<_>>());
}
