//! Systems by deadlines.
//!
//! Time passes in them whatever is due, so that jobs become late and gates are taken at any
//! distance from releases. A thread's priority is its preemption level: the shorter its relative
//! deadline, the higher.

use fusee_kernel::{
    Budget, NotificationConfig, NotificationIndex, NotificationKind, OnFault, Overrun, Protocol,
    Release, Tables, ThreadConfig, ThreadIndex, Time,
};

use Protocol::{Fifo, Inherited, NonPreemptive, Propagated};

use super::{GO_ON, PLAIN, PolicyKind, Promises, System, TABLES, due, signal, timed, wait};
use crate::parts::{self, component, gate, invoke, lock, mutex, srp};

const DEADLINES: System =
    System { policy: PolicyKind::EarliestDeadline, begins: 2, ages: true, ..PLAIN };

/// A thread whose jobs may come at any time, with its preemption level.
const fn thread(home: u16, level: u8, deadline: Time) -> ThreadConfig {
    due(parts::thread(home, level), deadline)
}

const fn limited(home: u16, level: u8, deadline: Time, overrun: Overrun) -> ThreadConfig {
    ThreadConfig { budget: Some(Budget { amount: 1, overrun }), ..thread(home, level, deadline) }
}

/// One blocking, gates that no thread finds held, and no deadlock.
const KEPT: Promises = Promises { waits: Some(1), unheld: true, no_circles: true };

/// Gates with floors and one whose holder is not preempted, one in the other.
pub static FLOORS: System = System {
    name: "deadline floors, nested",
    tables: Tables {
        threads: &[thread(0, 1, 6), thread(0, 2, 4), thread(4, 3, 2)],
        gates: &[srp(1, 3), srp(2, 3), gate(3, NonPreemptive)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(2)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(0)]),
        ],
        ..TABLES
    },
    faults: true,
    promises: KEPT,
    ..DEADLINES
};

/// A gate that the most urgent does not use, and jobs that are told late.
pub static JITTER: System = System {
    name: "deadline floors, jobs told late",
    tables: Tables {
        threads: &[
            thread(0, 1, 4),
            due(timed(0, 2, Release::Sporadic { separation: 0, jitter: 1 }), 3),
            thread(2, 3, 1),
        ],
        gates: &[srp(1, 2)],
        components: &[component(GO_ON, &[invoke(0)]), component(GO_ON, &[]), component(GO_ON, &[])],
        depth: 1,
        ..TABLES
    },
    promises: KEPT,
    ..DEADLINES
};

/// Inheritance and first come first served under deadlines, nested.
pub static INHERITED: System = System {
    name: "inheritance by deadlines",
    tables: Tables {
        threads: &[thread(4, 1, 4), thread(0, 2, 3), thread(4, 3, 2)],
        gates: &[gate(1, Inherited), gate(2, Fifo), gate(3, Inherited)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(0), invoke(2)]),
        ],
        ..TABLES
    },
    ..DEADLINES
};

/// Time slices among jobs with equal deadlines, and gates in which equals do not take turns.
pub static SLICES: System = System {
    name: "equal deadlines in time slices",
    tables: Tables {
        threads: &[thread(0, 1, 3), thread(0, 1, 3), thread(0, 2, 2)],
        gates: &[srp(1, 2), gate(2, Inherited)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[]),
            component(GO_ON, &[]),
        ],
        time_slice: 1,
        depth: 1,
        ..TABLES
    },
    yields: true,
    promises: Promises { waits: None, ..KEPT },
    ..DEADLINES
};

/// Budgets of all three policies that end anywhere, also inside gates with floors, and are lent.
pub static BUDGETS: System = System {
    name: "budgets by deadlines",
    tables: Tables {
        threads: &[
            limited(0, 1, 4, Overrun::Suspend),
            limited(0, 2, 2, Overrun::Notify(NotificationIndex(0))),
        ],
        gates: &[srp(1, 2), gate(2, Inherited)],
        notifications: &[NotificationConfig {
            kind: NotificationKind::Counting { limit: 1 },
            releases: ThreadIndex::NONE,
            initial: 0,
        }],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[]),
        ],
        depth: 2,
        ..TABLES
    },
    ..DEADLINES
};

/// Components that die or are restarted under their callers, mutexes, and a thread without a
/// deadline.
pub static FAULTS: System = System {
    name: "faults and mutexes by deadlines",
    tables: Tables {
        threads: &[super::thread(0, 0), thread(0, 1, 4), thread(0, 2, 2)],
        gates: &[gate(1, Propagated), mutex(1), srp(2, 2)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(2)]),
            component(OnFault::Restart, &[lock(1), invoke(2)]),
            component(OnFault::Dead, &[]),
        ],
        ..TABLES
    },
    locks: true,
    ..DEADLINES
};

/// Events that release jobs or are waited for inside a job, and interrupts.
pub static EVENTS: System = System {
    name: "events by deadlines",
    tables: Tables {
        threads: &[thread(0, 1, 3), thread(0, 2, 2), thread(2, 3, 1)],
        gates: &[gate(1, Inherited)],
        notifications: &[
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex(2),
                initial: 0,
            },
        ],
        components: &[
            component(GO_ON, &[invoke(0), wait(0)]),
            component(GO_ON, &[wait(0), signal(1, 1)]),
            component(GO_ON, &[signal(0, 1), wait(1)]),
        ],
        interrupts: &[NotificationIndex(0)],
        depth: 1,
        ..TABLES
    },
    ..DEADLINES
};

/// The calendar: jobs that queue behind late ones, under a timer that may come a tick late.
pub static CALENDAR: System = System {
    name: "late jobs under a late timer",
    tables: Tables {
        threads: &[
            due(timed(0, 1, Release::Periodic { period: 4, offset: 2 }), 4),
            due(timed(0, 2, Release::Periodic { period: 2, offset: 3 }), 3),
            due(timed(0, 3, Release::Periodic { period: 4, offset: 3 }), 2),
        ],
        gates: &[srp(1, 3)],
        components: &[component(GO_ON, &[invoke(0)]), component(GO_ON, &[])],
        backlog: 1,
        depth: 1,
        ..TABLES
    },
    late: 1,
    promises: KEPT,
    ..DEADLINES
};

/// All of them.
pub static ALL: &[&System] =
    &[&FLOORS, &JITTER, &INHERITED, &SLICES, &BUDGETS, &FAULTS, &EVENTS, &CALENDAR];
