//! Systems whose threads signal other cores as often as they are let.

use fusee_kernel::Time;
use fusee_kernel::cores::GlobalProtocol::Mrsp;

use super::{E0, G0, PLAIN, event, other, signals, uses, waits};
use crate::cores::{EventKind, System, Task};

/// A signal in two ticks, and in any window as many as in one that is three ticks longer.
const SELDOM: Option<(u32, Time, Time)> = Some((1, 2, 3));

/// Two signals in a tick, and in any window as many as in one that is two ticks longer.
const OFTEN: Option<(u32, Time, Time)> = Some((2, 1, 2));

/// Storms of signals from two threads of a core.
pub static STORM: System = System {
    name: "storms of signals",
    cores: &[
        &[waits(1, E0)],
        &[Task { posts: SELDOM, ..signals(1, E0) }, Task { posts: SELDOM, ..signals(2, E0) }],
    ],
    events: &[event(0, EventKind::Merges)],
    ..PLAIN
};

/// Storms that release jobs on the other core, beside a gate.
pub static STORM_RELEASES: System = System {
    name: "storms that release, and mrsp",
    protocols: &[Mrsp],
    cores: &[&[Task { posts: OFTEN, signals: E0, ..uses(1, G0) }], &[uses(2, G0), other(1)]],
    events: &[event(1, EventKind::Releases(1))],
    ..PLAIN
};
