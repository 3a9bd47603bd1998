//! Variables as the file loads them: known until something is stored there.

use std::collections::BTreeSet;
use std::path::Path;

use fusee_isa::language::{Effect, Flow, Instruction, Target as Leading};
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, Table, Used, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::{Program, Symbol};

const CASES: [(Target, &str); 4] =
    [(Target::Rv32, "-O0"), (Target::Rv64, "-O2"), (Target::Aarch64, "-O1"), (Target::A32, "-O1")];

fn program((target, level): (Target, &str)) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loaded");
    let sources = [&*folder.join("programs.c"), &*folder.join("../escape/main.c")];
    // Who interprets them knows no global pointer.
    let flags: &[&str] = match target {
        Target::Rv32 | Target::Rv64 => &["-Wl,--no-relax"],
        _ => &[],
    };
    let elf = build_with(&sources, &format!("loaded-{target:?}{level}"), target, level, flags);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn bounded(program: &Program, function: &Symbol, as_loaded: bool, iterations: u64) -> Bound {
    let facts = Facts { as_loaded, ..Facts::default() };
    let effort = Effort { blocks: 100_000, iterations, ..Effort::default() };
    bound(program, &Instructions, function.address, &facts, effort).expect("no failure")
}

/// Each function once from the beginning, with arguments that lead everywhere.
fn runs(program: &Program, function: &Symbol) -> Vec<u64> {
    let variables = ["limit", "here", "ends", "wide", "started"];
    let address = |name: &&str| program.symbol(name).expect("a variable").address;
    let places = variables.iter().map(address).flat_map(|at| (0..8).map(move |i| at + 4 * i));
    let numbers = (0..8).chain([15, 31, 100, 127, 256, 512, 900]);
    let arguments: Vec<u64> = match &*function.name {
        "some_anywhere" => places.collect(),
        _ => numbers.collect(),
    };
    arguments.into_iter().map(|x| Interpreter::new(program).call(function.address, x)).collect()
}

#[test]
fn bounds_from_what_is_loaded_cover_every_run_from_the_beginning() {
    side_by_side(&CASES, |_, &case| {
        let program = program(case);
        let named = |name: &str| name.starts_with("same_") || name.starts_with("some_");
        let functions: Vec<_> =
            program.symbols().iter().filter(|symbol| symbol.code && named(&symbol.name)).collect();
        assert_eq!(functions.len(), 18, "{case:?}");
        for function in functions {
            let runs = runs(&program, function);
            let worst = runs.iter().max().copied().expect("runs");
            for iterations in [0, Effort::default().iterations] {
                let found = bounded(&program, function, true, iterations);
                let what = format!("{} {case:?} {iterations}", function.name);
                let time = found.time;
                assert!(time.is_none_or(|time| time >= worst), "{what}: {time:?} < {worst}");
                if iterations == 0 {
                    continue;
                }
                if function.name.starts_with("same_") {
                    assert_eq!(time, Some(worst), "{what}: {:?}", found.obstacles);
                    let assumed = |sentence: &String| sentence.starts_with("memory is as the file");
                    assert!(found.grounds.assumptions.iter().any(assumed), "{what}");
                    // Who is called again may find something else.
                    let again = bounded(&program, function, false, iterations).time;
                    assert!(again.is_none_or(|again| again > worst), "{what}: {again:?}");
                }
            }
        }
    });
}

#[test]
fn a_fact_that_the_only_path_breaks_is_found_out() {
    side_by_side(&CASES, |_, &case| {
        let program = program(case);
        let named = |symbol: &&Symbol| symbol.code && symbol.name.starts_with("same_");
        let functions: Vec<&Symbol> = program.symbols().iter().filter(named).collect();
        for function in functions {
            let iterations = Effort::default().iterations;
            let loops = bounded(&program, function, true, iterations).coverage.loops;
            assert!(!loops.is_empty() || function.name == "same_parts", "{}", function.name);
            for (header, most) in loops.into_iter().filter(|&(_, most)| most > 1) {
                let loop_bounds = [(header, most - 1)].into();
                let facts = Facts { as_loaded: true, loop_bounds, ..Facts::default() };
                let found =
                    bound(&program, &Instructions, function.address, &facts, Effort::default());
                let found = found.expect("no failure");
                let what = format!("{} {header:x} {case:?}: {found:?}", function.name);
                assert!(found.time.is_none(), "{what}");
                assert!(!found.grounds.contradictions.is_empty(), "{what}");
            }
        }
    });
}

/// The calls of `main` in `first.c`; `true` if it is known to be called once.
const CALLS: [(&str, bool); 6] = [
    ("ONCE", true),
    ("TWICE", false),
    ("AGAIN_AND_AGAIN", false),
    ("BY_A_TABLE", false),
    ("BY_ANOTHER", false),
    ("EITHER", true),
];

#[test]
fn main_finds_what_the_start_has_left() {
    side_by_side(&CASES, |_, &(target, level)| {
        for (call, is_once) in CALLS {
            let program = first(target, level, call);
            let at = |name: &str| program.symbol(name).expect("a function").address;
            let mut machine = Interpreter::new(&program);
            machine.call(at("prepare"), 0);
            let runs = [machine.call(at("main"), 0), machine.call(at("main"), 0)];
            assert!(runs[1] > runs[0], "the second call takes longer: {runs:?}");
            for iterations in [0, Effort::default().iterations] {
                let effort = Effort { iterations, ..Effort::default() };
                let found = bound(&program, &Instructions, at("main"), &Facts::default(), effort);
                let found = found.expect("no failure");
                let what = format!("{call} {target:?} {iterations}: {:?}", found.obstacles);
                assert_eq!(found.grounds.is_first_call, is_once, "{what}");
                let worst = if is_once { runs[0] } else { runs[1] };
                assert!(found.time.is_none_or(|time| time >= worst), "{what}");
                if call == "ONCE" && iterations > 0 {
                    assert_eq!(found.time, Some(worst), "{what}");
                }
                let assumed = |sentence: &String| sentence.contains("is called once, by");
                assert_eq!(found.grounds.assumptions.iter().any(assumed), is_once, "{what}");
            }
        }
    });
}

