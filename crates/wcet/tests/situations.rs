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
    let files: &[&str] = match family {
        "jumps_" => &["jumps.c", "jumps.S"],
        "goto_" | "tail_" | "step_" => &["ways.c"],
        _ => &["programs.c"],
    };
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

/// Returns all targets at two levels of optimization.
fn at(levels: [&'static str; 2]) -> Vec<(Target, &'static str)> {
    TARGETS.iter().flat_map(|&target| levels.map(|level| (target, level))).collect()
}

fn cases() -> Vec<(Target, &'static str)> {
    at(["-O1", "-Os"])
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

/// Cases in which compilers make loops of calls that are the last thing a function does.
fn optimized_cases() -> Vec<(Target, &'static str)> {
    at(["-Os", "-O2"])
}

/// Interpreters of a constant program and of any program.
#[test]
fn places_in_a_table_are_where_a_goto_leads() {
    side_by_side(&optimized_cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "goto_");
        let [(constant, constant_at, run), (masked, masked_at, _)] = &functions[..] else {
            panic!("{functions:?}")
        };
        let found = bounded(&program, *constant_at, &Facts::default());
        assert_eq!(found.time, Some(*run), "{constant}: {:?}", found.obstacles);
        let mut interpreter = Interpreter::new(&program);
        let fill = program.symbol("fill").expect("it").address;
        let runs = (0..16).map(|both| {
            interpreter.call(fill, both);
            interpreter.call(*masked_at, 1)
        });
        let longest = runs.max().expect("runs");
        let found = bounded(&program, *masked_at, &Facts::default());
        let time = found.time.unwrap_or_else(|| panic!("{masked}: {:?}", found.obstacles));
        assert!(longest <= time && time <= longest + longest / 10, "{masked}: {longest} of {time}");
    });
}

/// With loops summed up, and with many iterations executed one by one.
const EXECUTED: [u64; 2] = [0, 16_384];

/// Bounds what few blocks are enough for, with so many iterations of a loop executed one by one.
fn quickly(program: &Program, function: u64, facts: &Facts, iterations: u64) -> Bound {
    let effort = Effort { blocks: 20_000, iterations, ..Effort::default() };
    bound(program, &Instructions, function, facts, effort).expect("no failure")
}

/// Bounds something with the fact that is asked for, if one is.
fn followed(of: impl Fn(&Facts) -> Bound, number: u64) -> Bound {
    let found = of(&Facts::default());
    let [obstacle] = &found.obstacles[..] else { return found };
    let mut facts = Facts::default();
    let numbers = match obstacle.fact.split_once('.') {
        Some(("loops", _)) => &mut facts.loop_bounds,
        Some(("recursion", _)) => &mut facts.recursion,
        _ => panic!("{obstacle:?}"),
    };
    numbers.insert(obstacle.address, number);
    of(&facts)
}

#[test]
fn functions_that_end_by_calling_each_other_are_bounded() {
    side_by_side(&optimized_cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "tail_");
        assert!(!functions.is_empty(), "{target:?} {level}");
        for (case, function, _) in functions {
            let run = |number| Interpreter::new(&program).call(function, number);
            let longest = [0, 19, 20, 21].map(run).into_iter().max().expect("runs");
            for iterations in EXECUTED {
                let of = |facts: &Facts| quickly(&program, function, facts, iterations);
                let found = followed(of, 22);
                let time = found.time.unwrap_or_else(|| panic!("{case}: {:?}", found.obstacles));
                assert!(longest <= time && time <= 2 * longest, "{case}: {longest} of {time}");
            }
        }
    });
}

/// The least step with which it ends makes the longest run.
#[test]
fn a_loop_whose_step_is_unknown_has_a_bound_only_if_each_step_leads_on() {
    side_by_side(&optimized_cases(), |_, &(target, level)| {
        let (program, functions) = family(target, level, "step_");
        assert_eq!(functions.len(), 3, "{target:?} {level}");
        for (case, function, _) in functions {
            let least = u64::from(case.starts_with("step_any"));
            let longest = if case.starts_with("step_around") { 0xf00 } else { 1000 };
            let run = Interpreter::new(&program).call(function, least);
            for iterations in EXECUTED {
                let of = |facts: &Facts| quickly(&program, function, facts, iterations);
                let alone = of(&Facts::default());
                if !case.starts_with("step_positive") {
                    let all = alone.obstacles.iter().map(|one| one.fact.as_str());
                    let all: Vec<&str> = all.collect();
                    assert!(alone.time.is_none() && all.len() == 1, "{case}: {alone:?}");
                    assert!(all[0].starts_with("loops."), "{case}: {all:?}");
                }
                let found = followed(of, longest);
                let time = found.time.unwrap_or_else(|| panic!("{case}: {:?}", found.obstacles));
                assert!(run <= time && time <= run + run / 50, "{case}: {run} of {time}");
            }
        }
    });
}
