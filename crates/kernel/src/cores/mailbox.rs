//! Signals of other cores on their way to a notification.
//!
//! Each operation is one read-modify-write of one word, so no signal is lost between two senders,
//! or between a sender and the core that takes. A sender adds first and then tells the core to
//! look; that core first clears the bit that tells it and then takes. So a signal that a look does
//! not find has been added after it, and another look follows.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::Error;
use crate::exchange::Word;
use crate::mutation::seeded;

use super::MailboxConfig;

/// The count at which a mailbox is full: far enough below the largest number that cores which add
/// at the same time do not reach that.
const MOST: u32 = u32::MAX / 2;

/// Bits that merge, or a count.
#[derive(Debug)]
#[repr(transparent)]
pub struct Mailbox<W = AtomicU32>(W);

/// The content that a look takes out of a mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// The bits, or 1 of a count; 0: there was nothing.
    pub signal: u32,
    /// `true` if something is left for another look.
    pub more: bool,
}

impl Mailbox {
    /// Returns a mailbox with nothing in it.
    pub const fn empty() -> Self {
        Mailbox(AtomicU32::new(0))
    }

    /// So many signals, for a defect that adds by reading and writing.
    #[cfg(feature = "mutations")]
    pub(super) const fn holding(signals: u32) -> Self {
        Mailbox(AtomicU32::new(signals))
    }
}

impl<W: Word> Mailbox<W> {
    /// In a word that is 0.
    pub const fn over(word: W) -> Self {
        Mailbox(word)
    }

    /// Returns the content without taking it, for observers.
    pub fn signals(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds a signal. Constant time.
    ///
    /// # Errors
    /// [`Error::CountFull`]; then nothing has changed.
    #[inline]
    pub fn add(&self, config: &MailboxConfig, bits: u32) -> Result<(), Error> {
        if !config.counts {
            // Release: what the sender has written before is seen by the core that takes the bits.
            self.0.fetch_or(bits, Ordering::Release);
            return Ok(());
        }
        // Added first and then looked at: two senders that look first could both find room for one.
        if self.0.fetch_add(1, Ordering::Release) >= MOST {
            // Relaxed, because the number that is taken back tells nothing.
            self.0.fetch_sub(1, Ordering::Relaxed);
            return Err(Error::CountFull);
        }
        Ok(())
    }

    /// Takes all bits, or one of a count, which only the notification's core does. Constant time.
    #[inline]
    pub fn take(&self, config: &MailboxConfig) -> Taken {
        if !config.counts {
            let keeps = seeded!(KeptMail, true, false);
            let signal = if keeps { self.signals() } else { self.0.swap(0, Ordering::Acquire) };
            return Taken { signal, more: false };
        }
        // Others only add.
        let count = self.0.load(Ordering::Acquire);
        let taken = if seeded!(EmptiedMailbox, true, false) { count } else { count.min(1) };
        seeded!(KeptMail, (), self.0.fetch_sub(taken, Ordering::Relaxed));
        Taken { signal: count.min(1), more: count > 1 }
    }
}

#[cfg(feature = "std")]
impl Clone for Mailbox {
    fn clone(&self) -> Self {
        Mailbox(AtomicU32::new(self.signals()))
    }
}

#[cfg(feature = "std")]
impl PartialEq for Mailbox {
    fn eq(&self, other: &Self) -> bool {
        self.signals() == other.signals()
    }
}

#[cfg(feature = "std")]
impl Eq for Mailbox {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NotificationIndex;

    const fn config(counts: bool) -> MailboxConfig {
        MailboxConfig { core: 0, notification: NotificationIndex(0), counts }
    }

    #[test]
    fn bits_merge_and_are_taken_together() {
        let (mailbox, merges) = (Mailbox::empty(), config(false));
        assert_eq!(mailbox.take(&merges), Taken { signal: 0, more: false });
        for bits in [1, 4, 1] {
            assert_eq!(mailbox.add(&merges, bits), Ok(()));
        }
        assert_eq!(mailbox.take(&merges), Taken { signal: 5, more: false });
        assert_eq!(mailbox.signals(), 0);
    }

    #[test]
    fn counts_are_taken_one_by_one() {
        let (mailbox, counts) = (Mailbox::empty(), config(true));
        assert_eq!(mailbox.take(&counts), Taken { signal: 0, more: false });
        for _ in 0..3 {
            assert_eq!(mailbox.add(&counts, 7), Ok(()));
        }
        let all: std::vec::Vec<Taken> = (0..4).map(|_| mailbox.take(&counts)).collect();
        let taken = |signal, more| Taken { signal, more };
        assert_eq!(all, [taken(1, true), taken(1, true), taken(1, false), taken(0, false)]);
    }

    #[test]
    fn a_full_count_refuses_and_stays() {
        let (mailbox, counts) = (Mailbox(AtomicU32::new(MOST)), config(true));
        assert_eq!(mailbox.add(&counts, 1), Err(Error::CountFull));
        assert_eq!(mailbox.signals(), MOST);
    }
}
