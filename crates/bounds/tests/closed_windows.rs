//! The very end of a window, by hand and on the kernel.
//!
//! All systems here have the same tasks around the one in question: at 0 a task that takes
//! 1 releases another by a signal, which may come every 5 ns and takes 1; a third takes 1
//! every 5 ns. So whoever needs 2 below them is done at 5, unless the signal is sent once
//! more at that instant and its receiver runs first: then the third comes again, too, and
//! the job is done at 7. Bounds are met exactly where that is possible, and stay at 5 where
//! it is not.

use fusee_bounds::analyze;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_sim::{Options, Releases, simulate};
use fusee_testing::systems::{Builder, call, compute, sourced};

const EMIT: Step = Step::Emit(NotificationId(0));
/// Sends the signal at 0.
const STARTER: usize = 0;
/// Is released by it.
const RELEASED: usize = 1;

/// Returns the three tasks above all others, which have the priorities 9, 8 and 7.
fn around(builder: Builder) -> Builder {
    builder.task(9, 1000, &[EMIT, compute(1)]).task(8, 5, &[compute(1)]).task(7, 5, &[compute(1)])
}

fn system(builder: Builder) -> System {
    let mut system = builder.system();
    system.notifications.push(Notification {
        name: "n".into(),
        counting: false,
        origin: Origin::NONE,
    });
    released(&mut system, RELEASED);
    system
}

fn released(system: &mut System, task: usize) {
    system.tasks[task].release.as_mut().expect("it has a release").kind =
        ReleaseKind::Notification(NotificationId(0));
}

fn budget(system: &mut System, task: usize, amount: u64, overrun: Overrun) {
    system.tasks[task].budget = Some(Budget { amount: sourced(Duration(amount)), overrun });
}

/// Lets a task call the first gate for something that takes no time.
fn calls_for_nothing(system: &mut System, task: usize) {
    let mut nothing = system.gates[0].methods[0].clone();
    nothing.body.steps.clear();
    system.gates[0].methods.push(nothing);
    system.tasks[task].body.steps.push(Step::Invoke {
        gate: GateId(0),
        method: Some(1),
        lock: None,
        origin: Origin::NONE,
    });
}

/// Bound and longest response time of the last task when the first releases are at these instants.
fn last_with(system: &System, costs: &CostTable, starts: &[u64]) -> (u64, u64) {
    let starts = starts.iter().copied().map(Duration).collect();
    let options = Options {
        duration: Duration(900),
        costs: costs.clone(),
        releases: Releases::Phased { starts },
        ..Options::default()
    };
    let outcome = simulate(system, &options).expect("a system that can be run");
    assert_eq!(outcome.refused, 0);
    assert!(outcome.tasks[STARTER].jobs > 0);
    let analysis = analyze(system, &Derived::of(system), costs);
    for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
        let longest = seen.latest();
        assert!(task.response().is_none_or(|bound| longest <= bound), "{seen:?} {task:?}");
    }
    let last = system.tasks.len() - 1;
    (
        analysis.tasks[last].response().expect("a bound").ns(),
        outcome.tasks[last].responses.longest.ns(),
    )
}

fn last(system: &System, starts: &[u64]) -> (u64, u64) {
    last_with(system, &CostTable::zero("sim"), starts)
}

#[test]
fn a_job_ends_with_the_signal() {
    let ends = |steps: &[Step]| last(&system(around(Builder::default()).task(1, 100, steps)), &[]);
    assert_eq!(ends(&[compute(2), EMIT]), (7, 7));
    assert_eq!(ends(&[compute(2), EMIT, compute(0)]), (7, 7), "computing for no time is nothing");
    assert_eq!(ends(&[compute(2)]), (5, 5));
    assert_eq!(ends(&[EMIT, compute(2)]), (5, 5));
    assert_eq!(ends(&[compute(1), EMIT, compute(1)]), (5, 5));
}

#[test]
fn a_callee_ends_with_the_signal() {
    for protocol in [Protocol::Propagated, Protocol::Fixed, Protocol::Inherited, Protocol::Fifo] {
        let ends = |inner: &[Step], steps: &[Step]| {
            let gates = Builder::default()
                .gate(protocol, inner)
                .gate(Protocol::Inherited, &[compute(1), call(0)]);
            last(&system(around(gates).task(1, 100, steps)), &[])
        };
        assert_eq!(ends(&[compute(2), EMIT], &[call(0)]), (7, 7), "{protocol:?}");
        assert_eq!(ends(&[compute(1), EMIT], &[call(1)]), (7, 7), "{protocol:?}");
        assert_eq!(ends(&[EMIT], &[compute(2), call(0)]), (7, 7), "{protocol:?}");
        assert_eq!(ends(&[compute(1), EMIT], &[call(0), compute(1)]), (5, 5), "{protocol:?}");
    }
}

