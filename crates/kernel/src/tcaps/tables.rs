//! The build's tables of accounts, schedulers and end-points.

use super::{Principal, Priority};
use crate::{AccountIndex, SchedulerIndex, ThreadIndex, Time};

/// The number of levels that the root's priorities name: the kernel's, best first.
pub const LEVELS: Priority = 256;

/// The source of an account's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Funding {
    /// From delegations; it holds at most so much. A limit keeps a receiver from saving up the
    /// gifts of many periods, to spend them together.
    Delegated {
        /// The most that it holds.
        limit: Time,
    },
    /// From the kernel, which fills it up: a kernel thread's own account.
    Kernel {
        /// The root's priority of it, below [`LEVELS`].
        level: u8,
        /// The budget to which a refill fills it up, in ticks; [`NEVER`](crate::NEVER): it is
        /// infinite.
        amount: Time,
    },
}

/// An account (the article's TCap), as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AccountConfig {
    /// The scheduler that delegates from it and dispatches on it; none: it is a kernel thread's.
    pub scheduler: SchedulerIndex,
    /// The priority that its owner attaches to it. Where the owner is [`Principal::ROOT`] and the
    /// kernel fills it, its level stands instead.
    pub priority: Priority,
    /// The source of its time.
    pub funding: Funding,
}

/// A scheduler, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SchedulerConfig {
    /// The thread of the scheduler.
    pub thread: ThreadIndex,
    /// The principal as which it has a say. [`Principal::ROOT`]: its priorities are the kernel's.
    pub principal: Principal,
    /// The scheduler of its thread, which comes before it; none: its thread is the kernel's.
    pub parent: SchedulerIndex,
}

/// A thread's receive end-point, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EndPointConfig {
    /// The scheduler that dispatches the thread and gets its events; none: the kernel.
    pub scheduler: SchedulerIndex,
    /// The account that pays when a send activates it, and that receives what is delegated to it.
    pub account: AccountIndex,
}

/// All of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tables<'t> {
    /// The accounts of the system.
    pub accounts: &'t [AccountConfig],
    /// Schedulers, parents first.
    pub schedulers: &'t [SchedulerConfig],
    /// End-points, one for each thread.
    pub end_points: &'t [EndPointConfig],
    /// The thread that each interrupt line activates.
    pub interrupts: &'t [ThreadIndex],
}

/// A reason for which [`Tables::check`] refuses tables, or a system's start its memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableError {
    /// Too many objects of a kind.
    Count,
    /// An account without owner, with a limit or amount of nothing, or whose root priority is no
    /// level.
    Account(AccountIndex),
    /// A scheduler whose thread, parent or principal does not fit.
    Scheduler(SchedulerIndex),
    /// An end-point whose account or scheduler does not fit.
    EndPoint(ThreadIndex),
    /// An interrupt without thread.
    Interrupt(u16),
    /// The memory does not have the tables' sizes.
    Memory,
}

impl Tables<'_> {
    /// Returns the principal that an account's own entry belongs to.
    pub fn owner(&self, account: AccountIndex) -> Principal {
        let scheduler = self.accounts[account.at()].scheduler;
        let config = self.schedulers.get(scheduler.at());
        config.map_or(Principal::ROOT, |config| config.principal)
    }

    /// Returns `true` if the kernel fills an account.
    pub fn is_kernels(&self, account: AccountIndex) -> bool {
        matches!(self.accounts[account.at()].funding, Funding::Kernel { .. })
    }

    /// Returns `true` if a thread is the kernel's own, and no scheduler dispatches it.
    pub fn is_kernel_thread(&self, thread: ThreadIndex) -> bool {
        self.end_points[thread.at()].scheduler.is_none()
    }

    /// Returns the scheduler that a thread is; none: it is no scheduler. Steps: the schedulers,
    /// once at the start.
    pub fn scheduler_of(&self, thread: ThreadIndex) -> SchedulerIndex {
        let place = self.schedulers.iter().position(|config| config.thread == thread);
        place.map_or(SchedulerIndex::NONE, |place| SchedulerIndex(place as u16))
    }

    /// Checks that everything fits.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn check(&self) -> Result<(), TableError> {
        // An index with the highest bit stands for "none".
        let most = 32_766;
        let counts = [
            self.accounts.len(),
            self.schedulers.len(),
            self.end_points.len(),
            self.interrupts.len(),
        ];
        counts.iter().all(|count| *count <= most).then_some(()).ok_or(TableError::Count)?;
        for number in 0..self.schedulers.len() as u16 {
            let fits = self.scheduler_fits(number);
            fits.then_some(()).ok_or(TableError::Scheduler(SchedulerIndex(number)))?;
        }
        for number in 0..self.accounts.len() as u16 {
            let account = AccountIndex(number);
            self.account_fits(account).then_some(()).ok_or(TableError::Account(account))?;
        }
        for number in 0..self.end_points.len() as u16 {
            let thread = ThreadIndex(number);
            self.end_point_fits(thread).then_some(()).ok_or(TableError::EndPoint(thread))?;
        }
        let lost = |thread: &ThreadIndex| thread.at() >= self.end_points.len();
        match self.interrupts.iter().position(lost) {
            Some(line) => Err(TableError::Interrupt(line as u16)),
            None => Ok(()),
        }
    }

    fn scheduler_fits(&self, number: u16) -> bool {
        let config = self.schedulers[usize::from(number)];
        let before = &self.schedulers[..usize::from(number)];
        let unique = |other: &SchedulerConfig| {
            other.principal != config.principal && other.thread != config.thread
        };
        let parent = config.parent;
        let its_thread = |end_point: &EndPointConfig| end_point.scheduler == parent;
        // Only the kernel's own thread can speak for the kernel.
        let speaks = config.principal != Principal::ROOT || parent.is_none();
        (parent.is_none() || parent.at() < before.len())
            && before.iter().all(unique)
            && self.end_points.get(config.thread.at()).is_some_and(its_thread)
            && speaks
    }

    fn account_fits(&self, account: AccountIndex) -> bool {
        let config = self.accounts[account.at()];
        let owned = config.scheduler.at() < self.schedulers.len();
        match config.funding {
            Funding::Delegated { limit } => {
                let roots = self.owner(account) == Principal::ROOT;
                owned && limit > 0 && limit < crate::NEVER && (!roots || config.priority < LEVELS)
            }
            Funding::Kernel { amount, .. } => (owned || config.scheduler.is_none()) && amount > 0,
        }
    }

    fn end_point_fits(&self, thread: ThreadIndex) -> bool {
        let config = self.end_points[thread.at()];
        let Some(account) = self.accounts.get(config.account.at()) else { return false };
        let of_itself = self.scheduler_of(thread);
        let whose = if of_itself.is_some() { of_itself } else { config.scheduler };
        let users = self.end_points.iter().filter(|other| other.account == config.account);
        let kernels = self.is_kernels(config.account);
        account.scheduler == whose
            && kernels == config.scheduler.is_none()
            && (!kernels || users.count() == 1)
            && (config.scheduler.is_none() || config.scheduler.at() < self.schedulers.len())
    }
}
