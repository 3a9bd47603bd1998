//! Threads of schedulers that sleep on each other's account.

use fusee_kernel::{Capability, GateConfig, GateIndex, NEVER, Protocol, Tables, ThreadIndex};

use super::{LENDING, RESTARTS, THREE, TWO_TREES, gate, goes_on, invoke, restarts};
use crate::parts::mutex;
use crate::trees::{Policy, System, Tries};

/// A component that lets all in, and its gates about four threads.
const ROW: &[GateConfig] = &[gate(4, Protocol::Propagated), mutex(4), mutex(4), mutex(4), mutex(4)];

/// May let this thread sleep, and wake it.
const fn may(thread: u16) -> Capability {
    Capability::Thread(GateIndex(1 + thread), ThreadIndex(thread))
}

/// Two threads of a scheduler and a task above sleep and wake through a component.
pub static SERVICES: System = System {
    name: "threads of a scheduler that sleep",
    policy: Policy::LockServices,
    tables: Tables {
        gates: ROW,
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[may(1), may(2), may(3)]),
        ],
        ..LENDING.tables
    },
    tries: Tries { timeouts: &[NEVER], ..LENDING.tries },
    ..LENDING
};

/// Threads of two trees.
pub static SERVICES_OF_TREES: System = System {
    name: "threads of two trees that sleep",
    policy: Policy::LockServices,
    tables: Tables {
        gates: ROW,
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[may(1), may(3)]),
        ],
        ..TWO_TREES.tables
    },
    ..TWO_TREES
};

/// Three threads of a scheduler.
pub static SERVICES_OF_THREE: System = System {
    name: "three threads of a scheduler that sleep",
    policy: Policy::LockServices,
    tables: Tables { gates: ROW, components: SERVICES.tables.components, ..THREE.tables },
    tries: Tries { timeouts: &[NEVER], ..THREE.tries },
    ..THREE
};

/// The component is restarted while threads sleep through it.
pub static SERVICES_RESTART: System = System {
    name: "sleepers of a component that restarts",
    policy: Policy::LockServices,
    tables: Tables {
        gates: &[gate(3, Protocol::Propagated), mutex(3), mutex(3), mutex(3)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            restarts(&[may(1), may(2)]),
        ],
        ..RESTARTS.tables
    },
    ..RESTARTS
};
