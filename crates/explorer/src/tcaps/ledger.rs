//! The sums of a history, beside the kernel's own state.

use std::collections::BTreeMap;

use fusee_kernel::tcaps::{Delegation, Funding, SchedulerEvent, Slot, Standing, Waited};

use super::moves::given;
use super::rule::ensure;
use super::view::{ROOT, View};
use super::{Checked, Found, Rule, Step};

/// Sums and memories of a history.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// Finite time that was there at first, or came from the kernel or an infinite account.
    pub put_in: i64,
    /// Finite time that was used.
    pub used: i64,
    /// The balance of each finite account: the time it got less the time it gave and used.
    pub balances: Vec<i64>,
    /// The time that each thread ran.
    pub ran: Vec<i64>,
    /// The part of it that its scheduler was told.
    pub told: Vec<i64>,
    /// `true` if its scheduler was told last that it need not be dispatched.
    pub blocked: Vec<bool>,
    /// `true` if anything has happened to it, or below it, since its scheduler was told.
    pub news: Vec<bool>,
    /// `true` if something was sent that no wait has found and no thread was woken by.
    pub pending: Vec<bool>,
    /// The newest token of each scheduler.
    pub tokens: Vec<u32>,
    /// Accounts that were delegated to, the latest first.
    pub order: Vec<usize>,
    /// The priority of the dispatch by which each thread is activated.
    pub priorities: Vec<Option<u64>>,
    /// The time that the kernel's own schedulers delegated at each level.
    pub supply: BTreeMap<u64, i64>,
    /// The part of the delegated time that was used at each level.
    pub spent: BTreeMap<u64, i64>,
}

impl Ledger {
    /// Nothing has happened.
    pub fn start(view: &View<'_>) -> Self {
        let threads = view.threads().len();
        let balances: Vec<i64> =
            view.accounts.iter().map(|held| held.balance.unwrap_or(0)).collect();
        Ledger {
            put_in: balances.iter().sum(),
            used: 0,
            balances,
            ran: vec![0; threads],
            told: vec![0; threads],
            blocked: vec![true; threads],
            news: vec![false; threads],
            pending: vec![false; threads],
            tokens: view.store.schedulers.iter().map(|scheduler| scheduler.token).collect(),
            order: Vec::new(),
            priorities: vec![None; threads],
            supply: BTreeMap::new(),
            spent: BTreeMap::new(),
        }
    }

    /// Takes down a step that was not refused.
    ///
    /// # Errors
    /// Somebody was told something wrong.
    pub fn follow(&mut self, step: Step, found: Found, views: (&View<'_>, &View<'_>)) -> Checked {
        let (before, after) = views;
        if step == Step::Tick {
            self.tick(before);
        }
        self.money(step, before);
        if let Some(to) = step.sends(before.tables) {
            self.pending[to] = before.standing(to) != Standing::Waits;
        }
        if let Step::Dispatch(dispatch) = step {
            let running = before.running.and_then(|running| before.is_scheduler(running));
            if let Some(scheduler) = running {
                self.tokens[scheduler] = dispatch.token;
            }
        }
        if let (Found::Waited(waited), Some(running)) = (found, before.running) {
            self.waited(waited, running, before)?;
        }
        if let (Step::Fault, Some(running)) = (step, before.running) {
            self.pending[running] = false;
        }
        self.activations(step, before, after);
        Ok(())
    }

    fn tick(&mut self, view: &View<'_>) {
        let Some(running) = view.running else { return };
        self.ran[running] += 1;
        self.tell_of(running, view);
        let Some(payer) = view.payer_of(running) else { return };
        if view.accounts[payer].balance.is_none() {
            return;
        }
        // What is used after the end is debt, and paid by what is given later.
        if self.balances[payer] > 0 && !view.is_kernels(payer) {
            *self.spent.entry(view.level(running).unwrap_or(0)).or_default() += 1;
        }
        self.balances[payer] -= 1;
        self.used += 1;
    }

