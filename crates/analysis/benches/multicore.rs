//! Task sets a second for tests of several cores, on one core of this machine.
//!
//! The workload is drawn from a recipe, before anything is timed. For
//! `lp_fifo_spin`, `fifo_spin_optimum` and `lp_mpcp` one unit is one bound: the
//! waiting of one task in the window of its deadline. `lp_fifo_spin` makes the
//! program of Wieder and Brandenburg 2013, solves it by the simplex method and
//! proves the optimum; `fifo_spin_optimum` finds the same number without a solver.

#![expect(clippy::print_stdout, reason = "a program's output")]

mod common;

use common::measure;
use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::partitioned::mpcp::{Mpcp, MpcpLinear};
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
const SETS: u64 = 2000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let generator = Generator::new(toml::from_str::<Recipe>(RECIPE)?)?;
    let placed = |index| Placement::default().place(&generator.set(1, index).ok()?, &by_utilization);
    let sets: Vec<TaskSet> = (0..SETS).filter_map(placed).collect();
    verdicts("mpcp", &Mpcp, &sets);
    verdicts("msrp_holistic", &MsrpHolistic, &sets);
    bounds("lp_fifo_spin", &sets[..sets.len().min(20)], |set, task, reach| {
        fifo_spin_program(set, task, reach[task], reach)?.bound()
    });
    bounds("fifo_spin_optimum", &sets, |set, task, reach| fifo_spin_delay(set, task, reach[task], reach));
    bounds("lp_mpcp", &sets[..sets.len().min(20)], |set, task, reach| MpcpLinear::delay(set, task, reach[task]));
    Ok(())
}

fn verdicts(name: &str, test: &dyn SchedulabilityTest, sets: &[TaskSet]) {
    let count = || sets.iter().filter(|set| test.check(set).is_ok_and(|v| v.is_schedulable())).count();
    let workload = format!("{WORKLOAD}; {} % schedulable", 100 * count() / sets.len().max(1));
    measure(name, &workload, sets.len() as u64, || {
        std::hint::black_box(count());
    });
}

/// One bound for each task of each set, in the window of its deadline.
fn bounds(name: &str, sets: &[TaskSet], bound: impl Fn(&TaskSet, usize, &[u64]) -> Option<u64>) {
    let deadlines = |set: &TaskSet| set.tasks().iter().map(|t| t.deadline).collect::<Vec<_>>();
    let cases: Vec<(&TaskSet, Vec<u64>)> = sets.iter().map(|set| (set, deadlines(set))).collect();
    let count = cases.iter().map(|(_, reach)| reach.len() as u64).sum();
    measure(name, &format!("{WORKLOAD}; bounds instead of sets"), count, || {
        let all = cases.iter().flat_map(|(set, reach)| (0..reach.len()).map(|i| bound(set, i, reach)));
        std::hint::black_box(all.flatten().count());
    });
}
