//! Systems with mutex words beside ceilings, and by deadlines.

use fusee_kernel::{OnFault, Protocol, Tables};

use super::system::{System, Under};
use super::systems::{FRAMES, PLAIN, TABLES, due};
use crate::parts::{ceiling, component, gate, invoke, lock, mutex, srp, thread};

const DEADLINES: System = System { under: Under::Deadlines, ages: true, ..PLAIN };

const CEILINGS: System = System { under: Under::Ceilings, ..PLAIN };

/// Three threads and a mutex, by deadlines.
pub const DUE: System = System {
    name: "a mutex by deadlines",
    tables: Tables {
        threads: &[due(0, 1, 2), due(0, 2, 1), due(0, 2, 1)],
        gates: &[mutex(0)],
        components: &[component(OnFault::Continue, &[lock(0)])],
        ..TABLES
    },
    faults: true,
    ..DEADLINES
};

/// Two mutexes in any order, by deadlines.
pub const DUE_TWO: System = System {
    name: "two mutexes by deadlines",
    tables: Tables {
        threads: &[due(0, 1, 2), due(0, 2, 1), due(0, 2, 1)],
        gates: &[mutex(0), mutex(0)],
        components: &[component(OnFault::Continue, &[lock(0), lock(1)])],
        ..TABLES
    },
    ..DEADLINES
};

/// A mutex that is locked inside of a gate with a deadline floor, and beside it.
pub const FLOORED: System = System {
    name: "a mutex inside a deadline floor",
    tables: Tables {
        threads: &[due(0, 1, 2), due(2, 1, 2), due(0, 2, 1)],
        gates: &[srp(1, 2), gate(2, Protocol::Propagated), mutex(2)],
        components: &[
            component(OnFault::Continue, &[invoke(0), invoke(1)]),
            component(OnFault::Continue, &[invoke(1)]),
            component(OnFault::Continue, &[lock(2)]),
        ],
        ..TABLES
    },
    ..DEADLINES
};

/// A gate with a deadline floor that is entered with a mutex in hand, and without.
pub const FLOOR_INSIDE: System = System {
    name: "a deadline floor inside a mutex",
    tables: Tables {
        threads: &[due(0, 1, 2), due(2, 1, 2), due(0, 2, 1)],
        gates: &[gate(1, Protocol::Propagated), mutex(1), srp(3, 1)],
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Restart, &[lock(1), invoke(2)]),
            component(OnFault::Continue, &[invoke(2)]),
            component(OnFault::Continue, &[]),
        ],
        ..TABLES
    },
    ..DEADLINES
};

/// All of them by deadlines.
pub const BY_DEADLINE: &[System] = &[DUE, DUE_TWO, FLOORED, FLOOR_INSIDE];

/// A mutex that is locked inside of a gate with a ceiling, and beside it; and another such gate.
pub const CEILED: System = System {
    name: "a mutex inside a ceiling",
    tables: Tables {
        threads: &[thread(0, 1), thread(2, 2), thread(0, 3), thread(4, 2)],
        gates: &[ceiling(1, 3), gate(2, Protocol::Propagated), mutex(2), ceiling(3, 2)],
        components: &[
            component(OnFault::Continue, &[invoke(0), invoke(1)]),
            component(OnFault::Continue, &[invoke(1)]),
            component(OnFault::Continue, &[lock(2)]),
            component(OnFault::Continue, &[]),
            component(OnFault::Continue, &[invoke(3)]),
        ],
        ..TABLES
    },
    ..CEILINGS
};

/// Two gates with ceilings in either order, one above all of its users, a mutex in the component of
/// one, and a third gate.
pub const ORDERS: System = System {
    name: "ceilings in any order around a mutex",
    tables: Tables {
        threads: &[thread(0, 1), thread(3, 2), thread(5, 3)],
        gates: &[ceiling(1, 2), ceiling(2, 3), mutex(2), ceiling(4, 3)],
        components: &[
            component(OnFault::Continue, &[invoke(0), invoke(1)]),
            component(OnFault::Continue, &[invoke(1)]),
            component(OnFault::Continue, &[lock(2), invoke(0)]),
            component(OnFault::Continue, &[invoke(0), invoke(1)]),
            component(OnFault::Continue, &[]),
            component(OnFault::Continue, &[invoke(3)]),
        ],
        ..TABLES
    },
    ..CEILINGS
};

/// Mutexes under the policy with ceilings, none of which is used.
pub const UNCEILED: System =
    System { name: "a mutex around a gate, with ceilings", under: Under::Ceilings, ..FRAMES };

/// All of them with ceilings.
pub const BY_CEILING: &[System] = &[CEILED, ORDERS, UNCEILED];
