//! Accounts of time: the time that each thread ran, and the thread that paid.

use std::collections::BTreeSet;

use fusee_kernel::{Kind, NEVER, NotificationIndex, Overrun, Tables, ThreadIndex, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store, Transition};

/// One thread's time.
#[derive(Debug, Clone, Copy)]
struct Account {
    /// The rest of its budget; [`NEVER`]: no limit.
    left: Time,
    /// The rest of its time slice.
    slice: Time,
    /// Paid by others.
    debt: Time,
}

/// All threads' time.
#[derive(Debug, Clone)]
pub(super) struct Accounts {
    of: Vec<Account>,
    /// The running thread and the thread that pays for it.
    payer: Option<(usize, usize)>,
    /// Up to when all is accounted for.
    until: Time,
    /// The threads whose overruns are still to be signalled.
    overran: BTreeSet<usize>,
}

fn take(from: &mut Time, used: Time) {
    if *from != NEVER {
        *from = from.saturating_sub(used);
    }
}

impl Accounts {
    pub(super) fn start(tables: &Tables<'_>) -> Accounts {
        let account = |budget: Option<fusee_kernel::Budget>| {
            let left = budget.map_or(NEVER, |budget| budget.amount);
            Account { left, slice: tables.time_slice, debt: 0 }
        };
        let of = tables.threads.iter().map(|thread| account(thread.budget)).collect();
        Accounts { of, payer: None, until: 0, overran: BTreeSet::new() }
    }

    pub(super) fn left(&self, thread: usize) -> Time {
        self.of[thread].left
    }

    /// Charges the time since the last event to the running thread, and to the one that paid for
    /// it.
    pub(super) fn elapse(&mut self, runs: Option<usize>, now: Time) {
        let used = now - self.until;
        self.until = now;
        let (Some(runs), Some((_, payer))) = (runs, self.payer) else { return };
        take(&mut self.of[payer].left, used);
        take(&mut self.of[runs].slice, used);
        if payer != runs {
            self.of[runs].debt += used;
        }
    }

    /// Ends of budgets after which a thread goes on: each is recorded once it has come to that, and
    /// is then without limit. A signal about it comes next.
    pub(super) fn overruns<P: Rules>(&mut self, step: &Transition<'_, P>) -> Checked {
        for record in step.records.iter().filter(|record| record.kind == Kind::Overrun) {
            let thread = record.thread.at();
            let policy = step.tables.threads[thread].budget.map(|budget| budget.overrun);
            let over = self.of[thread].left == 0
                && policy.is_some_and(|policy| policy != Overrun::Suspend);
            ensure(Rule::Budgets, over, || {
                format!(
                    "T{thread} is said to overrun with {} left of its budget",
                    self.of[thread].left
                )
            })?;
            self.of[thread].left = NEVER;
            if let Some(Overrun::Notify(_)) = policy {
                self.overran.insert(thread);
            }
        }
        Ok(())
    }

    /// The overrun that is to be signalled first.
    pub(super) fn next_overrun(&mut self, tables: &Tables<'_>) -> Option<NotificationIndex> {
        let thread = self.overran.pop_first()?;
        match tables.threads[thread].budget.map(|budget| budget.overrun) {
            Some(Overrun::Notify(notification)) => Some(notification),
            _ => None,
        }
    }

    /// Returns `true` if an overrun is still to be signalled.
    pub(super) fn is_overrun(&self) -> bool {
        !self.overran.is_empty()
    }

    /// A release: the budget is whole again.
    pub(super) fn replenish(&mut self, tables: &Tables<'_>, thread: usize) {
        if let Some(budget) = tables.threads[thread].budget {
            self.of[thread].left = budget.amount;
        }
    }

    pub(super) fn refill_slice(&mut self, tables: &Tables<'_>, thread: usize) {
        self.of[thread].slice = tables.time_slice;
    }

    /// Returns `true` if the time slice of the running thread has ended, and its budget has not.
    pub(super) fn turn_is_over(&self, thread: usize) -> bool {
        let payer = self.payer.map_or(thread, |(_, payer)| payer);
        self.of[thread].slice == 0 && self.of[payer].left > 0
    }

    /// Returns the instant at which the time of the running thread ends.
    pub(super) fn limit(&self, thread: usize, now: Time) -> Time {
        let payer = self.payer.map_or(thread, |(_, payer)| payer);
        now.saturating_add(self.of[payer].left.min(self.of[thread].slice))
    }

    /// Notes that the kernel lets `payer` pay for the running thread; none: none can.
    pub(super) fn pay<P: Rules>(
        &mut self,
        step: &Transition<'_, P>,
        runs: usize,
        payer: Option<usize>,
    ) -> Checked {
        let core = &step.after.cores[0];
        let is = core.payer().at();
        // Time that is over ends with the timer, which may be on its way; and so does that of who
        // comes to run when nobody pays.
        let ending = core.limit <= step.now
            && self.of[is].left == 0
            && (self.payer == Some((runs, is)) || payer.is_none());
        ensure(Rule::Payers, ending || Some(is) == payer, || {
            let due = payer.map_or("nobody".to_owned(), |payer| format!("T{payer}"));
            format!("T{is} pays for T{runs}, it should be {due}")
        })?;
        self.payer = Some((runs, is));
        Ok(())
    }

    /// The kernel's budgets, less the time under way, equal the ledger's.
    pub(super) fn compare<P: Rules>(&self, store: &Store<P>, now: Time) -> Checked {
        let core = &store.cores[0];
        let limited = core.limit != NEVER || core.lender != ThreadIndex::NONE;
        let used =
            if core.current.is_some() && limited { now.saturating_sub(core.since) } else { 0 };
        for (thread, account) in self.of.iter().enumerate() {
            let mut state = store.threads[thread];
            if core.payer().at() == thread {
                take(&mut state.budget, used);
            }
            if core.current.at() == thread {
                take(&mut state.slice, used);
                state.debt += if core.payer().at() == thread { 0 } else { used };
            }
            let (is, due) = (state.budget, account.left);
            ensure(Rule::Budgets, is == due, || {
                format!("T{thread} has {is} left of its budget, not {due}")
            })?;
            let (is, due) = (state.slice, account.slice);
            ensure(Rule::Slices, is == due, || {
                format!("T{thread} has {is} left of its time slice, not {due}")
            })?;
            let (is, due) = (state.debt, account.debt);
            ensure(Rule::Debts, is == due, || format!("T{thread} has a debt of {is}, not {due}"))?;
        }
        Ok(())
    }
}
