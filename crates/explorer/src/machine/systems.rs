//! The systems that are explored on the machine.
//!
//! Jobs are released by interrupts, or by the clock: on a machine nothing else releases them.

use fusee_kernel::{
    Budget, Capability, NotificationConfig, NotificationIndex, NotificationKind, OnFault, Overrun,
    Protocol, Release, Tables, ThreadConfig, ThreadIndex, Time,
};

use crate::System;
use crate::parts::{component, gate, invoke, thread};
use crate::systems::PLAIN;

const fn periodic(component: u16, priority: u8, period: Time) -> ThreadConfig {
    let release = Release::Periodic { period, offset: 0 };
    ThreadConfig { release, ..thread(component, priority) }
}

const fn limited(thread: ThreadConfig, amount: Time) -> ThreadConfig {
    ThreadConfig { budget: Some(Budget { amount, overrun: Overrun::Suspend }), ..thread }
}

const fn signal(notification: u16) -> Capability {
    Capability::Signal(NotificationIndex(notification), 1)
}

const fn wait(notification: u16) -> Capability {
    Capability::Wait(NotificationIndex(notification))
}

/// A notification whose signal releases a thread.
const fn releases(thread: u16) -> NotificationConfig {
    NotificationConfig {
        kind: NotificationKind::Merging,
        releases: ThreadIndex(thread),
        initial: 0,
    }
}

const WAITED_FOR: NotificationConfig =
    NotificationConfig { kind: NotificationKind::Merging, releases: ThreadIndex::NONE, initial: 0 };

/// A gate that is waited for, with a gate and a wait inside it.
pub static WAITS: System = System {
    name: "waits inside gates",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[gate(1, Protocol::Inherited), gate(2, Protocol::Propagated)],
        notifications: &[releases(0), releases(1), releases(2), WAITED_FOR],
        components: &[
            component(OnFault::Continue, &[invoke(0), signal(3), signal(1)]),
            component(OnFault::Continue, &[invoke(1), wait(3)]),
            component(OnFault::Continue, &[wait(3)]),
        ],
        interrupts: &[
            NotificationIndex(0),
            NotificationIndex(1),
            NotificationIndex(2),
            NotificationIndex(3),
        ],
        depth: 2,
        ..PLAIN.tables
    },
    ..PLAIN
};

/// Components that restart under their callers.
pub static FAULTS: System = System {
    name: "faults on the machine",
    tables: Tables {
        threads: &[thread(0, 1), thread(3, 2), thread(0, 3)],
        gates: &[gate(1, Protocol::Propagated), gate(2, Protocol::Inherited)],
        notifications: &[releases(0), releases(1), releases(2)],
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Restart, &[invoke(1)]),
            component(OnFault::Dead, &[]),
            component(OnFault::Restart, &[invoke(0)]),
        ],
        interrupts: &[NotificationIndex(0), NotificationIndex(1), NotificationIndex(2)],
        depth: 2,
        ..PLAIN.tables
    },
    faults: true,
    ..PLAIN
};

/// Budgets and time slices beside signals: the timer is set anew at each switch.
pub static TIMES: System = System {
    name: "budgets, slices and signals",
    tables: Tables {
        threads: &[limited(periodic(0, 1, 4), 1), limited(thread(1, 2), 2)],
        notifications: &[releases(1), WAITED_FOR],
        components: &[
            component(OnFault::Continue, &[signal(1)]),
            component(OnFault::Continue, &[wait(1)]),
        ],
        interrupts: &[NotificationIndex(0), NotificationIndex(1)],
        depth: 0,
        time_slice: 2,
        ..PLAIN.tables
    },
    yields: true,
    ..PLAIN
};

/// All of them.
pub static ALL: [&System; 3] = [&WAITS, &FAULTS, &TIMES];
