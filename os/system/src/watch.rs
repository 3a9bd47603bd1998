//! The two instants at which the machine itself looks at the clock.
//!
//! A run may have an end, and the boot thread must have finished when the first jobs begin. Both
//! are rare: the next of them is one number that the timer's setting takes into account.

use fusee_image_format::{Header, Status};
use fusee_kernel::{NEVER, Time};

/// When to look, and for what.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    end: Time,
    startup: Time,
    next: Time,
}

impl Watch {
    /// The instants that the header names.
    pub fn new(header: &Header) -> Watch {
        let startup = if header.boot_thread == u16::MAX { NEVER } else { header.startup };
        Watch { end: header.end, startup, next: header.end.min(startup) }
    }

    /// The next instant.
    #[inline]
    pub fn next(&self) -> Time {
        self.next
    }

    /// The boot thread has finished.
    pub fn started(&mut self) {
        self.startup = NEVER;
        self.next = self.end;
    }

    /// How the run ends now, if it does.
    #[inline]
    pub fn verdict(&self, now: Time) -> Option<Status> {
        if now < self.next {
            return None;
        }
        Some(if now >= self.end { Status::Finished } else { Status::StartLate })
    }
}
