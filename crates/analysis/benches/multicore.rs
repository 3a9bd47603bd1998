//! Task sets a second for tests of several cores, on one core of this machine.
//!
//! The workload is drawn from a recipe, before anything is timed. For
//! `lp_fifo_spin`, `fifo_spin_optimum` and `lp_mpcp` one unit is one bound: the
//! waiting of one task in the window of its deadline. `lp_fifo_spin` makes the
//! program of Wieder and Brandenburg 2013, solves it by the simplex method and
//! proves the optimum; `fifo_spin_optimum` finds the same number without a solver.

#![expect(clippy::print_stdout, reason = "a program's output")]

mod common;

use common::{Blocks, measure};
use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::partitioned::dpcp::Dpcp;
use fusee_analysis::partitioned::fmlp::{FmlpPlus, FmlpPlusLinear};
use fusee_analysis::partitioned::mpcp::{Mpcp, MpcpLinear, MpcpVirtualSpinning};
use fusee_analysis::partitioned::msrp::{MsrpHolistic, fifo_spin_delay, fifo_spin_program};
use fusee_analysis::placement::{Placement, by_utilization};
use fusee_analysis::{SchedulabilityTest, TaskSet};

const RECIPE: &str = r#"
    cores = 8
    utilizations = { method = "uunifast-discard", tasks = 40, total = 3.2, max = 0.8 }
    periods = { kind = "log-uniform", min = "1 ms", max = "1000 ms" }
    resources = { kind = "random", count = 8, access = 0.25, length = ["1 us", "25 us"] }
"#;
const WORKLOAD: &str = "m = 8, n = 40, 8 resources, access 0.25, one request each of 1 to 25 us, \
                        T log-uniform 1 to 1000 ms, U = 3.2, worst fit, rate monotonic";
/// Sets of a block, and blocks.
const SETS: u64 = 25;
const BLOCKS: u64 = 200;
/// Sets for programs, each with one bound for each task.
const SETS_FOR_PROGRAMS: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let generator = Generator::new(toml::from_str::<Recipe>(RECIPE)?)?;
    let placed =
        |index| Placement::default().place(&generator.set(1, index).ok()?, &by_utilization);
    let draw = |block| (block * SETS..(block + 1) * SETS).filter_map(placed).collect();
    let blocks = Blocks { count: BLOCKS, draw: &draw };
    verdicts("mpcp", &Mpcp, &blocks);
    verdicts("mpcp_v_spinning", &MpcpVirtualSpinning, &blocks);
    verdicts("msrp_holistic", &MsrpHolistic, &blocks);
    verdicts("fmlp_plus", &FmlpPlus, &blocks);
    verdicts("fmlp_plus_lp", &FmlpPlusLinear, &blocks);
    verdicts("dpcp", &Dpcp::default(), &blocks);
    let single = |index| placed(index).into_iter().collect();
    let few = Blocks { count: SETS_FOR_PROGRAMS, draw: &single };
    bounds("lp_fifo_spin", &few, |set, task, reach| {
        fifo_spin_program(set, task, reach[task], reach)?.bound()
    });
    bounds("fifo_spin_optimum", &blocks, |set, task, reach| {
        fifo_spin_delay(set, task, reach[task], reach)
    });
    bounds("lp_mpcp", &few, |set, task, reach| MpcpLinear::delay(set, task, reach[task]));
    Ok(())
}

fn verdicts(name: &str, test: &dyn SchedulabilityTest, blocks: &Blocks<'_, TaskSet>) {
    let accepts = |set: &TaskSet| test.check(set).is_ok_and(|v| v.is_schedulable());
    let sets: Vec<TaskSet> = (0..40).flat_map(blocks.draw).collect();
    let share = 100 * sets.iter().filter(|set| accepts(set)).count() / sets.len().max(1);
    measure(name, &format!("{WORKLOAD}; {share} % schedulable"), blocks, |set| {
        std::hint::black_box(accepts(set));
        1
    });
}

/// One bound for each task of each set, in the window of its deadline.
fn bounds(
    name: &str,
    blocks: &Blocks<'_, TaskSet>,
    bound: impl Fn(&TaskSet, usize, &[u64]) -> Option<u64>,
) {
    measure(name, &format!("{WORKLOAD}; bounds instead of sets"), blocks, |set| {
        let reach: Vec<u64> = set.tasks().iter().map(|task| task.deadline).collect();
        let tasks = 0..reach.len();
        std::hint::black_box(tasks.filter_map(|task| bound(set, task, &reach)).count());
        reach.len() as u64
    });
}
