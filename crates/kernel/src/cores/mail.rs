//! Signals from core to core.

use crate::mutation::seeded;
use crate::{Error, Kind, MailboxIndex, Policy, Sink, Time};

use super::{At, CoreKernel, Due, Ipi, Ipis, Mailbox, Taken};

impl<P: Policy, S: Sink> CoreKernel<'_, '_, P, S> {
    /// The running thread, which has not asked, signals a notification of another core. There is no
    /// path under way. Constant time.
    ///
    /// # Errors
    /// [`Error::TooOften`]: it has signalled that as often as it may. Nothing has changed but that
    /// this is counted.
    pub fn post(&mut self, now: Time, mailbox: MailboxIndex, bits: u32) -> Result<(), Error> {
        let (sender, object) =
            (self.kernel.current(), self.tables.mailboxes[mailbox.at()].notification);
        // The tables have a limit for each mailbox and thread: `CoreTables::check` counts them.
        let place = mailbox.at() * self.kernel.tables().threads.len() + sender.at();
        let debt = &mut self.debts[seeded!(SharedDebt, place - sender.at(), place)];
        let limit = &self.tables.limits[place];
        if !debt.add(limit, now) && seeded!(UnlimitedPosts, false, true) {
            // The first of a row only, or a thread that signals in a loop would fill the records.
            if debt.refused() == 1 {
                self.kernel.record(now, Kind::Throttle, sender, object.0, u64::from(bits));
            }
            return Err(Error::TooOften);
        }
        self.kernel.record(now, Kind::Post, sender, object.0, u64::from(bits));
        self.home.due = Due::Post(mailbox, bits);
        Ok(())
    }

    /// Takes the step at [the mailbox that is due](Due::mailbox), and returns the interrupts to
    /// send then. Constant time; with a task that a signal releases log2 of the number of threads.
    ///
    /// # Errors
    /// [`Error::CountFull`]: the signal has changed nothing.
    pub fn at_mailbox(&mut self, now: Time, mailbox: &Mailbox) -> Result<Ipis, Error> {
        let due = core::mem::replace(&mut self.home.due, Due::Nothing);
        match due {
            Due::Post(number, bits) => {
                let config = &self.tables.mailboxes[number.at()];
                mailbox.add(config, bits)?;
                let core = seeded!(StrayLook, self.tables.core, config.core);
                Ok(Ipis::one(Ipi { core, at: At::Mailbox(number) }))
            }
            Due::Collect(number) => {
                let taken = mailbox.take(&self.tables.mailboxes[number.at()]);
                Ok(self.deliver(now, number, taken))
            }
            other => {
                self.home.due = other;
                Ok(Ipis::NONE)
            }
        }
    }

    /// Delivers a signal that was taken out of a mailbox on this core.
    fn deliver(&mut self, now: Time, mailbox: MailboxIndex, taken: Taken) -> Ipis {
        let notification = self.tables.mailboxes[mailbox.at()].notification;
        // A look for nothing: an earlier one has taken the signal.
        if taken.signal == 0 {
            return Ipis::NONE;
        }
        let arrival = seeded!(LateArrival, now + 1, now);
        let next = self.kernel.deliver_signal(arrival, notification, taken.signal);
        // The thread that runs then may have asked at a gate.
        self.end_step(now, next);
        // One signal of a count for each look, so that no path depends on how many have come
        // together.
        let again = Ipi { core: self.tables.core, at: At::Mailbox(mailbox) };
        if seeded!(SilentRest, false, taken.more) { Ipis::one(again) } else { Ipis::NONE }
    }
}
