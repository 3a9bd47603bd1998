//! Any bytes as a linked program whose execution time is to be bounded.
//!
//! Whatever comes in, there must be an error or a result, within the time and the
//! memory that the fuzzer allows; and a result has a bound or names an obstacle.

#![no_main]

use fusee_wcet::execute::{Effort, Facts, Supported, bound};
use fusee_wcet::machine::{Instructions, Pipeline, description};
use fusee_wcet::program::Program;
use libfuzzer_sys::fuzz_target;

/// With loops iteration by iteration where that is cheap, and with summaries alone.
const ITERATIONS: [u64; 2] = [500, 0];

fn check<M: Supported>(program: &Program, machine: &M, entry: u64) {
    for iterations in ITERATIONS {
        let effort = Effort { blocks: 2_000, iterations, states: 16, depth: 50 };
        let found = bound(program, machine, entry, &Facts::default(), effort).expect("no failure");
        assert_eq!(found.time.is_none(), !found.obstacles.is_empty());
        for obstacle in &found.obstacles {
            assert!(!obstacle.what.is_empty() && !obstacle.symbol.is_empty());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(program) = Program::load(bytes) else { return };
    let entry = program.symbol("run").map_or(program.entry(), |symbol| symbol.address);
    check(&program, &Instructions, entry);
    let vexriscv =
        description::built_in("vexriscv", 1).and_then(|found| Pipeline::new(found, &program, None));
    check(&program, &vexriscv.expect("it is built in"), entry);
});
