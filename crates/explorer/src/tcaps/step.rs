//! The steps that are possible next.

use std::fmt;

use fusee_kernel::tcaps::{
    Delegation, Dispatch, Error, Funding, Slot, Standing, Store, Tables, Transfer, Waited,
};
use fusee_kernel::{AccountIndex, NEVER, SchedulerIndex, ThreadIndex, Time};

use super::Tries;
use super::view::{View, account, thread};

/// A call of the running thread, or something from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One cycle passes.
    Tick,
    /// The timer comes.
    Timer,
    /// The running thread waits for what comes.
    Wait,
    /// The running thread faults.
    Fault,
    /// The running thread sends to another.
    Send(ThreadIndex),
    /// An interrupt comes.
    Interrupt(u16),
    /// A scheduler's alarm comes.
    Alarm(SchedulerIndex),
    /// The kernel fills up an account of its own.
    Refill(AccountIndex),
    /// The running scheduler dispatches.
    Dispatch(Dispatch),
    /// The running scheduler delegates.
    Delegate(Delegation),
    /// The running scheduler delegates, and yields.
    Yield(Delegation),
    /// The running scheduler yields until a time; with the time that it gives for that, if any.
    YieldUntil(Slot, Option<Transfer>),
    /// The running scheduler moves time between its accounts.
    Transfer(Transfer),
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The step has no result.
    Nothing,
    /// The result of a wait.
    Waited(Waited),
}

impl Step {
    /// Returns all steps worth trying in a state.
    pub fn all(view: &View<'_>, timer: Time, tries: &Tries) -> Vec<Step> {
        let mut steps = Vec::new();
        if timer <= view.now {
            steps.push(Step::Timer);
        }
        if timer.saturating_add(tries.late) <= view.now {
            return steps;
        }
        if view.running.is_some() || timer != NEVER {
            steps.push(Step::Tick);
        }
        let lines = 0..view.tables.interrupts.len() as u16;
        steps.extend(lines.map(Step::Interrupt));
        let schedulers = if tries.slots { view.tables.schedulers.len() as u16 } else { 0 };
        let schedulers = 0..schedulers;
        steps.extend(schedulers.map(|number| Step::Alarm(SchedulerIndex(number))));
        let empty = |(number, config): (usize, _)| {
            let finite = matches!(config, &Funding::Kernel { amount, .. } if amount != NEVER);
            (finite && view.store.accounts[number].funds.budget == 0)
                .then_some(Step::Refill(account(number)))
        };
        let fundings = view.tables.accounts.iter().map(|config| &config.funding);
        steps.extend(fundings.enumerate().filter_map(empty));
        if let Some(running) = view.running {
            calls(view, running, tries, &mut steps);
        }
        steps
    }

    /// Takes the step.
    ///
    /// # Errors
    /// The kernel's; the state is then there for comparison.
    pub fn take(
        self,
        tables: &Tables<'_>,
        store: &mut Store,
        now: &mut Time,
    ) -> Result<Found, Error> {
        let mut dispatcher = store.dispatcher(tables);
        match self {
            Step::Tick => *now += 1,
            Step::Timer => dispatcher.timer(*now),
            Step::Wait => return dispatcher.wait(*now).map(Found::Waited),
            Step::Fault => dispatcher.fault(*now)?,
            Step::Send(to) => dispatcher.send(*now, to)?,
            Step::Interrupt(line) => dispatcher.interrupt(*now, line)?,
            Step::Alarm(scheduler) => dispatcher.alarm(*now, scheduler)?,
            Step::Refill(account) => dispatcher.refill(*now, account)?,
            Step::Dispatch(dispatch) => dispatcher.dispatch(*now, dispatch)?,
            Step::Delegate(delegation) => dispatcher.delegate(*now, delegation)?,
            Step::Yield(delegation) => dispatcher.delegate_and_yield(*now, delegation)?,
            Step::YieldUntil(slot, _) => dispatcher.yield_until(*now, slot)?,
            Step::Transfer(transfer) => dispatcher.transfer(*now, transfer)?,
        }
        Ok(Found::Nothing)
    }

    /// A slot, with what must be given for it: its length less what the receiver has, or more by
    /// what it owes, and no more than the giver has.
    pub fn until(view: &View<'_>, slot: Slot) -> Step {
        let to = view.own_account(slot.to.at());
        let needed = slot.until.saturating_sub(view.now) as i64;
        let missing = view.accounts[to].balance.map_or(0, |balance| needed - balance);
        let has = view.accounts[slot.from.at()].balance.unwrap_or(i64::MAX).max(0);
        let amount = missing.min(has).max(0) as Time;
        let gift = Transfer { from: slot.from, to: account(to), amount, priority: slot.priority };
        Step::YieldUntil(slot, (amount > 0).then_some(gift))
    }

    /// Time that the step moves from an account to another.
    pub fn moved(self, tables: &Tables<'_>) -> Option<Transfer> {
        match self {
            Step::Delegate(Delegation { from, to, amount, priority })
            | Step::Yield(Delegation { from, to, amount, priority }) => {
                let to = tables.end_points.get(to.at())?.account;
                Some(Transfer { from, to, amount, priority })
            }
            Step::Transfer(transfer) => Some(transfer),
            Step::YieldUntil(_, gift) => gift,
            _ => None,
        }
    }

