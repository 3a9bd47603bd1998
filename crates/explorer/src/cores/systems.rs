//! The systems of several cores that are explored.

pub mod deadlines;
mod mutexes;
mod sleepers;
mod storms;

use fusee_kernel::cores::GlobalProtocol::{Mpcp, Mrsp, Msrp};
use fusee_kernel::{NEVER, OnFault};

pub use mutexes::{
    MUTEX, MUTEX_AND_MRSP, MUTEX_AND_WAITS, MUTEX_BUDGETS, MUTEX_DEATHS, MUTEX_OF_THREE,
    MUTEX_RESTARTS, MUTEX_RESTARTS_BUDGETS, TWO_MUTEXES,
};
pub use sleepers::{SLEEPERS, SLEEPERS_MPCP, SLEEPERS_MRSP, SLEEPERS_MSRP, SLEEPERS_ON_BOTH};
pub use storms::{STORM, STORM_RELEASES};

use super::{Core, EventKind, EventOf, Part, System, Task};

const IDLE: Task = Task {
    priority: 0,
    gates: &[],
    local: false,
    deadline: NEVER,
    limited: false,
    signals: &[],
    posts: None,
    waits: &[],
    part: Part::Nothing,
    sleeps: false,
};

const fn uses(priority: u8, gates: &'static [usize]) -> Task {
    Task { priority, gates, ..IDLE }
}

const fn other(priority: u8) -> Task {
    Task { priority, ..IDLE }
}

const fn local(priority: u8, gates: &'static [usize]) -> Task {
    Task { local: true, ..uses(priority, gates) }
}

const fn limited(priority: u8, gates: &'static [usize]) -> Task {
    Task { limited: true, ..uses(priority, gates) }
}

const fn signals(priority: u8, signals: &'static [usize]) -> Task {
    Task { priority, signals, ..IDLE }
}

const fn waits(priority: u8, waits: &'static [usize]) -> Task {
    Task { priority, waits, ..IDLE }
}

const fn enters(priority: u8) -> Task {
    Task { priority, part: Part::Enters, ..IDLE }
}

const fn dwells(priority: u8) -> Task {
    Task { priority, part: Part::Dwells, ..IDLE }
}

const LIMITED_ENTERS: Task = Task { limited: true, ..enters(1) };

const fn event(core: usize, kind: EventKind) -> EventOf {
    EventOf { core, kind }
}

const G0: &[usize] = &[0];
const G1: &[usize] = &[1];
const BOTH: &[usize] = &[0, 1];
const E0: &[usize] = &[0];
const E1: &[usize] = &[1];
const E01: &[usize] = &[0, 1];

/// A user, another user above it, and a thread at the top that uses nothing.
const THREE: Core = &[uses(1, G0), uses(2, G0), other(3)];
const PAIR: Core = &[uses(1, G0), other(2)];
const SINGLE: Core = &[uses(1, G0)];

const PLAIN: System = System::PLAIN;

/// Users below each other and below another thread, on two cores.
pub static MSRP: System =
    System { name: "msrp, two cores", protocols: &[Msrp], cores: &[THREE, THREE], ..PLAIN };

/// As [`MSRP`], with waiters that can be preempted and help.
pub static MRSP: System =
    System { name: "mrsp, two cores", protocols: &[Mrsp], cores: &[THREE, THREE], ..PLAIN };

/// As [`MSRP`], with waiters that are suspended.
pub static MPCP: System =
    System { name: "mpcp, two cores", protocols: &[Mpcp], cores: &[THREE, THREE], ..PLAIN };

/// Three requests at once.
pub static MSRP_OF_THREE: System =
    System { name: "msrp, three cores", protocols: &[Msrp], cores: &[PAIR, PAIR, PAIR], ..PLAIN };

/// A hand-over whose next owner is preempted while a third can help.
pub static MRSP_OF_THREE: System =
    System { name: "mrsp, three cores", protocols: &[Mrsp], cores: &[PAIR, PAIR, PAIR], ..PLAIN };

/// Three threads that wait by priority.
pub static MPCP_OF_THREE: System = System {
    name: "mpcp, three cores",
    protocols: &[Mpcp],
    cores: &[PAIR, &[uses(2, G0), other(3)], &[uses(1, G0), uses(3, G0)]],
    ..PLAIN
};

