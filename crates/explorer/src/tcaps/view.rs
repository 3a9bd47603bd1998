//! A state read into maps and sums.

use std::collections::BTreeMap;

use fusee_kernel::tcaps::{Chain, Funding, Hook, Standing, Store, Tables};
use fusee_kernel::{AccountIndex, NEVER, ThreadIndex, Time};

/// The kernel's own say.
pub(super) const ROOT: u16 = 0;

/// The priorities that principals attach to an account: a number for each, lower is better.
pub type Opinions = BTreeMap<u16, u64>;

/// The content of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Budget less debt; none: it is infinite.
    pub balance: Option<i64>,
    /// The quality of its time.
    pub opinions: Opinions,
}

impl Held {
    /// Returns `true` if there is anything to use.
    pub fn is_funded(&self) -> bool {
        self.balance.is_none_or(|balance| balance > 0)
    }

    /// Returns `true` if all principals with a say in both agree that this may preempt that.
    pub fn may_preempt(&self, other: &Opinions) -> bool {
        self.is_funded()
            && self
                .opinions
                .iter()
                .all(|(who, what)| other.get(who) >= Some(what) || !other.contains_key(who))
    }
}

/// A state at an instant.
#[derive(Debug)]
pub struct View<'s> {
    /// The tables, which never change.
    pub tables: &'s Tables<'s>,
    /// The state of the dispatcher.
    pub store: &'s Store,
    /// The instant of the state.
    pub now: Time,
    /// Each account, with what was used up to now.
    pub accounts: Vec<Held>,
    /// The running thread.
    pub running: Option<usize>,
}

impl<'s> View<'s> {
    /// Reads a state.
    pub fn of(tables: &'s Tables<'s>, store: &'s Store, now: Time) -> Self {
        let running = members(store.core.ready, &store.ready).first().copied();
        let payer = running.map(|thread| store.end_points[thread].account.at());
        let accounts = store.accounts.iter().enumerate().map(|(number, account)| {
            let used = if payer == Some(number) { now - store.core.since } else { 0 };
            let funds = account.funds;
            let balance = funds.budget as i64 - funds.debt as i64 - used as i64;
            let entries = account.quality.entries().iter();
            Held {
                balance: (funds.budget != NEVER).then_some(balance),
                opinions: entries.map(|entry| (entry.principal.0, entry.priority)).collect(),
            }
        });
        View { tables, store, now, accounts: accounts.collect(), running }
    }

    /// Returns the account that pays for an activated thread.
    pub fn payer_of(&self, thread: usize) -> Option<usize> {
        let account = self.store.end_points[thread].account;
        account.is_some().then_some(account.at())
    }

    /// Returns `true` if an account's budget has ended, and the timer has not yet come.
    pub fn is_due(&self, account: usize) -> bool {
        let pays = self.running.and_then(|thread| self.payer_of(thread)) == Some(account);
        pays && !self.accounts[account].is_funded() && self.store.accounts[account].funds.budget > 0
    }

    /// Returns the principal that owns an account.
    pub fn owner(&self, account: usize) -> u16 {
        let scheduler = self.tables.accounts[account].scheduler;
        match self.tables.schedulers.get(scheduler.at()) {
            Some(config) => config.principal.0,
            None => ROOT,
        }
    }

    /// Returns the scheduler of an account's tree that is the kernel's own.
    pub fn root_of(&self, scheduler: usize) -> usize {
        let mut number = scheduler;
        while self.tables.schedulers[number].parent.is_some() {
            number = self.tables.schedulers[number].parent.at();
        }
        number
    }

    /// Returns the scheduler of an account; none: it has none.
    pub fn scheduler_of_account(&self, account: usize) -> Option<usize> {
        let scheduler = self.tables.accounts[account].scheduler;
        scheduler.is_some().then_some(scheduler.at())
    }

    /// Returns the scheduler of a thread; none: the kernel.
    pub fn scheduler_of(&self, thread: usize) -> Option<usize> {
        let scheduler = self.tables.end_points[thread].scheduler;
        scheduler.is_some().then_some(scheduler.at())
    }

    /// Returns the scheduler that a thread is.
    pub fn is_scheduler(&self, thread: usize) -> Option<usize> {
        self.tables.schedulers.iter().position(|config| config.thread.at() == thread)
    }

    /// Returns the thread of a scheduler.
    pub fn thread_of(&self, scheduler: usize) -> usize {
        self.tables.schedulers[scheduler].thread.at()
    }

    /// Returns the own account of a thread.
    pub fn own_account(&self, thread: usize) -> usize {
        self.tables.end_points[thread].account.at()
    }

    /// Returns `true` if the kernel fills an account.
    pub fn is_kernels(&self, account: usize) -> bool {
        matches!(self.tables.accounts[account].funding, Funding::Kernel { .. })
    }

    /// Returns the standing of a thread.
    pub fn standing(&self, thread: usize) -> Standing {
        self.store.end_points[thread].standing
    }

    /// Returns the opinions under which an activated thread's time counts.
    pub fn opinions_of(&self, thread: usize) -> Option<Opinions> {
        let account = self.payer_of(thread)?;
        Some(self.dispatched(thread, account, &self.accounts[account].opinions))
    }

    /// Opinions of an account under the priority of a thread's dispatch on it.
    pub fn dispatched(&self, thread: usize, account: usize, opinions: &Opinions) -> Opinions {
        let mut opinions = opinions.clone();
        if let Some(priority) = self.store.end_points[thread].priority {
            let owner = self.owner(account);
            let own = opinions.entry(owner).or_insert(priority);
            *own = if owner == ROOT { priority.max(*own) } else { priority };
        }
        opinions
    }

    /// Returns the root's opinion of an activated thread.
    pub fn level(&self, thread: usize) -> Option<u64> {
        self.opinions_of(thread)?.get(&ROOT).copied()
    }

    /// Returns an account's quality when no foreign time is in it.
    pub fn clean(&self, account: usize) -> Opinions {
        let config = &self.tables.accounts[account];
        let mut opinions = Opinions::from([(self.owner(account), config.priority)]);
        if let Funding::Kernel { level, .. } = config.funding {
            opinions.insert(ROOT, level.into());
        }
        opinions
    }

    /// Iterates over the threads that can run if no better one does, in their order.
    pub fn ready(&self) -> Vec<usize> {
        members(self.store.core.ready, &self.store.ready)
    }

    /// Threads of which a scheduler has still to be told, in their order.
    pub fn events(&self, scheduler: usize) -> Vec<usize> {
        members(self.store.schedulers[scheduler].events, &self.store.events)
    }

    /// Accounts that a tree's root has in its list, in their order.
    pub fn funded(&self, root: usize) -> Vec<usize> {
        members(self.store.schedulers[root].funded, &self.store.funded)
    }

    /// Returns `true` if a scheduler's time-out is due.
    pub fn is_timed_out(&self) -> bool {
        self.store.schedulers.iter().any(|scheduler| scheduler.timeout <= self.now)
    }

    /// Returns the numbers of all threads.
    pub fn threads(&self) -> std::ops::Range<usize> {
        0..self.tables.end_points.len()
    }
}

/// Returns the members of a chain; one that bites its own tail is cut off.
fn members(chain: Chain, hooks: &[Hook]) -> Vec<usize> {
    chain.iter(hooks).take(hooks.len() + 1).collect()
}

/// Returns a thread by number.
pub(super) fn thread(number: usize) -> ThreadIndex {
    ThreadIndex(number as u16)
}

/// Returns an account by number.
pub(super) fn account(number: usize) -> AccountIndex {
    AccountIndex(number as u16)
}
