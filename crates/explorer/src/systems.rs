//! The systems that are explored: small, and together they mix everything.
//!
//! Component 0 is the threads' home in most of them; gate `n` belongs to component `n + 1`, whose
//! capabilities lead only to gates of higher number, so the gates are ordered and no deadlock may
//! ever show.

pub mod ceilings;
pub mod deadlines;

use fusee_kernel::{
    Budget, Capability, NEVER, NotificationConfig, NotificationIndex, NotificationKind, OnFault,
    Overrun, Protocol, Release, Tables, ThreadConfig, ThreadIndex, Time,
};

use crate::parts::{component, gate, invoke, lock, mutex, thread};
use Protocol::{Fifo, Fixed, Inherited, Propagated};

/// A system to explore.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that name the system.
    pub name: &'static str,
    /// The tables of the kernel.
    pub tables: Tables<'static>,
    /// Base priorities that threads may be given at any time.
    pub priorities: &'static [(ThreadIndex, u8)],
    /// `true` if components that go on after a fault may fault.
    pub faults: bool,
    /// `true` if threads may yield.
    pub yields: bool,
    /// `true` if threads try to lock and unlock, and to look whether a notification is pending.
    pub locks: bool,
    /// The longest delay of the timer's interrupt, in ticks.
    pub late: Time,
    /// The scheduling policy.
    pub policy: PolicyKind,
    /// When it begins: later than a timer may be late, where states are told apart by that.
    pub begins: Time,
    /// `true` if time passes also while nothing is due.
    pub ages: bool,
    /// The properties that hold in it besides the rules.
    pub promises: Promises,
}

/// A scheduling policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyKind {
    /// The policy [`fusee_kernel::FixedPriority`].
    FixedPriority,
    /// The policy [`fusee_kernel::PriorityCeiling`].
    PriorityCeiling,
    /// The policy [`fusee_kernel::EarliestDeadline`].
    EarliestDeadline,
}

/// The properties that the protocols of a system's gates promise together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promises {
    /// The number of sections of less urgent threads that a job waits for at most; none: that is
    /// not counted.
    pub waits: Option<usize>,
    /// `true` if no thread finds an `srp` or non-preemptive gate held.
    pub unheld: bool,
    /// `true` if no call would close a circle of waiting threads.
    pub no_circles: bool,
}

impl Promises {
    /// A system without promises.
    pub const NONE: Promises = Promises { waits: None, unheld: false, no_circles: false };
}

const fn limited(component: u16, priority: u8, overrun: Overrun) -> ThreadConfig {
    ThreadConfig { budget: Some(Budget { amount: 1, overrun }), ..thread(component, priority) }
}

const fn timed(component: u16, priority: u8, release: Release) -> ThreadConfig {
    ThreadConfig { release, ..thread(component, priority) }
}

const fn due(thread: ThreadConfig, deadline: Time) -> ThreadConfig {
    ThreadConfig { deadline, ..thread }
}

const fn signal(notification: u16, bits: u32) -> Capability {
    Capability::Signal(NotificationIndex(notification), bits)
}

const fn wait(notification: u16) -> Capability {
    Capability::Wait(NotificationIndex(notification))
}

const TABLES: Tables<'static> = Tables {
    threads: &[],
    gates: &[],
    notifications: &[],
    components: &[],
    interrupts: &[],
    depth: 3,
    chain: 3,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 8,
};

/// A system without anything special.
pub(crate) const PLAIN: System = System {
    name: "",
    tables: TABLES,
    priorities: &[],
    faults: false,
    yields: false,
    locks: false,
    late: 0,
    policy: PolicyKind::FixedPriority,
    begins: 0,
    ages: false,
    promises: Promises::NONE,
};

const GO_ON: OnFault = OnFault::Continue;

/// Three levels of nested inheritance.
pub static NESTED: System = System {
    name: "nested inheritance",
    tables: Tables {
        threads: &[thread(4, 1), thread(0, 2), thread(4, 3), thread(0, 4)],
        gates: &[gate(1, Inherited), gate(2, Inherited), gate(3, Inherited)],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(0), invoke(1)]),
        ],
        ..TABLES
    },
    ..PLAIN
};

