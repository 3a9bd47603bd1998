//! The calls of schedulers that are taken, by the rules and the ledger.

use fusee_kernel::Status;
use fusee_kernel::tcaps::{Decision, Error, Waited};

use super::rule::ensure;
use super::taken::Taken;
use super::{Checked, Rule, Seen, Step, System, TreePolicy, World};

/// Checks that a call was refused where it must be, and changed nothing then.
pub(super) fn check<P: TreePolicy>(
    system: &System,
    (before, seen): (&mut World<P>, &Seen),
    step: Step,
    taken: Taken,
) -> Checked {
    if !matches!(step, Step::Receive(_) | Step::Decide(_)) {
        return Ok(());
    }
    let denied = match taken {
        Taken::Denied(error) => Some(error),
        _ => None,
    };
    let caller = caller(system, seen);
    ensure(Rule::Callers, caller.is_some() || denied.is_some(), || {
        format!("{:?} decides: {step}", seen.runs)
    })?;
    let Some(scheduler) = caller else {
        let why = Some(Error::NoScheduler);
        return ensure(Rule::Callers, denied == why, || format!("{step}: {denied:?}"));
    };
    let late = is_late(system, before, scheduler);
    ensure(Rule::InTime, !late || denied == Some(Error::Past), || {
        format!("scheduler {scheduler} comes too late: {step}")
    })?;
    if late {
        return Ok(());
    }
    let wrong = receiver(&step).is_some_and(|to| {
        system.scheduler_of(to) != Some(scheduler) || system.is_scheduler(to).is_none()
    });
    ensure(Rule::Receivers, !wrong || denied == Some(Error::NotIts), || {
        format!("scheduler {scheduler} gives: {step}")
    })?;
    let only_asks = matches!(step, Step::Receive(until) if until <= before.now);
    let gone = taken == Taken::Received(Waited::Blocked);
    ensure(Rule::Control, !only_asks || !gone, || {
        format!("scheduler {scheduler} asks, and has no control then")
    })?;
    // What else is refused depends on accounts, tokens and standings: an explorer of its own has
    // that. What nobody can refuse is a question.
    let asks = matches!(step, Step::Receive(_));
    let early = denied == Some(Error::NoScheduler) || asks && denied.is_some();
    ensure(Rule::Refusals, !early, || format!("{step} is refused: {denied:?}"))
}

/// Returns the scheduler that may decide: it runs, at home, and has control.
fn caller(system: &System, seen: &Seen) -> Option<usize> {
    let runs = seen.runs?;
    let at_home = seen.depth[runs] == 0 && seen.status[runs] == Status::Running;
    let has_control = seen.first.is_some_and(|(first, _)| first == runs);
    system.is_scheduler(runs).filter(|_| at_home && has_control)
}

/// Returns `true` if something is due that comes before a scheduler's call: a time-out, or its
/// budget's end.
fn is_late<P: TreePolicy>(system: &System, before: &World<P>, scheduler: usize) -> bool {
    let schedulers = &before.trees.dispatcher.schedulers;
    // That one may come later is found when it is due.
    let due = schedulers.iter().any(|own| own.timeout <= before.now && !own.deferred);
    let own = system.schedulers[scheduler].thread.at();
    let account = before.trees.dispatcher.end_points[own].account;
    let ends = account.is_some() && before.ledger.balances[account.at()] == Some(0);
    due || ends
}

/// Returns the thread that a step names as the receiver of time.
fn receiver(step: &Step) -> Option<usize> {
    match step {
        Step::Decide(Decision::Delegate(gift) | Decision::DelegateAndYield(gift)) => {
            Some(gift.to.at())
        }
        Step::Decide(Decision::YieldUntil(slot)) => Some(slot.to.at()),
        _ => None,
    }
}
