//! A scheduler chooses the thread that runs, its account, and its time limit.

use super::dispatcher::Side;
use super::{Dispatcher, Error, Priority, Standing};
use crate::mutation::seeded;
use crate::{AccountIndex, NEVER, ThreadIndex, Time};

/// A scheduler's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatch {
    /// The thread that is to run.
    pub thread: ThreadIndex,
    /// The account that pays.
    pub account: AccountIndex,
    /// The priority that the account's owner attaches to it while the thread runs on it; none: the
    /// account's own. The root's can only be worse.
    pub priority: Option<Priority>,
    /// When the scheduler wants control back at the latest, on the clock that never goes back;
    /// [`NEVER`]: it does not say.
    pub timeout: Time,
    /// Newer than that of any decision before, by serial numbers that wrap around: of two decisions
    /// that cross, the later stands.
    pub token: u32,
}

impl Dispatcher<'_> {
    /// The calling scheduler's thread runs, before its equals, until it waits, its time-out is due
    /// or the budget ends. Steps: the activated threads.
    ///
    /// # Errors
    /// The decision is stale, or not one that the caller may take now.
    pub fn dispatch(&mut self, now: Time, dispatch: Dispatch) -> Result<(), Error> {
        self.check_dispatch(now, &dispatch)?;
        let payer = self.charge(now);
        self.make_dispatch(&dispatch);
        self.finish(payer);
        Ok(())
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`dispatch`](Self::dispatch).
    pub fn dispatch_funded(&mut self, now: Time, dispatch: Dispatch) -> Result<(), Error> {
        self.check_dispatch(now, &dispatch)?;
        self.make_dispatch(&dispatch);
        Ok(())
    }

    fn make_dispatch(&mut self, dispatch: &Dispatch) {
        let caller = self.running();
        let number = self.memory.end_points[caller.at()].scheduler;
        self.stop(caller, Standing::Placed);
        let side = seeded!(DispatchedLast, Side::Back, Side::Front);
        self.activate(dispatch.thread, dispatch.account, dispatch.priority, side);
        let scheduler = &mut self.memory.schedulers[number.at()];
        scheduler.token = dispatch.token;
        scheduler.place = dispatch.thread;
        self.set_timeout(number, dispatch.timeout);
    }

    fn check_dispatch(&self, now: Time, dispatch: &Dispatch) -> Result<(), Error> {
        let number = self.calling_scheduler()?;
        self.thread_exists(dispatch.thread)?;
        self.account_exists(dispatch.account)?;
        let scheduler = &self.memory.schedulers[number.at()];
        let its = self.tables.end_points[dispatch.thread.at()].scheduler == number
            && self.tables.accounts[dispatch.account.at()].scheduler == number;
        its.then_some(()).ok_or(Error::NotIts)?;
        is_newer(dispatch.token, scheduler.token).then_some(()).ok_or(Error::Stale)?;
        // A decision without the latest news may be about a thread that waits by now.
        scheduler.events.first().is_none().then_some(()).ok_or(Error::Events)?;
        let funded = self.funds(now, dispatch.account).budget > 0;
        funded.then_some(()).ok_or(Error::Budget)?;
        // A time-out that is past would stop the thread before it has run.
        let future = dispatch.timeout > now || dispatch.timeout == NEVER;
        seeded!(PastTimeout, true, future).then_some(()).ok_or(Error::Past)?;
        let standing = self.standing(dispatch.thread);
        let ready = matches!(standing, Standing::Stopped | Standing::Activated);
        ready.then_some(()).ok_or(Error::NotReady)
    }
}

/// Returns `true` if a token comes after another, by serial number arithmetic (RFC 1982).
fn is_newer(token: u32, newest: u32) -> bool {
    // Half of all numbers are ahead and half behind, so the tokens can wrap around.
    let ahead = token.wrapping_sub(newest) as i32;
    seeded!(UsedToken, ahead >= 0, seeded!(UnwrappedToken, token > newest, ahead > 0))
}
