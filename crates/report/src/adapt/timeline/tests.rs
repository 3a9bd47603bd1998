//! Records in, stretches and signs out.

use super::*;
use fusee_kernel::ThreadIndex;
use fusee_model::{
    Body, ComponentId, Gate, Origin, Priority, PrioritySource, Protocol, Release, ReleaseKind,
    Sourced, Task,
};

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

fn task(name: &str, component: u32, priority: Priority) -> Task {
    let (period, jitter) = (sourced(Duration(100)), sourced(Duration::ZERO));
    Task {
        name: name.into(),
        component: ComponentId(component),
        release: Some(Release {
            kind: ReleaseKind::Periodic,
            period,
            offset: Duration::ZERO,
            jitter,
        }),
        deadline: Some(sourced(Duration(50))),
        priority: sourced(priority),
        priority_source: PrioritySource::Given,
        core: 0,
        budget: None,
        body: Body::default(),
        origin: Origin::NONE,
    }
}

/// `high` starts in component 0, `low` in 1; the only gate leads to 2.
fn system() -> System {
    let gate = Gate {
        name: "s.g".into(),
        component: ComponentId(2),
        interface: "g".into(),
        protocol: sourced(Protocol::Inherited),
        given_ceiling: None,
        methods: Vec::new(),
        direct: false,
        given_threads: None,
        origin: Origin::NONE,
    };
    System {
        tasks: vec![task("high", 0, 2), task("low", 1, 1)],
        gates: vec![gate],
        ..System::default()
    }
}

fn record(time: u64, kind: Kind, thread: u16, value: u64) -> Record {
    let object = if matches!(kind, Kind::Enter | Kind::Return | Kind::Block | Kind::HandOver) {
        0
    } else {
        u16::MAX
    };
    Record { time, kind, thread: ThreadIndex(thread), object, value }
}

fn lanes(records: &[Record], arrival: u64, completion: u64) -> Vec<Lane> {
    let focus = Focus { task: TaskId(0), arrival, completion };
    timeline(&system(), records, focus, &[TaskId(0), TaskId(1)]).lanes
}

fn states(lane: &Lane) -> Vec<(u64, u64, State)> {
    lane.spans.iter().map(|span| (span.start, span.end, span.state)).collect()
}

/// `low` is inside when `high` comes, waits, and gets the gate.
const CONTENTION: [(u64, Kind, u16, u64); 14] = [
    (0, Kind::Release, 1, 0),
    (0, Kind::Switch, 1, 0),
    (5, Kind::Enter, 1, 0),
    (10, Kind::Release, 0, 10),
    (10, Kind::Switch, 0, 0),
    (12, Kind::Block, 0, 1),
    (12, Kind::Boost, 1, 2),
    (12, Kind::Switch, 1, 0),
    (20, Kind::Return, 1, 0),
    (20, Kind::HandOver, 0, 1),
    (20, Kind::Enter, 0, 0),
    (20, Kind::Switch, 0, 0),
    (25, Kind::Return, 0, 0),
    (30, Kind::Complete, 0, 20),
];

fn records(from: usize) -> Vec<Record> {
    CONTENTION[from..]
        .iter()
        .map(|&(time, kind, thread, value)| record(time, kind, thread, value))
        .collect()
}

#[test]
fn a_wait_is_drawn_between_what_surrounds_it() {
    use State::{Ready, Running, Waiting};
    let lanes = lanes(&records(0), 10, 30);
    assert_eq!(
        states(&lanes[0]),
        [(10, 12, Running(0)), (12, 20, Waiting(0)), (20, 25, Running(2)), (25, 30, Running(0))]
    );
    let low = [
        (0, 5, Running(1)),
        (5, 10, Running(2)),
        (10, 12, Ready(2)),
        (12, 20, Running(2)),
        (20, 30, Ready(1)),
    ];
    assert_eq!(states(&lanes[1]), low);
    assert!(
        lanes[1]
            .marks
            .iter()
            .any(|mark| mark.time == 12 && mark.kind == MarkKind::Boost(Urgency::Priority(2)))
    );
}

#[test]
fn what_was_before_the_first_record_follows_from_it() {
    use State::{Running, Waiting};
    // From the switch back to `low` on: it was inside, and `high` was waiting.
    let lanes = lanes(&records(7), 10, 30);
    assert_eq!(states(&lanes[0])[..2], [(12, 20, Waiting(0)), (20, 25, Running(2))]);
    assert_eq!(states(&lanes[1])[0], (12, 20, Running(2)));
}

#[test]
fn a_deadline_that_passes_is_a_miss_at_that_instant() {
    let late = [
        record(0, Kind::Release, 0, 0),
        record(0, Kind::Switch, 0, 0),
        record(70, Kind::Complete, 0, 70),
    ];
    let lanes = lanes(&late, 0, 70);
    let at = |kind: MarkKind| {
        lanes[0].marks.iter().filter(|m| m.kind == kind).map(|m| m.time).collect::<Vec<_>>()
    };
    assert_eq!(
        (at(MarkKind::Deadline), at(MarkKind::Miss), at(MarkKind::Completion)),
        (vec![50], vec![50], vec![70])
    );
}
