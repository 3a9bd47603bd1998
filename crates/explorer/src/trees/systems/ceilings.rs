//! Gates of the priority ceiling protocol, at which threads of schedulers lend.

use super::*;
use crate::parts::ceiling;

/// Two threads of a scheduler and a task above share two gates, taken in both orders.
pub static CEILINGS: System = System {
    name: "two ceilings of a tree and a task above",
    policy: Policy::PriorityCeiling,
    tables: Tables {
        gates: &[ceiling(4, 2), ceiling(5, 2)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(1)]),
            goes_on(&[invoke(0)]),
        ],
        ..LENDING.tables
    },
    ..LENDING
};

/// A gate inside one of a higher ceiling, and another one that only the task above passes.
pub static CEILINGS_LOW: System = System {
    name: "ceilings of different heights",
    policy: Policy::PriorityCeiling,
    tables: Tables {
        gates: &[ceiling(4, 1), ceiling(5, 2), ceiling(4, 2)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(2)]),
            goes_on(&[]),
            goes_on(&[invoke(0)]),
        ],
        ..LENDING.tables
    },
    ..LENDING
};

/// Threads of two trees share two gates.
pub static CEILINGS_OF_TREES: System = System {
    name: "two ceilings of two trees",
    policy: Policy::PriorityCeiling,
    tables: Tables {
        gates: &[ceiling(4, 2), ceiling(4, 2)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[invoke(1)]),
            goes_on(&[]),
        ],
        ..TWO_TREES.tables
    },
    ..TWO_TREES
};

/// Three threads of a scheduler share two gates.
pub static CEILINGS_OF_THREE: System = System {
    name: "three threads of a tree and two ceilings",
    policy: Policy::PriorityCeiling,
    tables: Tables {
        gates: &[ceiling(4, 1), ceiling(4, 1)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
        ],
        ..THREE.tables
    },
    ..THREE
};

/// Faults of threads in such a gate, and a restart behind it.
pub static CEILING_RESTARTS: System = System {
    name: "faults in a tree, in a gate with a ceiling",
    policy: Policy::PriorityCeiling,
    tables: Tables { gates: &[ceiling(3, 1)], ..RESTARTS.tables },
    ..RESTARTS
};