    fn money(&mut self, step: Step, before: &View<'_>) {
        if let Step::Refill(account) = step
            && let Funding::Kernel { amount, .. } = before.tables.accounts[account.at()].funding
            && let Some(balance) = before.accounts[account.at()].balance
        {
            let amount = amount as i64;
            let full = if balance < 0 { balance + amount } else { balance.max(amount) };
            self.put_in += full - balance;
            self.balances[account.at()] = full;
        }
        let Some(moved) = step.moved(before.tables) else { return };
        let (from, to, amount) = (moved.from.at(), moved.to.at(), moved.amount as i64);
        if before.accounts[from].balance.is_some() {
            self.balances[from] -= amount;
        } else {
            self.put_in += amount;
        }
        self.balances[to] += amount;
        if before.is_kernels(from) {
            let level = given(before, &moved).get(&ROOT).copied().unwrap_or(0);
            *self.supply.entry(level).or_default() += amount;
        }
        if self.balances[to] > 0 {
            self.order.retain(|account| *account != to);
            self.order.insert(0, to);
        }
    }

    fn waited(&mut self, waited: Waited, running: usize, view: &View<'_>) -> Checked {
        match waited {
            Waited::Pending | Waited::Blocked => {
                let pending = waited == Waited::Pending;
                ensure(Rule::Sends, self.pending[running] == pending, || {
                    format!("T{running} waits and finds {waited:?}")
                })?;
                self.pending[running] = false;
                let scheduler = view.is_scheduler(running);
                let nothing = scheduler.is_none_or(|scheduler| view.events(scheduler).is_empty());
                ensure(Rule::Told, nothing, || format!("T{running} has events and finds none"))
            }
            Waited::Event(event) => self.event(event, running, view),
        }
    }

    fn event(&mut self, event: SchedulerEvent, running: usize, view: &View<'_>) -> Checked {
        let thread = event.thread.at();
        let own = view.scheduler_of(thread) == view.is_scheduler(running);
        ensure(Rule::Told, own, || format!("T{running} is told of T{thread}"))?;
        self.told[thread] += event.cycles as i64;
        ensure(Rule::Told, self.told[thread] == self.ran[thread], || {
            format!("T{thread} ran {}, told were {}", self.ran[thread], self.told[thread])
        })?;
        let blocked = matches!(view.standing(thread), Standing::Waits | Standing::Dead);
        ensure(Rule::Told, event.blocked == blocked, || format!("T{thread}: {event:?}"))?;
        let news = std::mem::replace(&mut self.news[thread], false);
        self.blocked[thread] = blocked;
        ensure(Rule::Told, news, || format!("nothing has happened to T{thread}: {event:?}"))
    }

    /// Something has happened to a thread, which concerns all schedulers above it.
    fn tell_of(&mut self, thread: usize, view: &View<'_>) {
        let mut at = thread;
        loop {
            self.news[at] = true;
            let Some(scheduler) = view.scheduler_of(at) else { return };
            at = view.thread_of(scheduler);
        }
    }

    fn activations(&mut self, step: Step, before: &View<'_>, after: &View<'_>) {
        for thread in after.threads() {
            let (old, new) = (before.store.end_points[thread], after.store.end_points[thread]);
            let same = (old.standing, old.account) == (new.standing, new.account);
            if !same {
                self.tell_of(thread, after);
            }
            if !same || new.standing != Standing::Activated {
                self.priorities[thread] = None;
            }
            let yields = match step {
                Step::Yield(Delegation { to, .. }) | Step::YieldUntil(Slot { to, .. }, _) => {
                    to.at() == thread
                }
                _ => false,
            };
            if yields {
                self.priorities[thread] = None;
            }
            if let Step::Dispatch(dispatch) = step
                && dispatch.thread.at() == thread
                && new.standing == Standing::Activated
            {
                self.priorities[thread] = dispatch.priority;
            }
        }
        let left = |account: &usize| after.accounts[*account].is_funded() || after.is_due(*account);
        self.order.retain(left);
    }
}
