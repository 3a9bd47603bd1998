//! Systems in which threads of a core sleep on each other's account.

use fusee_kernel::cores::GlobalProtocol::{Mpcp, Mrsp, Msrp};

use super::{G0, PLAIN, SINGLE, limited, other, uses};
use crate::cores::{System, Task};

pub(super) const fn sleeps(task: Task) -> Task {
    Task { sleeps: true, ..task }
}

/// Three threads that sleep, without a gate, beside a core with one more.
pub static SLEEPERS: System = System {
    name: "sleepers on one core",
    cores: &[&[sleeps(other(1)), sleeps(other(2)), sleeps(other(3))], &[other(1)]],
    ..PLAIN
};

/// Sleepers that ask for a gate between cores, where who waits spins.
pub static SLEEPERS_MSRP: System = System {
    name: "sleepers and msrp",
    protocols: &[Msrp],
    cores: &[&[sleeps(uses(1, G0)), sleeps(uses(2, G0))], SINGLE],
    ..PLAIN
};

/// The same where others may help, and a third thread is above.
pub static SLEEPERS_MRSP: System = System {
    name: "sleepers and mrsp",
    protocols: &[Mrsp],
    cores: &[&[sleeps(uses(1, G0)), sleeps(uses(2, G0)), other(3)], SINGLE],
    ..PLAIN
};

/// The same where who waits is suspended, and one has a budget.
pub static SLEEPERS_MPCP: System = System {
    name: "sleepers and mpcp",
    protocols: &[Mpcp],
    cores: &[&[sleeps(limited(1, G0)), sleeps(uses(2, G0))], SINGLE],
    ..PLAIN
};

/// Sleepers on each core.
pub static SLEEPERS_ON_BOTH: System = System {
    name: "sleepers on both cores",
    protocols: &[Msrp],
    cores: &[&[sleeps(uses(1, G0)), sleeps(uses(2, G0))], &[sleeps(other(1)), sleeps(other(2))]],
    ..PLAIN
};