/// All four protocols, nested in each other, with faults.
pub static MIXED: System = System {
    name: "all protocols mixed, with faults",
    tables: Tables {
        threads: &[thread(0, 1), thread(5, 2), thread(0, 3), thread(5, 4)],
        gates: &[
            gate(1, Propagated),
            gate(2, Inherited),
            gate(3, Fifo),
            gate(4, Fixed { ceiling: 5 }),
        ],
        components: &[
            component(GO_ON, &[invoke(0), invoke(3)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[invoke(3)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(1), invoke(2)]),
        ],
        ..TABLES
    },
    faults: true,
    ..PLAIN
};

/// Equal priorities, ceilings at the threads' own priority, time slices, yields: Sudvarg et al.
/// 2024, section 4.2.
pub static EQUALS: System = System {
    name: "equal priorities in time slices",
    tables: Tables {
        threads: &[thread(0, 2), thread(0, 2), thread(0, 2), thread(4, 3)],
        gates: &[gate(1, Fixed { ceiling: 2 }), gate(2, Inherited), gate(3, Fixed { ceiling: 3 })],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(1)]),
        ],
        time_slice: 1,
        depth: 2,
        ..TABLES
    },
    yields: true,
    ..PLAIN
};

/// Components that die or are restarted under their callers.
pub static FAULTS: System = System {
    name: "components that die and restart",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3), thread(4, 4)],
        gates: &[gate(1, Propagated), gate(2, Inherited), gate(3, Fixed { ceiling: 4 })],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(OnFault::Restart, &[invoke(1)]),
            component(OnFault::Dead, &[invoke(2)]),
            component(OnFault::Restart, &[]),
            component(OnFault::Restart, &[invoke(1), invoke(2)]),
        ],
        ..TABLES
    },
    ..PLAIN
};

/// Budgets of all three policies that end anywhere, and are lent.
pub static BUDGETS: System = System {
    name: "budgets that end anywhere",
    tables: Tables {
        threads: &[
            limited(0, 1, Overrun::Suspend),
            limited(0, 2, Overrun::Suspend),
            limited(0, 3, Overrun::Continue),
            limited(4, 4, Overrun::Notify(NotificationIndex(0))),
        ],
        gates: &[gate(1, Inherited), gate(2, Inherited), gate(3, Fifo)],
        notifications: &[NotificationConfig {
            kind: NotificationKind::Counting { limit: 1 },
            releases: ThreadIndex::NONE,
            initial: 0,
        }],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(1), wait(0)]),
        ],
        ..TABLES
    },
    ..PLAIN
};

/// Notifications of every kind, waited for inside gates, signalled by threads and interrupts.
pub static NOTIFICATIONS: System = System {
    name: "notifications inside gates",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 2), thread(3, 4)],
        gates: &[gate(1, Inherited), gate(2, Fifo), gate(4, Fixed { ceiling: 4 })],
        notifications: &[
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Counting { limit: 1 },
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex(3),
                initial: 0,
            },
        ],
        components: &[
            component(GO_ON, &[invoke(0), wait(1)]),
            component(GO_ON, &[invoke(1), wait(0)]),
            component(GO_ON, &[wait(0), signal(1, 1)]),
            component(GO_ON, &[invoke(0), invoke(2), wait(2)]),
            component(GO_ON, &[signal(2, 1)]),
        ],
        interrupts: &[NotificationIndex(0)],
        depth: 2,
        ..TABLES
    },
    ..PLAIN
};

/// Base priorities that change whatever the threads do.
pub static PRIORITIES: System = System {
    name: "base priorities that change",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 1), thread(4, 2)],
        gates: &[gate(1, Inherited), gate(2, Inherited), gate(3, Fifo)],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(1)]),
        ],
        ..TABLES
    },
    priorities: &[
        (ThreadIndex(0), 1),
        (ThreadIndex(0), 3),
        (ThreadIndex(1), 1),
        (ThreadIndex(1), 2),
        (ThreadIndex(1), 3),
    ],
    ..PLAIN
};

/// The clock: periodic releases beside sporadic arrivals that come too early.
pub static CLOCK: System = System {
    name: "periodic and early sporadic releases",
    tables: Tables {
        threads: &[
            timed(0, 1, Release::Periodic { period: 4, offset: 0 }),
            timed(0, 2, Release::Periodic { period: 2, offset: 1 }),
            timed(0, 3, Release::Sporadic { separation: 3, jitter: 0 }),
            timed(0, 4, Release::Once { offset: 2 }),
        ],
        gates: &[gate(1, Inherited)],
        components: &[component(GO_ON, &[invoke(0)]), component(GO_ON, &[])],
        backlog: 1,
        ..TABLES
    },
    ..PLAIN
};

