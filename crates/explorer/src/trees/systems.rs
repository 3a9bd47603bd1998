//! The systems with schedulers that are explored.
//!
//! Thread `n` is at home in component `n`, and account `n` is its own. Components behind gates come
//! after those.

use fusee_kernel::tcaps::{AccountConfig, EndPointConfig, Funding, Principal, SchedulerConfig};
use fusee_kernel::{
    AccountIndex, Budget, Capability, ComponentConfig, ComponentIndex, NEVER, NotificationConfig,
    NotificationIndex, NotificationKind, OnFault, Overrun, Protocol, Release, SchedulerIndex,
    Tables, ThreadConfig, ThreadIndex, Time,
};

use super::{Policy, System, Tries};
use crate::parts::{gate, invoke};

mod ceilings;
mod free;
mod mutexes;
mod services;

pub use ceilings::*;
pub use free::*;
pub use mutexes::*;
pub use services::*;

const NO_ONE: SchedulerIndex = SchedulerIndex::NONE;

/// Returns a thread whose job begins with the system.
const fn ready(component: u16, priority: u8) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(component),
        priority,
        core: 0,
        release: Release::Once { offset: 0 },
        deadline: NEVER,
        budget: None,
    }
}

/// Returns a thread whose job begins so much later.
const fn late(component: u16, priority: u8, offset: Time) -> ThreadConfig {
    ThreadConfig { release: Release::Once { offset }, ..ready(component, priority) }
}

/// Returns a thread whose jobs come at any time.
const fn sporadic(component: u16, priority: u8) -> ThreadConfig {
    ThreadConfig {
        release: Release::Sporadic { separation: 0, jitter: 0 },
        ..ready(component, priority)
    }
}

/// The same, with a budget of so much for each.
const fn limited(component: u16, priority: u8, amount: Time) -> ThreadConfig {
    let budget = Some(Budget { amount, overrun: Overrun::Suspend });
    ThreadConfig { budget, ..sporadic(component, priority) }
}

const fn goes_on(capabilities: &'static [Capability]) -> ComponentConfig<'static> {
    ComponentConfig { on_fault: OnFault::Continue, capabilities }
}

const fn restarts(capabilities: &'static [Capability]) -> ComponentConfig<'static> {
    ComponentConfig { on_fault: OnFault::Restart, capabilities }
}

const SIGNAL: Capability = Capability::Signal(NotificationIndex(0), 1);
const WAIT: Capability = Capability::Wait(NotificationIndex(0));

const EVENT: NotificationConfig =
    NotificationConfig { kind: NotificationKind::Merging, releases: ThreadIndex::NONE, initial: 0 };

/// Returns the account of a scheduler of the kernel's own, at a level.
const fn endless(scheduler: u16, level: u8) -> AccountConfig {
    AccountConfig {
        scheduler: SchedulerIndex(scheduler),
        priority: 0,
        funding: Funding::Kernel { level, amount: NEVER },
    }
}

/// Returns the account of a thread of the kernel's own, which no scheduler has.
const fn nobodys() -> AccountConfig {
    AccountConfig { scheduler: NO_ONE, ..endless(0, 0) }
}

const fn delegated(scheduler: u16, limit: Time) -> AccountConfig {
    AccountConfig {
        scheduler: SchedulerIndex(scheduler),
        priority: 1,
        funding: Funding::Delegated { limit },
    }
}

const fn root(thread: u16, principal: u16) -> SchedulerConfig {
    SchedulerConfig { thread: ThreadIndex(thread), principal: Principal(principal), parent: NO_ONE }
}

const fn child(thread: u16, principal: u16, parent: u16) -> SchedulerConfig {
    SchedulerConfig { parent: SchedulerIndex(parent), ..root(thread, principal) }
}

const fn kernels(thread: u16) -> EndPointConfig {
    EndPointConfig { scheduler: NO_ONE, account: AccountIndex(thread) }
}

const fn of(scheduler: u16, thread: u16) -> EndPointConfig {
    EndPointConfig { scheduler: SchedulerIndex(scheduler), account: AccountIndex(thread) }
}

const TABLES: Tables<'static> = Tables {
    threads: &[],
    gates: &[],
    notifications: &[],
    components: &[],
    interrupts: &[],
    depth: 2,
    chain: 4,
    backlog: 0,
    time_slice: NEVER,
    cores: 1,
    levels: 4,
};

/// A scheduler with two threads, and a task of the kernel's own above them.
pub static TASKS: System = System {
    name: "a scheduler, two threads, a task above",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), sporadic(2, 1), sporadic(3, 2)],
        components: &[goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 1), delegated(0, 2), nobodys()],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), of(0, 2), kernels(3)],
    tries: Tries {
        timeouts: &[NEVER, 1],
        alarms: &[NEVER, 0, 1],
        own_account: true,
        releases: &[ThreadIndex(2), ThreadIndex(3)],
        ..Tries::PLAIN
    },
};

