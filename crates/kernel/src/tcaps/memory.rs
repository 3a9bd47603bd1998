//! The state that changes: accounts, schedulers and end-points.

use super::{Account, Chain, Hook, Priority, Quality, Tables};
use crate::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

/// The level of a section in which no thread is.
pub const ON_TIME: Priority = Priority::MAX;

/// The state of a thread with its scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// It waits for a send.
    Waits,
    /// It could go on; its scheduler has not dispatched it.
    Stopped,
    /// It runs, or is ready, on an account.
    Activated,
    /// A scheduler that has dispatched another, and has control again when that ends.
    Placed,
    /// A scheduler after a fault.
    Dead,
}

/// A receive end-point's state, and that of its thread. As large as a power of two, so that one is
/// found by a shift.
#[repr(align(64))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EndPoint {
    /// The state of its thread.
    pub standing: Standing,
    /// The account that pays while it is activated; none otherwise.
    pub account: AccountIndex,
    /// The priority that its dispatch gives in place of its owner's, as long as it is activated so.
    pub priority: Option<Priority>,
    /// The level at which it is queued.
    pub level: Priority,
    /// The level below which no time-out, no end of a budget and no other thread takes the core
    /// from it, because it is in a section that must not be interrupted; [`ON_TIME`]: it is in
    /// none.
    pub late: Priority,
    /// The thread that was in such a section when this one came into its own; none: nobody was.
    pub below: ThreadIndex,
    /// `true` if something was sent that it has not yet received.
    pub pending: bool,
    /// Cycles that it ran and that its scheduler has not yet been told of.
    pub cycles: Time,
    /// The scheduler that the thread is.
    pub scheduler: SchedulerIndex,
    /// The places of a scheduler and of those below it among all schedulers, where each comes right
    /// before those below it.
    pub span: Span,
    /// The place of its own scheduler; [`u16::MAX`]: it has none.
    pub place: u16,
}

impl EndPoint {
    /// Returns `true` if it is in a section that must not be interrupted.
    #[inline(always)]
    pub const fn is_late(&self) -> bool {
        self.late != ON_TIME
    }

    /// Waits, and has never run.
    pub const EMPTY: Self = EndPoint {
        standing: Standing::Waits,
        account: AccountIndex::NONE,
        priority: None,
        level: 0,
        late: ON_TIME,
        below: ThreadIndex::NONE,
        pending: false,
        cycles: 0,
        scheduler: SchedulerIndex::NONE,
        span: Span { first: 0, end: 0 },
        place: u16::MAX,
    };
}

/// A scheduler's state; as large as a power of two, as [`EndPoint`] is.
#[repr(align(32))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scheduler {
    /// The thread that it has dispatched, while it is [`Standing::Placed`].
    pub place: ThreadIndex,
    /// When it gets control back from it at the latest; [`NEVER`]: it has not said.
    pub timeout: Time,
    /// The newest token that was accepted.
    pub token: u32,
    /// Threads of which there is something to tell, in the order in which it came.
    pub events: Chain,
    /// The accounts of a tree's root that have budget, the one delegated to last first.
    pub funded: Chain,
    /// The root of its tree.
    pub root: SchedulerIndex,
    /// `true` if its time-out has come while the thread at the end of those that it has dispatched
    /// was in a section that must not be interrupted: it comes at the end of that.
    pub deferred: bool,
}

/// A part of all schedulers: from a place up to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first place.
    pub first: u16,
    /// Behind the last.
    pub end: u16,
}

impl Span {
    /// Returns `true` if a place is in it.
    pub(super) const fn holds(self, place: u16) -> bool {
        self.first <= place && place < self.end
    }
}

impl Scheduler {
    /// A scheduler that has dispatched no thread.
    pub const EMPTY: Self = Scheduler {
        place: ThreadIndex::NONE,
        timeout: NEVER,
        token: 0,
        events: Chain::EMPTY,
        funded: Chain::EMPTY,
        root: SchedulerIndex::NONE,
        deferred: false,
    };
}

/// The core's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Core {
    /// Activated threads whose account has budget, by level; a thread that was preempted,
    /// dispatched or activated directly is before its equals. The first runs, unless one is late.
    pub ready: Chain,
    /// Up to when time is charged.
    pub since: Time,
    /// The first of the schedulers' time-outs that are not deferred; [`NEVER`]: there is none.
    pub timeout: Time,
    /// The thread that was the last to come into a section which must not be interrupted, and is
    /// still there; none: nobody is.
    pub late: ThreadIndex,
}

impl Core {
    /// A core without a running thread.
    pub const EMPTY: Self =
        Core { ready: Chain::EMPTY, since: 0, timeout: NEVER, late: ThreadIndex::NONE };
}

/// The state in the machine's memory.
#[derive(Debug)]
pub struct Memory<'m> {
    /// The state of the core.
    pub core: &'m mut Core,
    /// One for each account.
    pub accounts: &'m mut [Account],
    /// One for each scheduler.
    pub schedulers: &'m mut [Scheduler],
    /// One for each thread.
    pub end_points: &'m mut [EndPoint],
    /// Each thread's place in [`Core::ready`].
    pub ready: &'m mut [Hook],
    /// Each thread's place in its scheduler's [`Scheduler::events`].
    pub events: &'m mut [Hook],
    /// Each thread's place in its account's [`Account::activated`].
    pub activated: &'m mut [Hook],
    /// Each account's place in [`Scheduler::funded`].
    pub funded: &'m mut [Hook],
}

impl Memory<'_> {
    /// Returns `true` if it has the sizes of these tables.
    pub(super) fn fits(&self, tables: &Tables<'_>) -> bool {
        let (accounts, threads) = (tables.accounts.len(), tables.end_points.len());
        self.accounts.len() == accounts
            && self.funded.len() == accounts
            && self.schedulers.len() == tables.schedulers.len()
            && self.end_points.len() == threads
            && [self.ready.len(), self.events.len(), self.activated.len()] == [threads; 3]
    }

    pub(super) fn clear(&mut self) {
        *self.core = Core::EMPTY;
        self.accounts.fill(Account { quality: Quality::NONE, ..Account::EMPTY });
        self.schedulers.fill(Scheduler::EMPTY);
        self.end_points.fill(EndPoint::EMPTY);
        self.ready.fill(Hook::OUT);
        self.events.fill(Hook::OUT);
        self.activated.fill(Hook::OUT);
        self.funded.fill(Hook::OUT);
    }
}
