//! Systems with gates of the priority ceiling protocol.
//!
//! A gate's ceiling is the highest base priority of those who can come to it.

use fusee_kernel::{Budget, OnFault, Overrun, Protocol, Tables, ThreadConfig};

use Protocol::{Fixed, Inherited};

use super::{GO_ON, PLAIN, PolicyKind, Promises, System, TABLES};
use crate::parts::{ceiling, component, gate, invoke, lock, mutex, thread};

const CEILINGS: System = System { policy: PolicyKind::PriorityCeiling, ..PLAIN };

const fn limited(home: u16, priority: u8) -> ThreadConfig {
    let overrun = Overrun::Suspend;
    ThreadConfig { budget: Some(Budget { amount: 1, overrun }), ..thread(home, priority) }
}

/// So many blockings, and no deadlock.
const fn at_most(waits: usize) -> Promises {
    Promises { waits: Some(waits), unheld: true, no_circles: true }
}

/// Gates that are entered in opposite orders, one with a ceiling above all of its users.
pub static ORDERS: System = System {
    name: "ceilings in any order, with faults",
    tables: Tables {
        threads: &[thread(0, 1), thread(4, 2), thread(5, 3), thread(0, 1)],
        gates: &[ceiling(1, 4), ceiling(2, 2), ceiling(3, 3)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(1), invoke(2)]),
            component(GO_ON, &[invoke(0), invoke(2)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(2)]),
        ],
        ..TABLES
    },
    faults: true,
    promises: at_most(1),
    ..CEILINGS
};

/// Gates of other protocols within.
pub static INSIDE: System = System {
    name: "ceilings around other gates",
    tables: Tables {
        threads: &[thread(0, 1), thread(4, 2), thread(5, 3)],
        gates: &[ceiling(1, 2), gate(2, Inherited), gate(3, Fixed { ceiling: 4 })],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(1), invoke(2)]),
            component(OnFault::Restart, &[]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(0), invoke(2)]),
            component(GO_ON, &[invoke(1), invoke(2)]),
        ],
        ..TABLES
    },
    yields: true,
    ..CEILINGS
};

/// Within a mutex: its holder may have inherited when it asks.
pub static OUTSIDE: System = System {
    name: "ceilings inside a mutex",
    tables: Tables {
        threads: &[thread(0, 1), thread(3, 2), thread(4, 3)],
        gates: &[ceiling(1, 2), ceiling(2, 2), mutex(0)],
        components: &[
            component(GO_ON, &[lock(2), invoke(0), invoke(1)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(GO_ON, &[lock(2)]),
        ],
        ..TABLES
    },
    faults: true,
    locks: true,
    ..CEILINGS
};

/// Budgets that end anywhere, also inside.
pub static BUDGETS: System = System {
    name: "ceilings and budgets that end inside",
    tables: Tables {
        threads: &[limited(0, 1), limited(3, 2), limited(0, 3)],
        gates: &[ceiling(1, 3), ceiling(2, 3)],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[invoke(1)]),
        ],
        depth: 2,
        ..TABLES
    },
    promises: at_most(1),
    ..CEILINGS
};

/// Components that die and restart, equals in time slices, and a lock that is a mutex.
pub static FAULTS: System = System {
    name: "ceilings, equals, and restarts",
    tables: Tables {
        threads: &[thread(0, 1), thread(3, 2), thread(0, 2)],
        gates: &[ceiling(1, 2), ceiling(2, 2), mutex(2)],
        components: &[
            component(GO_ON, &[invoke(0), invoke(1)]),
            component(OnFault::Restart, &[invoke(1)]),
            component(OnFault::Dead, &[lock(2)]),
            component(OnFault::Restart, &[invoke(0)]),
        ],
        time_slice: 1,
        ..TABLES
    },
    locks: true,
    yields: true,
    promises: at_most(1),
    ..CEILINGS
};

/// A thread waits for one ceiling while another, which is in no thread's way, is held below.
pub static APART: System = System {
    name: "ceilings far apart",
    tables: Tables {
        threads: &[thread(2, 1), thread(0, 2), thread(0, 3), thread(0, 3)],
        gates: &[ceiling(1, 3), ceiling(3, 1)],
        components: &[
            component(GO_ON, &[invoke(0)]),
            component(GO_ON, &[]),
            component(GO_ON, &[invoke(1)]),
            component(GO_ON, &[]),
        ],
        depth: 1,
        ..TABLES
    },
    promises: at_most(1),
    ..CEILINGS
};

/// All of them.
pub static ALL: &[&System] = &[&ORDERS, &INSIDE, &OUTSIDE, &BUDGETS, &FAULTS, &APART];
