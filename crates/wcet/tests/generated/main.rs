//! Programs made by chance, on every processor: no run is above its bound.
//!
//! Four things are held against QEMU's count of instructions: the bound of
//! each program over all inputs is not below any run; the bound of a program
//! whose inputs are all known, and with them its path, is the count itself, also
//! where memory is as it is loaded; and executing the decoded instructions one by
//! one takes exactly as many.

#![allow(clippy::print_stdout, reason = "the sums are shown with --nocapture")]

mod c;
mod rust;
mod toolchain;

use std::ops::Range;
use std::path::{Path, PathBuf};

use c::INPUTS;
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with, observe};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];
/// Programs of one file.
const BATCH: u64 = 25;

/// The sums of the results.
#[derive(Default)]
struct Sums {
    programs: u64,
    refused: u64,
    exact: u64,
    /// The same, as the program is loaded.
    first: u64,
    runs: u64,
    on_facts: u64,
    ratios: Vec<f64>,
}

/// Calls of Euclid's algorithm that are under way at once for numbers below 256: 144 and 233 take
/// the most.
const EUCLID: u64 = 13;

/// Returns the number of iterations to execute one by one, if it is given: with ITERATIONS=0 all
/// loops are summed up.
fn iterations() -> Option<u64> {
    fusee_testing::given("ITERATIONS")
}

/// Returns the facts that no analysis finds out by itself.
fn facts(program: &Program) -> Facts {
    let functions =
        program.symbols().iter().filter(|symbol| symbol.code && symbol.name.contains("euclid"));
    Facts {
        recursion: functions.map(|function| (function.address, EUCLID)).collect(),
        ..Facts::default()
    }
}

fn bounded(program: &Program, function: &str, facts: &Facts) -> Bound {
    let entry = program.symbol(function).unwrap_or_else(|| panic!("no {function}")).address;
    let effort = Effort {
        blocks: 20_000,
        iterations: iterations().unwrap_or(Effort::default().iterations),
        ..Effort::default()
    };
    let found = bound(program, &Instructions, entry, facts, effort).expect("no failure");
    assert!(
        found.grounds.contradictions.is_empty(),
        "{function}: {:?}",
        found.grounds.contradictions
    );
    assert_eq!(found.time.is_none(), !found.obstacles.is_empty(), "{function}: {:?}", found.time);
    found
}

/// A language to write programs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    C,
    Rust,
}

/// Programs that are compiled together.
#[derive(Debug, Clone)]
struct Batch {
    language: Language,
    ids: Range<u64>,
    target: Target,
    level: &'static str,
}

impl Batch {
    /// Writes, compiles and links the programs; gives the ELF.
    fn build(&self) -> PathBuf {
        let Batch { language, ids, target, level } = self;
        let stem = format!("generated-{language:?}-{}-{}-{target:?}{level}", ids.start, ids.end)
            .to_lowercase();
        let write = |name: String, text: String| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
            std::fs::write(&path, text).expect("a source");
            path
        };
        let frame = write(format!("{stem}-frame.c"), c::frame(ids.clone()));
        let programs = match language {
            Language::C => write(format!("{stem}.c"), c::source(ids.clone())),
            Language::Rust => {
                let source = write(format!("{stem}.rs"), rust::source(ids.clone()));
                toolchain::compile(&source, &stem, *target, level)
            }
        };
        // Without vectors, so that all values are known; the corpus has programs with them.
        let plain: &[&str] = match target {
            Target::Aarch64 => &["-mgeneral-regs-only", "-fno-builtin", "-fwrapv", "-w"],
            Target::A32 => &[
                "-mfpu=none",
                "-fno-vectorize",
                "-fno-slp-vectorize",
                "-fno-builtin",
                "-fwrapv",
                "-w",
            ],
            _ => &[
                "-DUART=0x10000000",
                "-Wl,--no-relax",
                "-fno-tree-loop-distribute-patterns",
                "-fwrapv",
            ],
        };
        build_with(&[&frame, &programs], &stem, *target, level, plain)
    }
}

