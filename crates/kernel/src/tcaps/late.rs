//! Sections that no scheduler, no end of a budget and no time-out ends.
//!
//! A thread inside a gate that others rely on to find free keeps the core until it has left it,
//! whatever its scheduler wants: it is *late*. All else goes on as ever: what becomes ready or
//! preempts is queued, and stands before it or behind it. But as long as nobody is first whose
//! level is better than that of the section, the late thread runs; a tie is not better. A time-out
//! that would stop it comes once, when it has left the section, and so does the end of its budget.

use super::{Dispatcher, EndPoint, Funding, ON_TIME, Priority};
use crate::mutation::seeded;
use crate::{AccountIndex, SchedulerIndex, ThreadIndex, Time};

impl Dispatcher<'_> {
    /// The running thread is in a section of this level, or in none. Returns `true` if another one
    /// runs by that: then the end of its budget has come, or a time-out. Steps: at the end of a
    /// section the schedulers, and the end of a budget.
    pub(super) fn set_late(&mut self, now: Time, thread: ThreadIndex, late: Priority) -> bool {
        let before = self.memory.end_points[thread.at()].late;
        // So it is at nearly all events, and nothing is charged for the question.
        if before == late {
            return false;
        }
        let payer = self.charge(now);
        match late {
            ON_TIME => self.end_section(thread),
            _ => {
                let own = &mut self.memory.end_points[thread.at()];
                own.late = late;
                // A section inside its own section leaves it at its place among those in sections.
                if before == ON_TIME {
                    own.below = core::mem::replace(&mut self.memory.core.late, thread);
                }
            }
        }
        let another = self.running() != thread;
        if another {
            self.end_of_charge(now, payer);
        }
        another
    }

    /// A section has ended: time-outs that came meanwhile are due. It is that of the thread which
    /// came last into one; but if another one is stopped by its own end, those above it stay.
    /// Steps: the threads in sections, and the schedulers.
    #[inline(never)]
    pub(super) fn end_section(&mut self, thread: ThreadIndex) {
        let own = &mut self.memory.end_points[thread.at()];
        own.late = ON_TIME;
        let below = core::mem::replace(&mut own.below, ThreadIndex::NONE);
        if self.memory.core.late == thread {
            self.memory.core.late = below;
        } else {
            self.take_out_late(thread, below);
        }
        // All of them, because whose thread is still in a section is asked anew when they are due.
        self.memory.schedulers.iter_mut().for_each(|own| own.deferred = false);
        seeded!(LostTimeout, (), self.find_timeout());
    }

    #[cold]
    #[inline(never)]
    fn take_out_late(&mut self, thread: ThreadIndex, below: ThreadIndex) {
        let mut at = self.memory.core.late;
        // No list is longer. Written so, a bound of this path needs no knowledge of the list.
        for _ in 0..self.memory.end_points.len() {
            let Some(own) = self.memory.end_points.get_mut(at.at()) else { return };
            if own.below == thread {
                own.below = below;
                return;
            }
            at = own.below;
        }
    }

    /// Returns `true` if a thread is in a section that must not be interrupted.
    #[inline(always)]
    pub(super) fn is_late(&self, thread: ThreadIndex) -> bool {
        self.memory.end_points.get(thread.at()).is_some_and(EndPoint::is_late)
    }

    /// Returns `true` if such a thread is activated on an account. Steps: the threads that are.
    #[inline(never)]
    pub(super) fn has_late(&self, account: AccountIndex) -> bool {
        // Mostly no thread is in a section, and then the account's threads are not looked through.
        if self.memory.core.late.is_none() {
            return false;
        }
        let activated = self.memory.accounts[account.at()].activated;
        let mut threads = activated.iter(self.memory.activated);
        seeded!(LateExpiry, false, threads.any(|thread| self.is_late(ThreadIndex(thread as u16))))
    }

    /// Returns `true` if the thread at the end of those that a scheduler has dispatched is in such
    /// a section. Steps: the depth of the tree.
    #[inline(never)]
    pub(super) fn is_delayed(&self, scheduler: SchedulerIndex) -> bool {
        if self.memory.core.late.is_none() {
            return false;
        }
        let mut thread = self.memory.schedulers[scheduler.at()].place;
        for _ in 0..self.memory.schedulers.len() {
            let Some(own) = self.memory.end_points.get(thread.at()) else { return false };
            let Some(below) = self.memory.schedulers.get(own.scheduler.at()) else { break };
            if below.place.is_none() {
                break;
            }
            thread = below.place;
        }
        seeded!(LateTimeout, false, self.is_late(thread))
    }

    /// Returns the level of a kernel's own account; the best, for any other.
    pub(super) fn kernels_level(&self, account: AccountIndex) -> Priority {
        match self.tables.accounts[account.at()].funding {
            Funding::Kernel { level, .. } => level.into(),
            Funding::Delegated { .. } => 0,
        }
    }
}