/// Mutexes locked around gates and within them, in a component that may be restarted under their
/// holders, and polls.
pub static MUTEXES: System = System {
    name: "mutexes, polls, and restarts",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(2, 3)],
        gates: &[gate(1, Propagated), mutex(1), mutex(2)],
        notifications: &[NotificationConfig {
            kind: NotificationKind::Counting { limit: 1 },
            releases: ThreadIndex::NONE,
            initial: 1,
        }],
        components: &[
            component(GO_ON, &[invoke(0), wait(0)]),
            component(OnFault::Restart, &[lock(1), lock(2), signal(0, 1)]),
            component(OnFault::Dead, &[invoke(0), lock(2)]),
        ],
        ..TABLES
    },
    locks: true,
    ..PLAIN
};

/// Deadlines that are met, missed and just met, under a timer that may come a tick late.
pub static TIMES: System = System {
    name: "deadlines under a late timer",
    tables: Tables {
        threads: &[
            due(timed(0, 1, Release::Periodic { period: 3, offset: 1 }), 2),
            due(timed(0, 2, Release::Periodic { period: 3, offset: 1 }), 3),
            due(timed(0, 2, Release::Sporadic { separation: 2, jitter: 0 }), 1),
        ],
        components: &[component(OnFault::Restart, &[])],
        backlog: 1,
        depth: 0,
        ..TABLES
    },
    late: 1,
    ..PLAIN
};

/// Signals of several bits, and counts above one, that are waited and asked for.
pub static SIGNALS: System = System {
    name: "signals that add up",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 2)],
        notifications: &[
            NotificationConfig {
                kind: NotificationKind::Merging,
                releases: ThreadIndex::NONE,
                initial: 0,
            },
            NotificationConfig {
                kind: NotificationKind::Counting { limit: 2 },
                releases: ThreadIndex::NONE,
                initial: 1,
            },
        ],
        components: &[component(GO_ON, &[signal(0, 2), signal(1, 2), wait(0), wait(1)])],
        interrupts: &[NotificationIndex(0), NotificationIndex(1)],
        depth: 0,
        ..TABLES
    },
    locks: true,
    ..PLAIN
};

/// Budgets and time slices among equals that lend, and whose priorities change.
pub static LENDERS: System = System {
    name: "equals who lend, in time slices",
    tables: Tables {
        threads: &[limited(0, 1, Overrun::Suspend), limited(0, 2, Overrun::Continue), thread(0, 2)],
        gates: &[gate(1, Inherited)],
        components: &[component(GO_ON, &[invoke(0)]), component(GO_ON, &[])],
        time_slice: 2,
        depth: 1,
        backlog: 1,
        ..TABLES
    },
    priorities: &[(ThreadIndex(2), 2), (ThreadIndex(2), 3)],
    yields: true,
    ..PLAIN
};

/// Mutexes that may be locked in any order, some of them deeper than is declared.
pub static CIRCLES: System = System {
    name: "mutexes in a circle",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 2)],
        gates: &[mutex(0), mutex(0), mutex(0)],
        components: &[component(GO_ON, &[lock(0), lock(1), lock(2)])],
        depth: 2,
        ..TABLES
    },
    locks: true,
    faults: true,
    ..PLAIN
};

/// A thread waits for a signal in a component that others restart or end meanwhile.
pub static GONE: System = System {
    name: "waits where a component ends",
    tables: Tables {
        threads: &[thread(0, 3), thread(1, 2), thread(0, 1)],
        gates: &[gate(2, Propagated)],
        notifications: &[NotificationConfig {
            kind: NotificationKind::Merging,
            releases: ThreadIndex::NONE,
            initial: 0,
        }],
        components: &[
            component(OnFault::Restart, &[wait(0), invoke(0)]),
            component(GO_ON, &[invoke(0), signal(0, 1)]),
            component(OnFault::Dead, &[wait(0)]),
        ],
        interrupts: &[NotificationIndex(0)],
        depth: 1,
        ..TABLES
    },
    ..PLAIN
};

/// All of them but [`LARGE`].
pub static ALL: [&System; 12] = [
    &NESTED,
    &MIXED,
    &EQUALS,
    &FAULTS,
    &NOTIFICATIONS,
    &CLOCK,
    &MUTEXES,
    &TIMES,
    &SIGNALS,
    &LENDERS,
    &CIRCLES,
    &GONE,
];

/// Those with so many states that not each run of the tests explores them.
pub static LARGE: [&System; 2] = [&PRIORITIES, &BUDGETS];
