//! The explorer's own account of what has happened.
//!
//! What a state shows can be wrong in itself, and is then found by looking at it. What it has made
//! of the past is another matter: a budget that was charged too little, a release a tick late, a
//! signal that was lost, a component that is run although it has been restarted look like any other
//! state. So the explorer keeps a ledger beside each history: who ran how long and at whose
//! expense, when each job is due, what is pending, who is inside which gate and since which
//! restart. It is made from events alone and from who the kernel says runs, with rules written
//! anew, and after each step all that the kernel remembers, records and answers is compared with
//! it.

mod accounts;
mod entries;
mod events;
mod jobs;
mod refusals;
mod visits;

use std::sync::Arc;

use fusee_kernel::{Delivery, NotificationIndex, Status, Tables, ThreadIndex, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store, Transition, order};
use accounts::Accounts;
pub(crate) use entries::users;
use jobs::Jobs;
use visits::Visits;

/// The place at which a thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wait {
    /// It does not wait.
    No,
    /// At a gate.
    Gate(usize),
    /// For a notification.
    Notification(usize),
}

/// The history of a system, as far as it matters.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The running thread, as the kernel has answered.
    runs: Option<usize>,
    waits: Vec<Wait>,
    /// The delivery that each thread is still to be told.
    owed: Vec<Option<Delivery>>,
    /// The pending bits or count of each notification.
    pending: Vec<u32>,
    visits: Visits,
    /// The threads that can come to each gate.
    users: Arc<[Vec<usize>]>,
    /// The base priorities that threads have been given.
    priorities: Vec<u8>,
    jobs: Jobs,
    accounts: Accounts,
    /// `true` if the running thread has given its place up in this step: it waits, yields, or its
    /// time slice or its job ends.
    turn_over: bool,
}

impl Ledger {
    /// Before anything has happened.
    pub fn start(tables: &Tables<'_>) -> Ledger {
        let users = entries::users(tables);
        debug_assert!(entries::are_high_enough(tables, &users), "a ceiling is below a user");
        Ledger {
            runs: None,
            waits: vec![Wait::No; tables.threads.len()],
            owed: vec![None; tables.threads.len()],
            pending: tables.notifications.iter().map(|notification| notification.initial).collect(),
            visits: Visits::start(tables),
            users: users.into(),
            priorities: tables.threads.iter().map(|thread| thread.priority).collect(),
            jobs: Jobs::start(tables),
            accounts: Accounts::start(tables),
            turn_over: false,
        }
    }