/// Looks that come for nothing, at any time.
pub static MRSP_SPURIOUS: System = System {
    name: "mrsp, looks for nothing",
    protocols: &[Mrsp],
    cores: &[PAIR, PAIR, SINGLE],
    spurious: true,
    ..PLAIN
};

/// As [`MRSP_SPURIOUS`], under `mpcp`.
pub static MPCP_SPURIOUS: System = System {
    name: "mpcp, looks for nothing",
    protocols: &[Mpcp],
    cores: &[THREE, PAIR],
    spurious: true,
    ..PLAIN
};

/// A gate of each of two protocols.
pub static MSRP_AND_MRSP: System = System {
    name: "msrp and mrsp",
    protocols: &[Msrp, Mrsp],
    cores: &[&[uses(1, G0), uses(2, G1), other(3)], &[uses(1, BOTH), uses(2, G1), other(3)]],
    ..PLAIN
};

/// As [`MSRP_AND_MRSP`]: owners under mpcp preempt a thread that waits at its ceiling.
pub static MRSP_AND_MPCP: System = System {
    name: "mrsp and mpcp",
    protocols: &[Mrsp, Mpcp],
    cores: &[&[uses(1, G0), uses(2, G1), other(3)], &[uses(1, BOTH), uses(2, G0), other(3)]],
    ..PLAIN
};

/// Two gates whose ceilings are opposed.
pub static TWO_MRSP: System = System {
    name: "two mrsp gates",
    protocols: &[Mrsp, Mrsp],
    cores: &[&[uses(1, G0), uses(2, G1)], &[uses(1, G1), uses(2, G0), other(3)]],
    ..PLAIN
};

/// Owners of two gates on one core.
pub static TWO_MPCP: System = System {
    name: "two mpcp gates",
    protocols: &[Mpcp, Mpcp],
    cores: &[&[uses(1, G0), uses(2, G1)], &[uses(1, G1), uses(2, G0), other(3)]],
    ..PLAIN
};

/// A global gate that is asked for inside a local one, which another waits for.
pub static MRSP_INSIDE: System = System {
    name: "mrsp inside a local gate",
    protocols: &[Mrsp],
    cores: &[&[local(1, &[]), uses(2, G0), local(3, &[])], PAIR],
    inside_local: G0,
    ..PLAIN
};

/// As [`MRSP_INSIDE`], under `msrp`.
pub static MSRP_INSIDE: System = System {
    name: "msrp inside a local gate",
    protocols: &[Msrp],
    cores: &[&[local(1, &[]), uses(2, G0), local(3, &[])], PAIR],
    inside_local: G0,
    ..PLAIN
};

/// An activation that passes gates on one core and comes back from them on another.
pub static MRSP_BELOW: System = System {
    name: "mrsp, gates below the activation",
    protocols: &[Mrsp],
    cores: &[PAIR, PAIR],
    below: 2,
    ..PLAIN
};

/// As [`MRSP_BELOW`], with an exclusive gate in reach, which no section may enter.
pub static MRSP_EXCLUSIVE_BELOW: System =
    System { name: "mrsp, an exclusive gate below", below_exclusive: true, ..MRSP_BELOW };

/// Budgets that end anywhere.
pub static MRSP_BUDGETS: System = System {
    name: "mrsp, budgets",
    protocols: &[Mrsp],
    cores: &[&[limited(1, G0), limited(2, G0), other(3)], PAIR],
    ..PLAIN
};

/// As [`MRSP_BUDGETS`], under `msrp`.
pub static MSRP_BUDGETS: System = System {
    name: "msrp, budgets",
    protocols: &[Msrp],
    cores: &[&[limited(1, G0), limited(2, G0), other(3)], PAIR],
    ..PLAIN
};

/// As [`MRSP_BUDGETS`], under `mpcp`.
pub static MPCP_BUDGETS: System = System {
    name: "mpcp, budgets",
    protocols: &[Mpcp],
    cores: &[&[limited(1, G0), limited(2, G0), other(3)], PAIR],
    ..PLAIN
};

/// Equals that take turns in time slices and yield.
pub static MRSP_SLICES: System = System {
    name: "mrsp, equals in time slices",
    protocols: &[Mrsp],
    cores: &[&[uses(1, G0), uses(1, G0)], &[uses(1, G0), uses(1, G0)]],
    slice: 1,
    ..PLAIN
};

