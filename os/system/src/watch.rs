//! The instants at which the machine itself looks at the clock.
//!
//! A run may have an end, the boot thread must have finished when the first jobs begin, and each
//! component that it sets up has its budget. All are rare: the next of them is one number that the
//! timer's setting takes into account.

use fusee_image_format::{Header, Status};
use fusee_kernel::{NEVER, Time};

/// The reaction that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The run is over.
    Ends(Status),
    /// The set-up that the boot thread is in has used up its time.
    OutOfTime,
}

/// When to look, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    end: Time,
    startup: Time,
    limit: Time,
    /// `true` if the limit has been reached since it was set.
    spent: bool,
    /// The end of the run or the latest start, whichever is first.
    last: Time,
    next: Time,
}

/// The time in nanoseconds after which it is looked again if a component that has used up its time
/// has ended: it may have to end more than one invocation, or wait for another thread.
const MORE: Time = 10_000;

impl Watch {
    /// Returns the instants that the header names.
    pub fn new(header: &Header) -> Watch {
        let startup = if header.boot_thread == u16::MAX { NEVER } else { header.startup };
        let last = header.end.min(startup);
        Watch { end: header.end, startup, limit: NEVER, spent: false, last, next: last }
    }

    /// Returns the next instant.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// Returns the next instant for a core in an activation: a thread that asks another core is not
    /// cut off.
    #[cfg(feature = "cores")]
    #[inline]
    pub fn next_in_activation(&self) -> Time {
        self.last
    }

    /// The boot thread has finished.
    pub fn started(&mut self) {
        self.startup = NEVER;
        self.limit = NEVER;
        self.last = self.end;
        self.next = self.end;
    }

    /// Limits the time of the boot thread's next invocation, and to no more than seven eighths of
    /// the rest; none: there is no limit. Returns the rest of the limit before.
    #[cold]
    #[inline(never)]
    pub fn limit(&mut self, now: Time, amount: Option<Time>) -> Time {
        let left = if self.spent { 0 } else { self.limit.saturating_sub(now) };
        let until_start = self.startup.saturating_sub(now);
        let most = until_start - until_start / 8;
        self.limit = amount.map_or(NEVER, |amount| now.saturating_add(amount.min(most)));
        self.spent = false;
        self.next = self.last.min(self.limit);
        left
    }

    /// The limit has been reached: nothing is left, and it is looked again soon, or at once.
    #[cold]
    pub fn spend(&mut self, now: Time, at_once: bool) {
        let _ = self.limit(now, Some(if at_once { 0 } else { MORE }));
        self.spent = true;
    }

    /// Returns `true` if something is due.
    #[inline(always)]
    pub fn is_due(&self, now: Time) -> bool {
        now >= self.next
    }

    /// Returns the reaction that is due now.
    #[cold]
    #[inline(never)]
    pub fn verdict(&self, now: Time) -> Verdict {
        if now >= self.end {
            Verdict::Ends(Status::Finished)
        } else if now >= self.startup {
            Verdict::Ends(Status::StartLate)
        } else {
            Verdict::OutOfTime
        }
    }
}
