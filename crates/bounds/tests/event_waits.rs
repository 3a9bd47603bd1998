//! Waits in a job, and tasks that come as often as signalled, by hand.

use fusee_bounds::{Analysis, Bound, Obstacle, Theorem, analyze};
use fusee_model::costs::{CoreCosts, CostTable};
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, call, compute, sourced};

fn emit(event: usize) -> Step {
    Step::Emit(NotificationId::from(event))
}

fn wait(event: usize) -> Step {
    Step::Wait(NotificationId::from(event))
}

/// Returns the system with so many events, and those who are released by one.
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
fn another_who_waits_for_the_same_event_goes_first_if_it_is_more_urgent() {
    let waiting = [compute(1), wait(0)];
    let tasks = Builder::default().task(9, 10, &[compute(1), emit(0)]).task(8, 100, &waiting).task(
        7,
        100,
        &[compute(2), wait(0)],
    );
    let found = responses(&bounds(&system(tasks, 1, &[])));
    // 1 + (10 + 1) and two of the source; the other lets a job with one wait go first.
    assert_eq!(found, [Some(1), Some(14), Some(27)]);
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

/// Task 1 waits within the gate itself, and before that perhaps for task 2, which does: 2 x 12. It
/// goes on three times, and each time what task 2 executes of a section, 2, may come first.
#[test]
fn who_waits_inside_of_a_gate_keeps_others_out() {
    for protocol in [Protocol::Inherited, Protocol::Fixed] {
        let tasks = Builder::default()
            .gate(protocol, &[compute(1), wait(0), compute(1)])
            .task(9, 10, &[compute(2), emit(0)])
            .task(5, 200, &[compute(1), call(0)])
            .task(3, 300, &[compute(1), call(0)])
            .task(1, 900, &[compute(4)]);
        let analysis = bounds(&system(tasks, 1, &[]));
        // 3 + 3 x 2 + 2 x 12 + 2 for each of the source's five.
        assert_eq!(responses(&analysis)[1], Some(3 + 6 + 24 + 5 * 2), "{protocol:?}");
        let bound = analysis.tasks[1].bound.as_ref().expect("a bound");
        assert_eq!((bound.event_time(), bound.suspension_time()), (Duration(12), Duration(12)));
        assert_eq!(bound.blocking[0].times, 3);
        // Task 2 is kept out by one job of task 1, of which it sees two, its own section waits as
        // well.
        assert!(responses(&analysis)[2..].iter().all(Option::is_some), "{analysis:#?}");
    }
    // What holds of one gate is not known where somebody holds another one meanwhile.
    let tasks = Builder::default()
        .gate(Protocol::Inherited, &[compute(1), wait(0)])
        .gate(Protocol::Inherited, &[compute(1), call(0)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(5, 200, &[compute(1), call(0)])
        .task(3, 300, &[compute(1), call(1)]);
    assert_eq!(responses(&bounds(&system(tasks, 1, &[]))), [Some(2), None, None]);
}

/// Task 3 is kept out by task 2, and keeps out task 1 for as long, at another gate.
#[test]
fn who_is_kept_out_may_hold_no_other_gate() {
    let inner =
        Step::Invoke { gate: GateId::from(0), method: Some(1), lock: None, origin: Origin::NONE };
    let tasks = Builder::default()
        .gate(Protocol::Inherited, &[compute(1), wait(0)])
        .gate(Protocol::Inherited, &[compute(1), inner])
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 200, &[compute(1), call(1)])
        .task(5, 200, &[compute(1), call(0)])
        .task(3, 300, &[compute(1), call(1)]);
    let mut system = system(tasks, 1, &[]);
    let mut quick = system.gates[0].methods[0].clone();
    quick.body.steps = vec![compute(1)];
    system.gates[0].methods.push(quick);
    system.tasks[2].body.steps[1] =
        Step::Invoke { gate: GateId::from(0), method: Some(0), lock: None, origin: Origin::NONE };
    assert_eq!(responses(&bounds(&system)), [Some(2), None, None, None]);
}

/// Both pass a gate that keeps nobody out: task 1 takes the next signal, task 2 the one after those
/// that task 1 takes in the meantime, one for each job.
#[test]
fn the_most_urgent_waiter_takes_a_signal_first() {
    let tasks = Builder::default()
        .gate(Protocol::Propagated, &[compute(1), wait(0)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(5, 100, &[call(0), compute(1)])
        .task(3, 200, &[call(0), compute(1)]);
    let analysis = bounds(&system(tasks, 1, &[]));
    let waits = |task: usize| analysis.tasks[task].bound.as_ref().map(Bound::event_time);
    assert_eq!((waits(1), waits(2)), (Ok(Duration(12)), Ok(Duration(22))));
    // An answer that another one may take has no bound.
    let tasks = Builder::default()
        .gate(Protocol::Propagated, &[emit(1), wait(0)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(5, 100, &[call(0), compute(1)])
        .task(3, 200, &[call(0), compute(1)]);
    assert_eq!(responses(&bounds(&system(tasks, 2, &[(0, 1)])))[1..], [None, None]);
    // Where only one is inside at a time, nobody takes it from the other.
    let tasks = Builder::default()
        .gate(Protocol::Inherited, &[compute(1), emit(1), wait(0)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(5, 100, &[call(0), compute(1)])
        .task(3, 200, &[call(0), compute(1)]);
    let analysis = bounds(&system(tasks, 2, &[(0, 1)]));
    assert!(responses(&analysis).iter().all(Option::is_some), "{analysis:#?}");
}

/// Both lower tasks can wait inside of their gates when the window begins, whatever the ceilings.
#[test]
fn a_section_with_a_wait_keeps_nobody_from_a_ceiling() {
    let tasks = Builder::default()
        .gate(Protocol::Fixed, &[compute(3), wait(0)])
        .gate(Protocol::Fixed, &[compute(4), wait(0)])
        .task(9, 10, &[compute(1), emit(0)])
        .task(8, 1000, &[call(0), call(1)])
        .task(5, 900, &[compute(10)])
        .task(3, 1000, &[call(0)])
        .task(2, 1000, &[call(1)]);
    let analysis = bounds(&system(tasks, 1, &[]));
    let bound = analysis.tasks[2].bound.as_ref().expect("a bound");
    assert_eq!(bound.blocking_time(), Duration(3 + 4));
}

/// A signal from core to core takes a look of the waiting core besides: two of the longest paths,
/// the paths that interrupt meanwhile, and the look that finds it.
#[test]
fn a_signal_of_another_core_waits_for_a_look() {
    let tasks = Builder::default().task(9, 100, &[compute(10), emit(0)]).task(
        8,
        1000,
        &[compute(10), wait(0), compute(2)],
    );
    let mut system = system(tasks, 1, &[]);
    system.tasks[0].core = 1;
    let derived = Derived::of(&system);
    let wait = |costs: &CostTable| {
        let bound = analyze(&system, &derived, costs).tasks[1].bound.clone().expect("a bound");
        bound.event_time().ns()
    };
    let mut costs = CostTable::zero("some");
    assert_eq!(wait(&costs), 100 + 10);
    costs.wait = Duration(1);
    costs.cores = Some(CoreCosts { look: Duration(3), ..CoreCosts::default() });
    let own = analyze(&system, &derived, &costs).tasks[0].response().expect("a bound").ns();
    // One look is the longest path; two looks for one signal interrupt.
    assert!(wait(&costs) >= 100 + own + 3 + 3, "{}", wait(&costs));
}

/// A wait counts as execution where deadlines decide, and what lower ones may take once more after
/// it.
#[test]
fn waits_count_as_execution_by_deadlines() {
    let by_deadlines = |tasks: Builder| {
        let mut system = system(tasks, 1, &[]);
        system.settings.policy = Some(sourced(Policy::EarliestDeadline));
        bounds(&system)
    };
    let waiting = [compute(1), wait(0), compute(2)];
    let tasks = Builder::default().task(9, 10, &[compute(2), emit(0)]).task(8, 100, &waiting);
    // 3 + (10 + 2) and two of the source.
    let analysis = by_deadlines(tasks);
    assert_eq!(responses(&analysis), [Some(2), Some(19)]);
    let bound = analysis.tasks[1].bound.as_ref().expect("a bound");
    assert_eq!((bound.event_time(), bound.own), (Duration(12), Duration(3)));
    let shared = [compute(1), wait(0), call(0)];
    let tasks = Builder::default()
        .gate(Protocol::Srp, &[compute(2)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 100, &shared)
        .task(1, 900, &[call(0)]);
    let analysis = by_deadlines(tasks);
    // A section of 2 at the start, and one after the wait; three of the source.
    assert_eq!(responses(&analysis)[1], Some(3 + 12 + 2 * 2 + 3 * 2));
    // Within a gate that keeps others out nothing is known.
    let tasks = Builder::default()
        .gate(Protocol::Inherited, &[compute(1), wait(0)])
        .task(9, 10, &[compute(2), emit(0)])
        .task(8, 100, &[call(0)])
        .task(1, 900, &[call(0)]);
    assert_eq!(responses(&by_deadlines(tasks)), [None; 3]);
}
