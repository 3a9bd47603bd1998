//! Threads of schedulers that share mutexes of the kernel, and words.

use fusee_kernel::{Capability, GateConfig, GateIndex, GateKind, Protocol, Tables};

use super::{LENDING, THREE, TWO_TREES, gate, goes_on, invoke};
use crate::trees::{Policy, System};

/// Returns a mutex of a component.
const fn mutex(component: u16) -> GateConfig {
    GateConfig { kind: GateKind::Mutex, ..gate(component, Protocol::Inherited) }
}

/// May lock it.
const fn locks(gate: u16) -> Capability {
    Capability::Mutex(GateIndex(gate))
}

/// Two threads of a scheduler and a task above lock a mutex of a component that lets all in.
pub static MUTEX: System = System {
    name: "a mutex that a scheduler's threads share",
    tables: Tables {
        gates: &[gate(4, Protocol::Propagated), mutex(4)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[locks(1)]),
        ],
        ..LENDING.tables
    },
    ..LENDING
};

/// The mutex is a word: the kernel knows who has it only where another one waits.
pub static WORD: System =
    System { name: "the same mutex as a word", policy: Policy::MutexWords, ..MUTEX };

/// Threads of two trees share a word.
pub static WORD_OF_TREES: System = System {
    name: "two trees that share a word",
    policy: Policy::MutexWords,
    tables: Tables {
        gates: &[gate(4, Protocol::Propagated), mutex(4)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[locks(1)]),
        ],
        ..TWO_TREES.tables
    },
    ..TWO_TREES
};

/// Three threads of a scheduler share a word.
pub static WORD_OF_THREE: System = System {
    name: "three threads of a tree and a word",
    policy: Policy::MutexWords,
    tables: Tables {
        gates: MUTEX.tables.gates,
        components: MUTEX.tables.components,
        ..THREE.tables
    },
    ..THREE
};
