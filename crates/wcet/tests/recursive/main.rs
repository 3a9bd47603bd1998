//! Functions that call themselves, made by chance, with facts from their runs.
//!
//! How deep calls come, how many there are in all and how often loops in them iterate
//! is counted while the decoded instructions are executed one by one, for every
//! input; the bound that rests on these numbers is not below any run, as QEMU counts
//! them, and nothing is said against a fact.

#![allow(clippy::print_stdout, reason = "the sums are shown with --nocapture")]

mod seen;
mod source;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with, observe};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, Grounds, Obstacle, Used, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use seen::{Seen, Shown};
use source::INPUTS;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];
/// Programs of one file.
const BATCH: u64 = 25;

/// The stated number for code that no run comes to.
const NEVER_SEEN: u64 = 16;

/// The sums of the results.
#[derive(Default)]
struct Sums {
    programs: usize,
    bounded: usize,
    /// Bounds that rest on how deep calls come, and on how many there are.
    on_depth: usize,
    on_calls: usize,
    ratios: Vec<f64>,
}

/// Programs that are compiled together.
struct Batch {
    ids: Range<u64>,
    target: Target,
    level: &'static str,
}

impl Batch {
    /// Compiles, runs and bounds the programs.
    fn hold(&self) -> Sums {
        let Self { ids, target, level } = self;
        let name = format!("recursive-{}-{}-{target:?}{level}", ids.start, ids.end).to_lowercase();
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
        std::fs::write(&source, source::source(ids.clone())).expect("a source");
        // Calls are calls, so that what is counted is what facts are about.
        let mut flags = vec!["-fno-optimize-sibling-calls", "-fno-builtin", "-fwrapv", "-w"];
        flags.extend(match target {
            Target::Aarch64 => &["-mgeneral-regs-only"][..],
            Target::A32 => &["-mfpu=none", "-fno-vectorize", "-fno-slp-vectorize"],
            _ => &["-DUART=0x10000000"],
        });
        let elf = build_with(&[&source], &name, *target, level, &flags);
        let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
        let mut observed = observe(&elf, *target).into_iter();
        let mut sums = Sums::default();
        for id in ids.clone() {
            let runs: Vec<u64> = observed.by_ref().take(INPUTS as usize).collect();
            assert_eq!(runs.len() as u64, INPUTS, "{name}: program {id} does not end");
            sums.add(one(&format!("{name}, program {id}"), &program, id, &runs));
        }
        assert!(observed.next().is_none());
        sums
    }
}

/// Returns the effort; with ITERATIONS=0 all loops are summed up.
fn effort() -> Effort {
    let default = Effort { blocks: 200_000, ..Effort::default() };
    match fusee_testing::given("ITERATIONS") {
        Some(iterations) => Effort { iterations, ..default },
        None => default,
    }
}

/// Runs a program on all inputs and bounds it with the facts that this shows.
fn one(case: &str, program: &Program, id: u64, runs: &[u64]) -> Sums {
    let address = |name: &str| program.symbol(name).unwrap_or_else(|| panic!("no {name}")).address;
    let (prepare, run) = (address(&format!("prepare_{id}")), address(&format!("run_{id}")));
    let (mut seen, mut interpreter) = (Seen::default(), Interpreter::new(program));
    for (input, &observed) in runs.iter().enumerate() {
        interpreter.call(prepare, input as u64);
        let executed = seen.run(program, &mut interpreter, run);
        assert_eq!(executed, observed, "{case}, input {input}: the instructions go another way");
    }
    let shown = seen.shown();
    // The numbers of calls are given when they are asked for, or all from the beginning.
    let calls = if id.is_multiple_of(2) { shown.calls.clone() } else { BTreeMap::new() };
    let facts = Facts { calls, ..Facts::default() };
    let found = settled(case, facts, &shown, |facts| {
        bound(program, &Instructions, run, facts, effort()).expect("no failure")
    });
    let worst = runs.iter().copied().max().unwrap_or_default();
    let Bound { time, grounds, obstacles, .. } = &found;
    assert!(time.is_none_or(|time| time >= worst), "{case}: bound {time:?} < run {worst}");
    if time.is_none() {
        println!("{case}: {:?}", obstacles.first().map(|one| (&one.symbol, &one.what)));
    }
    let rests_on = |kind: fn(&Used) -> bool| {
        usize::from(time.is_some() && grounds.facts_used.iter().any(kind))
    };
    Sums {
        programs: 1,
        bounded: usize::from(time.is_some()),
        on_depth: rests_on(|used| matches!(used, Used::Recursion(_))),
        on_calls: rests_on(|used| matches!(used, Used::Calls(_))),
        ratios: time.iter().map(|&time| time as f64 / worst as f64).collect(),
    }
}

