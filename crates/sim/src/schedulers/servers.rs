//! Threads with time of their own: what `PriorityServers` keeps of each.

use fusee_kernel::tcaps::Transfer;
use fusee_kernel::{AccountIndex, ThreadIndex, Time};
use fusee_model::{Algorithm, Scheduler, System};

use super::thread;

/// One thread's own time.
#[derive(Debug, Clone, Copy)]
struct Server {
    thread: ThreadIndex,
    /// The priority that the scheduler attaches to its time.
    priority: u64,
    /// In each period.
    amount: Time,
    /// The part of its reported use that was not given back.
    used: Time,
}

/// Those of one scheduler.
#[derive(Debug, Clone)]
pub(super) struct Servers {
    own: ThreadIndex,
    all: Vec<Server>,
    every: Time,
    /// When all are filled up next; none: before the first time.
    filled: Option<Time>,
    /// The number of the next server that is to be given time.
    given: usize,
}

impl Servers {
    /// Those of a scheduler; none: it has none.
    pub(super) fn of(system: &System, scheduler: &Scheduler) -> Option<Self> {
        let serves = scheduler.algorithm == Algorithm::PriorityServers;
        let all = scheduler.threads.iter().map(|own| Server {
            thread: thread(own.value),
            priority: worse(fusee_tables::opinion(system.task(own.value).priority.value)),
            amount: system.account_limit(own.value).ns(),
            // All of it is to be given at first.
            used: system.account_limit(own.value).ns(),
        });
        serves.then(|| Servers {
            own: thread(scheduler.task),
            all: all.filter(|server| server.amount > 0).collect(),
            every: scheduler.every.map_or(0, |every| every.value.ns()),
            filled: None,
            given: 0,
        })
    }

    /// When all are filled up next.
    pub(super) fn filled(&self) -> Time {
        self.filled.unwrap_or(0)
    }

    /// If it is time to fill all up: the time given next; none: all have what they lack.
    pub(super) fn give(&mut self, now: Time) -> Option<Transfer> {
        let is_due = self.filled.is_none_or(|filled| filled <= now);
        while let Some(server) = self.all.get_mut(self.given).filter(|_| is_due) {
            self.given += 1;
            let amount = std::mem::take(&mut server.used);
            if amount > 0 {
                let (from, to) = (AccountIndex(self.own.0), AccountIndex(server.thread.0));
                return Some(Transfer { from, to, amount, priority: server.priority });
            }
        }
        self.given = 0;
        let first = *self.filled.get_or_insert(now);
        let passed = if is_due && self.every > 0 { (now - first) / self.every + 1 } else { 0 };
        self.filled = Some(first.saturating_add(passed.saturating_mul(self.every)));
        None
    }

    /// A thread has run for so long.
    pub(super) fn note(&mut self, thread: ThreadIndex, cycles: Time) {
        let own = self.all.iter_mut().filter(|server| server.thread == thread);
        own.for_each(|server| server.used += cycles);
    }

    /// Returns `true` if a thread has time of its own.
    pub(super) fn has(&self, thread: ThreadIndex) -> bool {
        self.all.iter().any(|server| server.thread == thread)
    }

    /// Returns `true` if a thread has used up its own.
    pub(super) fn is_spent(&self, thread: ThreadIndex) -> bool {
        let spent = |server: &Server| server.thread == thread && server.used >= server.amount;
        self.all.iter().any(spent)
    }
}

/// Returns a priority worse than that of a scheduler's own time, so that no thread preempts a
/// decision.
pub(super) fn worse(opinion: u64) -> u64 {
    opinion + 1
}
