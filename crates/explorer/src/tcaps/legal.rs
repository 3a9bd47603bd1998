//! The calls that are allowed, by the rules and the ledger.

use fusee_kernel::NEVER;
use fusee_kernel::tcaps::{Dispatch, Error, Funding, Standing, Transfer};

use super::moves::received;
use super::rule::ensure;
use super::view::{ROOT, View};
use super::{Checked, Ledger, Rule, Step};

/// Checks that a step was refused exactly if it is not allowed.
pub(super) fn check(
    step: Step,
    refused: Option<Error>,
    ledger: &Ledger,
    view: &View<'_>,
) -> Checked {
    if let Step::Dispatch(dispatch) = step
        && let Some(scheduler) = view.running.and_then(|running| view.is_scheduler(running))
    {
        let newer = is_newer(dispatch.token, ledger.tokens[scheduler]);
        let fits = if newer { refused != Some(Error::Stale) } else { refused.is_some() };
        ensure(Rule::Tokens, fits, || {
            format!("{step} after {}: {refused:?}", ledger.tokens[scheduler])
        })?;
    }
    let allowed = is_allowed(step, ledger, view);
    ensure(Rule::Refusals, allowed == refused.is_none(), || format!("{step}: {refused:?}"))
}

/// Returns `true` if a token is newer than another: at most half of all tokens lie between them.
fn is_newer(token: u32, newest: u32) -> bool {
    let all = 1_u64 << 32;
    let ahead = (u64::from(token) + all - u64::from(newest)) % all;
    0 < ahead && ahead < all / 2
}

fn is_allowed(step: Step, ledger: &Ledger, view: &View<'_>) -> bool {
    let lives =
        |thread: usize| thread < view.threads().len() && view.standing(thread) != Standing::Dead;
    match step {
        Step::Tick | Step::Timer => true,
        Step::Wait => view.running.is_some(),
        Step::Fault => view.running.is_some_and(|running| view.scheduler_of(running).is_some()),
        Step::Send(to) => view.running.is_some() && lives(to.at()),
        Step::Interrupt(line) => {
            view.tables.interrupts.get(usize::from(line)).is_some_and(|to| lives(to.at()))
        }
        Step::Alarm(scheduler) => scheduler.at() < view.tables.schedulers.len(),
        Step::Refill(account) => view.is_kernels(account.at()),
        Step::Dispatch(dispatch) => may_dispatch(&dispatch, ledger, view),
        Step::Delegate(delegation) => {
            lives(delegation.to.at())
                && view.running != Some(delegation.to.at())
                && may_move(step, view)
        }
        Step::Yield(delegation) => {
            let scheduler = view.running.and_then(|running| view.is_scheduler(running));
            let its = scheduler.is_some() && view.scheduler_of(delegation.to.at()) == scheduler;
            let enough = |moved: Transfer| {
                let balance = view.accounts[moved.to.at()].balance.unwrap_or(0);
                balance + moved.amount as i64 > 0
            };
            its && lives(delegation.to.at())
                && may_move(step, view)
                && step.moved(view.tables).is_some_and(enough)
        }
        Step::YieldUntil(slot, gift) => {
            let scheduler = view.running.and_then(|running| view.is_scheduler(running));
            let its = scheduler.is_some() && view.scheduler_of(slot.to.at()) == scheduler;
            let given = gift.map_or(0, |gift| gift.amount as i64);
            let held = view.accounts[view.own_account(slot.to.at())].balance;
            its && lives(slot.to.at())
                && slot.until > view.now
                && held.is_none_or(|held| held + given > 0)
                && (gift.is_none() || may_move(step, view))
                && (gift.is_some() || view.standing(slot.to.at()) != Standing::Waits)
        }
        Step::Transfer(transfer) => {
            let scheduler = view.running.and_then(|running| view.is_scheduler(running));
            let to = transfer.to.at();
            scheduler.is_some()
                && view.scheduler_of_account(to) == scheduler
                && may_move(step, view)
        }
    }
}

fn may_dispatch(dispatch: &Dispatch, ledger: &Ledger, view: &View<'_>) -> bool {
    let Some(scheduler) = view.running.and_then(|running| view.is_scheduler(running)) else {
        return false;
    };
    let (thread, account) = (dispatch.thread.at(), dispatch.account.at());
    is_newer(dispatch.token, ledger.tokens[scheduler])
        && view.events(scheduler).is_empty()
        && view.scheduler_of(thread) == Some(scheduler)
        && view.scheduler_of_account(account) == Some(scheduler)
        && view.accounts[account].is_funded()
        && (dispatch.timeout == NEVER || dispatch.timeout > view.now)
        && matches!(view.standing(thread), Standing::Stopped | Standing::Activated)
}

fn may_move(step: Step, view: &View<'_>) -> bool {
    let scheduler = view.running.and_then(|running| view.is_scheduler(running));
    let (Some(moved), Some(_)) = (step.moved(view.tables), scheduler) else { return false };
    let (from, to, amount) = (moved.from.at(), moved.to.at(), moved.amount);
    let Funding::Delegated { limit } = view.tables.accounts[to].funding else { return false };
    let enough = view.accounts[from].balance.is_none_or(|balance| balance >= amount as i64);
    let after = view.accounts[to].balance.map(|balance| i128::from(balance) + i128::from(amount));
    view.scheduler_of_account(from) == scheduler
        && from != to
        && amount > 0
        && enough
        && after.is_some_and(|after| after <= i128::from(limit))
        && (view.owner(from) != ROOT || moved.priority < 256)
        && received(view, &moved).len() <= 16
}
