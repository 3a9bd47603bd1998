//! Systems of several cores on some of which deadlines decide.
//!
//! Time passes in them whatever is due. A task's priority is its preemption level where deadlines
//! decide: the shorter its deadline, the higher.

use fusee_kernel::Time;
use fusee_kernel::cores::GlobalProtocol::Msrp;

use super::sleepers::sleeps;
use super::{Core, E0, EventKind, G0, PLAIN, System, Task, enters, event, local, other};
use super::{SINGLE, signals, uses};

const fn due(task: Task, deadline: Time) -> Task {
    Task { deadline, ..task }
}

/// Users of a gate between cores, and a thread that uses nothing and is due between them.
const THREE: Core = &[due(uses(1, G0), 4), due(other(2), 3), due(uses(3, G0), 2)];
/// As [`THREE`] by priorities.
const BY_PRIORITY: Core = &[uses(1, G0), other(2), uses(3, G0)];

/// Gates whose holder is not preempted, between cores where deadlines decide.
pub static BY_DEADLINE: System = System {
    name: "msrp by deadlines",
    protocols: &[Msrp],
    cores: &[THREE, &[due(uses(1, G0), 3), due(other(2), 2)]],
    deadlines: &[0, 1],
    once: true,
    ..PLAIN
};

/// A local gate with a floor, inside of which one between cores is asked for.
pub static FLOORS: System = System {
    name: "msrp inside and beside deadline floors",
    protocols: &[Msrp],
    cores: &[
        &[due(local(1, &[]), 4), due(local(2, G0), 3), due(other(3), 2)],
        &[due(uses(1, G0), 2)],
    ],
    deadlines: &[0, 1],
    inside_local: G0,
    floors: true,
    once: true,
    ..PLAIN
};

/// Signals that release jobs, whose deadlines count from when their core has taken them.
pub static RELEASING_BY_DEADLINE: System = System {
    name: "signals that release, by deadlines",
    cores: &[&[signals(1, E0)], &[due(other(1), 3), due(other(2), 2)]],
    deadlines: &[1],
    events: &[event(1, EventKind::Releases(1))],
    ..PLAIN
};

/// A mutex between a core by priorities and one by deadlines.
pub static MUTEX_MIXED: System = System {
    name: "a mutex, priorities and deadlines",
    protocols: &[Msrp],
    mutexes: &[0],
    cores: &[&[enters(1), other(2)], &[due(enters(1), 3), due(other(2), 2)]],
    deadlines: &[1],
    once: true,
    ..PLAIN
};

/// A gate between a core by priorities and one by deadlines.
pub static MIXED: System = System {
    name: "msrp, priorities and deadlines",
    protocols: &[Msrp],
    cores: &[BY_PRIORITY, THREE],
    deadlines: &[1],
    once: true,
    ..PLAIN
};

/// As [`MIXED`], with local gates that have a ceiling on the one and a floor on the other core.
pub static MIXED_FLOORS: System = System {
    name: "msrp beside ceilings and floors",
    protocols: &[Msrp],
    cores: &[
        &[local(1, G0), local(2, &[]), other(3)],
        &[due(local(1, G0), 4), due(local(2, &[]), 3), due(other(3), 2)],
    ],
    deadlines: &[1],
    floors: true,
    once: true,
    ..PLAIN
};

/// Sleepers where deadlines decide.
pub static SLEEPERS_DEADLINES: System = System {
    name: "sleepers by deadlines, and msrp",
    protocols: &[Msrp],
    cores: &[&[sleeps(due(uses(1, G0), 4)), sleeps(due(uses(2, G0), 2))], SINGLE],
    deadlines: &[0],
    ..PLAIN
};

/// All of them but [`LARGE`].
pub static ALL: [&System; 5] =
    [&FLOORS, &RELEASING_BY_DEADLINE, &MUTEX_MIXED, &MIXED_FLOORS, &SLEEPERS_DEADLINES];

/// Those with so many states that not each run of the tests explores them.
pub static LARGE: [&System; 2] = [&BY_DEADLINE, &MIXED];
