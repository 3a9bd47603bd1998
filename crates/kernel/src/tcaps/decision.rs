//! A scheduler's decisions: all its calls but the one by which it receives.

use super::{Delegation, Dispatch, Dispatcher, Error, Slot, Transfer};
use crate::{ThreadIndex, Time};

/// One of a scheduler's calls that decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A dispatch of a thread: [`Dispatcher::dispatch`].
    Dispatch(Dispatch),
    /// Time for another thread: [`Dispatcher::delegate`].
    Delegate(Delegation),
    /// The same, and that thread runs: [`Dispatcher::delegate_and_yield`].
    DelegateAndYield(Delegation),
    /// The core until a time: [`Dispatcher::yield_until`].
    YieldUntil(Slot),
    /// Time for another account: [`Dispatcher::transfer`].
    Transfer(Transfer),
}

impl Decision {
    /// Returns the thread that is given time; none: no thread is.
    pub(super) fn receiver(&self) -> Option<ThreadIndex> {
        match self {
            Decision::Delegate(given) | Decision::DelegateAndYield(given) => Some(given.to),
            Decision::YieldUntil(slot) => Some(slot.to),
            // A dispatch moves no time, and a transfer stays among the caller's own accounts.
            Decision::Dispatch(_) | Decision::Transfer(_) => None,
        }
    }
}

impl Dispatcher<'_> {
    /// The calling scheduler's decision, whose account has some budget left by now.
    pub(super) fn decide(&mut self, now: Time, decision: &Decision) -> Result<(), Error> {
        match *decision {
            Decision::Dispatch(dispatch) => self.dispatch_funded(now, dispatch),
            Decision::Delegate(delegation) => self.delegate_funded(now, delegation),
            Decision::DelegateAndYield(delegation) => {
                self.delegate_and_yield_funded(now, delegation)
            }
            Decision::YieldUntil(slot) => self.yield_until_funded(now, slot),
            Decision::Transfer(transfer) => self.transfer_funded(now, transfer),
        }
    }
}
