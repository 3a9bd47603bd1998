//! Audsley's assignment for whole systems.

use fusee_bounds::{analyze, assign_audsley};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, compute};

fn open(system: &mut System, task: usize, deadline: u64, jitter: u64) {
    let task = &mut system.tasks[task];
    task.priority_source = PrioritySource::DeadlineMonotonic;
    task.deadline = Some(Sourced { value: Duration(deadline), origin: Origin::NONE });
    if let Some(release) = &mut task.release {
        release.jitter.value = Duration(jitter);
    }
}

fn costs() -> CostTable {
    CostTable::zero("sim")
}

#[test]
fn finds_what_deadline_order_misses() {
    let mut system =
        Builder::default().task(2, 20, &[compute(4)]).task(1, 20, &[compute(3)]).system();
    open(&mut system, 0, 10, 0);
    open(&mut system, 1, 11, 8);
    assert!(!analyze(&system, &Derived::of(&system), &costs()).is_schedulable(), "7 + 8 > 11");
    let assigned = assign_audsley(&system, &costs())
        .expect("the second task goes first: 3 + 8 <= 11, 4 + 3 <= 10");
    let levels: Vec<Priority> = assigned.tasks.iter().map(|task| task.priority.value).collect();
    assert!(levels[1] > levels[0]);
    assert!(assigned.tasks.iter().all(|task| task.priority_source == PrioritySource::Audsley));
    assert!(analyze(&assigned, &Derived::of(&assigned), &costs()).is_schedulable());
}

#[test]
fn says_when_it_finds_nothing() {
    let mut system =
        Builder::default().task(2, 20, &[compute(8)]).task(1, 20, &[compute(8)]).system();
    open(&mut system, 0, 10, 0);
    open(&mut system, 1, 11, 0);
    assert_eq!(assign_audsley(&system, &costs()), None);
}

#[test]
fn leaves_given_priorities_alone() {
    let mut system =
        Builder::default().task(100, 50, &[compute(5)]).task(2, 20, &[compute(4)]).system();
    open(&mut system, 1, 20, 0);
    let assigned = assign_audsley(&system, &costs()).expect("both fit");
    assert_eq!(assigned.tasks[0], system.tasks[0]);
}