    /// Follows a step that the kernel has taken, and compares.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn follow<P: Rules>(&mut self, step: &Transition<'_, P>) -> Checked {
        self.turn_over = false;
        self.accounts.elapse(self.runs, step.now);
        self.accounts.overruns(step)?;
        self.event(step);
        self.jobs.compare_records(step)?;
        self.told(step)?;
        order::check(step, self.turn_over)?;
        self.compare(step.tables, step.after, step.now)?;
        self.payers(step)?;
        self.timer(step)
    }

    /// Compares with a state.
    ///
    /// # Errors
    /// The first rule that does not hold.
    pub fn compare<P: Rules>(&self, tables: &Tables<'_>, store: &Store<P>, now: Time) -> Checked {
        self.jobs.compare(tables, store)?;
        self.visits.compare(tables, store, |thread| self.jobs.is_active(thread))?;
        self.compare_ceilings(tables, store)?;
        for (thread, state) in store.threads.iter().enumerate() {
            self.compare_waits(store, thread)?;
            self.compare_base(store, thread)?;
            let idle = state.status == Status::Idle;
            ensure(Rule::Jobs, idle != self.jobs.is_active(thread), || {
                format!("T{thread} is {:?}, its jobs say otherwise", state.status)
            })?;
        }
        for (index, (state, &pending)) in store.notifications.iter().zip(&self.pending).enumerate()
        {
            let is = state.pending;
            ensure(Rule::Signals, is == pending, || {
                format!("in N{index}, {is:#b} is pending, not {pending:#b}")
            })?;
        }
        self.accounts.compare(store, now)
    }

    fn compare_base<P: Rules>(&self, store: &Store<P>, thread: usize) -> Checked {
        let due = P::own(self.priorities[thread], self.jobs.deadline(thread));
        let is = store.threads[thread].base;
        ensure(Rule::Urgencies, due.is_none_or(|due| is == due), || {
            let [is, due] = [Some(is), due].map(|urgency| urgency.map(P::tell));
            format!("T{thread}'s base priority is {is:?}, not {due:?}")
        })
    }

    fn compare_waits<P: Rules>(&self, store: &Store<P>, thread: usize) -> Checked {
        let (state, wait) = (&store.threads[thread], self.waits[thread]);
        let gate = match wait {
            Wait::Gate(gate) => Some(gate),
            _ => None,
        };
        let notification = match wait {
            Wait::Notification(notification) => Some(notification),
            _ => None,
        };
        ensure(Rule::Invocations, state.gate().map(fusee_kernel::GateIndex::at) == gate, || {
            format!("T{thread} is {:?} at {}, it should be {wait:?}", state.status, state.waits_at)
        })?;
        ensure(
            Rule::Signals,
            state.notification().map(NotificationIndex::at) == notification,
            || {
                format!(
                    "T{thread} is {:?} at {}, it should be {wait:?}",
                    state.status, state.waits_at
                )
            },
        )
    }

    /// A thread that comes to run is told what it is owed, unless it cannot go on.
    fn told<P: Rules>(&mut self, step: &Transition<'_, P>) -> Checked {
        let is = step.outcome.delivery;
        let runs = step.outcome.thread;
        self.runs = runs.is_some().then_some(runs.at());
        let due = match self.runs {
            None => Delivery::None,
            Some(thread) if self.visits.is_gone(thread) => {
                self.owed[thread] = None;
                Delivery::Abort
            }
            Some(thread) if self.visits.is_unrestored(thread) => Delivery::Restore,
            Some(thread) => self.owed[thread].take().unwrap_or(Delivery::None),
        };
        ensure(Rule::Told, is == due, || format!("T{} finds {is:?}, not {due:?}", runs.0))?;
        let right = self.runs == step.after.running();
        ensure(Rule::Told, right, || "the answer names another thread than runs".to_owned())
    }

    /// The running thread runs on the budget of the right one.
    fn payers<P: Rules>(&mut self, step: &Transition<'_, P>) -> Checked {
        let Some(runs) = self.runs else { return Ok(()) };
        let payer = self.payer(step, runs);
        self.accounts.pay(step, runs, payer)
    }

    /// Returns the thread that must pay for another: that one itself, or the highest that waits for
    /// it and can, of equals the first.
    fn payer<P: Rules>(&self, step: &Transition<'_, P>, runs: usize) -> Option<usize> {
        let effective = |thread: usize| step.after.threads[thread].effective;
        let mut payer = (self.accounts.left(runs) > 0).then_some(runs);
        if payer.is_none() {
            for lender in 0..self.waits.len() {
                let lends = lender != runs
                    && self.accounts.left(lender) > 0
                    && self.root(lender) == Some(runs);
                if lends && payer.is_none_or(|best| effective(best) < effective(lender)) {
                    payer = Some(lender);
                }
            }
        }
        payer
    }

    /// Returns the thread that a thread waits for at last, which waits at no gate itself; none:
    /// they wait in a circle.
    fn root(&self, thread: usize) -> Option<usize> {
        let mut at = thread;
        for _ in 0..=self.waits.len() {
            let Wait::Gate(gate) = self.waits[at] else { return Some(at) };
            at = self.visits.holder(gate)?;
        }
        None
    }

    fn timer<P: Rules>(&self, step: &Transition<'_, P>) -> Checked {
        let (now, is) = (step.now, step.outcome.timer);
        let limit = self.runs.map_or(Time::MAX, |thread| self.accounts.limit(thread, now));
        let limit = if self.accounts.is_overrun() { now } else { limit };
        let due = self.jobs.next_due().min(limit);
        ensure(Rule::Timer, is.max(now) == due.max(now), || {
            format!("at {now}, the timer is set to {is}, not {due}")
        })
    }

    fn first_waiter<P: Rules>(
        &self,
        step: &Transition<'_, P>,
        notification: NotificationIndex,
    ) -> Option<usize> {
        let waits = |thread: &usize| self.waits[*thread] == Wait::Notification(notification.at());
        let still =
            |thread: &usize| step.after.threads[*thread].notification() == Some(notification);
        let before =
            step.before.notifications[notification.at()].waiters.iter(&step.before.threads);
        let mut queue: Vec<usize> = before.take(self.waits.len()).map(ThreadIndex::at).collect();
        queue.extend((0..self.waits.len()).filter(|thread| self.runs == Some(*thread)));
        queue.retain(waits);
        // Whether the right one was woken is the rule of the waiters' order; here it counts that
        // one was.
        queue.iter().find(|thread| !still(thread)).or(queue.first()).copied()
    }
}