/// The same at a gate that inherits; the task below the threads wants it, too.
pub static LENDING: System = System {
    name: "a gate that a scheduler's threads share",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), sporadic(3, 2)],
        gates: &[gate(4, Protocol::Inherited)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    tries: Tries { timeouts: &[NEVER, 1], releases: &[ThreadIndex(3)], ..Tries::PLAIN },
    ..TASKS
};

/// A scheduler that calls a component, which one of its threads calls as well; all of them try to
/// decide for it.
pub static CALLED: System = System {
    name: "a component that a scheduler calls",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1)],
        gates: &[gate(2, Protocol::Inherited), gate(3, Protocol::Propagated)],
        components: &[
            goes_on(&[invoke(0), invoke(1)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 2)],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1)],
    tries: Tries {
        timeouts: &[NEVER, 1],
        alarms: &[NEVER, 0, 1],
        own_account: true,
        strangers: true,
        ..Tries::PLAIN
    },
};

/// A scheduler below another one: its job may end, and so may that of its thread.
pub static CHILD: System = System {
    name: "a scheduler below a scheduler",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), sporadic(2, 1)],
        components: &[goes_on(&[]), goes_on(&[]), goes_on(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(1, 2), delegated(1, 1)],
    schedulers: &[root(0, 1), child(1, 2, 0)],
    end_points: &[kernels(0), of(0, 1), of(1, 2)],
    tries: Tries {
        timeouts: &[NEVER, 1],
        ends: true,
        yields: true,
        strangers: true,
        releases: &[ThreadIndex(2)],
        ..Tries::PLAIN
    },
};

/// Three schedulers, each below the one before, and a thread.
pub static NESTED: System = System {
    name: "a scheduler below a scheduler below one",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), sporadic(3, 1)],
        components: &[goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(1, 1), delegated(2, 1), delegated(2, 1)],
    schedulers: &[root(0, 1), child(1, 2, 0), child(2, 3, 1)],
    end_points: &[kernels(0), of(0, 1), of(1, 2), of(2, 3)],
    tries: Tries { yields: true, releases: &[ThreadIndex(3)], ..Tries::PLAIN },
};

/// Two schedulers of the kernel's own, each with a thread; all four share a gate.
pub static TWO_TREES: System = System {
    name: "two trees that share a gate",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 2), sporadic(1, 2), ready(2, 1), ready(3, 1)],
        gates: &[gate(4, Protocol::Inherited)],
        components: &[
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    accounts: &[endless(0, 0), delegated(0, 1), endless(1, 1), delegated(1, 1)],
    schedulers: &[root(0, 1), root(2, 2)],
    end_points: &[kernels(0), of(0, 1), kernels(2), of(1, 3)],
    tries: Tries {
        alarms: &[NEVER, 1],
        own_account: true,
        releases: &[ThreadIndex(1)],
        ..Tries::PLAIN
    },
};

/// A scheduler, its thread, and two tasks as urgent as they are.
pub static EQUALS: System = System {
    name: "tasks as urgent as a tree",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), sporadic(2, 1), sporadic(3, 1), sporadic(4, 2)],
        components: &[goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 1), nobodys(), nobodys(), nobodys()],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), kernels(2), kernels(3), kernels(4)],
    tries: Tries {
        timeouts: &[NEVER, 1],
        alarms: &[NEVER, 1],
        own_account: true,
        releases: &[ThreadIndex(2), ThreadIndex(3), ThreadIndex(4)],
        ..Tries::PLAIN
    },
};

/// The same, where equals take turns, and share a gate.
pub static TURNS: System = System {
    name: "a tree that takes turns with a task",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), sporadic(3, 1)],
        gates: &[gate(4, Protocol::Inherited)],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
            goes_on(&[]),
        ],
        time_slice: 2,
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 1), delegated(0, 1), nobodys()],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), of(0, 2), kernels(3)],
    tries: Tries { releases: &[ThreadIndex(3)], ..Tries::PLAIN },
};

/// A task above with a budget, at a gate of two threads of a scheduler's.
pub static BUDGETS: System = System {
    name: "a task with a budget at a tree's gate",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), limited(3, 2, 2)],
        ..LENDING.tables
    },
    tries: Tries { releases: &[ThreadIndex(3)], ..Tries::PLAIN },
    ..LENDING
};

