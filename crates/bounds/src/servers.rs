//! Deferrable servers.
//!
//! A server gives its threads what they ask for, by priority, but all together no more than its
//! capacity in each of its periods, which begin when its thread first runs (Strosnider, Lehoczky
//! and Sha 1995). What it has not given at a period's end is lost.
//!
//! # What its threads have
//!
//! At least what a table would give with one slot at the beginning of each period, as long as the
//! capacity. Let a window begin x behind the beginning of a period in which u of the capacity C has
//! been used: u <= x, and as long as there is something left who waits gets it at once, but for
//! what those outside of the tree take, which counts in the window as if all of it fell into slots.
//! So in a window of length w up to the next period it has min(w, C - u), and behind that the
//! capacity anew. The table's window that begins at the end of a slot has w - (T - C) there, or
//! nothing: no more, since u <= x and w <= T - x.
//!
//! That holds for the window of a thread with those that go before it, whoever has used the rest:
//! the less urgent ones too, which run before the window begins.
//!
//! # What others see
//!
//! A server with a capacity of C in each period T takes no more from those below it than a task of
//! that period that executes for C and may be T - C late: the last C of one period and the first of
//! the next follow each other. How much its threads ask for does not matter.
//!
//! # Which servers these are
//!
//! Those at the root of a tree whose threads only compute and signal. A server in a slot begins its
//! periods in some slot; and a thread that waits in the middle of its job, or has others wait for
//! it, does so also while nothing is left.
//!
//! # Where deciding takes time
//!
//! A window then contains what the server takes to decide, and what the kernel does for others
//! while its threads run, which counts as used by them (module `scheduling`). The server gives
//! nothing more in a period when less is left than what a decision takes: that is lost.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_analysis::supply::{Slot, Supply};
use fusee_model::{Algorithm, LEAST_GIVEN, Scheduler, Step, System, TaskId};

/// The capacity and period of a server, if a description does not say otherwise, in nanoseconds.
const CAPACITY: u64 = 1_000_000;
const EVERY: u64 = 10_000_000;

/// A server of which it is known what its threads have, and what it takes from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Server {
    /// The length of its periods.
    pub(crate) every: u64,
    /// The time that all its threads have together in each period.
    pub(crate) capacity: u64,
}

impl Server {
    /// Returns the known facts of a scheduler as a server; none: it is another one, or a server of
    /// which nothing is known.
    pub(crate) fn of(system: &System, scheduler: &Scheduler) -> Option<Self> {
        let is_root = system.scheduler_of(scheduler.task).is_none();
        let computes = scheduler.threads.iter().all(|thread| computes(system, thread.value));
        let known = scheduler.algorithm == Algorithm::DeferrableServer && is_root && computes;
        let said = |name: &str| system.scheduling_time(scheduler, name).map(|time| time.ns());
        let every = said("every").unwrap_or(EVERY);
        // More than the whole period cannot be given in it.
        let capacity = said("capacity").unwrap_or(CAPACITY).min(every);
        (known && every > 0).then_some(Self { every, capacity })
    }

    /// The same of what a task is, if it is a scheduler.
    pub(crate) fn by(system: &System, task: TaskId) -> Option<Self> {
        Self::of(system, system.scheduler(task)?)
    }

    /// Returns the time that its threads have for certain; none: they have no time. If it takes
    /// time to decide, the rest of a period may be too little to be given.
    pub(crate) fn supply(self, decides_at_once: bool) -> Option<Supply> {
        let lost = if decides_at_once { 0 } else { LEAST_GIVEN.ns() };
        let length = self.capacity.checked_sub(lost).filter(|&length| length > 0)?;
        // The worst window begins at the end of a slot, wherever that stands in the period.
        Supply::table(self.every, &[Slot { start: 0, length }])
    }

    /// Returns the largest part of the core that it takes: so much with each of these arrivals.
    pub(crate) fn taken(self) -> (Arrivals, u64) {
        // The capacity may be used at the very end of one period and at the beginning of the next.
        let jitter = self.every - self.capacity;
        (Arrivals { period: self.every, jitter }, self.capacity)
    }
}

/// Returns `true` if a thread does nothing but compute and signal.
pub(crate) fn computes(system: &System, thread: TaskId) -> bool {
    let mut steps = system.task(thread).body.steps.iter();
    let plain = |step: &Step| matches!(step, Step::Compute { .. } | Step::Emit(_));
    system.scheduler(thread).is_none() && steps.all(plain)
}
