//! No bound where more releases can wait than the kernel keeps.
//!
//! A long job above a short period makes releases wait. With 16 pending at most none is lost,
//! by the bounds and on the kernel; with many more the kernel loses some, and nothing is
//! promised.

use fusee_bounds::{Obstacle, analyze};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Options, simulate};
use fusee_testing::systems::{Builder, compute};

/// Released every 10 ns, below a job of this length.
const PATIENT: usize = 1;

fn below(long: u64) -> System {
    Builder::default().task(2, 1000, &[compute(long)]).task(1, 10, &[compute(5)]).system()
}

fn bound(system: &System) -> Result<u64, Obstacle> {
    let analysis = analyze(system, &Derived::of(system), &CostTable::zero("sim"));
    analysis.tasks[PATIENT]
        .bound
        .as_ref()
        .map(|bound| bound.response.ns())
        .map_err(|&obstacle| obstacle)
}

#[test]
fn sixteen_pending_jobs_are_the_most_that_a_bound_allows() {
    assert_eq!(bound(&below(150)), Ok(155));
    assert_eq!(bound(&below(154)), Ok(159));
    assert_eq!(bound(&below(155)), Err(Obstacle::Backlog { waiting: 17, most: 16 }));
}

#[test]
fn the_kernel_loses_no_release_of_a_task_with_a_bound() {
    let mut lost = 0;
    for long in (5..=450).step_by(5) {
        let system = below(long);
        let options = Options { duration: Duration(2000), ..Options::default() };
        let seen = simulate(&system, &options).expect("a legal system").tasks[PATIENT].lost;
        assert!(bound(&system).is_err() || seen == 0, "{long}: {seen} lost");
        lost += seen;
    }
    assert!(lost > 0, "no run was long enough to lose any");
}
