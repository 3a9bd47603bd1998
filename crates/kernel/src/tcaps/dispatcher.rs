//! The interface of the state machine: calls in; running thread and timer out.

use super::quality::Opinions;
use super::running::running;
use super::{Error, Funding, Funds, Memory, Scheduler, Standing, TableError, Tables};
use super::{account, spans};
use crate::mutation::seeded;
use crate::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

/// Accounts, schedulers and end-points: tables that never change, and memory that does.
///
/// Calls are those of the running thread. Before each, time up to `now` is charged to the account
/// that pays for it.
#[derive(Debug)]
pub struct Dispatcher<'m> {
    pub(super) tables: Tables<'m>,
    pub(super) memory: Memory<'m>,
}

impl<'m> Dispatcher<'m> {
    /// Checks the tables and clears the memory. The kernel's own accounts are full; its own
    /// schedulers are ready, and all other threads wait. Steps: the size of the system, once.
    ///
    /// # Errors
    /// The tables are wrong, or the memory does not fit.
    pub fn start(tables: Tables<'m>, memory: Memory<'m>) -> Result<Self, TableError> {
        tables.check()?;
        memory.fits(&tables).then_some(()).ok_or(TableError::Memory)?;
        let mut dispatcher = Dispatcher { tables, memory };
        dispatcher.memory.clear();
        spans::number(dispatcher.memory.end_points, &tables);
        for number in 0..tables.accounts.len() as u16 {
            let account = AccountIndex(number);
            let state = &mut dispatcher.memory.accounts[account.at()];
            state.quality = tables.own_quality(account);
            if let Funding::Kernel { amount, .. } = tables.accounts[account.at()].funding {
                state.funds.budget = amount;
            }
        }
        for (place, config) in tables.schedulers.iter().enumerate() {
            let number = SchedulerIndex(place as u16);
            let parent = dispatcher.memory.schedulers.get(config.parent.at());
            // Parents come first in the tables, so the parent's root is known.
            let root = parent.map_or(number, |parent| parent.root);
            dispatcher.memory.schedulers[place].root = root;
            dispatcher.memory.end_points[config.thread.at()].scheduler = number;
            if config.parent.is_none() {
                dispatcher.activate_on_own(config.thread, Side::Back);
            }
        }
        Ok(dispatcher)
    }

    /// Goes on with memory that a dispatcher with the same tables has left behind.
    pub fn resume(tables: Tables<'m>, memory: Memory<'m>) -> Self {
        Dispatcher { tables, memory }
    }

