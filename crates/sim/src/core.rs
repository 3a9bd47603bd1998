//! A core in a run: what it does, and how far its path through the kernel is.

use fusee_kernel::GlobalIndex;
use fusee_kernel::cores::CoreOutcome;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The state of a core.
pub(crate) struct Core {
    /// The work that it does when no path is under way.
    pub(crate) outcome: CoreOutcome,
    /// Interrupts that are due now come before its code: it has been interrupted.
    pub(crate) interrupted: bool,
    /// Releases to come from outside, by time, then task.
    outside: BinaryHeap<Reverse<(u64, usize)>>,
    pub(crate) path: Path,
}

/// A path through the kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Path {
    pub(crate) phase: Phase,
    /// When it began.
    pub(crate) began: u64,
    /// The time that it has waited for locks.
    pub(crate) waited: u64,
    /// The time that it has held them.
    pub(crate) held: u64,
}

/// The progress of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// There is none: the core executes code, or nothing.
    Over,
    /// It waits for the lock of a gate, since an instant.
    AtLock(GlobalIndex, u64),
    /// It has a lock, until an instant.
    Locked(u64),
    /// Only time has still to pass, until an instant.
    Ends(u64),
}

impl Path {
    /// A path that begins.
    pub(crate) fn begun(now: u64) -> Path {
        Path { phase: Phase::Over, began: now, waited: 0, held: 0 }
    }
}

impl Core {
    /// Returns a core at time 0; `outside`: when its tasks are released from outside for the first
    /// time.
    pub(crate) fn new(outcome: CoreOutcome, outside: impl Iterator<Item = (u64, usize)>) -> Core {
        let mut core =
            Core { outcome, interrupted: false, outside: BinaryHeap::new(), path: Path::begun(0) };
        outside.for_each(|(time, task)| core.expect(time, task));
        core
    }

    /// Returns `true` if no path is under way.
    pub(crate) fn is_free(&self) -> bool {
        self.path.phase == Phase::Over
    }

    /// When the next interrupt is due.
    pub(crate) fn due(&self) -> u64 {
        let outside = self.outside.peek().map_or(u64::MAX, |&Reverse((time, _))| time);
        self.outcome.timer.min(outside)
    }

    /// Returns `true` if an interrupt comes before whatever the code does.
    pub(crate) fn is_interrupted(&self, now: u64) -> bool {
        let due = self.due();
        self.is_free() && (due < now || due == now && self.interrupted)
    }

    /// A task will be released from outside.
    pub(crate) fn expect(&mut self, time: u64, task: usize) {
        if time != u64::MAX {
            self.outside.push(Reverse((time, task)));
        }
    }

    /// Takes the task that is released from outside by now, if there is one.
    pub(crate) fn arrival(&mut self, now: u64) -> Option<usize> {
        let &Reverse((time, task)) = self.outside.peek()?;
        (time <= now).then(|| self.outside.pop())?;
        Some(task)
    }

    /// When the path under way ends, as far as that is known.
    pub(crate) fn path_end(&self) -> u64 {
        match self.path.phase {
            Phase::Locked(until) | Phase::Ends(until) => until,
            Phase::Over | Phase::AtLock(..) => 0,
        }
    }
}

/// The locks of the gates between cores.
pub(crate) struct Locks(Vec<Lock>);

#[derive(Debug, Clone, Default)]
struct Lock {
    /// The instant until which a core has it.
    until: u64,
    /// The cores that wait for it, in order.
    queue: VecDeque<usize>,
}

impl Locks {
    pub(crate) fn new(count: usize) -> Locks {
        Locks(vec![Lock::default(); count])
    }

    /// A core asks for a lock.
    pub(crate) fn ask(&mut self, global: GlobalIndex, core: usize) {
        self.0[global.at()].queue.push_back(core);
    }

    /// From when on a core that has asked can have a lock, if others were there first: as soon as
    /// it is free, but not before they have had it.
    pub(crate) fn free_for(&self, global: GlobalIndex, core: usize) -> u64 {
        let lock = &self.0[global.at()];
        if lock.queue.front() == Some(&core) { lock.until } else { u64::MAX }
    }

    /// The first core that has asked has it until then.
    pub(crate) fn enter(&mut self, global: GlobalIndex, until: u64) {
        let lock = &mut self.0[global.at()];
        lock.queue.pop_front();
        lock.until = until;
    }
}
