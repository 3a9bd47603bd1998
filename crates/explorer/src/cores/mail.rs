//! The effect of signals from core to core, by the rules alone.

use fusee_kernel::cores::{Due, HostCore, MailboxConfig, OneCore};
use fusee_kernel::{NotificationKind, Policy, ResumeReason, Status, Store, Thread, each_store};

use super::rule::ensure;
use super::{Checked, Rule};

/// Returns the signals that are not yet taken after a step at a mailbox.
pub(super) fn follow(config: &MailboxConfig, due: Due, signals: u32) -> u32 {
    match due {
        Due::Post(_, bits) if !config.counts => signals | bits,
        Due::Post(..) => signals + 1,
        _ if config.counts => signals.saturating_sub(1),
        _ => 0,
    }
}

/// Checks that what a core has taken from a mailbox, in which so many signals were, has done what a
/// signal does.
///
/// # Errors
/// [`Rule::Signals`]; [`Rule::OwnState`]: the core has another policy now.
pub(super) fn collected(
    tables: &OneCore<'_>,
    (config, signals): (MailboxConfig, u32),
    (before, after): (&HostCore, &HostCore),
) -> Checked {
    each_store!(&after.store, after => match before.store.of(after) {
        Some(before) => Collected { tables, config, signals, before, after }.check(),
        None => ensure(Rule::OwnState, false, || "a core has changed its policy".to_owned()),
    })
}

/// A step at a mailbox, in which so many signals were, on the core of its event.
struct Collected<'s, P: Policy> {
    tables: &'s OneCore<'s>,
    config: MailboxConfig,
    signals: u32,
    before: &'s Store<P>,
    after: &'s Store<P>,
}

impl<P: Policy> Collected<'_, P> {
    fn check(&self) -> Checked {
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
            let (slept, wakes) = (&self.before.threads[woken], &self.after.threads[woken]);
            let signal = if self.counts() { 1 } else { self.signals };
            let gets = wakes.reason == ResumeReason::Signal && wakes.value == signal;
            return self
                .holds(gets && old == new && slept.effective == highest, "the first gets it");
        }
        let expected = if self.counts() { old + 1 } else { old | self.signals };
        self.holds(new == expected && self.woken().is_empty(), "it stays pending")
    }

    /// A job arrives: it begins, waits, or is lost.
    fn arrives(&self, thread: usize) -> Checked {
        let (old, new) = (&self.before.threads[thread], &self.after.threads[thread]);
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

    fn pending(&self, store: &Store<P>) -> u32 {
        store.notifications[self.config.notification.at()].pending
    }

    fn waits(&self, thread: &Thread<P>) -> bool {
        thread.status == Status::AtNotification && thread.waits_at == self.config.notification.0
    }

    fn waiters(&self) -> impl Iterator<Item = &Thread<P>> {
        self.before.threads.iter().filter(|thread| self.waits(thread))
    }

    fn woken(&self) -> Vec<usize> {
        let both = self.before.threads.iter().zip(&self.after.threads);
        let woken = both.enumerate().filter(|(_, (old, new))| self.waits(old) && !self.waits(new));
        woken.map(|(thread, _)| thread).collect()
    }
}