    /// All of the state.
    pub fn memory(&self) -> &Memory<'m> {
        &self.memory
    }

    /// Returns the running thread; [`ThreadIndex::NONE`]: none runs.
    #[inline(always)]
    pub fn running(&self) -> ThreadIndex {
        running(self.memory.core, self.memory.end_points)
    }

    /// Returns the account that pays for the running thread; none: no thread runs.
    pub fn payer(&self) -> AccountIndex {
        let running = self.memory.end_points.get(self.running().at());
        running.map_or(AccountIndex::NONE, |end_point| end_point.account)
    }

    /// Returns the funds of an account at this instant.
    pub fn funds(&self, now: Time, account: AccountIndex) -> Funds {
        let (funds, since) = (self.memory.accounts[account.at()].funds, self.memory.core.since);
        // The payer is charged at events only, so what it has used since is taken off here.
        if now > since && self.payer() == account { funds.after(now - since) } else { funds }
    }

    /// Returns `true` if an account's time may preempt that of another (the article's ≻): it has
    /// budget, and all principals with a say in both agree. Steps: the entries of both.
    pub fn may_preempt(&self, now: Time, account: AccountIndex, other: AccountIndex) -> bool {
        let (own, other) = (&self.memory.accounts[account.at()], &self.memory.accounts[other.at()]);
        let opinions = other.quality.opinions();
        account::may_preempt(self.funds(now, account), &own.quality, opinions)
    }

    /// When [`timer`](Self::timer) must be called: when the payer's budget ends, or the first
    /// time-out is due; [`NEVER`]: not.
    pub fn next_timer(&self) -> Time {
        let timeout = self.next_timeout();
        let ends = match self.payers_budget() {
            NEVER => NEVER,
            budget => self.memory.core.since.saturating_add(budget),
        };
        seeded!(TimeoutOnly, timeout, timeout.min(ends))
    }

    /// When the first time-out is due; [`NEVER`]: there is none.
    pub fn next_timeout(&self) -> Time {
        self.memory.core.timeout
    }

    /// A scheduler wants control back at another time. Steps: the schedulers, if it was the first
    /// of those that do.
    pub(super) fn set_timeout(&mut self, scheduler: SchedulerIndex, timeout: Time) {
        let state = &mut self.memory.schedulers[scheduler.at()];
        let before = core::mem::replace(&mut state.timeout, timeout);
        state.deferred = false;
        if timeout <= self.memory.core.timeout {
            self.memory.core.timeout = timeout;
        // Only where the earliest one goes is the next to be searched for.
        } else if seeded!(StaleTimeout, false, before == self.memory.core.timeout) {
            self.find_timeout();
        }
    }

    /// Looks for the first time-out that is not deferred. Steps: the schedulers.
    #[inline(never)]
    pub(super) fn find_timeout(&mut self) {
        let schedulers = self.memory.schedulers.iter().filter(|scheduler| !scheduler.deferred);
        let timeouts = schedulers.map(|scheduler| scheduler.timeout);
        self.memory.core.timeout = timeouts.min().unwrap_or(NEVER);
    }

    /// Returns the budget that the paying account had when it was charged last, in ticks;
    /// [`NEVER`]: it does not end, or no thread runs.
    pub(super) fn payers_budget(&self) -> Time {
        let payer = self.memory.accounts.get(self.payer().at());
        payer.map_or(NEVER, |payer| payer.funds.budget)
    }

    /// Handles the timer: time-outs are due, or the payer's budget has ended. Where both come
    /// together, the scheduler that wanted control back has it, and none inherits. Steps: those of
    /// the end of a budget, and for each scheduler that is due those of a time-out.
    pub fn timer(&mut self, now: Time) {
        self.timer_once(now);
        while self.time_out_next(now) {}
    }

    /// The same, but for all time-outs behind the first that is due: those are due still.
    pub(super) fn timer_once(&mut self, now: Time) {
        let payer = self.charge(now);
        if !self.end_of_charge(now, payer) {
            self.time_out_next(now);
        }
    }

    /// The end of a charge to an account at the timer: if its budget has ended and its scheduler
    /// wants control back by now, that has it; true: a time-out has come by that.
    pub(super) fn end_of_charge(&mut self, now: Time, payer: AccountIndex) -> bool {
        let ended = self.memory.accounts.get(payer.at()).is_some_and(|own| !own.is_funded());
        if ended && seeded!(HeirBeforeTimeout, false, self.is_wanted_back(payer)) {
            self.time_out_next(now);
            // Control is given already.
            self.end_if_empty(payer);
            return true;
        }
        self.finish(payer);
        false
    }

    /// The time-out of the first scheduler whose is due, or which comes later; false: there is
    /// none.
    fn time_out_next(&mut self, now: Time) -> bool {
        let is_due = |state: &Scheduler| {
            let runs = seeded!(PreemptedTimeout, state.place == self.running(), true);
            state.timeout <= now && runs && !state.deferred
        };
        let due = self.memory.schedulers.iter().position(is_due);
        if let Some(number) = due {
            let scheduler = SchedulerIndex(number as u16);
            match self.is_delayed(scheduler) {
                true => {
                    // Not looked at again until the section ends, or the timer would be due all the
                    // time.
                    self.memory.schedulers[number].deferred = true;
                    self.find_timeout();
                }
                false => self.time_out(scheduler),
            }
        }
        due.is_some()
    }

    /// The kernel fills up an account of its own. It never lowers it, and pays what is owed first.
    /// Steps: the threads that are activated on the account.
    ///
    /// # Errors
    /// The account is not the kernel's.
    pub fn refill(&mut self, now: Time, account: AccountIndex) -> Result<(), Error> {
        let config = self.tables.accounts.get(account.at()).ok_or(Error::NoSuchObject)?;
        let Funding::Kernel { amount, .. } = config.funding else {
            return Err(Error::NotIts);
        };
        let payer = self.charge(now);
        let state = &mut self.memory.accounts[account.at()];
        let missing = amount.saturating_sub(state.funds.budget);
        // An infinite account cannot be filled further, and stays as it is.
        state.funds = state.funds.with(missing).unwrap_or(state.funds);
        if state.is_funded() {
            self.requeue_activated(account);
        }
        self.finish(payer);
        Ok(())
    }

    /// Charges the time since the last charge; to which account.
    pub(super) fn charge(&mut self, now: Time) -> AccountIndex {
        let (running, core) = (self.running(), &mut *self.memory.core);
        let cycles = now.saturating_sub(core.since);
        // Not `= now`: a `now` from before the last charge must not let time be charged twice.
        core.since += cycles;
        let Some(state) = self.memory.end_points.get_mut(running.at()) else {
            return AccountIndex::NONE;
        };
        // A thread of the kernel's level has no scheduler that wants to know its cycles.
        if state.place != u16::MAX {
            state.cycles = seeded!(LatestCycles, cycles, state.cycles.saturating_add(cycles));
        }
        let account = &mut self.memory.accounts[state.account.at()];
        account.funds = account.funds.after(cycles);
        state.account
    }

    /// The end of a call that was paid by an account: if its budget has ended, that is settled.
    pub(super) fn finish(&mut self, payer: AccountIndex) {
        if payer.is_some() {
            self.expire_if_empty(payer);
        }
    }

    /// Returns the quality by which an activated thread's time counts: that of its account, under
    /// the priority of its dispatch.
    pub(super) fn effective_quality(&self, thread: ThreadIndex) -> Opinions<'_> {
        let end_point = &self.memory.end_points[thread.at()];
        let quality = &self.memory.accounts[end_point.account.at()].quality;
        match end_point.priority {
            None => quality.opinions(),
            Some(priority) => seeded!(
                LaunderedDispatch,
                quality.opinions().with(self.tables.owner(end_point.account), priority),
                self.tables.under(end_point.account, quality, priority)
            ),
        }
    }

    /// Returns the calling thread.
    pub(super) fn caller(&self) -> Result<ThreadIndex, Error> {
        let running = self.running();
        running.is_some().then_some(running).ok_or(Error::Idle)
    }

    /// Returns the calling thread's scheduler, which is itself.
    pub(super) fn calling_scheduler(&self) -> Result<SchedulerIndex, Error> {
        let scheduler = self.memory.end_points[self.caller()?.at()].scheduler;
        scheduler.is_some().then_some(scheduler).ok_or(Error::NoScheduler)
    }

    pub(super) fn thread_exists(&self, thread: ThreadIndex) -> Result<(), Error> {
        let exists = thread.at() < self.tables.end_points.len();
        exists.then_some(()).ok_or(Error::NoSuchObject)
    }

    pub(super) fn account_exists(&self, account: AccountIndex) -> Result<(), Error> {
        let exists = account.at() < self.tables.accounts.len();
        exists.then_some(()).ok_or(Error::NoSuchObject)
    }

    pub(super) fn standing(&self, thread: ThreadIndex) -> Standing {
        self.memory.end_points[thread.at()].standing
    }

    pub(super) fn own_account(&self, thread: ThreadIndex) -> AccountIndex {
        self.tables.end_points[thread.at()].account
    }
}

/// The end of the queue of equals at which a thread is queued.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Before them: it was dispatched, or preempts.
    Front,
    /// Before them, but behind schedulers above it: it continues in place of the thread that it had
    /// dispatched.
    Successor,
    /// After them: it has become ready.
    Back,
}
