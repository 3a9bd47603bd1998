//! The systems with sleeping threads that are explored.

use fusee_kernel::{
    Budget, Capability, GateConfig, GateIndex, GateKind, NEVER, OnFault, Overrun, Protocol, Tables,
    ThreadConfig, ThreadIndex, Time,
};

use crate::parts::{component, gate, invoke, mutex, thread};

/// The order of a system's threads, and their gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Under {
    /// The policy [`fusee_kernel::LockServices`].
    Levels,
    /// The policy [`fusee_kernel::CeilingServices`].
    Ceilings,
    /// The policy [`fusee_kernel::DeadlineServices`].
    Deadlines,
}

/// A system to explore.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that name the system.
    pub name: &'static str,
    /// The order of its threads, and its gates.
    pub under: Under,
    /// `true` if time passes in it where no budget ends.
    pub ages: bool,
    /// Its tables. The rows of gates about threads come last.
    pub tables: Tables<'static>,
    /// Base priorities that threads may be given at any time.
    pub priorities: &'static [(ThreadIndex, u8)],
    /// `true` if components that go on after a fault may fault.
    pub faults: bool,
}

impl System {
    /// Returns `true` if a gate is about a thread.
    pub fn is_about(&self, gate: GateIndex) -> bool {
        self.tables.gates[gate.at()].kind == GateKind::Mutex
    }

    /// Returns the first gate of the row of a component, as [`row`].
    pub fn row(&self, component: usize) -> Option<usize> {
        row(&self.tables, component)
    }
}

/// Returns the first gate of the row through which a component's code lets threads sleep, if it
/// may.
pub(crate) fn row(tables: &Tables<'_>, component: usize) -> Option<usize> {
    let mut all = tables.components[component].capabilities.iter();
    all.find_map(|capability| match capability {
        Capability::Thread(gate, first) => Some(gate.at() - first.at()),
        _ => None,
    })
}

/// With a budget of a tick.
const fn limited(thread: ThreadConfig) -> ThreadConfig {
    ThreadConfig { budget: Some(Budget { amount: 1, overrun: Overrun::Suspend }), ..thread }
}

/// With a deadline, so many ticks after a release.
const fn due(component: u16, level: u8, deadline: Time) -> ThreadConfig {
    ThreadConfig { deadline, ..thread(component, level) }
}

/// Returns a component's gate about one of the threads.
const fn about(component: u16) -> GateConfig {
    mutex(component)
}

const fn may(gate: u16, thread: u16) -> Capability {
    Capability::Thread(GateIndex(gate), ThreadIndex(thread))
}

const TABLES: Tables<'static> = Tables {
    threads: &[],
    gates: &[],
    notifications: &[],
    components: &[],
    interrupts: &[],
    depth: 2,
    chain: 6,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 8,
};

const PLAIN: System = System {
    name: "",
    under: Under::Levels,
    ages: false,
    tables: TABLES,
    priorities: &[],
    faults: false,
};

/// Three threads that sleep and wake at home.
pub const THREE: System = System {
    name: "three threads of a component",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[about(0), about(0), about(0)],
        components: &[component(OnFault::Continue, &[may(0, 0), may(1, 1), may(2, 2)])],
        ..TABLES
    },
    faults: true,
    ..PLAIN
};

/// Four of them.
pub const FOUR: System = System {
    name: "four threads of a component",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3), thread(0, 3)],
        gates: &[about(0), about(0), about(0), about(0)],
        components: &[component(OnFault::Continue, &[may(0, 0), may(1, 1), may(2, 2), may(3, 3)])],
        ..TABLES
    },
    ..PLAIN
};

/// Three whose priorities change.
pub const CHANGES: System = System {
    name: "changing priorities",
    priorities: &[
        (ThreadIndex(0), 1),
        (ThreadIndex(0), 4),
        (ThreadIndex(1), 2),
        (ThreadIndex(1), 5),
    ],
    faults: false,
    ..THREE
};

/// A lock component behind a gate, called from another.
pub const BEHIND: System = System {
    name: "through a component behind a gate",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[gate(1, Protocol::Propagated), about(1), about(1), about(1)],
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Continue, &[may(1, 0), may(2, 1), may(3, 2)]),
        ],
        ..TABLES
    },
    faults: true,
    ..PLAIN
};