#[test]
fn a_direct_call_ends_with_the_signal() {
    let mut system =
        system(around(Builder::default().gate(Protocol::Propagated, &[compute(2), EMIT])).task(
            1,
            100,
            &[call(0)],
        ));
    system.gates[0].direct = true;
    system.gates[0].component = system.tasks[3].component;
    assert_eq!(last(&system, &[]), (7, 7));
}

/// Returns a system in which a mutex's section stands for the gate.
fn with_mutex(section: &[Step]) -> System {
    let builder = around(Builder::default().gate(Protocol::Inherited, section));
    let mut system = system(builder.task(1, 100, &[call(0)]));
    let component = system.tasks[3].component;
    system.gates[0].component = component;
    system.gates[0].interface = "m".into();
    system.components[component.index()].code.locks.push(Lock::mutex("m".into()));
    system
}

#[test]
fn a_section_of_a_mutex_ends_with_the_signal() {
    assert_eq!(last(&with_mutex(&[compute(2), EMIT]), &[]), (7, 7));
    assert_eq!(last(&with_mutex(&[compute(2)]), &[]), (5, 5));
}

/// Somebody else sends it, while the job has only its way back to go.
#[test]
fn another_member_ends_with_the_signal() {
    let with = |steps: &[Step]| {
        let gates = Builder::default().gate(Protocol::Fixed, &[compute(1)]);
        last(&system(around(gates).task(5, 1000, steps).task(1, 100, &[call(0)])), &[0, 0, 0, 3, 0])
    };
    assert_eq!(with(&[call(0), EMIT]), (7, 7));
    assert_eq!(with(&[call(0)]), (5, 5));
}

#[test]
fn a_section_of_a_lower_task_ends_with_the_signal() {
    let with = |section: &[Step], after: &[Step]| {
        let gates = Builder::default().gate(Protocol::Inherited, section);
        let mut lower = vec![compute(1), call(0)];
        lower.extend_from_slice(after);
        let builder = around(gates).task(1, 1000, &lower).task(5, 1000, &[]);
        let mut system = system(builder);
        calls_for_nothing(&mut system, 4);
        last(&system, &[1, 1, 1, 0, 1])
    };
    assert_eq!(with(&[compute(2), EMIT], &[]), (7, 7));
    assert_eq!(with(&[compute(1), EMIT, compute(1)], &[]), (5, 5));
    assert_eq!(with(&[compute(2)], &[EMIT]), (5, 5), "behind its section it is below the window");
}

/// The signal is an event of its own, right behind the end of the job: on a core it comes before
/// the next instruction of any other.
#[test]
fn a_budget_that_ends_with_its_job_sends_the_signal() {
    let with = |amount: u64| {
        let gates = Builder::default().gate(Protocol::Fixed, &[compute(1)]);
        let mut system = system(around(gates).task(5, 1000, &[call(0)]).task(1, 100, &[call(0)]));
        budget(&mut system, 3, amount, Overrun::Notify(NotificationId(0)));
        last(&system, &[0, 0, 0, 3, 0])
    };
    assert_eq!(with(1), (7, 5), "the job below has but its way back to go, and is quicker here");
    assert_eq!(with(2), (5, 5), "a budget that is not used up says nothing");
}

/// The budget ends in the middle of a body, which is the end of what counts of it.
#[test]
fn a_task_that_is_suspended_sends_the_signal_before() {
    let with = |steps: &[Step]| {
        let mut system =
            system(around(Builder::default()).task(5, 1000, steps).task(1, 100, &[compute(1)]));
        budget(&mut system, 3, 1, Overrun::Suspend);
        last(&system, &[])
    };
    // 1 + 1 of the starter + 2 budgets + 2 x ceil(w / 5), closed and open.
    assert_eq!(with(&[compute(1), EMIT, compute(3)]).0, 8);
    // Only the starter signals then, once.
    assert_eq!(with(&[compute(4)]).0, 7);
    let quick = |steps: &[Step]| {
        let mut system = system(around(Builder::default()).task(5, 1000, steps).task(1, 100, &[]));
        budget(&mut system, 3, 1, Overrun::Suspend);
        last(&system, &[]).0
    };
    assert_eq!(quick(&[compute(1), EMIT, compute(3)]), 7);
    assert_eq!(quick(&[compute(4)]), 5);
}

