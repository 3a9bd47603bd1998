//! Limits on a thread's signals of a notification of another core.
//!
//! A signal for another core costs that core a look, whichever thread runs there. So it is limited
//! where it is sent, by the sender's core: each thread has a debt for its signals, pays it back as
//! time passes, and is refused a signal that would exceed its credit. That is one number for each
//! thread and mailbox, which no other core touches.

use crate::mutation::seeded;
use crate::{ThreadIndex, Time};

/// A limit on a thread's signals of one notification: in a window of length w at most (`credit` +
/// `back` w) / `cost` signals are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PostLimit {
    /// The price of one signal, in units of debt; 0: there is no limit.
    pub cost: u64,
    /// The largest debt that a thread can have.
    pub credit: u64,
    /// The debt that is paid back in a tick.
    pub back: u32,
}

impl PostLimit {
    /// It may not.
    pub const NEVER: PostLimit = PostLimit { cost: 1, credit: 0, back: 0 };

    /// The absence of a limit.
    pub const FREE: PostLimit = PostLimit { cost: 0, credit: 0, back: 0 };

    /// So many times, ever.
    pub const fn once(signals: u32) -> PostLimit {
        PostLimit { cost: 1, credit: signals as u64, back: 0 }
    }

    /// So many times in each `period` on average, and in any window as many as in one that is
    /// longer by `ahead`.
    pub const fn rate(signals: u32, period: Time, ahead: Time) -> PostLimit {
        // Scaled by the period, so that nothing is divided and no rounding lets a signal more pass.
        let credit = (signals as u64).saturating_mul(ahead);
        PostLimit { cost: period, credit, back: signals }
    }
}

/// A thread of another core that may signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    /// The thread's core.
    pub core: u8,
    /// The thread's index on that core.
    pub thread: ThreadIndex,
    /// The number of the mailbox.
    pub mailbox: crate::MailboxIndex,
    /// The limit on its signals.
    pub limit: PostLimit,
}

/// A thread's debt for its signals of one notification.
#[derive(Debug, Clone, Copy)]
pub struct Debt {
    /// The debt at that instant.
    owed: u64,
    /// The instant of the last accepted signal.
    since: Time,
    /// The number of signals refused since the last accepted one.
    refused: u32,
}

impl Debt {
    /// A thread without debt.
    pub const NONE: Debt = Debt { owed: 0, since: 0, refused: 0 };

    /// Returns the debt at this instant.
    #[inline]
    pub fn owed(&self, limit: &PostLimit, now: Time) -> u64 {
        let passed = now.saturating_sub(self.since);
        let passed = seeded!(EarlyPayback, passed * 2, passed);
        self.owed.saturating_sub(u64::from(limit.back).saturating_mul(passed))
    }

    /// Returns the number of signals refused since the last accepted one.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// Returns `true` if one more signal is accepted, and then adds its price to the debt. Constant
    /// time.
    #[inline]
    pub(super) fn add(&mut self, limit: &PostLimit, now: Time) -> bool {
        let owed = self.owed(limit, now).saturating_add(limit.cost);
        let owed = seeded!(ForgottenPosts, limit.cost, owed);
        // A price of 0 is no limit, also with a credit of 0.
        if owed > limit.credit && limit.cost > 0 {
            self.refused = self.refused.saturating_add(1);
            return false;
        }
        // On acceptance only: what is refused costs the other core nothing, so nothing is owed for
        // it.
        *self = Debt { owed, since: now, refused: 0 };
        true
    }
}

/// The count of refused signals serves readers of records and changes no decision, so it is not
/// compared.
impl PartialEq for Debt {
    fn eq(&self, other: &Self) -> bool {
        (self.owed, self.since) == (other.owed, other.since)
    }
}

impl Eq for Debt {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of accepted signals for so many attempts in each tick of a window.
    fn accepted(limit: &PostLimit, times: impl Iterator<Item = Time>) -> Vec<Time> {
        let mut debt = Debt::NONE;
        times.filter(|&now| debt.add(limit, now)).collect()
    }

    use std::vec::Vec;

    /// In no window of a storm more than the limit says, and on average as many.
    #[test]
    fn no_window_holds_more_than_the_limit() {
        for (signals, period, ahead) in [(1, 10, 20), (3, 10, 17), (2, 7, 21), (5, 3, 6)] {
            let limit = PostLimit::rate(signals, period, ahead);
            let sent = accepted(&limit, (0..400).map(|attempt| attempt / 8));
            for (first, start) in sent.iter().enumerate() {
                for (number, end) in sent[first..].iter().enumerate() {
                    let most = u64::from(signals) * (ahead + end - start) / period;
                    assert!((number as u64) < most, "{signals} in {period}: {sent:?}");
                }
            }
            let whole = u64::from(signals) * (ahead + 49) / period;
            assert!(sent.len() as u64 >= whole.saturating_sub(1), "{} of {whole}", sent.len());
        }
    }

    /// Jobs that are over before the next one's release signal whenever they like, all together or
    /// late, and are never refused.
    #[test]
    fn whoever_keeps_to_the_description_is_not_refused() {
        let (signals, period) = (3, 10);
        let limit = PostLimit::rate(signals, period, 2 * period);
        for pattern in 0..1_u32 << 10 {
            let late = |job: u64| pattern >> (job % 10) & 1 == 1;
            let at = |job: u64| if late(job) { job * period + period } else { job * period };
            let times = (0..20).flat_map(|job| (0..signals).map(move |_| job));
            let sent = accepted(&limit, times.map(at));
            assert_eq!(sent.len(), 60, "{pattern:b}");
        }
    }

    #[test]
    fn some_never_signal_some_a_few_times_and_some_as_they_like() {
        let times = || (0..100).chain([1 << 60]);
        assert_eq!(accepted(&PostLimit::NEVER, times()), []);
        assert_eq!(accepted(&PostLimit::once(3), times()), [0, 1, 2]);
        assert_eq!(accepted(&PostLimit::FREE, times()).len(), 101);
        let rare = PostLimit::rate(1, 1 << 59, 1 << 59);
        assert_eq!(accepted(&rare, times()), [0, 1 << 60]);
    }
}
