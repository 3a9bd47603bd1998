//! Bounds held against the instructions that QEMU counts.

#[allow(dead_code, reason = "other tests use the rest")]
mod support;

use std::path::Path;

use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use support::{Target, build, observe};

#[test]
fn bounds_cover_every_run_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut sources: Vec<_> =
        std::fs::read_dir(corpus).expect("the corpus").map(|e| e.expect("a file").path()).collect();
    sources.sort();
    for source in sources {
        for target in [Target::Rv32, Target::Rv64, Target::Aarch64] {
            for level in ["-O1", "-O2", "-Os"] {
                check(&source, target, level);
            }
        }
    }
}

/// Programs whose recursion depends on their data: refused, with the place.
const REFUSED: [&str; 1] = ["quick_sort"];

fn check(source: &Path, target: Target, level: &str) {
    let elf = build(source, target, level);
    let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
    let entry = program.symbol("run").expect("run").address;
    let effort = Effort { blocks: 100_000, ..Effort::default() };
    let found = bound(&program, &Instructions, entry, &Facts::default(), effort).expect("no failure");
    let observed = observe(&elf, target).into_iter().max().expect("an input");
    let name = source.file_stem().and_then(|s| s.to_str()).unwrap_or("");
    if REFUSED.contains(&name) {
        assert!(found.time.is_none() && !found.obstacles.is_empty(), "{name} {target:?} {level}");
        return;
    }
    let time = found.time.unwrap_or_else(|| panic!("{name} {target:?} {level}: {:?}", found.obstacles));
    assert!(time >= observed, "{name} {target:?} {level}: bound {time} < observed {observed}");
    assert!(time * 100 <= observed * 150, "{name} {target:?} {level}: bound {time} is far above {observed}");
}
