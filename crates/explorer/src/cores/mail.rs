//! What signals from core to core must do, by the rules alone.

use fusee_kernel::cores::{Due, HostCore, MailboxConfig, OneCore};
use fusee_kernel::{Finds, NotificationKind, Status, Thread};

use super::rule::ensure;
use super::{Checked, Rule};

/// What has been signalled and not been taken, after a step at a mailbox.
pub(super) fn follow(config: &MailboxConfig, due: Due, signals: u32) -> u32 {
    match due {
        Due::Post(_, bits) if !config.counts => signals | bits,
        Due::Post(..) => signals + 1,
        _ if config.counts => signals.saturating_sub(1),
        _ => 0,
    }
}

/// A step at a mailbox, in which so many signals were, on the core of its event.
pub(super) struct Collected<'s> {
    pub(super) tables: &'s OneCore<'s>,
    pub(super) config: MailboxConfig,
    pub(super) signals: u32,
    pub(super) before: &'s HostCore,
    pub(super) after: &'s HostCore,
}

impl Collected<'_> {
    /// Checks that what was taken has done what a signal does.
    ///
    /// # Errors
    /// [`Rule::Signals`].
    pub(super) fn check(&self) -> Checked {
        let event = self.config.notification.at();
        let releases = self.tables.0.notifications[event].releases;
        let (old, new) = (self.pending(self.before), self.pending(self.after));
        if self.signals == 0 {
            return self.holds(old == new && self.woken().is_empty(), "nothing signals");
        }
        if releases.is_some() {
            return self.arrives(releases.at());
        }
        if let Some(highest) = self.waiters().map(|thread| thread.effective).max() {
            let [woken] = self.woken()[..] else { return self.holds(false, "one is to wake") };
            let (slept, wakes) =
                (&self.before.store.threads[woken], &self.after.store.threads[woken]);
            let signal = if self.counts() { 1 } else { self.signals };
            let gets = wakes.finds == Finds::Signal && wakes.value == signal;
            return self
                .holds(gets && old == new && slept.effective == highest, "the first gets it");
        }
        let expected = if self.counts() { old + 1 } else { old | self.signals };
        self.holds(new == expected && self.woken().is_empty(), "it stays pending")
    }

    /// A job arrives: it begins, waits, or is lost.
    fn arrives(&self, thread: usize) -> Checked {
        let (old, new) = (&self.before.store.threads[thread], &self.after.store.threads[thread]);
        let idle = old.status == Status::Idle;
        let waits = !idle && old.queued < self.tables.0.backlog;
        let begins = (new.status != Status::Idle) == (idle || old.status != Status::Idle);
        let right = begins
            && new.queued == old.queued + u16::from(waits)
            && new.lost == old.lost + u32::from(!idle && !waits);
        self.holds(right, "a job arrives")
    }

    fn holds(&self, right: bool, what: &str) -> Checked {
        ensure(Rule::Signals, right, || {
            format!(
                "with {} in the mailbox, {what}; pending {} becomes {}, T{:?} are woken",
                self.signals,
                self.pending(self.before),
                self.pending(self.after),
                self.woken()
            )
        })
    }

    fn counts(&self) -> bool {
        let event = self.config.notification.at();
        self.tables.0.notifications[event].kind != NotificationKind::Merging
    }

    fn pending(&self, core: &HostCore) -> u32 {
        core.store.notifications[self.config.notification.at()].pending
    }

    fn waits(&self, thread: &Thread) -> bool {
        thread.status == Status::AtNotification && thread.waits_at == self.config.notification.0
    }

    fn waiters(&self) -> impl Iterator<Item = &Thread> {
        self.before.store.threads.iter().filter(|thread| self.waits(thread))
    }

    fn woken(&self) -> Vec<usize> {
        let both = self.before.store.threads.iter().zip(&self.after.store.threads);
        let woken = both.enumerate().filter(|(_, (old, new))| self.waits(old) && !self.waits(new));
        woken.map(|(thread, _)| thread).collect()
    }
}
