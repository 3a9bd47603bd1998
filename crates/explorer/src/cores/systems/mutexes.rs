//! Systems whose cores share a mutex, or two.

use fusee_kernel::OnFault;
use fusee_kernel::cores::GlobalProtocol::{Mrsp, Msrp};

use super::{E0, G1, LIMITED_ENTERS, PLAIN, dwells, enters, event, local, other, signals, uses};
use crate::cores::{EventKind, Part, System, Task};

/// A mutex of a component that two cores enter, and that goes on after a fault.
pub static MUTEX: System = System {
    name: "a mutex, two cores",
    protocols: &[Msrp],
    mutexes: &[0],
    cores: &[&[enters(1), enters(2)], &[enters(1), dwells(2)]],
    ..PLAIN
};

/// As [`MUTEX`], with another thread above on each core, and looks that come for nothing.
pub static MUTEX_OF_THREE: System = System {
    name: "a mutex, three cores",
    cores: &[&[enters(1), other(2)], &[dwells(1)], &[enters(1)]],
    spurious: true,
    ..MUTEX
};

/// A thread locks a mutex, enters a local gate that a less urgent thread may hold, and waits: with
/// the mutex it may do neither.
pub static MUTEX_AND_WAITS: System = System {
    name: "a mutex, whose holder would wait",
    cores: &[&[local(1, &[]), dwells(2), signals(3, E0)], &[enters(1)]],
    waits_inside: true,
    events: &[event(0, EventKind::Merges)],
    ..MUTEX
};

/// As [`MUTEX`], of threads with budgets.
pub static MUTEX_BUDGETS: System = System {
    name: "a mutex, budgets",
    cores: &[&[LIMITED_ENTERS, other(2)], &[LIMITED_ENTERS]],
    ..MUTEX
};

/// As [`MUTEX`], beside a gate of another protocol.
pub static MUTEX_AND_MRSP: System = System {
    name: "a mutex and mrsp",
    protocols: &[Msrp, Mrsp],
    cores: &[
        &[Task { part: Part::Enters, ..uses(1, G1) }, other(2)],
        &[Task { part: Part::Enters, ..uses(1, G1) }],
    ],
    ..MUTEX
};

/// Two mutexes of a component: the holder of one may not lock the other.
pub static TWO_MUTEXES: System = System {
    name: "two mutexes, two cores",
    protocols: &[Msrp, Msrp],
    mutexes: &[0, 1],
    cores: &[&[enters(1)], &[enters(1)]],
    ..MUTEX
};

/// A mutex of a component that a fault restarts.
pub static MUTEX_RESTARTS: System = System {
    name: "a mutex, restarts",
    cores: &[&[enters(1), dwells(2)], &[enters(1)]],
    on_fault: OnFault::Restart,
    ..MUTEX
};

/// A mutex of a component that a fault restarts, of threads with budgets.
pub static MUTEX_RESTARTS_BUDGETS: System =
    System { name: "a mutex, restarts and budgets", on_fault: OnFault::Restart, ..MUTEX_BUDGETS };

/// A mutex of a component that dies.
pub static MUTEX_DEATHS: System =
    System { name: "a mutex, a death", on_fault: OnFault::Dead, ..MUTEX };
