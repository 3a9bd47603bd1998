//! What people and compilers write, one situation in each function.

use std::path::{Path, PathBuf};

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
/// The argument with which functions that have one take longest.
const WORST: u64 = 15;

/// The functions of a family, built for a target, with what a run of each takes.
fn family(target: Target, level: &str, family: &str) -> (Program, Vec<(String, u64, u64)>) {
    let files: &[&str] = if family == "jumps_" { &["jumps.c", "jumps.S"] } else { &["programs.c"] };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/situations");
    let files: Vec<PathBuf> = files.iter().map(|file| folder.join(file)).collect();
    let sources: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let name = format!("situations-{family}-{target:?}{level}");
    let elf = build_with(&sources, &name, target, level, &["-fno-unroll-loops"]);
    let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
    let of = program.symbols().iter().filter(|one| one.code && one.name.starts_with(family));
    let functions = of.map(|one| {
        let run = Interpreter::new(&program).call(one.address, WORST);
        (format!("{} {target:?} {level}", one.name), one.address, run)
    });
    let functions = functions.collect();
    (program, functions)
}

fn bounded(program: &Program, function: u64, facts: &Facts) -> Bound {
    bound(program, &Instructions, function, facts, Effort::default()).expect("no failure")
}

fn cases() -> Vec<(Target, &'static str)> {
    TARGETS.iter().flat_map(|&target| ["-O1", "-Os"].map(|level| (target, level))).collect()
}

#[test]
fn most_have_bounds_alone() {
    side_by_side(&cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "alone_");
        assert_eq!(functions.len(), 10, "{target:?} {level}");
        for (case, function, run) in functions {
            let found = bounded(&program, function, &Facts::default());
            assert!(found.time.is_some_and(|time| run <= time), "{case}: {run} of {found:?}");
        }
    });
}

#[test]
fn the_others_ask_for_one_fact() {
    side_by_side(&cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "asked_");
        assert_eq!(functions.len(), 4, "{target:?} {level}");
        for (case, function, run) in functions {
            let found = bounded(&program, function, &Facts::default());
            let [obstacle] = &found.obstacles[..] else { panic!("{case}: {found:?}") };
            let mut facts = Facts::default();
            match obstacle.fact.split_once('.') {
                Some(("loops", _)) => drop(facts.loop_bounds.insert(obstacle.address, WORST + 1)),
                Some(("targets", _)) => {
                    let second = program.symbol("second").expect("it").address;
                    facts.targets.insert(obstacle.address, [second].into());
                }
                _ => panic!("{case}: {obstacle:?}"),
            }
            let found = bounded(&program, function, &facts);
            assert!(found.time.is_some_and(|time| run <= time), "{case}: {run} of {found:?}");
        }
    });
}

/// Jumps that end several calls at once lead behind the outermost of these calls.
#[test]
fn jumps_out_of_several_calls_are_followed() {
    side_by_side(&cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "jumps_");
        assert_eq!(functions.len(), 6, "{target:?} {level}");
        for (case, function, run) in functions {
            let found = bounded(&program, function, &Facts::default());
            let time = found.time.unwrap_or_else(|| panic!("{case}: {found:?}"));
            assert!(run <= time, "{case}: {run} of {time}");
            assert!(time <= run + 2 || case.starts_with("jumps_far"), "{case}: {run} of {time}");
            println!("{case}: {run} of {time}");
        }
    });
}