    /// Returns the thread that the step sends to.
    pub fn sends(self, tables: &Tables<'_>) -> Option<usize> {
        match self {
            Step::Send(to) => Some(to.at()),
            Step::Interrupt(line) => tables.interrupts.get(usize::from(line)).map(|to| to.at()),
            Step::Delegate(delegation) | Step::Yield(delegation) => Some(delegation.to.at()),
            Step::YieldUntil(slot, Some(_)) => Some(slot.to.at()),
            _ => None,
        }
    }
}

/// Adds the calls that the running thread may try.
fn calls(view: &View<'_>, running: usize, tries: &Tries, steps: &mut Vec<Step>) {
    steps.push(Step::Wait);
    if tries.faults && view.scheduler_of(running).is_some() {
        steps.push(Step::Fault);
    }
    let Some(scheduler) = view.is_scheduler(running) else { return };
    let its = |number: &usize| view.scheduler_of_account(*number) == Some(scheduler);
    let accounts: Vec<usize> = (0..view.accounts.len()).filter(its).collect();
    dispatches(view, scheduler, (&accounts, tries), steps);
    if tries.slots {
        slots(view, (&accounts, tries), steps);
    }
    for &from in &accounts {
        for &amount in tries.amounts {
            for &priority in tries.priorities {
                let from = account(from);
                for to in view.threads() {
                    let delegation = Delegation { from, to: thread(to), amount, priority };
                    steps.push(Step::Delegate(delegation));
                    steps.push(Step::Yield(delegation));
                }
                if tries.transfers {
                    let others = accounts.iter().map(|&to| account(to));
                    let transfer = |to| Step::Transfer(Transfer { from, to, amount, priority });
                    steps.extend(others.map(transfer));
                }
            }
        }
    }
}

/// Slots that end in each of the times after which dispatches do, or at once.
fn slots(view: &View<'_>, (accounts, tries): (&[usize], &Tries), steps: &mut Vec<Step>) {
    let ends = tries.timeouts.iter().filter(|after| **after != NEVER).chain(&[0]);
    for (&after, &from) in ends.flat_map(|after| accounts.iter().map(move |from| (after, from))) {
        for to in view.threads() {
            let (from, to) = (account(from), thread(to));
            let slot = Slot { from, to, until: view.now + after, priority: tries.priorities[0] };
            steps.push(Step::until(view, slot));
        }
    }
}

fn dispatches(
    view: &View<'_>,
    scheduler: usize,
    (accounts, tries): (&[usize], &Tries),
    steps: &mut Vec<Step>,
) {
    let newest = view.store.schedulers[scheduler].token;
    for to in view.threads().filter(|to| view.scheduler_of(*to) == Some(scheduler)) {
        for &account in accounts {
            for &priority in tries.dispatches {
                for &after in tries.timeouts {
                    let timeout = view.now.saturating_add(after);
                    let dispatch = Dispatch {
                        thread: thread(to),
                        account: super::view::account(account),
                        priority,
                        timeout,
                        token: newest.wrapping_add(1),
                    };
                    steps.push(Step::Dispatch(dispatch));
                }
            }
            let old = Dispatch {
                thread: thread(to),
                account: super::view::account(account),
                priority: None,
                timeout: NEVER,
                token: newest,
            };
            steps.push(Step::Dispatch(old));
            steps.push(Step::Dispatch(Dispatch {
                timeout: view.now,
                token: newest.wrapping_add(1),
                ..old
            }));
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Tick => write!(out, "a cycle passes"),
            Step::Timer => write!(out, "the timer comes"),
            Step::Wait => write!(out, "the running thread waits"),
            Step::Fault => write!(out, "the running thread faults"),
            Step::Send(to) => write!(out, "a send to T{}", to.0),
            Step::Interrupt(line) => write!(out, "interrupt {line}"),
            Step::Alarm(scheduler) => write!(out, "an alarm of S{}", scheduler.0),
            Step::Refill(account) => write!(out, "A{} is filled up", account.0),
            Step::Dispatch(Dispatch { thread, account, priority, timeout, token }) => {
                write!(out, "dispatch of T{} on A{}", thread.0, account.0)?;
                if let Some(priority) = priority {
                    write!(out, " at {priority}")?;
                }
                if *timeout != NEVER {
                    write!(out, " until {timeout}")?;
                }
                write!(out, ", token {token}")
            }
            Step::Delegate(Delegation { from, to, amount, priority }) => {
                write!(out, "A{} gives T{} {amount} at {priority}", from.0, to.0)
            }
            Step::Yield(Delegation { from, to, amount, priority }) => {
                write!(out, "A{} gives T{} {amount} at {priority} and yields", from.0, to.0)
            }
            Step::YieldUntil(Slot { from, to, until, priority }, gift) => {
                let amount = gift.map_or(0, |gift| gift.amount);
                write!(out, "A{} gives T{} {amount} at {priority}", from.0, to.0)?;
                write!(out, " and yields until {until}")
            }
            Step::Transfer(Transfer { from, to, amount, priority }) => {
                write!(out, "A{} gives A{} {amount} at {priority}", from.0, to.0)
            }
        }
    }
}

/// Returns a standing in a word.
pub(super) const fn standing_name(standing: Standing) -> &'static str {
    match standing {
        Standing::Waits => "waits",
        Standing::Stopped => "stopped",
        Standing::Activated => "activated",
        Standing::Placed => "placed",
        Standing::Dead => "dead",
    }
}
