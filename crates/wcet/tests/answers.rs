//! The corpus at every level on all processors: answers soon, none below a run.
//!
//! What the other tests leave out is here: code without any optimization and with
//! all of it, on four processors, with the effort that users have. A refusal is an
//! answer as well, if it takes no more work than bounding does; with the facts that
//! the tool asks for there is a bound for each.

#![allow(clippy::print_stdout, reason = "the table is shown with --nocapture")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fusee_testing::corpus::{analyse, median, name, sources};
use fusee_testing::programs::{Target, build, observe};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

/// One program as one compiler run left it.
type Case = (PathBuf, Target, &'static str);

/// The answer about a fact.
struct Answer {
    case: String,
    /// The bound without any fact.
    alone: Option<u64>,
    /// The bound with the facts in its comments.
    helped: Option<u64>,
    longest: u64,
    /// Blocks that were executed, and how long that took.
    work: u64,
    took: Duration,
}

fn answer((source, target, level): &Case) -> Answer {
    let elf = build(source, *target, level);
    let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("run").expect("run").address;
    let begun = Instant::now();
    let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default())
        .expect("no failure");
    let took = begun.elapsed();
    assert!(found.time.is_some() || !found.obstacles.is_empty(), "nothing is said");
    let helped = found.time.or_else(|| analyse(source, &program, &Instructions).bound.time);
    let longest = observe(&elf, *target).into_iter().max().expect("a run");
    let case = format!("{} {target:?} {level}", name(source));
    Answer { case, alone: found.time, helped, longest, work: found.blocks, took }
}

fn judge(cases: &[Case]) {
    let answers = side_by_side(cases, |_, case| answer(case));
    let mut wrong = Vec::new();
    for one in &answers {
        let Answer { case, alone, helped, longest, work, took } = one;
        println!(
            "{case}: {alone:?}, with facts {helped:?}, run {longest}; {work} blocks in {took:.2?}"
        );
        for time in [alone, helped].into_iter().flatten().filter(|time| *time < longest) {
            wrong.push(format!("{case}: bound {time} < run {longest}"));
        }
        if helped.is_none() {
            wrong.push(format!("{case}: no bound with the facts in its comments"));
        }
        if *work > Effort::default().blocks {
            wrong.push(format!("{case}: {work} blocks"));
        }
    }
    let with =
        |of: fn(&Answer) -> Option<u64>| answers.iter().filter(|one| of(one).is_some()).count();
    let (alone, helped) = (with(|one| one.alone), with(|one| one.helped));
    let slowest = answers.iter().max_by_key(|one| one.took).expect("an answer");
    let ratio = |one: &Answer| Some(one.alone? as f64 / one.longest as f64);
    let median = median(answers.iter().filter_map(ratio).collect());
    println!(
        "{} programs: {alone} bounded without a fact, {helped} with those in comments; median \
         {median:.3}; the slowest answer {} in {:.2?}",
        answers.len(),
        slowest.case,
        slowest.took
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(alone * 100 >= answers.len() * 80, "{alone} of {} without a fact", answers.len());
}

/// Returns all programs; with a step only some of them, others for each processor and level.
fn cases(step: usize) -> Vec<Case> {
    let all = sources();
    let ways = TARGETS.into_iter().flat_map(|target| LEVELS.map(|level| (target, level)));
    let some = |(index, (target, level)): (usize, (Target, &'static str))| {
        let some: Vec<&Path> =
            all.iter().skip(index * 7 % step).step_by(step).map(PathBuf::as_path).collect();
        some.into_iter().map(move |source| (source.to_owned(), target, level)).collect::<Vec<_>>()
    };
    ways.enumerate().flat_map(some).collect()
}

#[test]
fn some_programs_are_answered_soon_at_every_level() {
    judge(&cases(43));
}

#[test]
#[ignore = "part of `make soundness`"]
fn every_program_is_answered_soon_at_every_level() {
    judge(&cases(1));
}
