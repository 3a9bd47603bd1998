//! Facts suffice: where they say all there is to say, there is a bound.

mod drawn;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fusee_diagnostics::SourceMap;
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound, bound_by_facts};
use fusee_wcet::facts::FactsFile;
use fusee_wcet::lines::Lines;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

fn program(source: &Path, name: &str, target: Target, level: &str, flags: &[&str]) -> Program {
    let elf = build_with(&[source], name, target, level, flags);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn by_hand() -> Program {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/by_facts/by_hand.S");
    program(&source, "by-facts", Target::Rv64, "-O1", &["-Wa,-march=rv64ima"])
}

fn facts(program: &Program, text: &str) -> Facts {
    let mut sources = SourceMap::default();
    let file = sources.add("facts.toml", text.to_owned());
    let read = FactsFile::read(&sources, file, program, &Lines::read(&[]));
    read.unwrap_or_else(|wrong| panic!("{text}: {wrong:?}")).facts
}

/// Returns the bound from facts alone; its path takes as long.
fn alone(program: &Program, entry: &str, text: &str) -> Bound {
    let at = program.symbol(entry).unwrap_or_else(|| panic!("no {entry}")).address;
    let found = bound_by_facts(program, &Instructions, at, &facts(program, text));
    let found = found.expect("no failure");
    let path: u64 = found.path.iter().map(|visit| visit.time).sum();
    assert_eq!(found.time.unwrap_or(0), path, "{entry}");
    found
}

#[test]
fn what_facts_allow_is_counted_and_no_more() {
    let program = by_hand();
    for (entry, text, time) in [
        // 3 before, a round of 3 to the header, and the last one and a return behind it.
        ("counts", "loops.\"counts+0x4\" = 10", 1 + 10 * 3 + 3 + 1),
        // Each call but the deepest calls once more.
        ("deep", "recursion.\"deep\" = 5", 4 * 8 + 7),
        ("deep", "calls.\"deep\" = 5", 5 * 8),
        // Two calls in each: 2^4 - 1 of them, unless a number of all is given.
        ("twice", "recursion.\"twice\" = 4", 15 * 9),
        ("twice", "calls.\"twice\" = 6", 6 * 9),
        // Rows of 4, 3, 2 and 1 are 10 in all.
        ("triangle", "loops.\"triangle+0x4\" = 4\nloops.\"triangle+0x8\" = 4", 1 + 5 * 18 + 1),
        (
            "triangle",
            "loops.\"triangle+0x4\" = 4\ntotals.\"triangle+0x8\" = 10",
            1 + 5 * 6 + 1 + 10 * 3,
        ),
        ("asks", "times.\"asks+0x4\" = 100", 1 + 1 + 100 + 1),
        ("asks", "ends = [\"asks+0x4\"]", 2),
        ("calls_unknown", "times.\"calls_unknown+0xc\" = 50", 4 + 50 + 3),
        ("calls_unknown", "targets.\"calls_unknown+0xc\" = [\"leaf\", \"other_leaf\"]", 4 + 3 + 3),
        ("calls_it", "times.\"leaf\" = 9", 5 + 9 + 3),
        ("calls_it", "unreachable = [\"leaf\"]", 4 + 3),
    ] {
        let found = alone(&program, entry, text);
        assert_eq!(found.time, Some(time), "{entry} {text}: {:?}", found.obstacles);
        assert!(found.grounds.assumptions.iter().any(|one| one.contains("was not executed")));
    }
}

#[test]
fn each_fact_that_is_missing_is_asked_for() {
    let program = by_hand();
    for (entry, fact) in [
        ("counts", "loops.\"counts+0x4\" = N"),
        ("deep", "recursion.\"deep\" = N"),
        ("twice", "recursion.\"twice\" = N"),
        ("asks", "times.\"asks+0x4\" = N"),
        ("calls_unknown", "targets.\"calls_unknown+0xc\" = [\"A\", \"B\"]"),
    ] {
        let found = alone(&program, entry, "");
        let facts: Vec<&str> = found.obstacles.iter().map(|one| one.fact.as_str()).collect();
        assert_eq!((found.time, facts), (None, vec![fact]), "{entry}");
    }
}

/// An execution that comes to no end is no reason to give up.
#[test]
fn facts_suffice_where_an_execution_does_too_much() {
    let program = by_hand();
    let effort = Effort { blocks: 40, ..Effort::default() };
    let with = |entry: &str, text: &str| {
        let at = program.symbol(entry).expect("it").address;
        bound(&program, &Instructions, at, &facts(&program, text), effort).expect("no failure")
    };
    let all = "loops.\"triangle+0x4\" = 400\nloops.\"triangle+0x8\" = 400";
    let found = with("triangle", all);
    assert_eq!(found.time, alone(&program, "triangle", all).time, "{:?}", found.obstacles);
    assert!(found.time.is_some());
    let found = with("triangle", "loops.\"triangle+0x8\" = 400");
    let facts: Vec<&str> = found.obstacles.iter().map(|one| one.fact.as_str()).collect();
    assert!(facts.contains(&"loops.\"triangle+0x4\" = N"), "{facts:?}");
    assert!(found.obstacles.iter().all(|one| !one.fact.is_empty()), "{facts:?}");
    let all = "recursion.\"twice\" = 12\ncalls.\"twice\" = 100";
    let found = with("twice", all);
    assert!(found.time.is_some(), "{:?}", found.obstacles);
    // The depth alone allows more calls than there are numbers for.
    let found = alone(&program, "twice", "recursion.\"twice\" = 200");
    let facts: Vec<&str> = found.obstacles.iter().map(|one| one.fact.as_str()).collect();
    assert_eq!(facts, ["calls.\"twice\" = N"]);
}

/// The same loops as an execution finds, as facts: no bound from these is below a run.
#[test]
fn no_bound_from_facts_is_below_a_run() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops/programs.c");
    let targets = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
    let cases = targets.map(|target| ["-O1", "-O2"].map(|level| (target, level))).concat();
    side_by_side(&cases, |_, &(target, level)| {
        let name = format!("by-facts-{target:?}{level}");
        let program = program(&source, &name, target, level, &["-DROUNDS=6"]);
        let mut bounded = 0;
        for symbol in program.symbols().iter().filter(|one| one.name.starts_with("loop_")) {
            let case = format!("{} {target:?} {level}", symbol.name);
            let run = Interpreter::new(&program).call(symbol.address, 0);
            let executed = bound(
                &program,
                &Instructions,
                symbol.address,
                &Facts::default(),
                Effort::default(),
            );
            let executed = executed.expect("no failure");
            let Some(least) = executed.time else { continue };
            let facts = Facts { loop_bounds: executed.coverage.loops.clone(), ..Facts::default() };
            let found = bound_by_facts(&program, &Instructions, symbol.address, &facts);
            let found = found.expect("no failure");
            let Some(time) = found.time else { continue };
            assert!(time >= run && time >= least, "{case}: {time}, {least}, run {run}");
            bounded += 1;
        }
        assert!(bounded >= 8, "{target:?} {level}: only {bounded}");
    });
}