/// A budget that ends inside both a local and a global gate, which a waiter at the local one pays
/// for afterwards.
pub static MRSP_LENDERS: System = System {
    name: "mrsp inside a local gate, budgets",
    protocols: &[Mrsp],
    cores: &[&[Task { limited: true, ..local(1, &[]) }, local(3, &[])], PAIR],
    inside_local: G0,
    ..PLAIN
};

/// Signals from two cores, whose bits merge, to two waiters on a third, where another thread
/// signals as well.
pub static MERGING: System = System {
    name: "signals that merge, three cores",
    cores: &[
        &[waits(1, E0), waits(3, E0), signals(2, E0)],
        &[signals(1, E0), signals(2, E0)],
        &[signals(1, E0)],
    ],
    events: &[event(0, EventKind::Merges)],
    ..PLAIN
};

/// As [`MERGING`], counted.
pub static COUNTING: System = System {
    name: "signals that count, three cores",
    cores: &[&[waits(1, E0), waits(3, E0), signals(2, E0)], &[signals(1, E0)], &[signals(1, E0)]],
    events: &[event(0, EventKind::Counts)],
    ..PLAIN
};

/// Signals that release jobs on another core, of which each way has one.
pub static RELEASING: System = System {
    name: "signals that release, both ways",
    cores: &[&[signals(1, E0), other(2), other(3)], &[signals(2, E1), other(1)]],
    events: &[event(1, EventKind::Releases(1)), event(0, EventKind::Releases(2))],
    ..PLAIN
};

/// Looks into mailboxes for nothing.
pub static SIGNALS_SPURIOUS: System = System {
    name: "signals, looks for nothing",
    cores: &[&[waits(1, E01), signals(2, E0)], &[signals(1, E01)]],
    events: &[event(0, EventKind::Merges), event(0, EventKind::Counts)],
    spurious: true,
    ..PLAIN
};

/// Signals to a core that executes a section, waits for one, or is about to lay one down.
pub static SIGNALS_AND_MRSP: System = System {
    name: "signals and mrsp",
    protocols: &[Mrsp],
    cores: &[
        &[uses(1, G0), waits(2, E0), other(3)],
        &[Task { signals: E0, ..uses(1, G0) }, other(2)],
    ],
    events: &[event(0, EventKind::Merges)],
    ..PLAIN
};

/// As [`SIGNALS_AND_MRSP`]: a released job preempts an owner, or not.
pub static SIGNALS_AND_MPCP: System = System {
    name: "signals and mpcp",
    protocols: &[Mpcp],
    cores: &[&[uses(1, G0), other(2)], &[Task { signals: E0, ..uses(1, G0) }, uses(2, G0)]],
    events: &[event(0, EventKind::Releases(1))],
    ..PLAIN
};

/// A component that two cores enter, and that a fault restarts.
pub static RESTARTS: System = System {
    name: "restarts, two cores",
    cores: &[&[enters(1), enters(2)], &[enters(1), enters(2)]],
    on_fault: OnFault::Restart,
    ..PLAIN
};

/// As [`RESTARTS`], of three cores, one of which has its home there.
pub static RESTARTS_OF_THREE: System = System {
    name: "restarts, three cores",
    cores: &[&[dwells(1)], &[enters(1), other(2)], &[enters(1)]],
    on_fault: OnFault::Restart,
    ..PLAIN
};

/// As [`RESTARTS`], with looks that come for nothing.
pub static RESTARTS_SPURIOUS: System = System {
    name: "restarts, looks for nothing",
    cores: &[&[enters(1)], &[enters(1)], &[dwells(1)]],
    on_fault: OnFault::Restart,
    spurious: true,
    ..PLAIN
};

/// Users of a gate between cores that enter such a component, too.
pub static RESTARTS_AND_MRSP: System = System {
    name: "restarts and mrsp",
    protocols: &[Mrsp],
    cores: &[
        &[Task { part: Part::Enters, ..uses(1, G0) }, other(2)],
        &[Task { part: Part::Enters, ..uses(1, G0) }],
    ],
    on_fault: OnFault::Restart,
    ..PLAIN
};

/// Sections in a component that a fault restarts, which go on on other cores.
pub static RESTARTS_INSIDE: System = System {
    name: "restarts in sections of mrsp",
    protocols: &[Mrsp],
    cores: &[PAIR, SINGLE],
    behind: true,
    on_fault: OnFault::Restart,
    ..PLAIN
};

