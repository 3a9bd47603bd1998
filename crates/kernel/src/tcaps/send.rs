//! Sends and interrupts: a thread becomes ready, and may take the core.

use super::dispatcher::Side;
use super::{Dispatcher, Error, Standing, account};
use crate::mutation::seeded;
use crate::{SchedulerIndex, ThreadIndex, Time};

impl Dispatcher<'_> {
    /// Sends to a thread's end-point. If its own account has budget and all with a say agree, it
    /// runs immediately; else its scheduler is told. Steps: the depth of the tree, the activated
    /// threads and the entries of two qualities.
    ///
    /// # Errors
    /// Nobody runs, or the thread is dead.
    pub fn send(&mut self, now: Time, thread: ThreadIndex) -> Result<(), Error> {
        self.caller()?;
        self.arrive(now, thread)
    }

    /// Handles an interrupt: a send without a sender. Steps as [`send`](Self::send).
    ///
    /// # Errors
    /// The line has no thread, or a dead one.
    pub fn interrupt(&mut self, now: Time, line: u16) -> Result<(), Error> {
        let thread = self.tables.interrupts.get(usize::from(line)).copied();
        self.arrive(now, thread.ok_or(Error::NoSuchObject)?)
    }

    /// A scheduler's alarm: if it waits, it could go on. The kernel's own is ready then; of another
    /// its scheduler is told, and says when it goes on: an alarm is not a reason to preempt. Steps:
    /// the depth of the tree and the activated threads.
    ///
    /// # Errors
    /// There is no such scheduler.
    pub fn alarm(&mut self, now: Time, scheduler: SchedulerIndex) -> Result<(), Error> {
        let exists = scheduler.at() < self.tables.schedulers.len();
        exists.then_some(()).ok_or(Error::NoSuchObject)?;
        let payer = self.charge(now);
        self.ring(scheduler);
        self.finish(payer);
        Ok(())
    }

    /// The alarm of a scheduler that there is. Steps as [`alarm`](Self::alarm).
    pub(super) fn ring(&mut self, scheduler: SchedulerIndex) {
        let own = self.tables.schedulers[scheduler.at()].thread;
        if self.standing(own) == Standing::Waits {
            if seeded!(AlarmPreempts, true, self.tables.is_kernel_thread(own)) {
                self.activate_on_own(own, Side::Back);
            } else {
                self.memory.end_points[own.at()].standing = Standing::Stopped;
            }
            self.queue_event(own, true);
        }
    }

    /// Something is sent to a thread.
    fn arrive(&mut self, now: Time, thread: ThreadIndex) -> Result<(), Error> {
        self.thread_exists(thread)?;
        (self.standing(thread) != Standing::Dead).then_some(()).ok_or(Error::Dead)?;
        // After the refusals, which must change nothing.
        let payer = self.charge(now);
        self.notify(thread);
        self.finish(payer);
        Ok(())
    }

    /// A scheduler of the kernel's own whose job begins lives again.
    #[inline(always)]
    pub(super) fn revive(&mut self, thread: ThreadIndex) {
        let standing = &mut self.memory.end_points[thread.at()].standing;
        if *standing == Standing::Dead {
            *standing = Standing::Waits;
        }
    }

    /// Something is sent to a thread that lives: what it waits for has come, or is kept.
    pub(super) fn notify(&mut self, thread: ThreadIndex) {
        let waited = self.standing(thread) == Standing::Waits;
        // Kept once, however often it is sent: whoever waits gets it now and has nothing pending.
        self.memory.end_points[thread.at()].pending = seeded!(KeptPending, true, !waited);
        if self.tables.is_kernel_thread(thread) {
            // Behind its equals: a thread of the kernel's level preempts only what is less urgent.
            if waited {
                self.activate_on_own(thread, Side::Back);
            }
        } else if self.preempts(thread) {
            seeded!(StoppedPreempted, self.stop_running(), ());
            self.activate_on_own(thread, Side::Front);
            // The thread runs already, so its scheduler need not wake up for it, and reads of it
            // later.
            self.queue_event(thread, seeded!(WakesAnyway, true, false));
        } else if waited {
            self.memory.end_points[thread.at()].standing = Standing::Stopped;
            self.queue_event(thread, true);
        }
    }

    /// A defect: a preempted thread goes back to its scheduler.
    #[cfg(feature = "mutations")]
    fn stop_running(&mut self) {
        let running = self.running();
        if running.is_some() && !self.tables.is_kernel_thread(running) {
            self.stop(running, Standing::Stopped);
            self.queue_event(running, true);
        }
    }

    /// Returns `true` if a thread to which something is sent runs immediately: it could go on, and
    /// its account's time may preempt that of the running thread. The root is among those who
    /// agree, so its level is no worse. Steps: the entries of both qualities.
    #[inline(never)]
    fn preempts(&self, thread: ThreadIndex) -> bool {
        if !matches!(self.standing(thread), Standing::Waits | Standing::Stopped) {
            return false;
        }
        let own = &self.memory.accounts[self.own_account(thread).at()];
        let running = self.running();
        if running.is_none() {
            return seeded!(EmptyPreempts, true, own.is_funded());
        }
        let quality = seeded!(
            PlainQuality,
            self.memory.accounts[self.payer().at()].quality.opinions(),
            // By the running dispatch's priority, not the account's own: that is what its scheduler
            // says now.
            self.effective_quality(running)
        );
        account::may_preempt(own.funds, &own.quality, quality)
    }
}