/// Graphs by chance, all loops with facts: the bound is the longest of all paths.
#[test]
fn the_bound_of_a_drawn_graph_is_its_longest_path() {
    let number = |name: &str, without: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(without)
    };
    let (seed, count) = (number("GRAPHS_SEED", 1), number("GRAPHS", 160));
    let graphs: Vec<_> = (0..count).map(|id| drawn::Graph::draw(seed, id)).collect();
    let text: String = graphs.iter().map(drawn::Graph::assembly).collect();
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("graphs-{seed}.S"));
    let frame = "    .text\n    .globl measure_all\nmeasure_all: ret\n";
    std::fs::write(&source, format!("{frame}{text}")).expect("a source");
    let program =
        program(&source, &format!("graphs-{seed}"), Target::Rv64, "-O1", &["-Wa,-march=rv64ima"]);
    let (mut longest, mut with_loops): (BTreeMap<u64, Option<u64>>, u32) = Default::default();
    for graph in &graphs {
        let at = program.symbol(&graph.name()).expect("the function").address;
        let mut facts = Facts::default();
        for (block, most) in graph.bounds() {
            facts.loop_bounds.insert(at + graph.offset(block), most);
        }
        for (id, time) in &longest {
            // Functions that were bounded before are called.
            let callee = program.symbol(&drawn::name(*id)).expect("it").address;
            let graph = &graphs[*id as usize];
            facts
                .loop_bounds
                .extend(graph.bounds().map(|(b, most)| (callee + graph.offset(b), most)));
            assert!(time.is_none_or(|time| time > 0));
        }
        let expected = graph.longest(&longest);
        let found = bound_by_facts(&program, &Instructions, at, &facts).expect("no failure");
        let case = format!("graph {} of seed {seed}: {:?}", graph.id, found.obstacles);
        assert_eq!(found.time, expected, "{case}");
        assert!(found.obstacles.is_empty(), "{case}");
        if graph.id % 4 == 3 {
            let effort = Effort { blocks: 5000, ..Effort::default() };
            let executed = bound(&program, &Instructions, at, &facts, effort);
            let executed = executed.expect("no failure").time;
            assert!(executed.is_none_or(|time| Some(time) <= expected), "{case}: {executed:?}");
        }
        with_loops += u32::from(graph.bounds().count() > 1 && expected.is_some());
        longest.insert(graph.id, expected);
    }
    assert!(u64::from(with_loops) > count / 10, "only {with_loops} with several loops");
}
