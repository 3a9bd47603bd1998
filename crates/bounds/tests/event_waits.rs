//! Waits in a job, and tasks that come as often as signalled, by hand.

use fusee_bounds::{Analysis, Obstacle, Theorem, analyze};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute};

fn emit(event: usize) -> Step {
    Step::Emit(NotificationId::from(event))
}

fn wait(event: usize) -> Step {
    Step::Wait(NotificationId::from(event))
}

/// The system with so many events, and those who are released by one.
fn system(builder: Builder, events: usize, released: &[(usize, usize)]) -> System {
    let mut system = builder.system();
    for event in 0..events {
        let (name, origin) = (format!("e{event}"), Origin::NONE);
        system.notifications.push(Notification { name, counting: false, origin });
    }
    for &(task, event) in released {
        let release = system.tasks[task].release.as_mut().expect("it has a release");
        release.kind = ReleaseKind::Notification(NotificationId::from(event));
    }
    system
}

fn bounds(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("free"))
}

fn responses(analysis: &Analysis) -> Vec<Option<u64>> {
    analysis.tasks.iter().map(|task| task.response().map(Duration::ns)).collect()
}

/// 10 until the source comes and 2 until it has signalled, 3 of its own, twice 2 of the source; who
/// is below sees the waiting job up to 19 - 3 later than its release.
#[test]
fn a_wait_for_the_clock_takes_its_period_and_response() {
    let tasks = Builder::default()
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 100, &[compute(1), wait(0), compute(2)])
        .task(1, 90, &[compute(4)]);
    let analysis = bounds(&system(tasks, 1, &[]));
    assert_eq!(responses(&analysis), [Some(2), Some(19), Some(9)]);
    let bound = analysis.tasks[1].bound.as_ref().expect("a bound");
    assert_eq!((bound.event_time(), bound.theorem), (Duration(12), Theorem::Suspension));
    // Were it not for those 16, a window of 88 would see it once.
    let tasks = Builder::default()
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 100, &[compute(1), wait(0), compute(2)])
        .task(1, 900, &[compute(64)]);
    let analysis = bounds(&system(tasks, 1, &[]));
    assert_eq!(responses(&analysis)[2], Some(88), "64 + 2 x 3 + 9 x 2");
}

/// The server answers within 4 of the signal, whatever the periods are.
#[test]
fn an_answer_takes_the_response_of_who_gives_it() {
    let client = [compute(1), emit(0), wait(1), compute(2)];
    let tasks =
        Builder::default().task(9, 50, &client).task(8, 20, &[compute(4), emit(1), compute(1)]);
    let analysis = bounds(&system(tasks, 2, &[(1, 0)]));
    // The client's 3 may come between, and the server is done after 5.
    assert_eq!(responses(&analysis), [Some(11), Some(8)]);
}

/// Its first signal of a job can come 1 behind the last of the job before, and is deferred for the
/// rest of the server's period.
#[test]
fn an_answer_waits_for_the_servers_period() {
    let client = [compute(1), emit(0), wait(1), compute(1)];
    let tasks = Builder::default().task(9, 10, &client).task(8, 9, &[compute(1), emit(1)]);
    let analysis = bounds(&system(tasks, 2, &[(1, 0)]));
    assert_eq!(
        analysis.tasks[0].bound.as_ref().err(),
        Some(&Obstacle::LongWait { task: TaskId::from(0), event: NotificationId::from(1) }),
        "deferral and response make each other longer"
    );
    let client = [compute(1), emit(0), wait(1), compute(1)];
    let tasks = Builder::default().task(9, 20, &client).task(8, 9, &[compute(1), emit(1)]);
    let analysis = bounds(&system(tasks, 2, &[(1, 0)]));
    assert_eq!(responses(&analysis), [Some(5), Some(3)], "apart as they are, no signal waits");
}

