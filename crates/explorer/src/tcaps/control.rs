//! The threads that get the core, and the schedulers that get control.

use std::collections::BTreeSet;

use fusee_kernel::NEVER;
use fusee_kernel::tcaps::Standing;

use super::rule::ensure;
use super::view::{Held, Opinions, ROOT, View};
use super::{Checked, Ledger, Rule, Step};

/// Checks a step that was not refused. The ledger is that before the step.
pub(super) fn check(
    step: Step,
    ledger: &Ledger,
    (before, after): (&View<'_>, &View<'_>),
) -> Checked {
    preempted(before, after)?;
    preempts(step, before, after)?;
    rings(step, before, after)?;
    switches(step, before, after)?;
    regains(before, after)?;
    succeeds(before, after)?;
    asks(step, before, after)?;
    stopped(before, after)?;
    if step == Step::Timer && !before.is_timed_out() {
        expiry(ledger, before, after)?;
    }
    if step == Step::Timer {
        nobody_inherits(before, after)?;
    }
    chronos(step, before, after)
}

/// The thread that ran and could go on, on the same account, is the first of its level.
fn preempted(before: &View<'_>, after: &View<'_>) -> Checked {
    let Some(ran) = before.running else { return Ok(()) };
    let ready = after.ready();
    if before.payer_of(ran) != after.payer_of(ran) {
        return Ok(());
    }
    let Some(place) = ready.iter().position(|thread| *thread == ran) else { return Ok(()) };
    let level = after.level(ran);
    // Who was dispatched or preempts comes before it, and it is one at most, or one for each
    // time-out that is due.
    let equals = ready[..place].iter().filter(|thread| after.level(**thread) == level).count();
    let due = before.store.schedulers.iter().filter(|own| own.timeout <= before.now).count();
    let behind = equals <= if after.running == Some(ran) { 0 } else { due.max(1) };
    ensure(Rule::Highest, behind, || format!("T{ran} was preempted, queued are {ready:?}"))
}

/// A thread that is dispatched, or yielded to, has control before its equals, and its scheduler has
/// it afterwards.
fn switches(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let to = match step {
        Step::Dispatch(dispatch) => dispatch.thread,
        Step::Yield(delegation) => delegation.to,
        Step::YieldUntil(slot, _) => slot.to,
        _ => return Ok(()),
    };
    let Some(caller) = before.running else { return Ok(()) };
    let due = before.payer_of(caller).is_some_and(|payer| before.is_due(payer));
    let place = before.is_scheduler(caller).map(|own| after.store.schedulers[own].place);
    let until = match step {
        Step::Dispatch(dispatch) => dispatch.timeout,
        Step::YieldUntil(slot, _) => slot.until,
        _ => NEVER,
    };
    let timed = |own: usize| after.store.schedulers[own].timeout == until;
    let kept = matches!(step, Step::Yield(_)) || before.is_scheduler(caller).is_some_and(timed);
    let placed = after.standing(caller) == Standing::Placed && place == Some(to) && kept;
    ensure(Rule::Control, placed || due, || format!("T{caller} has no control of T{}", to.0))?;
    let ready = after.ready();
    let place = ready.iter().position(|thread| *thread == to.at());
    let equal = |other: &&usize| after.level(**other) == after.level(to.at());
    let before = ready[..place.unwrap_or(0)].iter().find(equal);
    ensure(Rule::Highest, before.is_none() || due, || {
        format!("T{} is dispatched behind its equals, queued are {ready:?}", to.0)
    })
}

/// The scheduler of a thread that is stopped without having asked for it is to be told.
fn stopped(before: &View<'_>, after: &View<'_>) -> Checked {
    for thread in after.threads() {
        let Some(scheduler) = after.scheduler_of(thread) else { continue };
        let went_on = matches!(before.standing(thread), Standing::Activated | Standing::Placed);
        let stops = went_on && after.standing(thread) == Standing::Stopped;
        ensure(Rule::Told, !stops || after.events(scheduler).contains(&thread), || {
            format!("T{thread} is stopped, and its scheduler does not know")
        })?;
    }
    Ok(())
}

/// Returns `true` if a scheduler is another's, or above that one's.
fn is_above(view: &View<'_>, scheduler: usize, other: usize) -> bool {
    let parents = &view.tables.schedulers;
    let above = |number: &usize| {
        let parent = parents[*number].parent;
        parent.is_some().then(|| parent.at())
    };
    std::iter::successors(Some(other), above).any(|number| number == scheduler)
}