/// Two of them, each with its own sleepers.
pub const TWO: System = System {
    name: "through two components",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2)],
        gates: &[
            gate(1, Protocol::Propagated),
            gate(2, Protocol::Propagated),
            about(1),
            about(1),
            about(2),
            about(2),
        ],
        components: &[
            component(OnFault::Continue, &[invoke(0), invoke(1)]),
            component(OnFault::Continue, &[may(2, 0), may(3, 1), invoke(1)]),
            component(OnFault::Continue, &[may(4, 0), may(5, 1)]),
        ],
        ..TABLES
    },
    ..PLAIN
};

/// A component that is restarted while threads sleep through it.
pub const RESTARTS: System = System {
    name: "through a component that restarts",
    tables: Tables {
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Restart, &[may(1, 0), may(2, 1), may(3, 2)]),
        ],
        ..BEHIND.tables
    },
    ..PLAIN
};

/// A component that dies.
pub const DIES: System = System {
    name: "through a component that dies",
    tables: Tables {
        components: &[
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Dead, &[may(1, 0), may(2, 1), may(3, 2)]),
        ],
        ..BEHIND.tables
    },
    ..PLAIN
};

/// Threads of a domain that sleep inside a gate at which others wait, and are woken from outside.
pub const GATES: System = System {
    name: "inside a gate that inherits",
    tables: Tables {
        threads: &[thread(0, 1), thread(0, 2), thread(0, 3)],
        gates: &[gate(1, Protocol::Inherited), about(0), about(0), about(0)],
        components: &[
            component(OnFault::Continue, &[invoke(0), may(1, 0), may(2, 1), may(3, 2)]),
            component(OnFault::Continue, &[may(1, 0), may(2, 1), may(3, 2)]),
        ],
        ..TABLES
    },
    ..PLAIN
};

/// Budgets that end at home and asleep: of the sleeping thread, and of the one it depends on.
pub const BUDGETS: System = System {
    name: "budgets that end",
    tables: Tables {
        threads: &[limited(thread(0, 2)), thread(0, 1), limited(thread(0, 3))],
        ..THREE.tables
    },
    faults: false,
    ..THREE
};

/// Three threads that sleep and wake at home, by deadlines.
pub const DUE: System = System {
    name: "three threads by deadlines",
    under: Under::Deadlines,
    ages: true,
    tables: Tables { threads: &[due(0, 1, 2), due(0, 2, 1), due(0, 2, 1)], ..THREE.tables },
    ..THREE
};

/// The same inside a gate with a deadline floor, and outside of it.
pub const FLOORED: System = System {
    name: "inside a deadline floor",
    under: Under::Deadlines,
    ages: true,
    tables: Tables {
        threads: &[due(0, 1, 2), due(0, 3, 1)],
        gates: &[gate(1, Protocol::Srp { ceiling: 3 }), about(0), about(0)],
        components: &[
            component(OnFault::Continue, &[invoke(0), may(1, 0), may(2, 1)]),
            component(OnFault::Continue, &[may(1, 0), may(2, 1)]),
        ],
        ..GATES.tables
    },
    ..GATES
};

/// All of them by deadlines.
pub const BY_DEADLINE: &[System] = &[DUE, FLOORED];

/// Threads of a domain that sleep inside a gate with a ceiling, and are woken from outside.
pub const CEILED: System = System {
    name: "inside a ceiling",
    under: Under::Ceilings,
    tables: Tables {
        gates: &[gate(1, Protocol::Ceiling { ceiling: 3 }), about(0), about(0), about(0)],
        ..GATES.tables
    },
    ..GATES
};

/// Two gates with ceilings, in either order.
pub const ORDERS: System = System {
    name: "inside ceilings in any order",
    under: Under::Ceilings,
    tables: Tables {
        gates: &[
            gate(1, Protocol::Ceiling { ceiling: 3 }),
            gate(2, Protocol::Ceiling { ceiling: 2 }),
            about(0),
            about(0),
            about(0),
        ],
        threads: &[thread(0, 1), thread(0, 2), thread(3, 3)],
        components: &[
            component(OnFault::Continue, &[invoke(0), invoke(1), may(2, 0), may(3, 1), may(4, 2)]),
            component(OnFault::Continue, &[invoke(1), may(2, 0), may(3, 1), may(4, 2)]),
            component(OnFault::Continue, &[invoke(0)]),
            component(OnFault::Continue, &[invoke(0)]),
        ],
        ..GATES.tables
    },
    ..GATES
};

/// All of them with ceilings.
pub const BY_CEILING: &[System] = &[CEILED, ORDERS];

/// All of them that go by priorities, without gates that bar others.
pub const ALL: &[System] = &[THREE, FOUR, CHANGES, BEHIND, TWO, RESTARTS, DIES, GATES, BUDGETS];
