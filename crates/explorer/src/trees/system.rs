//! A small system with schedulers, and what is tried in it.

use fusee_kernel::tcaps::{self, AccountConfig, EndPointConfig, SchedulerConfig};
use fusee_kernel::{Capability, GateConfig, Tables, ThreadIndex, Time};

/// The steps that threads and schedulers try in each state.
#[derive(Debug, Clone, Copy)]
pub struct Tries {
    /// After which time dispatches end; [`NEVER`](fusee_kernel::NEVER): not.
    pub timeouts: &'static [Time],
    /// After which time schedulers that receive want to be woken.
    pub alarms: &'static [Time],
    /// The amounts that are given.
    pub amounts: &'static [Time],
    /// `true` if a scheduler dispatches on its own account, too.
    pub own_account: bool,
    /// `true` if time is also given with a yield, and slots.
    pub yields: bool,
    /// `true` if schedulers' jobs end.
    pub ends: bool,
    /// `true` if threads fault.
    pub faults: bool,
    /// `true` if others than schedulers try to decide.
    pub strangers: bool,
    /// The threads of which a job can be released, one job for each entry.
    pub releases: &'static [ThreadIndex],
}

impl Tries {
    /// Dispatches without an end, and amounts of one.
    pub const PLAIN: Self = Tries {
        timeouts: &[fusee_kernel::NEVER],
        alarms: &[fusee_kernel::NEVER],
        amounts: &[1],
        own_account: false,
        yields: false,
        ends: false,
        faults: false,
        strangers: false,
        releases: &[],
    };
}

/// The policy of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Priorities, and mutexes in the kernel.
    FixedPriority,
    /// Mutexes are words of memory, which threads change without the kernel as long as no thread
    /// waits.
    MutexWords,
    /// Components let threads sleep on each other's account.
    LockServices,
    /// Gates may have the priority ceiling protocol.
    PriorityCeiling,
}

/// A small system.
#[derive(Debug, Clone, Copy)]
pub struct System {
    /// A few words that say why the system is explored.
    pub name: &'static str,
    /// The policy of its kernel.
    pub policy: Policy,
    /// The kernel's tables.
    pub tables: Tables<'static>,
    /// The accounts of the system.
    pub accounts: &'static [AccountConfig],
    /// The schedulers of the system.
    pub schedulers: &'static [SchedulerConfig],
    /// Its threads' end-points.
    pub end_points: &'static [EndPointConfig],
    /// The steps that are tried.
    pub tries: Tries,
}

/// Each thread is that of its own interrupt.
static IN_ORDER: [ThreadIndex; 8] = {
    let mut lines = [ThreadIndex(0); 8];
    let mut line = 0;
    while line < 8 {
        lines[line] = ThreadIndex(line as u16);
        line += 1;
    }
    lines
};

impl System {
    /// Returns the schedulers' tables.
    pub fn time(&self) -> tcaps::Tables<'static> {
        let &System { accounts, schedulers, end_points, .. } = self;
        tcaps::Tables {
            accounts,
            schedulers,
            end_points,
            interrupts: &IN_ORDER[..end_points.len()],
        }
    }

    /// Returns the scheduler that a thread is.
    pub fn is_scheduler(&self, thread: usize) -> Option<usize> {
        self.schedulers.iter().position(|config| config.thread.at() == thread)
    }

    /// Returns the scheduler that dispatches a thread; none: none does.
    pub fn scheduler_of(&self, thread: usize) -> Option<usize> {
        let scheduler = self.end_points[thread].scheduler;
        scheduler.is_some().then(|| scheduler.at())
    }

    /// Returns the priority of the tree that a thread is in; its own, if it is in none.
    pub fn tree_priority(&self, thread: usize) -> u8 {
        let mut at = thread;
        while let Some(above) = self.scheduler_of(at) {
            at = self.schedulers[above].thread.at();
        }
        self.tables.threads[at].priority
    }

    /// Returns `true` if a thread runs on an account.
    pub fn is_funded(&self, thread: usize) -> bool {
        self.scheduler_of(thread).is_some() || self.is_scheduler(thread).is_some()
    }

    /// Returns `true` if a component behind a gate may wait for a signal.
    pub fn waits_inside(&self) -> bool {
        let waits = |capability: &Capability| matches!(capability, Capability::Wait(_));
        let of = |gate: &GateConfig| self.tables.components[gate.component.at()].capabilities;
        self.tables.gates.iter().any(|gate| of(gate).iter().any(waits))
    }

    /// Returns `true` if a gate is about a thread: others sleep there on that one's account.
    pub fn is_about(&self, gate: usize) -> bool {
        let mut capabilities = self.tables.components.iter().flat_map(|own| own.capabilities);
        capabilities.any(|own| matches!(own, Capability::Thread(about, _) if about.at() == gate))
    }

    /// Returns `true` if a component lets threads sleep on each other's account.
    pub fn has_sleepers(&self) -> bool {
        (0..self.tables.gates.len()).any(|gate| self.is_about(gate))
    }

    /// Returns the account of a thread's own.
    pub fn own_account(&self, thread: usize) -> usize {
        self.end_points[thread].account.at()
    }
}