/// As [`RESTARTS_INSIDE`], while a third core enters the component.
pub static RESTARTS_BESIDE_OF_THREE: System = System {
    name: "restarts beside sections, three cores",
    protocols: &[Msrp],
    cores: &[SINGLE, SINGLE, &[enters(1)]],
    ..RESTARTS_INSIDE
};

/// As [`RESTARTS_INSIDE`], while others enter the component beside the gate.
pub static RESTARTS_BESIDE: System = System {
    name: "restarts beside sections of mrsp",
    cores: &[PAIR, &[Task { part: Part::Enters, ..uses(1, G0) }]],
    ..RESTARTS_INSIDE
};

/// As [`RESTARTS_BESIDE`], by waiters that stay on their core.
pub static RESTARTS_BESIDE_MSRP: System = System {
    name: "restarts beside sections of msrp",
    protocols: &[Msrp],
    cores: &[PAIR, &[uses(1, G0), enters(2)]],
    ..RESTARTS_INSIDE
};

/// As [`RESTARTS_BESIDE`], by waiters that are suspended.
pub static RESTARTS_BESIDE_MPCP: System = System {
    name: "restarts beside sections of mpcp",
    protocols: &[Mpcp],
    cores: &[PAIR, &[uses(1, G0), enters(2)]],
    ..RESTARTS_INSIDE
};

/// Sections that come into such a component by a gate below, and may go on above it.
pub static RESTARTS_BELOW: System = System {
    name: "restarts below sections of mrsp",
    protocols: &[Mrsp],
    cores: &[PAIR, SINGLE],
    below: 1,
    on_fault: OnFault::Restart,
    ..PLAIN
};

/// Sections in a component that dies.
pub static DEATHS_INSIDE: System =
    System { name: "a death in sections of mrsp", on_fault: OnFault::Dead, ..RESTARTS_BESIDE };

/// A component that two cores enter, and that dies.
pub static DEATHS: System = System {
    name: "a death, two cores",
    cores: &[&[enters(1), dwells(2)], &[enters(1), enters(2)]],
    on_fault: OnFault::Dead,
    ..PLAIN
};

/// All of them on whose cores priorities decide, but [`LARGE`].
pub static ALL: [&System; 49] = [
    &MSRP,
    &MRSP,
    &MPCP,
    &MSRP_OF_THREE,
    &MPCP_OF_THREE,
    &MPCP_SPURIOUS,
    &MSRP_AND_MRSP,
    &TWO_MPCP,
    &MRSP_INSIDE,
    &MSRP_INSIDE,
    &MRSP_BELOW,
    &MRSP_EXCLUSIVE_BELOW,
    &MRSP_BUDGETS,
    &MSRP_BUDGETS,
    &MPCP_BUDGETS,
    &MRSP_SLICES,
    &MRSP_LENDERS,
    &MERGING,
    &COUNTING,
    &RELEASING,
    &STORM,
    &STORM_RELEASES,
    &SLEEPERS,
    &SLEEPERS_MSRP,
    &SLEEPERS_MRSP,
    &SLEEPERS_MPCP,
    &SLEEPERS_ON_BOTH,
    &SIGNALS_SPURIOUS,
    &SIGNALS_AND_MRSP,
    &SIGNALS_AND_MPCP,
    &RESTARTS,
    &RESTARTS_SPURIOUS,
    &RESTARTS_AND_MRSP,
    &RESTARTS_INSIDE,
    &RESTARTS_BESIDE,
    &RESTARTS_BESIDE_MSRP,
    &RESTARTS_BESIDE_MPCP,
    &RESTARTS_BELOW,
    &DEATHS,
    &DEATHS_INSIDE,
    &MUTEX,
    &MUTEX_OF_THREE,
    &MUTEX_AND_WAITS,
    &MUTEX_BUDGETS,
    &MUTEX_AND_MRSP,
    &MUTEX_RESTARTS,
    &MUTEX_RESTARTS_BUDGETS,
    &MUTEX_DEATHS,
    &TWO_MUTEXES,
];

/// Those with so many states that not each run of the tests explores them.
pub static LARGE: [&System; 6] = [
    &MRSP_OF_THREE,
    &MRSP_SPURIOUS,
    &MRSP_AND_MPCP,
    &TWO_MRSP,
    &RESTARTS_OF_THREE,
    &RESTARTS_BESIDE_OF_THREE,
];
