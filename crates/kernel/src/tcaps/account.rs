//! Accounts: the time that is left, the debt, and the quality of the time.
//!
//! The article calls an account a TCap.

use super::quality::Opinions;
use super::{Chain, Entry, Funding, Principal, Quality, Tables};
use crate::mutation::seeded;
use crate::{AccountIndex, NEVER, Time};

/// The time that an account holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Funds {
    /// The time that can be used, in ticks; [`NEVER`]: it does not end.
    pub budget: Time,
    /// The time that was used after the end, in ticks, because a timer comes late or a path of the
    /// kernel was under way. Received time pays it first; it is never forgiven.
    pub debt: Time,
}

impl Funds {
    /// Nothing, and nothing owed.
    pub const NONE: Self = Funds { budget: 0, debt: 0 };

    /// Returns the funds that are left after so many cycles of use.
    #[must_use]
    pub fn after(self, cycles: Time) -> Self {
        // Infinite time is not used up, and so it never owes.
        if self.budget == NEVER {
            return self;
        }
        let used = self.budget.min(cycles);
        let debt = seeded!(ForgivenDebt, self.debt, self.debt.saturating_add(cycles - used));
        Funds { budget: self.budget - used, debt }
    }

    /// Returns the funds after so much was received, or `None` if that is more than can be counted.
    pub fn with(self, amount: Time) -> Option<Self> {
        let paid = seeded!(UnpaidDebt, 0, self.debt.min(amount));
        // Refused and not cut, because time would be lost. A sum must not become `NEVER` either:
        // that is infinite, and only the kernel fills such an account.
        let budget = self.budget.checked_add(amount - paid).filter(|budget| *budget < NEVER);
        Some(Funds { budget: budget?, debt: self.debt - paid })
    }
}

/// An account's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Account {
    /// The time that it holds.
    pub funds: Funds,
    /// The quality of its time.
    pub quality: Quality,
    /// The threads that are activated on it.
    pub activated: Chain,
}

impl Account {
    /// Before the start.
    pub const EMPTY: Self =
        Account { funds: Funds::NONE, quality: Quality::NONE, activated: Chain::EMPTY };

    /// Returns `true` if it has budget.
    pub fn is_funded(&self) -> bool {
        self.funds.budget > 0
    }
}

impl Tables<'_> {
    /// Returns the quality of an account by itself: what its owner thinks of it, and, where the
    /// kernel fills it, its level.
    pub fn own_quality(&self, account: AccountIndex) -> Quality {
        let config = self.accounts[account.at()];
        let owner = self.owner(account);
        match config.funding {
            Funding::Delegated { .. } => Quality::of(owner, config.priority),
            Funding::Kernel { level, .. } if owner == Principal::ROOT => {
                Quality::of(owner, level.into())
            }
            Funding::Kernel { level, .. } => {
                let own = Entry { principal: owner, priority: config.priority };
                let rooted = Quality::below_root(level.into(), own);
                seeded!(Unrooted, Quality::of(owner, config.priority), rooted)
            }
        }
    }

    /// Returns the quality of an account under another priority of its owner. The root's never
    /// improves: that would launder the time of the giver.
    pub(super) fn under<'q>(
        &self,
        account: AccountIndex,
        quality: &'q Quality,
        priority: super::Priority,
    ) -> Opinions<'q> {
        let owner = self.owner(account);
        let opinions = quality.opinions();
        if owner != Principal::ROOT {
            return opinions.with(owner, priority);
        }
        // Without an opinion of the root's the best number, so that the given priority counts.
        let known = opinions.roots().unwrap_or(0);
        opinions.with(owner, known.max(priority))
    }
}

/// Returns `true` if time of one quality, of which there is some, may preempt time of another (the
/// article's ≻). Steps: the entries of both.
pub(super) fn may_preempt(funds: Funds, quality: &Quality, other: Opinions<'_>) -> bool {
    seeded!(EmptyPreempts, true, funds.budget > 0) && quality.agrees_with(other)
}
