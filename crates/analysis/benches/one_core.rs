//! The number of task sets a second that the tests for one core decide.

#![expect(clippy::print_stdout, reason = "a program's output")]

mod common;

use common::{Blocks, measure};
use fusee_analysis::earliest_deadline::Qpa;
use fusee_analysis::fixed_priority::ResponseTimeAnalysis;
use fusee_analysis::generation::{
    Deadlines, Generator, Periods, Priorities, Recipe, Span, Utilizations,
};
use fusee_analysis::{SchedulabilityTest, TaskSet};

/// Sets of a block, and blocks.
const SETS: u64 = 100;
const BLOCKS: u64 = 1000;
/// The seed of all sets.
const SEED: u64 = 1;

fn main() {
    let rta = "n = 20, UUniFast U = 0.9, T log-uniform 1..1000 ms in us, D = T, rate monotonic";
    run("fp_rta", rta, &ResponseTimeAnalysis, Deadlines::Implicit);
    let qpa =
        "n = 20, UUniFast U = 0.9, T log-uniform 1..1000 ms in us, D uniform in (C + T) / 2 .. T";
    run("edf_qpa", qpa, &Qpa, Deadlines::Constrained { low: 0.5, high: 1.0 });
    let implicit = "n = 20, UUniFast U = 0.9, T log-uniform 1..1000 ms in us, D = T";
    run("edf_qpa_implicit", implicit, &Qpa, Deadlines::Implicit);
}

fn recipe(deadlines: Deadlines) -> Recipe {
    Recipe {
        tick: Span::microseconds(1),
        cores: 1,
        utilizations: Utilizations::UunifastDiscard { tasks: 20, total: 0.9, max: 1.0 },
        periods: Periods::LogUniform {
            min: Span::milliseconds(1),
            max: Span::milliseconds(1000),
            multiple_of: None,
        },
        deadlines,
        jitter: (0.0, 0.0),
        suspension: (0.0, 0.0),
        offset: (0.0, 0.0),
        priorities: Priorities::RateMonotonic,
        resources: None,
    }
}

fn run(name: &str, workload: &str, test: &dyn SchedulabilityTest, deadlines: Deadlines) {
    let generator = Generator::new(recipe(deadlines)).expect("a valid recipe");
    let draw = |block| -> Vec<TaskSet> {
        (block * SETS..(block + 1) * SETS)
            .filter_map(|index| generator.set(SEED, index).ok())
            .collect()
    };
    let accepts = |set: &TaskSet| test.check(set).is_ok_and(|v| v.is_schedulable());
    let sets: Vec<TaskSet> = (0..10).flat_map(draw).collect();
    let share = 100 * sets.iter().filter(|set| accepts(set)).count() / sets.len().max(1);
    let workload =
        format!("{workload}; {share} % schedulable; assumptions checked, tasks in drawn order");
    measure(name, &workload, &Blocks { count: BLOCKS, draw: &draw }, |set| {
        std::hint::black_box(accepts(set));
        1
    });
}
