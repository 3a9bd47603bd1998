//! The sums of a history, beside the kernel's own state.

use fusee_kernel::tcaps::{Decision, Delegation, Funding, Slot, Transfer, Waited};
use fusee_kernel::{NEVER, Status, Time};

use super::rule::ensure;
use super::seen::finite;
use super::{Checked, Rule, Seen, System};
use crate::services;

/// Sums and memories of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// The balance of each account: the time it got less the time it gave and the time used on it;
    /// none: it is infinite.
    pub balances: Vec<Option<i64>>,
    /// The time for which each thread, or another on its time, has run since its scheduler was
    /// told.
    pub untold: Vec<Time>,
    /// The rest of the budget of each of the kernel's own threads.
    pub left: Vec<Time>,
    /// The rest of each thread's turn.
    pub slices: Vec<Time>,
    /// `true` if its scheduler was told last that a thread waits.
    pub blocked: Vec<bool>,
    /// Schedulers whose job has ended, by thread.
    pub ended: Vec<bool>,
    /// The threads that have each mutex, by gate: one at most, if the rules hold.
    pub owners: Vec<Vec<usize>>,
    /// The threads that sleep on each other's account.
    pub sleepers: services::Ledger,
}

impl Ledger {
    /// Nothing has happened.
    pub fn start(system: &System) -> Self {
        let threads = system.tables.threads;
        let balance = |funding: &Funding| match *funding {
            Funding::Kernel { amount, .. } => finite(amount),
            Funding::Delegated { .. } => Some(0),
        };
        let budget = |budget: fusee_kernel::Budget| budget.amount;
        Ledger {
            balances: system.accounts.iter().map(|config| balance(&config.funding)).collect(),
            untold: vec![0; threads.len()],
            left: threads.iter().map(|config| config.budget.map_or(NEVER, budget)).collect(),
            slices: vec![system.tables.time_slice; threads.len()],
            blocked: vec![true; threads.len()],
            ended: vec![false; threads.len()],
            owners: vec![Vec::new(); system.tables.gates.len()],
            sleepers: services::Ledger::start(threads.len()),
        }
    }

    /// Counts a tick: the running thread has it, and its payer pays.
    pub fn tick(&mut self, system: &System, seen: &Seen) {
        let Some(runs) = seen.runs else { return };
        let spend = |of: &mut Time| {
            if *of != NEVER {
                *of = of.saturating_sub(1);
            }
        };
        spend(&mut self.slices[runs]);
        let Some(payer) = seen.payer(runs) else { return };
        match seen.first.filter(|(first, _)| *first == payer) {
            Some((first, account)) => {
                if let Some(balance) = &mut self.balances[account] {
                    *balance -= 1;
                }
                self.untold[first] += Time::from(system.scheduler_of(first).is_some());
            }
            None => spend(&mut self.left[payer]),
        }
    }

    /// Returns the time that a decision moves; none: it moves none.
    pub fn moved(&self, system: &System, now: Time, decision: &Decision) -> Option<Transfer> {
        match *decision {
            Decision::Dispatch(_) => None,
            Decision::Transfer(transfer) => Some(transfer),
            Decision::Delegate(Delegation { from, to, amount, priority })
            | Decision::DelegateAndYield(Delegation { from, to, amount, priority }) => {
                let to = system.end_points[to.at()].account;
                Some(Transfer { from, to, amount, priority })
            }
            Decision::YieldUntil(Slot { from, to, until, priority }) => {
                let to = system.end_points[to.at()].account;
                let lacks = until.saturating_sub(now) as i64 - self.balances[to.at()].unwrap_or(0);
                let has = self.balances[from.at()].unwrap_or(i64::MAX);
                let amount = lacks.min(has).max(0) as Time;
                (amount > 0).then_some(Transfer { from, to, amount, priority })
            }
        }
    }

    /// A decision is taken.
    pub fn decide(&mut self, system: &System, now: Time, decision: &Decision) {
        let Some(moved) = self.moved(system, now, decision) else { return };
        if let Some(balance) = &mut self.balances[moved.from.at()] {
            *balance -= moved.amount as i64;
        }
        if let Some(balance) = &mut self.balances[moved.to.at()] {
            *balance += moved.amount as i64;
        }
    }

    /// A scheduler has received.
    ///
    /// # Errors
    /// It was told something wrong.
    pub fn hear(&mut self, system: &System, scheduler: usize, heard: (Waited, &Seen)) -> Checked {
        let (Waited::Event(event), before) = heard else { return Ok(()) };
        let thread = event.thread.at();
        let own = system.scheduler_of(thread) == Some(scheduler);
        ensure(Rule::Told, own, || format!("scheduler {scheduler} is told of T{thread}"))?;
        let ran = std::mem::take(&mut self.untold[thread]);
        ensure(Rule::Told, event.cycles == ran, || {
            format!("T{thread} ran {ran}, told are {}", event.cycles)
        })?;
        let blocked = before.is_blocked(thread);
        self.blocked[thread] = blocked;
        ensure(Rule::Told, event.blocked == blocked, || format!("T{thread}: {event:?}"))
    }

    /// Jobs have begun and ended.
    pub fn follow(&mut self, system: &System, before: &Seen, after: &Seen) {
        for thread in 0..before.status.len() {
            let (was, is) = (before.status[thread], after.status[thread]);
            if was == Status::Idle && is != Status::Idle {
                self.slices[thread] = system.tables.time_slice;
                let budget = system.tables.threads[thread].budget;
                self.left[thread] = budget.map_or(NEVER, |budget| budget.amount);
            }
            let ends = was != Status::Idle && is == Status::Idle;
            self.ended[thread] |= ends && system.is_scheduler(thread).is_some();
        }
    }
}