fn first(target: Target, level: &str, call: &str) -> Program {
    linked("first", target, level, &[&format!("-DCASE={call}")])
}

/// Returns a program of one file, which the interpreter can execute.
fn linked(file: &str, target: Target, level: &str, flags: &[&str]) -> Program {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loaded");
    let mut all = flags.to_vec();
    if matches!(target, Target::Rv32 | Target::Rv64) {
        all.push("-Wl,--no-relax");
    }
    let name = format!("{file}{}-{target:?}{level}", flags.concat());
    let elf = build_with(&[&folder.join(format!("{file}.c"))], &name, target, level, &all);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

/// One path on numbers, whatever is on its way.
#[test]
fn a_long_path_takes_what_it_takes() {
    side_by_side(&CASES, |_, &(target, level)| {
        let program = linked("long", target, level, &[]);
        let main = program.symbol("main").expect("a function").address;
        let run = Interpreter::new(&program).call(main, 0);
        assert!(run > 900_000, "{run}");
        let path = |facts: &Facts| {
            bound(&program, &Instructions, main, facts, Effort::default()).expect("no failure")
        };
        let found = path(&Facts::default());
        let what = format!("{target:?} {level}: {:?}", found.obstacles);
        assert_eq!(found.time, Some(run), "{what}");
        assert!(found.blocks < run / 50, "{what}: not executed on numbers");
        assert_eq!(found.path.iter().map(|visit| visit.time).sum::<u64>(), run, "{what}");
        // Each loop's number is the least that no run exceeds.
        let mut loops = found.coverage.loops.iter();
        let (&header, &most) = loops.find(|&(_, &most)| most > 1).expect("a loop");
        let with = |most| Facts { loop_bounds: [(header, most)].into(), ..Facts::default() };
        assert_eq!(path(&with(most)).time, Some(run), "{what} {header:x}");
        assert!(path(&with(most - 1)).time.is_none(), "{what} {header:x}");
    });
}

/// The writer of a false fact is told, also where no bound needs it.
#[test]
fn facts_that_the_only_path_does_not_need_are_held_against_it() {
    side_by_side(&CASES, |_, &(target, level)| {
        let program = linked("long", target, level, &[]);
        let at = |name: &str| program.symbol(name).expect("a function").address;
        let path = |facts: &Facts| {
            bound(&program, &Instructions, at("main"), facts, Effort::default())
                .expect("no failure")
        };
        let found = path(&Facts::default());
        let all: Vec<Instruction> = found
            .code
            .values()
            .flatten()
            .map(|&address| program.instruction(address).expect("an instruction"))
            .collect();
        let refuted = |facts: &Facts| -> BTreeSet<Used> {
            let told = path(facts);
            assert_eq!(told.time, found.time, "{target:?} {level}");
            assert!(told.grounds.facts_used.is_empty(), "{target:?} {level}");
            told.grounds.contradictions.into_keys().collect()
        };
        let computed = |one: &&Instruction| {
            matches!(
                one.flow,
                Flow::Call { target: Leading::Computed(_), .. } | Flow::Jump(Leading::Computed(_))
            )
        };
        let jumps: Vec<u64> = all.iter().filter(computed).map(|one| one.address).collect();
        assert!(!jumps.is_empty(), "{target:?} {level}");
        let lead = |to: &BTreeSet<u64>| Facts {
            targets: jumps.iter().map(|&jump| (jump, to.clone())).collect(),
            ..Facts::default()
        };
        let wrong: BTreeSet<Used> = jumps.iter().map(|&jump| Used::Targets(jump)).collect();
        assert_eq!(refuted(&lead(&[at("measure_all")].into())), wrong, "{target:?} {level}");
        let everywhere = all.iter().map(|one| one.address).collect();
        assert_eq!(refuted(&lead(&everywhere)), BTreeSet::new(), "{target:?} {level}");

        let stores = |one: &&Instruction| {
            one.effects.iter().any(|effect| matches!(effect, Effect::Store { .. }))
        };
        let stores: Vec<u64> = all.iter().filter(stores).map(|one| one.address).collect();
        let within = |table: Table| Facts {
            tables: stores.iter().map(|&store| (store, table.clone())).collect(),
            ..Facts::default()
        };
        let wrong: BTreeSet<Used> = stores.iter().map(|&store| Used::Table(store)).collect();
        assert_eq!(refuted(&within(Table::Addresses(0..8))), wrong, "{target:?} {level}");
        assert_eq!(
            refuted(&within(Table::Stack(-1 << 20..8 - (1 << 20)))),
            wrong,
            "{target:?} {level}"
        );
        let in_stack = refuted(&within(Table::Addresses(0..u64::MAX)));
        let outside = refuted(&within(Table::Stack(-1 << 20..1 << 20)));
        assert!(!in_stack.is_empty() && !outside.is_empty(), "{target:?} {level}");
        assert_eq!(&in_stack | &outside, wrong, "{target:?} {level}");
        assert_ne!(in_stack, wrong, "{target:?} {level}");
    });
}