/// A scheduler that gets control goes before those of its tree that are as good.
fn regains(before: &View<'_>, after: &View<'_>) -> Checked {
    let ready = after.ready();
    for (place, &own) in ready.iter().enumerate() {
        let Some(scheduler) = after.is_scheduler(own) else { continue };
        let had = before.standing(own) == Standing::Activated;
        let is_kept = |other: &&usize| {
            let its = after.scheduler_of(**other);
            after.level(**other) == after.level(own)
                && its.is_some_and(|its| is_above(after, scheduler, its))
        };
        let keeps = ready[..place].iter().find(is_kept);
        ensure(Rule::Control, had || keeps.is_none(), || {
            format!("T{own} has control, queued are {ready:?}")
        })?;
    }
    Ok(())
}

/// A dispatched thread goes on in its scheduler's place when that ends: before those of the tree
/// that are as good, and have waited behind it.
fn succeeds(before: &View<'_>, after: &View<'_>) -> Checked {
    let Some(ran) = before.running.filter(|ran| after.standing(*ran) != Standing::Activated) else {
        return Ok(());
    };
    let Some(scheduler) = before.scheduler_of(ran) else { return Ok(()) };
    let own = before.thread_of(scheduler);
    let is_placed = before.store.schedulers[scheduler].place.at() == ran;
    // Where one above it has control as well, that decides.
    let alone = (0..after.tables.schedulers.len())
        .filter(|other| *other != scheduler && is_above(after, *other, scheduler))
        .all(|other| after.standing(after.thread_of(other)) != Standing::Activated);
    let has = after.standing(own) == Standing::Activated && alone;
    let has = has && after.scheduler_of(own).is_some();
    let ready = after.ready();
    let Some(place) = ready.iter().position(|thread| *thread == own && is_placed && has) else {
        return Ok(());
    };
    let overtakes = |other: &&usize| {
        let its = after.scheduler_of(**other);
        after.level(**other) == after.level(own)
            && before.ready().contains(other)
            && its.is_some_and(|its| after.root_of(its) == after.root_of(scheduler))
    };
    ensure(Rule::Control, ready[..place].iter().find(overtakes).is_none(), || {
        format!("T{own} goes on for T{ran}, queued are {ready:?}")
    })
}

/// An alarm makes a scheduler of the kernel's own ready that waits; another one's scheduler is
/// told, and none of its tree runs for that but a scheduler above it.
fn rings(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let Step::Alarm(scheduler) = step else { return Ok(()) };
    let own = before.thread_of(scheduler.at());
    let due = before.running.and_then(|running| before.payer_of(running));
    if before.standing(own) != Standing::Waits || due.is_some_and(|payer| before.is_due(payer)) {
        return Ok(());
    }
    let kernels = before.scheduler_of(own).is_none();
    let expected = if kernels { Standing::Activated } else { Standing::Stopped };
    let told = before.scheduler_of(own).is_none_or(|above| after.events(above).contains(&own));
    ensure(Rule::Preempts, after.standing(own) == expected && told, || {
        format!("T{own} had an alarm and is {:?}", after.standing(own))
    })?;
    let woken = after.threads().filter(|thread| {
        after.standing(*thread) == Standing::Activated
            && before.standing(*thread) != Standing::Activated
    });
    let mut others = woken.filter(|thread| after.scheduler_of(*thread).is_some());
    ensure(Rule::Preempts, others.next().is_none(), || format!("an alarm of T{own} activates"))
}

/// Control goes where a time-out above an account says if it is due when the account ends.
fn nobody_inherits(before: &View<'_>, after: &View<'_>) -> Checked {
    let payer = before.running.and_then(|running| before.payer_of(running));
    let Some(scheduler) = payer
        .filter(|payer| before.is_due(*payer) && !before.is_kernels(*payer))
        .and_then(|payer| before.scheduler_of_account(payer))
    else {
        return Ok(());
    };
    let wanted = |number: &usize| {
        let (state, own) = (before.store.schedulers[*number], before.thread_of(*number));
        // Who has nothing left cannot have control, and does not say who inherits.
        let pays = before.scheduler_of(own).is_none()
            || after.accounts[before.own_account(own)].is_funded();
        state.timeout <= before.now
            && state.place.is_some()
            && pays
            && is_above(before, *number, scheduler)
    };
    let all = 0..before.tables.schedulers.len();
    if !all.clone().any(|number| wanted(&number)) {
        return Ok(());
    }
    let asked: BTreeSet<usize> =
        all.filter(|own| before.store.schedulers[*own].timeout <= before.now).collect();
    let gets = |thread: &usize| {
        after.standing(*thread) == Standing::Activated
            && before.standing(*thread) != Standing::Activated
    };
    for thread in after.threads().filter(gets) {
        let own = after.is_scheduler(thread);
        let is_asked =
            own.is_some_and(|own| asked.iter().any(|other| is_above(after, own, *other)));
        ensure(Rule::Expiry, is_asked, || format!("T{thread} inherits what nobody left"))?;
    }
    Ok(())
}