/// A lower task's interrupt falls into the way back, and another is due just at its end.
#[test]
fn completions_are_free_and_ways_back_are_not() {
    let with = |completion: u64| {
        let gates = Builder::default()
            .gate(Protocol::Propagated, &[compute(1)])
            .gate(Protocol::Propagated, &[compute(2)]);
        let tasks = gates.task(9, 5, &[compute(1)]).task(0, 1000, &[call(0)]).task(0, 1000, &[]);
        let system = tasks.task(1, 100, &[call(1)]).system();
        let mut costs = CostTable::zero("board");
        costs.return_.set(Protocol::Propagated, Duration(1));
        costs.completion = Duration(completion);
        last_with(&system, &costs, &[1, 0, 5, 1])
    };
    assert_eq!(with(0), (6, 6));
    // With completions: 1 under way, 4, and 2 x ceil(w / 5).
    assert_eq!(with(1).0, 9);
}

#[test]
fn completions_that_take_time_keep_windows_open() {
    let mut costs = CostTable::zero("board");
    costs.completion = Duration(1);
    let mut system = system(around(Builder::default()).task(1, 100, &[compute(2), EMIT]));
    for task in [1, 2] {
        system.tasks[task].release.as_mut().unwrap().period.value = Duration(10);
    }
    // 1 under way, 2 + 1 own, 1 + 1 each of the others: what arrives at 10 is not in it.
    assert_eq!(last_with(&system, &costs, &[]).0, 10);
}

#[test]
fn a_signal_that_releases_only_lower_tasks_changes_nothing() {
    let mut system =
        system(around(Builder::default()).task(0, 5, &[]).task(1, 100, &[compute(2), EMIT]));
    system.tasks[RELEASED].release.as_mut().unwrap().kind = ReleaseKind::Periodic;
    released(&mut system, 3);
    assert_eq!(last(&system, &[]), (5, 5));
}

#[test]
fn a_gate_given_on_at_the_end_changes_nothing() {
    for protocol in [Protocol::Fixed, Protocol::Inherited] {
        let mut system = system(
            around(Builder::default().gate(protocol, &[compute(2)])).task(6, 1000, &[]).task(
                1,
                100,
                &[call(0)],
            ),
        );
        calls_for_nothing(&mut system, 3);
        // The waiter is released while the job is inside, and has nothing to do there.
        assert_eq!(last(&system, &[0, 0, 0, 4, 0]), (5, 5), "{protocol:?}");
    }
}

#[test]
fn jobs_without_length_are_done_at_once() {
    assert_eq!(last(&system(around(Builder::default()).task(1, 100, &[])), &[]), (3, 3));
    // It sends the signal at 3; the task above is released again only at 5.
    assert_eq!(last(&system(around(Builder::default()).task(1, 100, &[EMIT])), &[]), (3, 3));
    let alone = Builder::default().task(1, 5, &[]).system();
    assert_eq!(
        analyze(&alone, &Derived::of(&alone), &CostTable::zero("sim")).tasks[0].response(),
        Some(Duration(1))
    );
}

/// Its own next job, which it releases itself, is behind it.
#[test]
fn a_task_that_releases_itself() {
    let mut system =
        Builder::default().task(9, 1000, &[EMIT]).task(1, 4, &[compute(3), EMIT]).system();
    system.notifications.push(Notification {
        name: "n".into(),
        counting: false,
        origin: Origin::NONE,
    });
    released(&mut system, 1);
    assert_eq!(last(&system, &[]), (3, 3));
    system.tasks[1].body.steps[0] = compute(4);
    // Each job ends as the next arrives: a closed window has no end.
    assert!(
        analyze(&system, &Derived::of(&system), &CostTable::zero("sim")).tasks[1]
            .response()
            .is_none()
    );
}

#[test]
fn a_job_that_ends_as_the_next_is_released() {
    let system = Builder::default().task(2, 5, &[compute(2)]).task(1, 5, &[compute(3)]).system();
    let bounds = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
    let responses: Vec<_> =
        bounds.tasks.iter().map(|task| task.response().map(Duration::ns)).collect();
    assert_eq!(responses, [Some(2), Some(5)]);
    let outcome =
        simulate(&system, &Options { duration: Duration(900), ..Options::default() }).unwrap();
    assert_eq!((outcome.tasks[1].responses.longest, outcome.misses()), (Duration(5), 0));
}
