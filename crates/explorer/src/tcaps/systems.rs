//! The systems of schedulers that are explored.

use fusee_kernel::tcaps::{AccountConfig, EndPointConfig, Funding, Principal, SchedulerConfig};
use fusee_kernel::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

use super::{System, Tries};

const NO_ONE: SchedulerIndex = SchedulerIndex::NONE;

const fn chronos(scheduler: u16) -> AccountConfig {
    kernels(SchedulerIndex(scheduler), 0, NEVER)
}

const fn kernels(scheduler: SchedulerIndex, level: u8, amount: Time) -> AccountConfig {
    let funding = Funding::Kernel { level, amount };
    AccountConfig { scheduler, priority: level as u64, funding }
}

const fn delegated(scheduler: u16, priority: u64, limit: Time) -> AccountConfig {
    let funding = Funding::Delegated { limit };
    AccountConfig { scheduler: SchedulerIndex(scheduler), priority, funding }
}

const fn root(thread: u16, principal: u16) -> SchedulerConfig {
    let (thread, principal) = (ThreadIndex(thread), Principal(principal));
    SchedulerConfig { thread, principal, parent: NO_ONE }
}

const fn child(thread: u16, principal: u16, parent: u16) -> SchedulerConfig {
    SchedulerConfig { parent: SchedulerIndex(parent), ..root(thread, principal) }
}

const fn kernel_thread(account: u16) -> EndPointConfig {
    EndPointConfig { scheduler: NO_ONE, account: AccountIndex(account) }
}

const fn thread(scheduler: u16, account: u16) -> EndPointConfig {
    EndPointConfig { scheduler: SchedulerIndex(scheduler), account: AccountIndex(account) }
}

/// Chronos, a child scheduler with a thread of its own that has an interrupt.
pub static CHILD: System = System {
    name: "Chronos, a child, its thread",
    accounts: &[chronos(0), delegated(1, 1, 2), delegated(1, 0, 2)],
    schedulers: &[root(0, 0), child(1, 1, 0)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(1, 2)],
    interrupts: &[ThreadIndex(2)],
    tries: Tries { slots: true, ..Tries::PLAIN },
};

/// As [`CHILD`], with a timer that comes a cycle late, so that accounts owe.
pub static LATE: System = System {
    name: "a timer that comes late",
    tries: Tries { late: 1, faults: false, slots: false, timeouts: &[NEVER], ..Tries::PLAIN },
    ..CHILD
};

/// The root's own accounts, whose priorities are the kernel's levels: it gives them better and
/// worse ones, again and again, and dispatches at others.
pub static LEVELS: System = System {
    name: "the root's own accounts",
    accounts: &[chronos(0), delegated(0, 1, 2), delegated(0, 2, 1)],
    schedulers: &[root(0, 0)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(0, 2)],
    interrupts: &[ThreadIndex(1), ThreadIndex(2)],
    tries: Tries {
        priorities: &[0, 2, 256],
        dispatches: &[None, Some(0), Some(3)],
        timeouts: &[NEVER],
        transfers: true,
        faults: false,
        ..Tries::PLAIN
    },
};

/// Two of the kernel's schedulers with budgets, at different levels, an ordinary thread between
/// them, and a thread of the lower one that both delegate to.
pub static TWO: System = System {
    name: "two kernel schedulers, one between",
    accounts: &[
        kernels(SchedulerIndex(0), 1, 2),
        kernels(SchedulerIndex(1), 3, 2),
        delegated(1, 1, 2),
        kernels(NO_ONE, 2, NEVER),
    ],
    schedulers: &[root(0, 1), root(1, 2)],
    end_points: &[kernel_thread(0), kernel_thread(1), thread(1, 2), kernel_thread(3)],
    interrupts: &[ThreadIndex(2), ThreadIndex(3), ThreadIndex(0)],
    tries: Tries::PLAIN,
};