/// A scheduler's time-out stays until it has control, or one above it has taken that.
fn asks(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    for number in 0..before.tables.schedulers.len() {
        let own = before.thread_of(number);
        let [was, is] = [before, after].map(|view| view.store.schedulers[number].timeout);
        let dispatches = matches!(step, Step::Dispatch(_) | Step::YieldUntil(..));
        let calls = before.running == Some(own) && dispatches;
        let above = |number: usize| {
            let thread = after.thread_of(number);
            let has = after.standing(thread) == Standing::Activated;
            has && before.standing(thread) != Standing::Activated
        };
        // One above it may have control already when its own time-out takes that from those below.
        let due = |number: usize| before.store.schedulers[number].timeout <= after.now;
        let taken = (0..before.tables.schedulers.len())
            .filter(|other| is_above(before, *other, number))
            .any(|other| above(other) || due(other));
        // Who has no budget, or is dead, leaves control to the one above it.
        let funded = after.accounts[after.own_account(own)].is_funded();
        let leaves = after.standing(own) == Standing::Dead
            || (!funded && before.scheduler_of(own).is_some());
        let over = was <= after.now || calls || taken || leaves;
        ensure(Rule::Control, was == NEVER || was == is || over, || {
            format!("T{own} wanted control back, and has {:?}", after.standing(own))
        })?;
    }
    Ok(())
}

/// A send makes a thread run at once if its account has budget and all agree, and only then.
fn preempts(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let yields = matches!(step, Step::Yield(_) | Step::YieldUntil(..));
    let (Some(to), false) = (step.sends(before.tables), yields) else {
        return Ok(());
    };
    let ready = matches!(before.standing(to), Standing::Waits | Standing::Stopped);
    if !ready || before.scheduler_of(to).is_none() {
        return Ok(());
    }
    let own = before.own_account(to);
    // What the send brings is there already when it is asked who runs; a giver has lost its say
    // only afterwards.
    let held = &after.accounts[own];
    let agrees = match runs_meanwhile(before, own, held) {
        None => held.is_funded(),
        Some(opinions) => {
            let root = held.opinions.get(&ROOT);
            let above = root.is_some_and(|root| Some(root) <= opinions.get(&ROOT));
            held.may_preempt(&opinions) && above
        }
    };
    let activated = after.standing(to) == Standing::Activated;
    // Somebody's budget may have ended by the same step, which gives others control.
    let quiet = before.running.is_none_or(|running| {
        after.standing(running) == Standing::Activated
            && before.payer_of(running) == after.payer_of(running)
            && !before.payer_of(running).is_some_and(|payer| before.is_due(payer))
    });
    if agrees {
        let sleeps = before.scheduler_of(to).is_none_or(|scheduler| {
            let own = before.thread_of(scheduler);
            before.standing(own) != Standing::Waits || after.standing(own) == Standing::Waits
        });
        return ensure(Rule::Preempts, activated && (sleeps || !quiet), || {
            format!(
                "T{to} may preempt, is {:?}, its scheduler sleeps: {sleeps}",
                after.standing(to)
            )
        });
    }
    ensure(Rule::Preempts, !activated || !quiet, || {
        format!("T{to} is activated on {held:?}, which may not preempt")
    })
}

/// Returns the qualities by which the running thread's time counts when an account holds this. If
/// that makes them worse, another thread may run already.
fn runs_meanwhile(before: &View<'_>, account: usize, held: &Held) -> Option<Opinions> {
    let opinions = |thread: usize| {
        let payer = before.payer_of(thread)?;
        let time = if payer == account { held } else { &before.accounts[payer] };
        Some(before.dispatched(thread, payer, &time.opinions))
    };
    // Of equals, who ran is first, and who was better last.
    let rank = |thread: usize| {
        let level = opinions(thread).and_then(|opinions| opinions.get(&ROOT).copied());
        let ran = before.running == Some(thread);
        (level, !ran, level != before.level(thread))
    };
    let ready = before.ready();
    let first = ready.iter().copied().min_by_key(|thread| rank(*thread))?;
    opinions(first)
}

