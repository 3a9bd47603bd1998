//! A slot of a scheduler's table: the core until an instant, and time for it.

use super::dispatcher::Side;
use super::{Dispatcher, Error, Priority, Standing, Transfer};
use crate::mutation::seeded;
use crate::{AccountIndex, ThreadIndex, Time};

/// The core until a time, for one of the calling scheduler's own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The account of the calling scheduler that gives.
    pub from: AccountIndex,
    /// The thread whose end-point's account receives and pays.
    pub to: ThreadIndex,
    /// The instant at which the slot ends, in ticks.
    pub until: Time,
    /// The priority that the giver attaches to the time.
    pub priority: Priority,
}

impl Dispatcher<'_> {
    /// Gives one of the calling scheduler's own threads the time that its account lacks to run
    /// until an instant, as far as the giver has that, and dispatches it on its own account until
    /// then. Time that it has kept counts, so that it never holds more than its slot. Only a gift
    /// wakes a waiting thread. Steps as [`delegate`](Self::delegate).
    ///
    /// # Errors
    /// As [`delegate_and_yield`](Self::delegate_and_yield); or the time is past, or the thread
    /// waits and lacks nothing.
    pub fn yield_until(&mut self, now: Time, slot: Slot) -> Result<(), Error> {
        let gift = self.check_slot(now, &slot)?;
        // After the check, so that a refused call has changed nothing.
        let payer = self.charge(now);
        self.make_slot(slot.from, (slot.to, until(&slot)), gift.as_ref());
        self.finish(payer);
        Ok(())
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`yield_until`](Self::yield_until).
    pub fn yield_until_funded(&mut self, now: Time, slot: Slot) -> Result<(), Error> {
        let gift = self.check_slot(now, &slot)?;
        self.make_slot(slot.from, (slot.to, until(&slot)), gift.as_ref());
        Ok(())
    }

    /// Checks a slot, and returns the transfer that it needs and the number of principals
    /// afterwards.
    #[inline(always)]
    fn check_slot(&self, now: Time, slot: &Slot) -> Result<Option<(Transfer, usize)>, Error> {
        let number = self.calling_scheduler()?;
        let to = self.own_receiver(number, slot.to)?;
        (slot.until > now).then_some(()).ok_or(Error::Past)?;
        let Some(gift) = self.gift(now, slot)? else {
            (self.funds(now, to).budget > 0).then_some(()).ok_or(Error::Budget)?;
            let ready = self.standing(slot.to) != Standing::Waits;
            return ready.then_some(None).ok_or(Error::NotReady);
        };
        let together = self.check_move(now, &gift)?;
        self.pays_debt(now, &gift).then_some(()).ok_or(Error::Budget)?;
        Ok(Some((gift, together)))
    }

    /// One of the calling scheduler's own threads goes on until a time with what it has, or was
    /// given.
    #[inline(never)]
    pub(super) fn make_slot(
        &mut self,
        from: AccountIndex,
        (to, until): (ThreadIndex, Time),
        given: Option<&(Transfer, usize)>,
    ) {
        let caller = self.running();
        let number = self.memory.end_points[caller.at()].scheduler;
        if let Some((gift, together)) = given {
            self.make_move(gift, *together);
            self.yield_to(to);
        } else if self.standing(to) != Standing::Placed {
            self.activate_on_own(to, seeded!(SlotLast, Side::Back, Side::Front));
        }
        self.stop(caller, Standing::Placed);
        self.memory.schedulers[number.at()].place = to;
        self.set_timeout(number, until);
        // Control is given already.
        self.end_if_empty(from);
    }

    /// Returns the transfer that a slot needs, or `None` if the thread has enough or the giver has
    /// nothing.
    fn gift(&self, now: Time, slot: &Slot) -> Result<Option<Transfer>, Error> {
        self.account_exists(slot.from)?;
        let to = self.own_account(slot.to);
        let (giver, receiver) = (self.funds(now, slot.from), self.funds(now, to));
        // What the thread owes is paid first, so it is needed besides the slot. The end lies ahead:
        // `check_slot` has asked that.
        let needed = (slot.until - now).saturating_add(receiver.debt);
        let missing = seeded!(KeptBesides, needed, needed.saturating_sub(receiver.budget));
        let amount = missing.min(giver.budget);
        let gift = Transfer { from: slot.from, to, amount, priority: slot.priority };
        Ok((amount > 0).then_some(gift))
    }
}

fn until(slot: &Slot) -> Time {
    seeded!(EndlessSlot, crate::NEVER, slot.until)
}
