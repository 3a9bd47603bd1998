//! The rules that hold in every state.

use std::collections::BTreeSet;

use fusee_kernel::tcaps::{Funding, Standing};
use fusee_kernel::{NEVER, Time};

use super::rule::ensure;
use super::view::{ROOT, View};
use super::{Checked, Ledger, Rule};

/// Checks a state, of which the kernel says when the timer must come.
pub(super) fn check(view: &View<'_>, ledger: &Ledger, timer: Time, late: Time) -> Checked {
    accounts(view, ledger, late)?;
    queue(view, ledger)?;
    control(view)?;
    told(view, ledger)?;
    supply(view, ledger)?;
    ensure(Rule::Timer, timer == due(view), || format!("{timer} instead of {}", due(view)))
}

fn accounts(view: &View<'_>, ledger: &Ledger, late: Time) -> Checked {
    let sum: i64 = view.accounts.iter().filter_map(|held| held.balance).sum();
    ensure(Rule::Conservation, sum + ledger.used == ledger.put_in, || {
        format!("{sum} left and {} used of {}", ledger.used, ledger.put_in)
    })?;
    for (number, held) in view.accounts.iter().enumerate() {
        let Some(balance) = held.balance else { continue };
        let right = balance == ledger.balances[number];
        ensure(Rule::Debts, right && balance >= -(late as i64), || {
            format!("A{number} has {balance}, by the ledger {}", ledger.balances[number])
        })?;
        let funds = view.store.accounts[number].funds;
        ensure(Rule::Debts, funds.budget == 0 || funds.debt == 0, || {
            format!("A{number} owes and has: {funds:?}")
        })?;
    }
    for (number, held) in view.accounts.iter().enumerate() {
        let entries = view.store.accounts[number].quality.entries();
        let sorted = entries.windows(2).all(|pair| pair[0].principal < pair[1].principal);
        ensure(Rule::Merges, sorted && entries.len() <= 16, || {
            format!("A{number} has {entries:?}")
        })?;
        let rooted = !held.is_funded() || held.opinions.contains_key(&ROOT);
        ensure(Rule::Rooted, rooted, || format!("A{number} is {held:?}"))?;
        let due = view.is_due(number);
        let clean = held.is_funded() || due || held.opinions == view.clean(number);
        ensure(Rule::Declassified, clean, || format!("A{number} is empty and {held:?}"))?;
        let kernels = !view.is_kernels(number) || held.opinions == view.clean(number);
        ensure(Rule::Declassified, kernels, || format!("the kernel's A{number} is {held:?}"))?;
        if let Funding::Delegated { limit } = view.tables.accounts[number].funding {
            let within = held.balance.is_some_and(|balance| balance <= limit as i64);
            ensure(Rule::Limits, within, || format!("A{number} of {limit} is {held:?}"))?;
        }
    }
    lists(view, ledger)
}

/// Each tree's list is the accounts that have budget, the one delegated to last first.
fn lists(view: &View<'_>, ledger: &Ledger) -> Checked {
    for scheduler in 0..view.tables.schedulers.len() {
        let of_tree = |account: &usize| {
            let its = view.scheduler_of_account(*account);
            its.is_some_and(|its| view.root_of(its) == scheduler)
        };
        let expected: Vec<usize> = ledger.order.iter().copied().filter(of_tree).collect();
        let list = view.funded(scheduler);
        ensure(Rule::Expiry, list == expected, || format!("{list:?} instead of {expected:?}"))?;
    }
    let listed: BTreeSet<usize> = ledger.order.iter().copied().collect();
    for (number, held) in view.accounts.iter().enumerate() {
        let there = !view.is_kernels(number) && (held.is_funded() || view.is_due(number));
        ensure(Rule::Expiry, there == listed.contains(&number), || {
            format!("A{number} is {held:?}, listed are {listed:?}")
        })?;
    }
    Ok(())
}

/// The queue is the activated threads whose account has budget, best level first.
fn queue(view: &View<'_>, ledger: &Ledger) -> Checked {
    let ready = view.ready();
    for thread in view.threads() {
        let end_point = view.store.end_points[thread];
        let activated = end_point.standing == Standing::Activated;
        let funded = view
            .payer_of(thread)
            .is_some_and(|account| view.accounts[account].is_funded() || view.is_due(account));
        let times = ready.iter().filter(|member| **member == thread).count();
        ensure(Rule::Highest, times == usize::from(activated && funded), || {
            format!("T{thread} is queued {times} times, activated: {activated}, funded: {funded}")
        })?;
        ensure(Rule::Highest, activated == end_point.account.is_some(), || {
            format!("T{thread} is {end_point:?}")
        })?;
        let lost = activated && !funded && view.scheduler_of(thread).is_some();
        let kernels = view.payer_of(thread).is_some_and(|account| view.is_kernels(account));
        ensure(Rule::Expiry, !lost || kernels, || {
            format!("T{thread} is activated on an empty account")
        })?;
        ensure(Rule::Transient, end_point.priority == ledger.priorities[thread], || {
            format!("T{thread} has {:?}, not {:?}", end_point.priority, ledger.priorities[thread])
        })?;
    }
    let levels: Vec<Option<u64>> = ready.iter().map(|thread| view.level(*thread)).collect();
    ensure(Rule::Highest, levels.is_sorted(), || format!("{ready:?} are queued, at {levels:?}"))
}

