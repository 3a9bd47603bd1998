//! Gates with ceilings, which threads of schedulers find free.

use super::*;

/// A gate that a scheduler's threads and a task above them find free.
pub static FREE: System = System {
    name: "a gate that a tree and a task find free",
    policy: Policy::FixedPriority,
    tables: Tables { gates: &[gate(4, Protocol::Fixed { ceiling: 2 })], ..LENDING.tables },
    ..LENDING
};

/// A child's thread in such a gate inside one that inherits.
pub static FREE_INSIDE: System = System {
    name: "such a gate inside one that inherits",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), sporadic(3, 1)],
        gates: &[gate(4, Protocol::Inherited), gate(5, Protocol::Fixed { ceiling: 1 })],
        components: &[
            goes_on(&[]),
            goes_on(&[]),
            goes_on(&[invoke(0), invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(1)]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(1, 2), delegated(1, 1), delegated(0, 1)],
    schedulers: &[root(0, 1), child(1, 2, 0)],
    end_points: &[kernels(0), of(0, 1), of(1, 2), of(0, 3)],
    tries: Tries { timeouts: &[NEVER, 1], releases: &[ThreadIndex(3)], ..Tries::PLAIN },
};

/// Two trees and a task; the gate is below one of the trees, or as high as it.
pub static FREE_BELOW: System = System {
    name: "such a gate below a tree and as high as one",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 2), sporadic(1, 2), ready(2, 1), ready(3, 1), sporadic(4, 1)],
        gates: &[gate(5, Protocol::Fixed { ceiling: 1 }), gate(6, Protocol::Fixed { ceiling: 2 })],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(1)]),
            goes_on(&[]),
            goes_on(&[invoke(0), invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    accounts: &[endless(0, 0), delegated(0, 1), endless(1, 1), delegated(1, 1), nobodys()],
    schedulers: &[root(0, 1), root(2, 2)],
    end_points: &[kernels(0), of(0, 1), kernels(2), of(1, 3), kernels(4)],
    tries: Tries {
        timeouts: &[NEVER, 1],
        alarms: &[NEVER, 1],
        releases: &[ThreadIndex(1), ThreadIndex(4)],
        ..Tries::PLAIN
    },
};

/// Faults in such a gate, and a restart behind it.
pub static FREE_RESTARTS: System = System {
    name: "faults in a tree, in a gate found free",
    policy: Policy::FixedPriority,
    tables: Tables { gates: &[gate(3, Protocol::Fixed { ceiling: 1 })], ..RESTARTS.tables },
    ..RESTARTS
};