/// A task above that an interrupt wakes, and a thread that waits for it.
pub static SIGNALS: System = System {
    name: "interrupts above a tree, signals in it",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 2)],
        gates: &[gate(3, Protocol::Inherited)],
        notifications: &[EVENT, EVENT],
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0), WAIT]),
            goes_on(&[invoke(0), SIGNAL, Capability::Wait(NotificationIndex(1))]),
            goes_on(&[]),
        ],
        interrupts: &[NotificationIndex(1)],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 2), nobodys()],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), kernels(2)],
    tries: Tries { timeouts: &[NEVER, 1], own_account: true, ..Tries::PLAIN },
};

/// A signal is waited for behind the gate: a thread that waits there may do so on another's time.
pub static WAITS: System = System {
    name: "a wait inside a gate, on another's time",
    policy: Policy::FixedPriority,
    tables: Tables {
        components: &[
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0), SIGNAL, Capability::Wait(NotificationIndex(1))]),
            goes_on(&[WAIT]),
        ],
        ..SIGNALS.tables
    },
    ..SIGNALS
};

/// Two trees, of which one begins later: until then its scheduler has no job.
pub static LATE: System = System {
    name: "two trees, one of which begins later",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[late(0, 2, 2), ready(1, 2), sporadic(2, 1), ready(3, 1), ready(4, 1)],
        components: &[goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[]), goes_on(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 0), delegated(0, 1), nobodys(), endless(1, 1), delegated(1, 1)],
    schedulers: &[root(0, 1), root(3, 2)],
    end_points: &[kernels(0), of(0, 1), kernels(2), kernels(3), of(1, 4)],
    tries: Tries { timeouts: &[NEVER, 1], releases: &[ThreadIndex(2)], ..Tries::PLAIN },
};

/// A component behind a gate that is restarted while a scheduler's threads wait there.
pub static RESTARTS: System = System {
    name: "faults in a tree and behind its gate",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1)],
        gates: &[gate(3, Protocol::Inherited)],
        components: &[goes_on(&[]), goes_on(&[invoke(0)]), goes_on(&[invoke(0)]), restarts(&[])],
        ..TABLES
    },
    accounts: &[endless(0, 1), delegated(0, 1), delegated(0, 1)],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), of(0, 2)],
    tries: Tries { timeouts: &[NEVER, 1], own_account: true, faults: true, ..Tries::PLAIN },
};

/// All at once: two trees, one with a scheduler below another, a gate that threads of both share
/// with a task above that has a budget.
pub static ALL_AT_ONCE: System = System {
    name: "two trees, one nested, a gate, a budget",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 2), ready(1, 2), ready(2, 2), ready(3, 1), limited(4, 3, 1)],
        gates: &[gate(5, Protocol::Inherited)],
        components: &[
            goes_on(&[]),
            goes_on(&[]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[invoke(0)]),
            goes_on(&[]),
        ],
        ..TABLES
    },
    accounts: &[endless(0, 0), delegated(1, 1), delegated(1, 1), endless(2, 1), nobodys()],
    schedulers: &[root(0, 1), child(1, 2, 0), root(3, 3)],
    end_points: &[kernels(0), of(0, 1), of(1, 2), kernels(3), kernels(4)],
    tries: Tries { ends: true, yields: true, releases: &[ThreadIndex(4)], ..Tries::PLAIN },
};

/// Three threads of a scheduler at a gate.
pub static THREE: System = System {
    name: "three threads of a tree at a gate",
    policy: Policy::FixedPriority,
    tables: Tables {
        threads: &[ready(0, 1), ready(1, 1), ready(2, 1), ready(3, 1)],
        ..LENDING.tables
    },
    accounts: &[endless(0, 1), delegated(0, 1), delegated(0, 1), delegated(0, 1)],
    schedulers: &[root(0, 1)],
    end_points: &[kernels(0), of(0, 1), of(0, 2), of(0, 3)],
    tries: Tries { timeouts: &[NEVER, 1], ..Tries::PLAIN },
};

/// All that are explored completely.
pub static ALL: [&System; 29] = [
    &TASKS,
    &LENDING,
    &CALLED,
    &CHILD,
    &NESTED,
    &TWO_TREES,
    &EQUALS,
    &TURNS,
    &BUDGETS,
    &SIGNALS,
    &WAITS,
    &LATE,
    &RESTARTS,
    &ALL_AT_ONCE,
    &THREE,
    &MUTEX,
    &WORD,
    &WORD_OF_TREES,
    &SERVICES,
    &SERVICES_RESTART,
    &FREE,
    &FREE_INSIDE,
    &FREE_BELOW,
    &FREE_RESTARTS,
    &CEILINGS,
    &CEILINGS_LOW,
    &CEILINGS_OF_TREES,
    &CEILINGS_OF_THREE,
    &CEILING_RESTARTS,
];

/// Those that take longer than all of these together.
pub static LARGE: [&System; 3] = [&WORD_OF_THREE, &SERVICES_OF_TREES, &SERVICES_OF_THREE];