/// Compiles, runs and bounds a batch of programs.
fn hold(batch: &Batch) -> Sums {
    let Batch { language, ids, target, level } = batch.clone();
    let mut sums = Sums::default();
    let elf = batch.build();
    let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
    let mut observed = observe(&elf, target).into_iter();
    let facts = facts(&program);
    let mut interpreter = Interpreter::new(&program);
    let address = |name: &str| program.symbol(name).unwrap_or_else(|| panic!("no {name}")).address;
    for id in ids {
        let case = format!("{language:?} program {id}, {target:?} {level}");
        let Bound { time: found, grounds, obstacles, .. } =
            bounded(&program, &format!("run_{id}"), &facts);
        let runs: Vec<u64> = observed.by_ref().take(INPUTS as usize).collect();
        assert_eq!(runs.len() as u64, INPUTS, "{case} does not end");
        for (input, &run) in runs.iter().enumerate() {
            assert!(
                found.is_none_or(|time| time >= run),
                "{case}, input {input}: bound {found:?} < observed {run}"
            );
            interpreter.call(address(&format!("prepare_{id}")), input as u64);
            let executed = interpreter.call(address(&format!("run_{id}")), 0);
            assert_eq!(
                executed, run,
                "{case}, input {input}: the decoded instructions go another way"
            );
        }
        let Bound { time: forced, obstacles: why, .. } =
            bounded(&program, &format!("exact_{id}"), &facts);
        let exact = observed.next().expect("a count");
        assert!(
            forced.is_none_or(|time| time >= exact),
            "{case}: bound {forced:?} < observed {exact}"
        );
        let loaded = Facts { as_loaded: true, ..facts.clone() };
        let loaded = bounded(&program, &format!("exact_{id}"), &loaded).time;
        let first = Interpreter::new(&program).call(address(&format!("exact_{id}")), 0);
        assert!(
            loaded.is_none_or(|time| time >= first),
            "{case}: as it is loaded {loaded:?} < executed {first}"
        );
        sums.first += u64::from(loaded == Some(first));
        if forced != Some(exact) && iterations().is_none() {
            println!(
                "{case}: with known inputs the bound is {forced:?}, the count {exact} {why:?}"
            );
        }
        sums.programs += 1;
        sums.on_facts += u64::from(found.is_some() && !grounds.facts_used.is_empty());
        sums.runs += INPUTS + 1;
        sums.exact += u64::from(forced == Some(exact));
        let worst = runs.into_iter().max().unwrap_or(1);
        match found {
            Some(time) => sums.ratios.push(time as f64 / worst as f64),
            None => {
                println!("{case}: {} {}", obstacles[0].symbol, obstacles[0].what);
                sums.refused += 1;
            }
        }
    }
    assert!(observed.next().is_none());
    sums
}

impl Sums {
    fn add(mut self, other: Sums) -> Sums {
        self.programs += other.programs;
        self.refused += other.refused;
        self.exact += other.exact;
        self.first += other.first;
        self.runs += other.runs;
        self.on_facts += other.on_facts;
        self.ratios.extend(other.ratios);
        self
    }

    fn judge(mut self) {
        self.ratios.sort_by(f64::total_cmp);
        let median = self.ratios[self.ratios.len() / 2];
        println!(
            "{} programs, {} runs: {} refused, bound / worst run {median:.3} (median), {:.3} \
             (largest); {} exact with known inputs, {} as loaded, {} bounds rest on a fact",
            self.programs,
            self.runs,
            self.refused,
            self.ratios[self.ratios.len() - 1],
            self.exact,
            self.first,
            self.on_facts
        );
        assert!(
            self.on_facts > 0,
            "no bound rests on a fact; of few programs that says nothing but that they are few"
        );
        if iterations().is_some() {
            return;
        }
        assert!(self.refused * 4 <= self.programs, "too many programs are refused");
        assert_eq!(self.exact, self.programs, "a bound on a known path is not its count");
        assert_eq!(self.first, self.programs, "a bound on the only path is not its count");
    }
}

fn every_target() -> impl Iterator<Item = (Target, &'static str)> {
    TARGETS.into_iter().flat_map(|target| LEVELS.map(|level| (target, level)))
}

/// The processor of the sample in Rust: the core library takes longer to compile for one than all
/// the sample's programs, and `make soundness` has the others.
const SAMPLED: Target = Target::Rv64;

#[test]
fn bounds_cover_some_generated_programs() {
    let in_c = |(index, (target, level))| {
        let start = index as u64 * 13;
        Batch { language: Language::C, ids: start..start + 9, target, level }
    };
    let in_rust = |(index, level)| {
        let start = index as u64 * 12;
        Batch { language: Language::Rust, ids: start..start + 12, target: SAMPLED, level }
    };
    // What is in C is done while the core library is compiled.
    let mut in_rust = LEVELS.into_iter().enumerate().map(in_rust);
    let mut batches: Vec<Batch> = in_rust.next().into_iter().collect();
    batches.extend(every_target().enumerate().map(in_c));
    batches.extend(in_rust);
    side_by_side(&batches, |_, batch| hold(batch))
        .into_iter()
        .fold(Sums::default(), Sums::add)
        .judge();
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_cover_generated_programs_on_every_processor() {
    // How many, or from which to which: GENERATED=3000, GENERATED=50..60.
    let asked = std::env::var("GENERATED").unwrap_or_else(|_| "3000".to_owned());
    let (first, end) = asked.split_once("..").unwrap_or(("0", &asked));
    let (first, end): (u64, u64) =
        (first.parse().expect("a number"), end.parse().expect("a number"));
    // Each third batch is in Rust.
    let batch = |start: u64| {
        let language = if start / BATCH % 3 == 2 { Language::Rust } else { Language::C };
        let ids = start.max(first)..end.min(start + BATCH);
        every_target().map(move |(target, level)| Batch {
            language,
            ids: ids.clone(),
            target,
            level,
        })
    };
    let batches: Vec<Batch> =
        (first / BATCH * BATCH..end).step_by(BATCH as usize).flat_map(batch).collect();
    side_by_side(&batches, |_, batch| hold(batch))
        .into_iter()
        .fold(Sums::default(), Sums::add)
        .judge();
}
