//! The systems with mutex words that are explored.

use fusee_kernel::{NEVER, OnFault, Protocol, Tables, ThreadConfig, ThreadIndex, Time};

use super::system::{Conduct, System, Under};
use crate::parts::{component, gate, invoke, lock, mutex, thread};

pub use super::mixed::*;

/// With a deadline, so many ticks after a release.
pub(super) const fn due(component: u16, level: u8, deadline: Time) -> ThreadConfig {
    ThreadConfig { deadline, ..thread(component, level) }
}

pub(super) const TABLES: Tables<'static> = Tables {
    threads: &[],
    gates: &[],
    notifications: &[],
    components: &[],
    interrupts: &[],
    depth: 2,
    chain: 4,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 8,
};

pub(super) const PLAIN: System = System {
    name: "",
    under: Under::Levels,
    ages: false,
    tables: TABLES,
    priorities: &[],
    faults: false,
    conduct: Conduct::Honest,
};

/// Three threads and a mutex.
pub const THREE: System = System {
    name: "a mutex of three threads",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[mutex(0)],
        components: &[component(OnFault::Continue, &[lock(0)])],
        ..TABLES
    },
    faults: true,
    ..PLAIN
};

/// Four threads, two of them equal.
pub const FOUR: System = System {
    name: "a mutex of four threads",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 2), thread(0, 3)],
        ..THREE.tables
    },
    ..PLAIN
};

/// Two mutexes in any order, and base priorities that change.
pub const TWO: System = System {
    name: "two mutexes in any order",
    tables: Tables {
        gates: &[mutex(0), mutex(0)],
        components: &[component(OnFault::Continue, &[lock(0), lock(1)])],
        ..THREE.tables
    },
    ..PLAIN
};

/// A thread that gets other base priorities while it holds and waits.
pub const CHANGES: System = System {
    name: "mutexes and changing priorities",
    tables: TWO.tables,
    priorities: &[(ThreadIndex(0), 1), (ThreadIndex(0), 4)],
    ..PLAIN
};

/// A mutex in a component that is entered, from which a gate leads on: records in the middle of a
/// stack.
pub const FRAMES: System = System {
    name: "a mutex around a gate",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[gate(1, Protocol::Propagated), mutex(1), gate(2, Protocol::Inherited)],
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Continue, &[lock(1), invoke(2)]),
            component(OnFault::Continue, &[]),
        ],
        ..TABLES
    },
    faults: true,
    ..PLAIN
};

/// A component with a mutex that is restarted under its threads.
pub const RESTARTS: System = System {
    name: "a mutex in a component that restarts",
    tables: Tables {
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Restart, &[lock(1), invoke(2)]),
            component(OnFault::Continue, &[]),
        ],
        ..FRAMES.tables
    },
    ..PLAIN
};

/// A component with a mutex that dies.
pub const DIES: System = System {
    name: "a mutex in a component that dies",
    tables: Tables {
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Dead, &[lock(1), invoke(2)]),
            component(OnFault::Continue, &[]),
        ],
        ..FRAMES.tables
    },
    ..PLAIN
};

/// Threads that leave with the mutex.
pub const CARELESS: System =
    System { name: "threads that leave with a mutex", conduct: Conduct::Careless, ..FRAMES };

/// The same at home, with two mutexes.
pub const LEFT: System =
    System { name: "two mutexes that are left behind", conduct: Conduct::Careless, ..TWO };

/// Words that say anything.
pub const LIES: System = System {
    name: "a component that lies",
    tables: Tables {
        threads: &[thread(0, 2), thread(0, 1), thread(1, 3)],
        gates: &[gate(1, Protocol::Inherited), mutex(1)],
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Continue, &[lock(1)]),
        ],
        ..TABLES
    },
    priorities: &[(ThreadIndex(1), 1), (ThreadIndex(1), 4)],
    conduct: Conduct::Lying,
    ..PLAIN
};

/// All of them that go by priorities, without gates that bar others.
pub const ALL: &[System] =
    &[THREE, FOUR, TWO, CHANGES, FRAMES, RESTARTS, DIES, CARELESS, LEFT, LIES];