/// Returns the bound when all questions are answered by what runs have shown.
fn settled(case: &str, mut facts: Facts, shown: &Shown, find: impl Fn(&Facts) -> Bound) -> Bound {
    loop {
        let found = find(&facts);
        if unreachable(&found.grounds, shown, &mut facts) {
            continue;
        }
        let wrong = &found.grounds.contradictions;
        assert!(wrong.is_empty(), "{case}: {wrong:?} {facts:?}");
        let new = found.obstacles.iter().filter(|one| answer(one, shown, &mut facts)).count();
        if new == 0 {
            return found;
        }
    }
}

/// Says that nobody comes to loops from which no path leads on, where no run did; whether there are
/// any.
fn unreachable(grounds: &Grounds, shown: &Shown, facts: &mut Facts) -> bool {
    let endless = grounds.contradictions.keys().filter_map(|&fact| match fact {
        Used::Loop(header) => Some(header).filter(|header| !shown.iterations.contains_key(header)),
        _ => None,
    });
    let endless: Vec<u64> = endless.collect();
    endless.iter().for_each(|header| {
        facts.loop_bounds.remove(header);
    });
    facts.unreachable.extend(&endless);
    !endless.is_empty()
}

/// Adds what runs have shown of what an obstacle asks for; says whether that was not known.
fn answer(obstacle: &Obstacle, shown: &Shown, facts: &mut Facts) -> bool {
    let (numbers, into) = match obstacle.fact.split('.').next() {
        Some("loops") if obstacle.what.contains("at several places") => {
            (&shown.comes_back, &mut facts.loop_bounds)
        }
        Some("loops") => (&shown.iterations, &mut facts.loop_bounds),
        Some("recursion") => (&shown.under_way, &mut facts.recursion),
        Some("calls") => (&shown.calls, &mut facts.calls),
        _ => return false,
    };
    let number = numbers.get(&obstacle.address).copied().unwrap_or(NEVER_SEEN);
    into.insert(obstacle.address, number).is_none()
}

impl Sums {
    fn add(&mut self, other: Self) {
        self.programs += other.programs;
        self.bounded += other.bounded;
        self.on_depth += other.on_depth;
        self.on_calls += other.on_calls;
        self.ratios.extend(other.ratios);
    }

    fn judge(mut self) {
        self.ratios.sort_by(f64::total_cmp);
        let Self { programs, bounded, on_depth, on_calls, ratios } = &self;
        println!(
            "{programs} programs: {bounded} bounded, {on_depth} by how deep calls come, {on_calls} \
             by how many there are; bound / worst run {:.3} (median)",
            ratios[ratios.len() / 2]
        );
        assert!(bounded * 10 >= programs * 7, "too many programs are refused");
        assert!(on_depth * 10 >= *programs && on_calls * 10 >= *programs, "too few facts");
    }
}

fn judge(batches: &[Batch]) {
    let mut all = Sums::default();
    side_by_side(batches, |_, batch| batch.hold()).into_iter().for_each(|sums| all.add(sums));
    all.judge();
}

#[test]
fn bounds_cover_some_recursive_programs() {
    let batch = |index: usize| Batch {
        ids: index as u64 * 6..index as u64 * 6 + 6,
        target: TARGETS[index % 4],
        level: LEVELS[(index / 4 + index) % 4],
    };
    judge(&(0..8).map(batch).collect::<Vec<_>>());
}

#[test]
#[ignore = "part of `make soundness`"]
fn bounds_cover_recursive_programs_on_every_processor() {
    let programs = fusee_testing::given_or("RECURSIVE", 250);
    let ways = TARGETS.into_iter().flat_map(|target| LEVELS.map(|level| (target, level)));
    let batches = ways.flat_map(|(target, level)| {
        let starts = (0..programs).step_by(BATCH as usize);
        starts.map(move |start| Batch { ids: start..programs.min(start + BATCH), target, level })
    });
    judge(&batches.collect::<Vec<_>>());
}
