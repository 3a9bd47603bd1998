//! The questions of the analysis: no answer makes a bound false.

use std::path::Path;

use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Bound, Effort, Facts, Obstacle, Trying, Watch, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;

fn program(name: &str, text: &str) -> Program {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("advice-{name}.S"));
    std::fs::write(
        &source,
        format!(".text\n.global measure_all\nmeasure_all: ret\n.global run\nrun:\n{text}\n"),
    )
    .expect("a source");
    let elf = build_with(&[&source], &format!("advice-{name}"), Target::Rv64, "-O1", &[]);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

fn asked(program: &Program, effort: Effort) -> Bound {
    let entry = program.symbol("run").expect("run").address;
    let found =
        bound(program, &Instructions, entry, &Facts::default(), effort).expect("no failure");
    assert!(found.time.is_none() && !found.obstacles.is_empty(), "{found:?}");
    found
}

fn suggests_unreachable(found: &Bound) -> bool {
    found.obstacles.iter().any(|obstacle| obstacle.fact.contains("unreachable"))
}

/// Without a bound on its depth, a function that calls itself twice is refused soon, and the fact
/// is named that it lacks. A compiler makes a loop of the second call.
#[test]
fn how_deep_a_function_calls_itself_twice_is_asked_for_soon() {
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("advice-twice.c");
    let text = "int main(void) { return 0; }\nvoid measure_all(void) {}\n\
                int run(int n) { return n < 2 ? n : run(n - 1) + run(n - 2); }\n\
                int far(void) { return run(60); }\n";
    std::fs::write(&source, text).expect("a source");
    for target in [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32] {
        // At -O2 GCC puts many of the calls into one another, and clang makes the loop.
        let levels = match target {
            Target::Aarch64 | Target::A32 => &["-O0", "-O1", "-O2"][..],
            _ => &["-O0", "-O1"],
        };
        for &level in levels {
            let case = format!("{target:?} {level}");
            let name = format!("advice-twice-{target:?}{level}");
            let elf = build_with(&[&source], &name, target, level, &[]);
            let program = Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program");
            let function = program.symbol("run").expect("run").address;
            let of = |entry: u64, facts: &Facts, blocks: u64| {
                let effort = Effort { blocks, ..Effort::default() };
                bound(&program, &Instructions, entry, facts, effort).expect("no failure")
            };
            let all = Effort::default().blocks;
            let far = program.symbol("far").expect("far").address;
            let asks = |one: &Obstacle| one.fact == "recursion.\"run\" = N";
            for found in [of(function, &Facts::default(), all), of(far, &Facts::default(), 1 << 17)]
            {
                assert!(found.time.is_none(), "{case}");
                assert!(found.obstacles.iter().any(asks), "{case}: {:#?}", found.obstacles);
                assert!(found.blocks < all / 4, "{case}: {} blocks", found.blocks);
            }
            let mut facts = Facts::default();
            facts.recursion.insert(function, 6);
            let found = of(function, &facts, all);
            assert!(!found.obstacles.iter().any(asks), "{case}: {:#?}", found.obstacles);
        }
    }
}

/// Fifty iterations around an instruction of an extension that is not known.
#[test]
fn an_instruction_that_is_not_decoded_is_not_said_to_be_out_of_reach() {
    let text = "li a0, 50\n1: .word 0x0200700b\naddi a0, a0, -1\nbnez a0, 1b\nret";
    let found = asked(&program("unknown", text), Effort::default());
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
    let text = "addi sp, sp, -16\nsd ra, 8(sp)\ncall 1f\nld ra, 8(sp)\naddi sp, sp, 16\nret\n1: \
                .word 0x0200700b\nret";
    let found = asked(&program("called", text), Effort::default());
    assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
}

/// Calls one after the other, more than the effort is enough for, and none of them in a loop: the
/// code alone bounds them.
#[test]
fn effort_that_ran_out_says_nothing_of_what_is_reached() {
    let text = format!(
        "addi sp, sp, -16\nsd ra, 8(sp)\n{}ld ra, 8(sp)\naddi sp, sp, 16\nret\n1: ret",
        "call 1f\n".repeat(100)
    );
    let deep = "addi sp, sp, -16\nsd ra, 8(sp)\ncall 1f\nld ra, 8(sp)\naddi sp, sp, 16\nret\n1: j \
                2f\n2: ret";
    for (name, text, effort) in [
        ("effort", text.as_str(), Effort { blocks: 60, ..Effort::default() }),
        ("depth", deep, Effort { depth: 1, ..Effort::default() }),
    ] {
        let program = program(name, text);
        let of = |effort| {
            let entry = program.symbol("run").expect("run").address;
            bound(&program, &Instructions, entry, &Facts::default(), effort).expect("no failure")
        };
        let found = of(effort);
        assert!(!suggests_unreachable(&found), "{:?}", found.obstacles);
        assert_eq!(found.time, of(Effort::default()).time, "{name}: {:?}", found.obstacles);
        assert!(found.time.is_some() && found.grounds.facts_used.is_empty());
    }
}

/// An analysis that is told to end says so, and nothing else of what it has not seen.
#[test]
fn an_analysis_that_is_stopped_gives_no_bound() {
    let text = "li a0, 50\n1: addi a0, a0, -1\nbnez a0, 1b\nret";
    let program = program("stopped", text);
    let entry = program.symbol("run").expect("run").address;
    let watch = Watch::default();
    let of = |watch: &Watch| {
        let trying = Trying { effort: Effort::default(), watch: Some(watch) };
        bound(&program, &Instructions, entry, &Facts::default(), trying).expect("no failure")
    };
    let whole = of(&watch);
    assert!(
        whole.time == Some(102) && watch.blocks() >= 50 && watch.found().is_empty(),
        "{whole:?}"
    );
    watch.stop();
    let stopped = of(&watch);
    assert!(stopped.time.is_none() && stopped.blocks < 20, "{stopped:?}");
    assert!(
        stopped
            .obstacles
            .iter()
            .all(|one| one.what.ends_with("it was stopped") && one.fact.is_empty())
    );
    assert_eq!(watch.found().into_iter().collect::<Vec<_>>(), stopped.obstacles);
}

/// Behind a loop without a bound the others are found as well, and no function takes what others
/// need.
#[test]
fn all_obstacles_are_listed_in_one_run_that_is_short() {
    let wait = |at: &str| format!("lui t1, {at}\n1: lw t0, 0(t1)\nadd a1, a1, t0\nbnez t0, 1b\n");
    let text = format!(
        "addi sp, sp, -16\nsd ra, 8(sp)\n{}call long\n{}call long\n{}ld ra, 8(sp)\naddi sp, sp, \
         16\nret\n\
         long: li a0, 1\nli t3, 0\nli t2, 1664525\n2: mul a0, a0, t2\naddi a0, a0, 7\nbne a0, t3, \
         2b\nret",
        wait("16"),
        wait("17"),
        wait("18")
    );
    let found = asked(&program("several", &text), Effort::default());
    let loops = found.obstacles.iter().filter(|one| one.fact.starts_with("loops.")).count();
    assert!(loops == 4 && found.obstacles.len() == 4, "{:#?}", found.obstacles);
    assert!(found.blocks < Effort::default().blocks / 4, "{} blocks", found.blocks);
}