/// A scheduler that has dispatched a thread has control back at some time.
fn control(view: &View<'_>) -> Checked {
    for (number, scheduler) in view.store.schedulers.iter().enumerate() {
        let own = view.thread_of(number);
        let standing = view.standing(own);
        let there =
            scheduler.place.is_some() && view.scheduler_of(scheduler.place.at()) == Some(number);
        if standing == Standing::Placed {
            let goes_on = there
                && matches!(
                    view.standing(scheduler.place.at()),
                    Standing::Activated | Standing::Placed
                );
            ensure(Rule::Control, goes_on, || format!("T{own} has dispatched {scheduler:?}"))?;
        } else {
            // Who lost control by the end of a budget has not yet got it back.
            let asks = standing == Standing::Stopped || scheduler.timeout == NEVER;
            let none = scheduler.place.is_none() && asks;
            ensure(Rule::Control, none, || format!("T{own} {standing:?}: {scheduler:?}"))?;
        }
        let of_tree = |thread: &usize| {
            let its = view.scheduler_of(*thread);
            its.is_some_and(|its| view.root_of(its) == number)
        };
        let idle = view.scheduler_of(own).is_none()
            && matches!(standing, Standing::Placed | Standing::Stopped)
            && view.accounts[view.own_account(own)].is_funded()
            && !view.is_timed_out()
            && !view.ready().iter().any(of_tree);
        ensure(Rule::Chronos, !idle, || format!("nobody of its tree runs, T{own} {standing:?}"))?;
    }
    Ok(())
}

fn told(view: &View<'_>, ledger: &Ledger) -> Checked {
    for (number, config) in view.tables.schedulers.iter().enumerate() {
        let events = view.events(number);
        let own = config.thread.at();
        let unique: BTreeSet<&usize> = events.iter().collect();
        ensure(Rule::Told, unique.len() == events.len(), || format!("{events:?} of T{own}"))?;
        let mut lost = events.iter().filter(|thread| {
            !matches!(view.standing(**thread), Standing::Activated | Standing::Placed)
        });
        let asleep = view.standing(own) == Standing::Waits;
        ensure(Rule::Told, !asleep || lost.next().is_none(), || {
            format!("T{own} waits, and has events {events:?}")
        })?;
    }
    for thread in view.threads() {
        let end_point = view.store.end_points[thread];
        ensure(Rule::Sends, end_point.pending == ledger.pending[thread], || {
            format!("T{thread} has something pending: {}", end_point.pending)
        })?;
        let Some(scheduler) = view.scheduler_of(thread) else { continue };
        let runs = if view.running == Some(thread) { view.now - view.store.core.since } else { 0 };
        let cycles = (end_point.cycles + runs) as i64;
        ensure(Rule::Told, ledger.told[thread] + cycles == ledger.ran[thread], || {
            format!("T{thread} ran {}, kept are {cycles}", ledger.ran[thread])
        })?;
        let blocked = matches!(end_point.standing, Standing::Waits | Standing::Dead);
        let right = blocked == ledger.blocked[thread] || view.events(scheduler).contains(&thread);
        ensure(Rule::Told, right, || {
            format!("T{thread} is {:?}, and its scheduler does not know", end_point.standing)
        })?;
    }
    Ok(())
}

/// The time used and left at a level or a better one is no more than was delegated there.
fn supply(view: &View<'_>, ledger: &Ledger) -> Checked {
    let held = view.accounts.iter().filter_map(|held| held.opinions.get(&ROOT));
    for &level in ledger.supply.keys().chain(ledger.spent.keys()).chain(held) {
        let upto = |sums: &std::collections::BTreeMap<u64, i64>| -> i64 {
            sums.range(..=level).map(|(_, sum)| sum).sum()
        };
        let counts = |(number, held): (usize, &super::Held)| {
            let good = held.opinions.get(&ROOT).is_some_and(|root| *root <= level);
            let balance = held.balance.unwrap_or(0).max(0);
            if good && !view.is_kernels(number) { balance } else { 0 }
        };
        let left: i64 = view.accounts.iter().enumerate().map(counts).sum();
        let (spent, given) = (upto(&ledger.spent), upto(&ledger.supply));
        ensure(Rule::Supply, spent + left <= given, || {
            format!("at level {level}: {spent} used, {left} left, {given} delegated")
        })?;
    }
    Ok(())
}

/// When the timer must come.
fn due(view: &View<'_>) -> Time {
    let timeouts = view.store.schedulers.iter().map(|scheduler| scheduler.timeout);
    let payer = view.running.and_then(|running| view.payer_of(running));
    let balance = payer.and_then(|payer| view.accounts[payer].balance);
    let ends = balance.map(|balance| view.now.saturating_add_signed(balance));
    timeouts.chain(ends).min().unwrap_or(NEVER)
}