/// Control after the end of a budget goes to the right scheduler.
fn expiry(ledger: &Ledger, before: &View<'_>, after: &View<'_>) -> Checked {
    let payer = before.running.and_then(|running| before.payer_of(running));
    let Some(ended) = payer.filter(|payer| before.is_due(*payer) && !before.is_kernels(*payer))
    else {
        return Ok(());
    };
    let Some(scheduler) = before.scheduler_of_account(ended) else { return Ok(()) };
    let own = before.thread_of(scheduler);
    let account = before.own_account(own);
    let lives = |scheduler: usize| before.standing(before.thread_of(scheduler)) != Standing::Dead;
    if after.accounts[account].is_funded() && lives(scheduler) {
        return has_control(after, own, None, "its own account has budget");
    }
    let root = before.root_of(scheduler);
    let of_tree = |thread: &usize| {
        before.scheduler_of(*thread).is_some_and(|scheduler| before.root_of(scheduler) == root)
    };
    // Who runs at the kernel's expense waits for a refill where there is nothing left.
    let goes_on = |view: &View<'_>, thread: usize| {
        let payer = view.payer_of(thread);
        let funded = payer.is_some_and(|payer| view.accounts[payer].is_funded());
        view.standing(thread) == Standing::Activated && funded && payer != Some(ended)
    };
    let of_view = |view: &View<'_>| -> BTreeSet<usize> {
        view.threads().filter(of_tree).filter(|thread| goes_on(view, *thread)).collect()
    };
    let (saved, now) = (of_view(before), of_view(after));
    if !saved.is_empty() {
        return ensure(Rule::Expiry, now == saved, || {
            format!("activated were {saved:?} and are {now:?}")
        });
    }
    let heir = ledger.order.iter().copied().find(|account| {
        let its = before.scheduler_of_account(*account);
        *account != ended && its.is_some_and(|its| before.root_of(its) == root && lives(its))
    });
    match heir {
        Some(heir) => {
            let scheduler = before.scheduler_of_account(heir).unwrap_or(root);
            let thread = before.thread_of(scheduler);
            let kernels = before.scheduler_of(thread).is_none();
            has_control(after, thread, (!kernels).then_some(heir), "it was delegated to last")
        }
        None => has_control(after, before.thread_of(root), None, "it is the root"),
    }
}

fn has_control(view: &View<'_>, thread: usize, on: Option<usize>, why: &str) -> Checked {
    let there = view.standing(thread) == Standing::Activated
        && (on.is_none() || view.payer_of(thread) == on);
    ensure(Rule::Expiry, there, || {
        format!("T{thread} is {:?}, not on {on:?}: {why}", view.standing(thread))
    })
}

/// A kernel's own scheduler takes control from its tree only if the tree is empty, or it was
/// switched to: its thread waits, faults or has had its time, or its own account has ended.
fn chronos(step: Step, before: &View<'_>, after: &View<'_>) -> Checked {
    let switches = matches!(step, Step::Wait | Step::Fault) || before.is_timed_out();
    for (number, config) in before.tables.schedulers.iter().enumerate() {
        let own = config.thread.at();
        let returns = matches!(before.standing(own), Standing::Placed | Standing::Stopped)
            && after.standing(own) == Standing::Activated;
        if !returns || switches || config.parent.is_some() {
            continue;
        }
        // The account that was delegated to last may be the root's own.
        let heir = after.funded(number).into_iter().find_map(|account| {
            let scheduler = after.scheduler_of_account(account)?;
            let lives = after.standing(after.thread_of(scheduler)) != Standing::Dead;
            lives.then_some(scheduler)
        });
        let own_ended = (0..after.accounts.len()).any(|account| {
            after.scheduler_of_account(account) == Some(number)
                && before.store.accounts[account].funds.budget > 0
                && !after.accounts[account].is_funded()
        });
        ensure(Rule::Chronos, own_ended || heir.is_none_or(|heir| heir == number), || {
            format!("T{own} has control, and there is budget in its tree")
        })?;
    }
    Ok(())
}
