//! Time that accounts give each other.
//!
//! A gift is budget, at the giver's quality and a priority that the giver sets. The receiver's
//! quality becomes the worse of both, for all of its time. So the giver knows that its gift
//! preempts its own threads no more than it allows, and no quality ever improves while there is
//! budget. Nothing is taken back.

use super::dispatcher::Side;
use super::quality::{ENTRIES, Opinions};
use super::{Dispatcher, Error, Funding, LEVELS, Principal, Priority, Quality, Standing, Tables};
use crate::mutation::seeded;
use crate::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

/// Time for another thread's end-point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delegation {
    /// The account of the calling scheduler that gives.
    pub from: AccountIndex,
    /// The thread whose end-point's account receives.
    pub to: ThreadIndex,
    /// The amount in ticks.
    pub amount: Time,
    /// The priority that the giver attaches to it.
    pub priority: Priority,
}

/// Time for another account of the same scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transfer {
    /// The account of the calling scheduler that gives.
    pub from: AccountIndex,
    /// The account that receives.
    pub to: AccountIndex,
    /// The amount in ticks.
    pub amount: Time,
    /// The priority that the giver attaches to it.
    pub priority: Priority,
}

impl Dispatcher<'_> {
    /// Gives time to another thread's end-point, and sends to it. Steps: the entries of both
    /// qualities, the threads activated on the receiving account, a send, and the end of a budget.
    ///
    /// # Errors
    /// What is asked is not there, or not the caller's, or the receiver cannot take it.
    pub fn delegate(&mut self, now: Time, delegation: Delegation) -> Result<(), Error> {
        // All is asked before anything is charged or moved, so that a refusal changes nothing.
        let transfer = self.check_receiver(&delegation)?;
        let together = self.check_move(now, &transfer);
        seeded!(
            ChangedByRefusal,
            if together.is_err() {
                self.overwrite_source(&transfer)
            },
            ()
        );
        let together = together?;
        let payer = self.charge(now);
        self.make_delegation(&transfer, (delegation.to, together));
        self.finish(payer);
        Ok(())
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`delegate`](Self::delegate).
    pub fn delegate_funded(&mut self, now: Time, delegation: Delegation) -> Result<(), Error> {
        let transfer = self.check_receiver(&delegation)?;
        let together = self.check_move(now, &transfer)?;
        self.make_delegation(&transfer, (delegation.to, together));
        Ok(())
    }

    fn make_delegation(&mut self, transfer: &Transfer, (to, together): (ThreadIndex, usize)) {
        self.make_move(transfer, together);
        self.notify(to);
        self.give_up(transfer.from);
    }

    /// Returns the move that a delegation is, if its receiver can be one.
    fn check_receiver(&self, delegation: &Delegation) -> Result<Transfer, Error> {
        let to = self.receiver(delegation.to)?;
        let &Delegation { from, amount, priority, .. } = delegation;
        Ok(Transfer { from, to, amount, priority })
    }

    /// Gives time to one of the calling scheduler's own threads and dispatches it: on its own
    /// account, and without time-out. A scheduler that has dispatched another goes on so. Steps as
    /// [`delegate`](Self::delegate).
    ///
    /// # Errors
    /// As [`delegate`](Self::delegate); or the thread is not the caller's own, or the time pays
    /// only what it owes.
    pub fn delegate_and_yield(&mut self, now: Time, delegation: Delegation) -> Result<(), Error> {
        let gift = self.check_yield(now, &delegation)?;
        let payer = self.charge(now);
        self.make_slot(delegation.from, (delegation.to, NEVER), Some(&gift));
        self.finish(payer);
        Ok(())
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`delegate_and_yield`](Self::delegate_and_yield).
    pub fn delegate_and_yield_funded(
        &mut self,
        now: Time,
        delegation: Delegation,
    ) -> Result<(), Error> {
        let gift = self.check_yield(now, &delegation)?;
        self.make_slot(delegation.from, (delegation.to, NEVER), Some(&gift));
        Ok(())
    }

    #[inline(always)]
    fn check_yield(&self, now: Time, delegation: &Delegation) -> Result<(Transfer, usize), Error> {
        let number = self.calling_scheduler()?;
        let to = self.own_receiver(number, delegation.to)?;
        let &Delegation { from, amount, priority, .. } = delegation;
        let transfer = Transfer { from, to, amount, priority };
        let together = self.check_move(now, &transfer)?;
        self.pays_debt(now, &transfer).then_some(()).ok_or(Error::Budget)?;
        Ok((transfer, together))
    }

    /// Returns `true` if a receiver has budget after a move.
    pub(super) fn pays_debt(&self, now: Time, transfer: &Transfer) -> bool {
        let funds = self.funds(now, transfer.to);
        funds.budget > 0 || transfer.amount > funds.debt
    }

    /// Moves time between two of the calling scheduler's accounts. Steps as
    /// [`delegate`](Self::delegate), without the send.
    ///
    /// # Errors
    /// What is asked is not there, or not the caller's, or the receiver cannot take it.
    pub fn transfer(&mut self, now: Time, transfer: Transfer) -> Result<(), Error> {
        let together = self.check_transfer(now, &transfer)?;
        let payer = self.charge(now);
        self.make_move(&transfer, together);
        self.give_up(transfer.from);
        self.finish(payer);
        Ok(())
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`transfer`](Self::transfer).
    pub fn transfer_funded(&mut self, now: Time, transfer: Transfer) -> Result<(), Error> {
        let together = self.check_transfer(now, &transfer)?;
        self.make_move(&transfer, together);
        self.give_up(transfer.from);
        Ok(())
    }

    #[inline(always)]
    fn check_transfer(&self, now: Time, transfer: &Transfer) -> Result<usize, Error> {
        let number = self.calling_scheduler()?;
        self.account_exists(transfer.to)?;
        let its = self.tables.accounts[transfer.to.at()].scheduler == number;
        its.then_some(()).ok_or(Error::NotIts)?;
        self.check_move(now, transfer)
    }

    /// As [`receiver`](Self::receiver), where that is a thread of this scheduler's.
    #[inline(always)]
    pub(super) fn own_receiver(
        &self,
        number: SchedulerIndex,
        to: ThreadIndex,
    ) -> Result<AccountIndex, Error> {
        let account = self.receiver(to)?;
        let its = self.tables.end_points[to.at()].scheduler == number;
        its.then_some(account).ok_or(Error::NotIts)
    }

    /// Returns the account that a delegation goes to.
    fn receiver(&self, to: ThreadIndex) -> Result<AccountIndex, Error> {
        let caller = self.caller()?;
        self.thread_exists(to)?;
        (to != caller).then_some(()).ok_or(Error::Itself)?;
        let lives = self.standing(to) != Standing::Dead;
        lives.then_some(()).ok_or(Error::Dead)?;
        Ok(self.own_account(to))
    }

    /// Checks that a move is allowed, and returns the number of principals with a say in the
    /// receiver's quality afterwards.
    pub(super) fn check_move(&self, now: Time, transfer: &Transfer) -> Result<usize, Error> {
        let number = self.calling_scheduler()?;
        let &Transfer { from, to, amount, priority } = transfer;
        self.account_exists(from)?;
        let its = self.tables.accounts[from.at()].scheduler == number;
        its.then_some(()).ok_or(Error::NotIts)?;
        (from != to).then_some(()).ok_or(Error::Itself)?;
        let Funding::Delegated { limit } = self.tables.accounts[to.at()].funding else {
            return Err(Error::KernelAccount);
        };
        // The root's opinion is a level of the kernel's queue, and there are no others.
        let is_level = self.tables.owner(from) != Principal::ROOT || priority < LEVELS;
        is_level.then_some(()).ok_or(Error::Level)?;
        let (giver, receiver) = (self.funds(now, from), self.funds(now, to));
        // A gift of nothing would only worsen the receiver's quality.
        (0 < amount && amount <= giver.budget).then_some(()).ok_or(Error::Budget)?;
        let received = receiver.with(amount).ok_or(Error::Limit)?;
        // Refused and not cut, or time would be lost. Without the limit, a receiver could save up
        // the gifts of many periods and spend them at once.
        let within = seeded!(Clamped, true, seeded!(Hoarded, true, received.budget <= limit));
        within.then_some(()).ok_or(Error::Limit)?;
        let [giving, receiving] =
            [from, to].map(|account| &self.memory.accounts[account.at()].quality);
        // Counted before anything moves: one principal too many must leave both as they are.
        let together = receiving.union_len(self.tables.given(transfer, giving));
        (together <= ENTRIES).then_some(together).ok_or(Error::Entries)
    }

    /// The receiver's quality after a move. What a receiver thinks of its own account stays, but
    /// for the root's opinion and where both are its own.
    fn worsen_receiver(&mut self, transfer: &Transfer, together: usize) {
        let &Transfer { from, to, .. } = transfer;
        let (giving, receiving) = (self.tables.owner(from), self.tables.owner(to));
        let roots = seeded!(LaunderedOwn, false, receiving == Principal::ROOT);
        let kept = seeded!(WorsenedOwn, false, giving != receiving && !roots);
        let accounts = self.memory.accounts.get_disjoint_mut([from.at(), to.at()]);
        // No account gives to itself.
        let Ok([giver, receiver]) = accounts else { return };
        let kept = kept.then_some(receiving);
        receiver.quality.worsen(self.tables.given(transfer, &giver.quality), (together, kept));
    }

    /// Makes a move that is allowed, of accounts that are charged up to now.
    pub(super) fn make_move(&mut self, transfer: &Transfer, together: usize) {
        let &Transfer { from, to, amount, .. } = transfer;
        let giver = &mut self.memory.accounts[from.at()].funds;
        // Infinite time can be given and is no less for it.
        if giver.budget != NEVER {
            giver.budget -= amount;
        }
        seeded!(OverwrittenSource, self.overwrite_source(transfer), ());
        let receiver = &mut self.memory.accounts[to.at()];
        let arrives = seeded!(Doubled, amount.saturating_mul(2), amount);
        receiver.funds = receiver.funds.with(arrives).unwrap_or(receiver.funds);
        seeded!(Replaced, receiver.funds.budget = amount, ());
        seeded!(Clamped, self.tables.clamp(to, &mut receiver.funds), ());
        // All of it has paid debts, so there is no time whose quality could become worse.
        if !receiver.is_funded() {
            return;
        }
        self.worsen_receiver(transfer, together);
        let scheduler = self.tables.accounts[to.at()].scheduler;
        let root = self.memory.schedulers[scheduler.at()].root;
        let funded = &mut self.memory.schedulers[root.at()].funded;
        // Out and in again, because the account that received last is the first to inherit.
        funded.remove(self.memory.funded, to.at());
        seeded!(
            OldestFirst,
            funded.push_back(self.memory.funded, to.at()),
            funded.push_front(self.memory.funded, to.at())
        );
        self.requeue_activated(to);
    }

    /// A defect: what is given is written into the giver.
    #[cfg(feature = "mutations")]
    fn overwrite_source(&mut self, transfer: &Transfer) {
        let owner = self.tables.owner(transfer.from);
        let giver = &mut self.memory.accounts[transfer.from.at()];
        giver.quality.set(owner, transfer.priority);
    }

    /// A thread that was given time goes on. Its scheduler is told only what it cannot know: that
    /// the thread does not wait.
    pub(super) fn yield_to(&mut self, thread: ThreadIndex) {
        let waited = self.standing(thread) == Standing::Waits;
        self.memory.end_points[thread.at()].pending = !waited;
        if self.standing(thread) != Standing::Placed {
            self.activate_on_own(thread, seeded!(YieldedLast, Side::Back, Side::Front));
        }
        if waited {
            self.queue_event(thread, false);
        }
    }

    /// Ends an account that was given away to the last cycle, as if its time had been used.
    fn give_up(&mut self, account: AccountIndex) {
        seeded!(KeptGiven, (), self.expire_if_empty(account));
    }
}

impl Tables<'_> {
    /// A defect: what is more than an account may hold is lost.
    #[cfg(feature = "mutations")]
    fn clamp(&self, account: AccountIndex, funds: &mut super::Funds) {
        if let Funding::Delegated { limit } = self.accounts[account.at()].funding {
            funds.budget = funds.budget.min(limit);
        }
    }

    /// Returns the priorities of all principals for time that is moved, from the giver's quality.
    fn given<'q>(&self, transfer: &Transfer, giver: &'q Quality) -> Opinions<'q> {
        let &Transfer { from, priority, .. } = transfer;
        let given = seeded!(
            LaunderedAgain,
            giver.opinions().with(self.owner(from), priority),
            self.under(from, giver, priority)
        );
        seeded!(LoneGiver, given.only(self.owner(from)), given)
    }
}
