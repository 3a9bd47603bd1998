//! Bounds of tasks that wait suspended, by hand.

use fusee_bounds::{Analysis, Obstacle, Theorem, analyze};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute};

fn analysis(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("paper"))
}

fn responses(system: &System) -> Vec<Option<u64>> {
    analysis(system).tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// On core 0 tasks with priorities 5, 2 and 1, on core 1 with 7 and 3; 5 and 3 ask at one gate,
/// for 3, and 7 and 1 at another, for 4.
fn two_gates() -> System {
    let mut system = Builder::default()
        .gate(Protocol::Mpcp, &[compute(3)])
        .gate(Protocol::Mpcp, &[compute(4)])
        .task(5, 100, &[compute(1), call(0), compute(1)])
        .task(2, 100, &[compute(2)])
        .task(1, 100, &[call(1)])
        .task(7, 100, &[call(1)])
        .task(3, 100, &[call(0)])
        .system();
    (system.tasks[3].core, system.tasks[4].core) = (1, 1);
    system
}

#[test]
fn a_wait_has_a_lower_section_and_all_higher_ones_as_long_as_boosts_make_them() {
    let found = analysis(&two_gates());
    let bound = |task: usize| found.tasks[task].bound.as_ref().unwrap();
    // Its own 5; the 4 of priority 1 when it is released and when it goes on; 3 for the one section
    // of priority 3, which is boosted to 5 on its core, above the other one there.
    let first = bound(0);
    assert_eq!((first.response, first.own), (Duration(16), Duration(5)));
    assert_eq!((first.blocking_time(), first.blocking[0].times), (Duration(8), 2));
    assert_eq!((first.suspension_time(), first.waiting_time()), (Duration(3), Duration::ZERO));
    let part = first.suspension[0];
    assert_eq!((part.task, part.gate, part.requests), (TaskId(4), GateId(0), 1));
    assert_eq!(first.theorem, Theorem::Suspension);
    // Its own 2, a job of 5, and the 4 of priority 1 once: it is not suspended.
    assert_eq!((bound(1).response, bound(1).blocking_time()), (Duration(11), Duration(4)));
    // Its own 4, a job of 5 and the 2 between them; the section of priority 7 is boosted to 1, so
    // that of priority 3, which is boosted to 5, preempts it: 4 + 3.
    assert_eq!((bound(2).response, bound(2).suspension_time()), (Duration(18), Duration(7)));
    // Its own 4, twice the 3 of priority 3, and the 4 of priority 1, which nothing preempts.
    assert_eq!((bound(3).response, bound(3).suspension_time()), (Duration(14), Duration(4)));
    // Its own 3, a job of 4, and the 3 of priority 5, which the 4 of priority 1 preempt.
    assert_eq!((bound(4).response, bound(4).suspension_time()), (Duration(14), Duration(7)));
}

#[test]
fn whoever_may_be_under_way_counts_with_all_the_time_that_it_may_be_suspended() {
    // Priority 5 has 5 to execute and may take 16, so that what is left of a job can come 11 after
    // its release, and the next one whole at 20.
    let mut system = two_gates();
    system.tasks[0].release.as_mut().unwrap().period.value = Duration(20);
    system.tasks[1].body.steps = vec![compute(3)];
    // 3 + 4 of priority 1 + 2 x 5.
    assert_eq!(responses(&system)[1], Some(17));
    // Who is never suspended has no such jitter: the same task without the gate.
    system.tasks[0].body.steps = vec![compute(5)];
    assert_eq!(responses(&system)[1], Some(12));
}

#[test]
fn a_task_that_may_be_suspended_beyond_its_period_has_no_bound_and_those_who_rest_on_it() {
    let mut system = two_gates();
    system.tasks[0].release.as_mut().unwrap().period.value = Duration(15);
    let late = Obstacle::Late { task: TaskId(0), gate: GateId(0) };
    let bounds = analysis(&system).tasks;
    for task in [0, 1, 2, 4] {
        assert_eq!(bounds[task].bound, Err(late), "{task}");
    }
    // It waits for priority 1 as one that is below it, whenever that comes.
    assert_eq!(bounds[3].response(), Some(Duration(14)));
}

#[test]
fn where_a_gate_has_users_on_one_core_and_another_who_waits_waits_for_both() {
    // Priority 4 of the same core is above: its section counts as waiting and as interference.
    let mut system = Builder::default()
        .gate(Protocol::Mpcp, &[compute(2)])
        .task(4, 100, &[call(0)])
        .task(3, 100, &[call(0)])
        .task(2, 100, &[call(0)])
        .system();
    system.tasks[2].core = 1;
    // First: 2, twice the 2 of who is below it on its core, and one lower section of 2, which
    // nobody else at the gate can make longer.
    // Second: 2, a job of 2, and both other sections of 2.
    // Third: the same without the job, which is on the other core.
    assert_eq!(responses(&system), [Some(8), Some(8), Some(6)]);
}

/// Priority 1 on core 0 asks once for 3, priority 5 on core 1 every 10 after 2 of its own.
fn often() -> System {
    let mut system = Builder::default()
        .gate(Protocol::Mpcp, &[compute(3)])
        .task(1, 100, &[call(0)])
        .task(5, 10, &[compute(2), call(0)])
        .system();
    system.tasks[1].core = 1;
    system
}

#[test]
fn a_wait_sees_a_higher_job_that_is_under_way_and_the_next_one() {
    // A job of priority 5 may end 8 after its release, the next one comes 10 after it: one that
    // asks in between waits for both.
    assert_eq!(responses(&often()), [Some(9), Some(8)]);
}

#[test]
fn each_request_of_a_job_waits_for_itself() {
    let mut system = often();
    system.tasks[0].body.steps = vec![compute(20), call(0), call(0)];
    // 26 of its own and twice the 6 from above: in the whole window five higher ones can ask, for
    // 15.
    assert_eq!(responses(&system), [Some(38), Some(8)]);
}

#[test]
fn an_equal_that_never_waits_can_be_under_way_when_one_is_released_that_does() {
    let mut system = Builder::default()
        .gate(Protocol::Mpcp, &[compute(2)])
        .task(5, 100, &[compute(1), call(0)])
        .task(5, 10, &[compute(4)])
        .task(1, 100, &[call(0)])
        .system();
    system.tasks[2].core = 1;
    // The equal's job may end 7 after its release, so one can begin 3 late, and the next comes 7
    // after that: two in a window of 3 + 2 + 8.
    assert_eq!(responses(&system), [Some(13), Some(7), Some(4)]);
}

#[test]
fn nobody_is_boosted_above_who_cannot_be_preempted() {
    let mut system = Builder::default()
        .gate(Protocol::Mpcp, &[compute(2)])
        .gate(Protocol::Fixed, &[compute(4)])
        .task(5, 100, &[call(0)])
        .task(1, 100, &[call(1)])
        .task(7, 100, &[call(0)])
        .system();
    system.tasks[2].core = 1;
    let bound = |system: &System| responses(system)[2];
    // Its own 2, and those of priority 5.
    assert_eq!(bound(&system), Some(4));
    let origin = Origin::NONE;
    system.gates[1].given_ceiling = Some(Sourced { value: TOP_PRIORITY, origin });
    // ... whose turn may begin when the 4 have begun that nothing preempts.
    assert_eq!(bound(&system), Some(8));
}