#[test]
fn what_may_never_come_has_no_bound() {
    let waits = |client: &[Step], source: &[Step], released: &[(usize, usize)]| {
        let tasks = Builder::default().task(9, 100, client).task(8, 10, source);
        let analysis = bounds(&system(tasks, 2, released));
        (responses(&analysis)[0], analysis.tasks[0].bound.clone().err())
    };
    let often = [compute(1), wait(0), compute(1)];
    assert!(waits(&often, &[compute(1), emit(0)], &[]).0.is_some());
    let none = |found: (Option<u64>, Option<Obstacle>)| {
        assert!(matches!(found.1, Some(Obstacle::Waits { .. })), "{found:?}");
    };
    // Nobody signals; nobody is asked; the answer was used up by the wait before.
    none(waits(&often, &[compute(1)], &[]));
    none(waits(&often, &[compute(1), emit(0)], &[(1, 1)]));
    let twice = [emit(1), wait(0), wait(0), compute(1)];
    none(waits(&twice, &[compute(1), emit(0)], &[(1, 1)]));
    let each = [emit(1), wait(0), emit(1), wait(0), compute(1)];
    assert!(waits(&each, &[compute(1), emit(0)], &[(1, 1)]).0.is_some());
    let before = [wait(0), emit(1), compute(1)];
    none(waits(&before, &[compute(1), emit(0)], &[(1, 1)]));
}

#[test]
fn another_who_waits_for_the_same_event_takes_the_bound() {
    let waiting = [compute(1), wait(0)];
    let tasks = Builder::default().task(9, 10, &[compute(1), emit(0)]).task(8, 100, &waiting).task(
        7,
        100,
        &[compute(2), wait(0)],
    );
    let found = responses(&bounds(&system(tasks, 1, &[])));
    assert_eq!(found, [Some(1), None, None]);
}

/// The source is released 100 apart and signals once, so the released task comes once in the
/// window of the lowest, although its own period would let it come every 5.
#[test]
fn a_released_task_comes_as_often_as_it_is_signalled() {
    let tasks = |signals: &[Step]| {
        Builder::default().task(9, 100, signals).task(8, 5, &[compute(3)]).task(
            1,
            60,
            &[compute(10)],
        )
    };
    let once = system(tasks(&[compute(1), emit(0)]), 1, &[(1, 0)]);
    assert_eq!(responses(&bounds(&once))[2], Some(14), "10 + 1 + 3");
    let twice = system(tasks(&[compute(1), emit(0), emit(0)]), 1, &[(1, 0)]);
    assert_eq!(responses(&bounds(&twice))[2], Some(17), "10 + 1 + 2 x 3");
}

/// Two sources of 100 and 50: in a window of 55 one comes once, the other one twice.
#[test]
fn the_signals_of_several_emitters_add_up() {
    let tasks = Builder::default()
        .task(9, 100, &[compute(1), emit(0)])
        .task(8, 50, &[compute(1), emit(0)])
        .task(7, 5, &[compute(3)])
        .task(1, 200, &[compute(43)]);
    let found = responses(&bounds(&system(tasks, 1, &[(2, 0)])));
    assert_eq!(found[3], Some(55), "43 + 1 + 2 x 1 + 3 x 3");
}

/// The source may respond as late as 11, so two of its signals, 20 apart, come in a window of 17.
#[test]
fn a_late_emitter_brings_its_signals_closer_together() {
    let tasks = Builder::default()
        .task(9, 200, &[compute(10)])
        .task(8, 20, &[compute(1), emit(0)])
        .task(7, 1, &[compute(1)])
        .task(1, 300, &[compute(4)]);
    let found = responses(&bounds(&system(tasks, 1, &[(2, 0)])));
    assert_eq!(found[3], Some(17), "4 + 10 + 1 + 2 x 1");
}

/// The lower task may have entered the gate before the job, and again while it waits.
#[test]
fn lower_tasks_take_the_gate_again_after_a_wait() {
    let tasks = Builder::default()
        .gate(Protocol::Fixed, &[compute(3)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 100, &[call(0), wait(0), compute(1)])
        .task(1, 90, &[call(0)]);
    let found = responses(&bounds(&system(tasks, 1, &[])));
    assert_eq!(found[1], Some(28), "4 + 2 x 3 + 12 + 3 x 2");
}
