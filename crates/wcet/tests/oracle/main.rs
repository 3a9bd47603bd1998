//! The decoders' results for each instruction, compared with binutils.
//!
//! Programs of the corpus are disassembled by `objdump`. For each line that is
//! an instruction there, the decoder must know one of the same length, of the
//! same kind, and with the same target; on RISC-V also of the same name.

#![allow(clippy::print_stdout, reason = "the sums are shown with --nocapture")]

mod lines;

use std::path::{Path, PathBuf};

use fusee_isa::language::{Class, Flow, Instruction, Target as Place};
use fusee_testing::corpus::{name, sources};
use fusee_testing::programs::{Target, build, build_with, frame, observe};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use lines::{Kind, Line};

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];

/// Returns the decoder's kind of an instruction.
fn kind(instruction: &Instruction) -> Kind {
    match (&instruction.flow, instruction.class) {
        (Flow::Branch { target, .. }, _) => Kind::Branch(*target),
        (Flow::Jump(Place::Fixed(target)), _) => Kind::Jump(*target),
        (Flow::Jump(Place::Computed(_)), _) => Kind::IndirectJump,
        (Flow::Call { target: Place::Fixed(target), .. }, _) => Kind::Call(*target),
        (Flow::Call { target: Place::Computed(_), .. }, _) => Kind::IndirectCall,
        (Flow::Return { .. }, _) => Kind::Return,
        (_, Class::Atomic) => Kind::Atomic,
        (_, Class::Load) => Kind::Load,
        (_, Class::Store) => Kind::Store,
        _ => Kind::Other,
    }
}

/// Returns the difference at a line, if there is one.
fn compare(program: &Program, line: &Line, target: Target) -> Option<String> {
    let instruction = match program.instruction(line.address) {
        Ok(instruction) => instruction,
        Err(error) => return Some(format!("{error}: {}", line.text)),
    };
    let same_name =
        !matches!(target, Target::Rv32 | Target::Rv64) || instruction.mnemonic == line.name();
    let same = u64::from(instruction.size) == line.size
        && kind(&instruction) == line.kind(target)
        && same_name;
    let said = || {
        format!("{} of {} bytes, {:x?}", instruction.mnemonic, instruction.size, kind(&instruction))
    };
    (!same).then(|| format!("{}, but {:x?}: {}", said(), line.kind(target), line.text))
}

fn hold(case: &(PathBuf, Target, &'static str)) -> (usize, Vec<String>) {
    let (source, target, level) = case;
    hold_elf(&build(source, *target, level), (name(source), *target, level))
}

fn hold_elf(elf: &Path, (name, target, level): (&str, Target, &str)) -> (usize, Vec<String>) {
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let lines = lines::of(elf, target);
    assert!(lines.len() > 40, "{name} {target:?} {level}: {} lines", lines.len());
    let wrong = lines.iter().filter_map(|line| compare(&program, line, target));
    (lines.len(), wrong.map(|wrong| format!("{name} {target:?} {level}: {wrong}")).collect())
}

fn judge(cases: &[(PathBuf, Target, &'static str)]) {
    let (mut instructions, mut wrong) = (0, Vec::new());
    for (lines, of_one) in side_by_side(cases, |_, case| hold(case)) {
        instructions += lines;
        wrong.extend(of_one);
    }
    println!(
        "{} programs, {instructions} instructions, {} decoded otherwise",
        cases.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(instructions > 100 * cases.len(), "too few lines were understood");
}

fn cases(step: usize) -> Vec<(PathBuf, Target, &'static str)> {
    let all = sources();
    let of = |(index, target): (usize, Target)| {
        let sources: Vec<&Path> =
            all.iter().skip(index).step_by(step).map(PathBuf::as_path).collect();
        let level = |number: usize| LEVELS[number % LEVELS.len()];
        sources
            .into_iter()
            .enumerate()
            .map(|(number, source)| (source.to_owned(), target, level(number)))
            .collect()
    };
    let groups: Vec<Vec<_>> = TARGETS.into_iter().enumerate().map(of).collect();
    groups.concat()
}

#[test]
fn some_programs_are_decoded_as_binutils_does() {
    judge(&cases(9));
}

#[test]
#[ignore = "part of `make soundness`"]
fn all_programs_are_decoded_as_binutils_does() {
    judge(&cases(1));
}

/// Floating point in hardware, where a target is otherwise without.
fn with_floats(target: Target) -> &'static [&'static str] {
    match target {
        Target::Rv32 => &["-march=rv32gc", "-mabi=ilp32d"],
        Target::Rv64 => &["-march=rv64gc", "-mabi=lp64d"],
        _ => &[],
    }
}

fn here(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file)
}

/// A program of four runs: it is decoded as binutils does, and no run is above its bound, which
/// needs no fact.
fn hold_runs(file: &str, target: Target, level: &'static str, flags: &[&str]) {
    let (measure, source) = (frame("measure.c"), here(&format!("oracle/programs/{file}")));
    let stem = format!("{}-{target:?}{level}", file.replace('.', "-"));
    let elf = build_with(&[&measure, &source], &stem, target, level, flags);
    let (_, wrong) = hold_elf(&elf, (file, target, level));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("run").expect("run").address;
    let found = bound(&program, &Instructions, entry, &Facts::default(), Effort::default())
        .expect("no failure");
    let runs = observe(&elf, target);
    let (time, run) = (found.time, runs.iter().copied().max().expect("a run"));
    let obstacles = &found.obstacles;
    assert_eq!(runs.len(), 4, "{target:?} {level}");
    assert!(
        time.is_some_and(|time| time >= run),
        "{target:?} {level}: {time:?} for {run}, {obstacles:?}"
    );
    println!("{file} {target:?} {level}: {time:?} for {run}");
}

#[test]
fn floating_point_is_decoded_and_no_run_is_above_its_bound() {
    for target in TARGETS {
        for level in LEVELS {
            hold_runs("float.c", target, level, with_floats(target));
        }
    }
}

#[test]
fn loops_that_instructions_on_bits_end_are_bounded() {
    for level in LEVELS {
        hold_runs("bits.c", Target::Rv32, level, &ON_BITS_32);
        hold_runs("bits.c", Target::Rv64, level, &ON_BITS_64);
    }
}

const ON_BITS_32: [&str; 2] = ["-march=rv32imac_zba_zbb_zbs", "-mabi=ilp32"];
const ON_BITS_64: [&str; 2] = ["-march=rv64imac_zba_zbb_zbs", "-mabi=lp64"];

/// Every instruction of a file, which are so many at least.
fn hold_listing(file: &str, target: Target, flags: &[&str], least: usize) {
    let source = here(&format!("oracle/programs/{file}"));
    let stem = file.replace('.', "-");
    let end = here("oracle/programs/end.c");
    let elf = build_with(&[&source, &end], &format!("{stem}-{target:?}"), target, "-O1", flags);
    let (lines, wrong) = hold_elf(&elf, (file, target, "-O1"));
    assert!(wrong.is_empty() && lines > least, "{lines}: {}", wrong.join("\n"));
}

#[test]
fn every_instruction_of_f_and_d_is_decoded_as_binutils_does() {
    for target in [Target::Rv32, Target::Rv64] {
        hold_listing("float.S", target, with_floats(target), 70);
    }
}

#[test]
fn every_instruction_on_bits_is_decoded_as_binutils_does() {
    hold_listing("bitmanip.S", Target::Rv32, &ON_BITS_32, 40);
    hold_listing("bitmanip.S", Target::Rv64, &ON_BITS_64, 55);
}