/// Two children of Chronos that delegate to each other: inheritance, and the use of each other's
/// time.
pub static SIBLINGS: System = System {
    name: "siblings",
    accounts: &[chronos(0), delegated(1, 1, 1), delegated(2, 1, 2)],
    schedulers: &[root(0, 0), child(1, 1, 0), child(2, 2, 0)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(0, 2)],
    interrupts: &[ThreadIndex(2)],
    tries: Tries { priorities: &[0, 2], timeouts: &[NEVER], faults: false, ..Tries::PLAIN },
};

/// Two children of Chronos, of which one has a thread: what the other one has kept takes nothing
/// from it.
pub static SLOTS: System = System {
    name: "two children, a thread of one's",
    accounts: &[chronos(0), delegated(1, 1, 1), delegated(2, 1, 1)],
    schedulers: &[root(0, 0), child(1, 1, 0), child(2, 2, 0)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(0, 2), thread(1, 1)],
    interrupts: &[ThreadIndex(0), ThreadIndex(2)],
    tries: Tries { faults: false, slots: true, timeouts: &[1], ..Tries::PLAIN },
};

/// A scheduler under a scheduler under Chronos.
pub static NESTED: System = System {
    name: "a scheduler under a scheduler",
    accounts: &[chronos(0), delegated(1, 1, 1), delegated(2, 1, 1), delegated(2, 0, 1)],
    schedulers: &[root(0, 0), child(1, 1, 0), child(2, 2, 1)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(1, 2), thread(2, 3)],
    interrupts: &[ThreadIndex(3)],
    tries: Tries { faults: false, timeouts: &[NEVER], ..Tries::PLAIN },
};

/// A child that moves time between accounts of its threads, at priorities that disagree, and
/// dispatches at others.
pub static THREADS: System = System {
    name: "transfers and priorities",
    accounts: &[kernels(SchedulerIndex(0), 1, NEVER), delegated(0, 1, 2), delegated(0, 2, 2)],
    schedulers: &[root(0, 1)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(0, 2)],
    interrupts: &[ThreadIndex(1), ThreadIndex(2)],
    tries: Tries {
        priorities: &[0, 3],
        dispatches: &[None, Some(0), Some(4)],
        transfers: true,
        faults: false,
        timeouts: &[NEVER],
        ..Tries::PLAIN
    },
};

/// A child that gives time back to a thread of the root's own.
pub static BACK: System = System {
    name: "time for a thread of the root",
    accounts: &[chronos(0), delegated(1, 1, 2), delegated(0, 1, 2)],
    schedulers: &[root(0, 0), child(1, 1, 0)],
    end_points: &[kernel_thread(0), thread(0, 1), thread(0, 2)],
    interrupts: &[ThreadIndex(2)],
    tries: Tries { priorities: &[0, 2], timeouts: &[NEVER], faults: false, ..Tries::PLAIN },
};

/// Two of the kernel's schedulers: the better one with a thread, the other one with a thread, a
/// child and a thread of the child's.
pub static ATTACKED: System = System {
    name: "a hostile scheduler",
    accounts: &[
        kernels(SchedulerIndex(0), 1, NEVER),
        delegated(0, 1, 3),
        kernels(SchedulerIndex(1), 3, NEVER),
        delegated(2, 1, 20),
        delegated(1, 0, 20),
        delegated(2, 0, 20),
    ],
    schedulers: &[root(0, 1), root(2, 2), child(3, 3, 1)],
    end_points: &[
        kernel_thread(0),
        thread(0, 1),
        kernel_thread(2),
        thread(1, 3),
        thread(1, 4),
        thread(2, 5),
    ],
    interrupts: &[
        ThreadIndex(0),
        ThreadIndex(1),
        ThreadIndex(2),
        ThreadIndex(3),
        ThreadIndex(4),
        ThreadIndex(5),
    ],
    tries: Tries::PLAIN,
};

/// All that are explored completely.
pub static ALL: [&System; 9] =
    [&CHILD, &LATE, &LEVELS, &BACK, &TWO, &SIBLINGS, &SLOTS, &NESTED, &THREADS];
