//! The rules that hold in every state.

use fusee_kernel::tcaps::Standing;
use fusee_kernel::{Event, NEVER, Protocol, Status, Time};

use super::rule::ensure;
use super::{Checked, Rule, Seen, Step, System, TreePolicy, World};

/// Checks a state in which both agree.
pub(super) fn check<P: TreePolicy>(system: &System, told: &mut World<P>) -> Checked {
    let seen = told.seen(system);
    charges(system, told)?;
    dead(told, &seen)?;
    informed(system, told, &seen)?;
    // What is due is still to come.
    if told.timer(system) > told.now {
        standings(system, &seen)?;
        control(system, told, &seen)?;
        able(&seen)?;
        runs(told, &seen)?;
    }
    Ok(())
}

/// Each account and slice is as the ledger has it.
fn charges<P: TreePolicy>(system: &System, world: &World<P>) -> Checked {
    for (number, account) in world.trees.dispatcher.accounts.iter().enumerate() {
        let funds = account.funds;
        let balance = (funds.budget != NEVER).then(|| funds.budget as i64 - funds.debt as i64);
        let expected = world.ledger.balances[number];
        ensure(Rule::Charges, balance == expected, || {
            format!("A{number} has {balance:?}, by the ledger {expected:?}")
        })?;
    }
    for (thread, end_point) in world.trees.dispatcher.end_points.iter().enumerate() {
        let (kept, untold) = (end_point.cycles, world.ledger.untold[thread]);
        let above = system.scheduler_of(thread).map(|own| system.schedulers[own].thread.at());
        // Where its scheduler's job has ended there is nobody to be told.
        let hears = above.is_some_and(|above| !world.ledger.ended[above]);
        ensure(Rule::Told, !hears || kept == untold, || {
            format!("T{thread} ran {untold} since it was told of, kept are {kept}")
        })?;
    }
    if system.tables.time_slice == NEVER {
        return Ok(());
    }
    // The turn of who runs is charged with its time; that of others stays as it is.
    let Some(runs) = world.kernel.running() else { return Ok(()) };
    let (slice, expected) = (world.kernel.threads[runs].slice, world.ledger.slices[runs]);
    let used = world.now.saturating_sub(world.kernel.cores[0].since);
    ensure(Rule::Slices, slice.saturating_sub(used) == expected, || {
        format!("T{runs} has {slice} of its turn, less {used}, by the ledger {expected}")
    })
}

/// A scheduler whose job has ended is dead, and never first.
fn dead<P: TreePolicy>(world: &World<P>, seen: &Seen) -> Checked {
    for (thread, ended) in world.ledger.ended.iter().enumerate() {
        if !ended {
            continue;
        }
        let standing = seen.standing[thread];
        ensure(Rule::Dead, standing == Standing::Dead, || {
            format!("T{thread}'s job has ended, and it is {standing:?}")
        })?;
        let first = seen.first.is_some_and(|(first, _)| first == thread);
        ensure(Rule::Dead, !first, || format!("T{thread} is dead, and has control"))?;
    }
    Ok(())
}

/// A scheduler that does not know a thread's state is still to be told of it.
fn informed<P: TreePolicy>(system: &System, world: &World<P>, seen: &Seen) -> Checked {
    for thread in 0..seen.status.len() {
        let Some(scheduler) = system.scheduler_of(thread) else { continue };
        if world.ledger.ended[system.schedulers[scheduler].thread.at()] {
            // There is nobody to be told.
            continue;
        }
        let queued = events(world, scheduler).contains(&thread);
        let knows = seen.is_blocked(thread) == world.ledger.blocked[thread];
        ensure(Rule::Told, knows || queued, || {
            format!("T{thread} is {:?}, and its scheduler does not know", seen.standing[thread])
        })?;
    }
    Ok(())
}

fn events<P: TreePolicy>(world: &World<P>, scheduler: usize) -> Vec<usize> {
    let trees = &world.trees.dispatcher;
    trees.schedulers[scheduler].events.iter(&trees.events).take(trees.events.len()).collect()
}

/// A thread that has nothing to do waits, or is dead; one that has something to do does not wait.
fn standings(system: &System, seen: &Seen) -> Checked {
    let is_scheduler = |thread: usize| system.is_scheduler(thread).is_some();
    for &thread in &seen.funded {
        let standing = seen.standing[thread];
        let rests = matches!(standing, Standing::Waits | Standing::Dead);
        // Of what begins or ends inside a gate while somebody else pays, its scheduler hears when
        // it dispatches the thread, or when the gate is its own.
        let inside = seen.depth[thread] > 0 || seen.holder.contains_key(&thread);
        // A job may also end while those pay that sleep on its thread's account.
        let helped = system.has_sleepers() && !is_scheduler(thread) && !seen.is_busy(thread);
        if inside && system.waits_inside() || helped {
            continue;
        }
        // A scheduler waits as well where it has received nothing.
        let right = if is_scheduler(thread) {
            let busy = seen.is_busy(thread);
            if standing == Standing::Dead { !busy } else { rests || busy }
        } else {
            rests != seen.is_busy(thread)
        };
        ensure(Rule::Standings, right, || {
            format!("T{thread} is {:?}, and {standing:?}", seen.status[thread])
        })?;
    }
    let first = seen.first.filter(|(first, _)| !seen.is_busy(*first));
    ensure(Rule::Standings, first.is_none(), || format!("{first:?} has the core, and no job"))
}

/// A scheduler that waits has heard of the threads that are lost, and one that has dispatched a
/// thread has it.
fn control<P: TreePolicy>(system: &System, world: &World<P>, seen: &Seen) -> Checked {
    for (number, config) in system.schedulers.iter().enumerate() {
        let own = config.thread.at();
        let state = &world.trees.dispatcher.schedulers[number];
        let lost = events(world, number).into_iter().find(|thread| {
            !matches!(seen.standing[*thread], Standing::Activated | Standing::Placed)
        });
        let asleep = seen.standing[own] == Standing::Waits && seen.is_busy(own);
        ensure(Rule::Control, !asleep || lost.is_none(), || {
            format!("T{own} waits, and has not heard of T{lost:?}")
        })?;
        if seen.standing[own] != Standing::Placed {
            continue;
        }
        let place = state.place.is_some().then(|| state.place.at());
        let goes_on = place.is_some_and(|place| {
            system.scheduler_of(place) == Some(number)
                && matches!(seen.standing[place], Standing::Activated | Standing::Placed)
        });
        ensure(Rule::Control, goes_on, || format!("T{own} has dispatched {place:?}"))?;
    }
    // Nobody has control on an account in which there is nothing.
    let Some((first, account)) = seen.first else { return Ok(()) };
    let empty = world.ledger.balances[account].is_some_and(|balance| balance <= 0)
        && seen.protected(first).is_none();
    ensure(Rule::Control, !empty, || format!("T{first} is first, on the empty A{account}"))
}

/// A ready thread can run, and a thread that can run is ready.
fn able(seen: &Seen) -> Checked {
    for own in 0..seen.status.len() {
        let ready = matches!(seen.status[own], Status::Ready | Status::Running);
        let unseen = ready && seen.is_unseen(own);
        ensure(Rule::Able, ready == seen.is_able(own) || unseen, || {
            format!("T{own} is {:?}, able: {}", seen.status[own], seen.is_able(own))
        })?;
    }
    Ok(())
}

/// The highest runs, and the right one pays.
fn runs<P: TreePolicy>(world: &World<P>, seen: &Seen) -> Checked {
    let able = (0..seen.status.len()).filter(|own| seen.is_able(*own));
    let highest = able.map(|own| seen.priority(own)).max();
    let running = seen.runs.map(|runs| seen.priority(runs));
    ensure(Rule::Highest, running >= highest, || {
        format!("{:?} runs at {running:?}, {highest:?} could", seen.runs)
    })?;
    let Some(runs) = seen.runs else { return Ok(()) };
    let payer = world.kernel.cores[0].payer();
    ensure(Rule::Payers, seen.payer(runs) == Some(payer.at()), || {
        format!("T{runs} runs on T{}'s time, not on {:?}'s", payer.0, seen.payer(runs))
    })?;
    let queued = P::queued(&world.kernel);
    let urgent = queued.iter().all(|own| seen.priority(*own) <= seen.priority(runs));
    ensure(Rule::Highest, urgent, || format!("{queued:?} are ready while T{runs} runs"))
}

/// The timer comes when something is due.
pub(super) fn timer<P: TreePolicy>(system: &System, world: &mut World<P>) -> Checked {
    let seen = world.seen(system);
    let timer = world.timer(system);
    let due = due(system, world, &seen);
    ensure(Rule::Timer, timer <= due, || format!("the timer is set to {timer}, {due} is due"))
}

/// Returns the first instant at which something is due.
fn due<P: TreePolicy>(system: &System, world: &World<P>, seen: &Seen) -> Time {
    let schedulers = &world.trees.dispatcher.schedulers;
    let all = (0..schedulers.len()).filter(|own| !is_delayed(system, world, seen, *own));
    let timeouts = all.map(|own| schedulers[own].timeout);
    let waits = |number: &usize| {
        let own = system.schedulers[*number].thread.at();
        seen.standing[own] == Standing::Waits
    };
    let alarms = (0..schedulers.len()).filter(waits).map(|number| world.trees.alarms[number]);
    let releases = world.kernel.expiries.iter().copied();
    let mut dues: Vec<Time> = timeouts.chain(alarms).chain(releases).collect();
    if let Some(runs) = seen.runs {
        let payer = seen.payer(runs);
        let first = seen.first.filter(|(first, _)| payer == Some(*first));
        let first = first.filter(|(first, _)| seen.protected(*first).is_none());
        let owes = payer
            .is_some_and(|payer| seen.funded.contains(&payer) && seen.protected(payer).is_some());
        let left = match first {
            None if owes => None,
            Some((_, account)) => world.ledger.balances[account].map(|left| left.max(0) as Time),
            None => payer.map(|payer| world.ledger.left[payer]),
        };
        let slice = world.ledger.slices[runs];
        dues.extend(left.map(|left| world.now.saturating_add(left)));
        dues.push(world.now.saturating_add(slice));
    }
    dues.into_iter().min().unwrap_or(NEVER)
}

/// Returns `true` if the thread at the end of those that a scheduler has dispatched must not be
/// interrupted.
pub(super) fn is_delayed<P: TreePolicy>(
    system: &System,
    world: &World<P>,
    seen: &Seen,
    scheduler: usize,
) -> bool {
    let schedulers = &world.trees.dispatcher.schedulers;
    let mut place = schedulers[scheduler].place;
    while let Some(below) = place.is_some().then(|| system.is_scheduler(place.at())).flatten() {
        if schedulers[below].place.is_none() {
            break;
        }
        place = schedulers[below].place;
    }
    place.is_some() && seen.protected(place.at()).is_some()
}

/// A gate that is left goes to the thread through which the payer waits, if no thread goes before
/// that by its priority.
pub(super) fn heirs<P: TreePolicy>(was: &Seen, after: &World<P>, is: &Seen) -> Checked {
    let Some((first, _)) = was.first else { return Ok(()) };
    let mut at = first;
    while let Some(next) = was.holder.get(&at) {
        let gate = was.waits[&at];
        let heir = after.kernel.gates[gate].holder;
        let left = heir.is_some() && heir.at() != *next;
        let stays = is.waits.get(&at) == Some(&gate);
        let before = left && stays && was.priority(heir.at()) <= was.priority(at);
        ensure(Rule::Heirs, !before, || format!("T{} goes before T{at} at gate {gate}", heir.0))?;
        at = *next;
    }
    Ok(())
}

/// Whoever has passed a gate of the priority ceiling protocol is above the ceilings that others
/// held, and whoever waits at one is not above those that others hold.
pub(super) fn ceilings<P: TreePolicy>(
    system: &System,
    was: &Seen,
    (after, is): (&World<P>, &Seen),
) -> Checked {
    let others = |seen: &Seen, thread: usize| {
        let all = (0..seen.ceilings.len()).filter(|own| *own != thread);
        all.map(|own| seen.ceilings[own].0).max().unwrap_or(0)
    };
    for thread in 0..is.status.len() {
        let own = is.own_priority(thread);
        let entered = is.ceilings[thread].1 > was.ceilings[thread].1;
        let before = others(was, thread);
        ensure(Rule::Ceilings, !entered || own > before, || {
            format!("T{thread} of priority {own} passes a ceiling of {before}")
        })?;
        let gate = after.kernel.threads[thread].gate();
        let protocol = gate.map(|gate| system.tables.gates[gate.at()].protocol);
        let waits = matches!(protocol, Some(Protocol::Ceiling { .. }));
        ensure(Rule::Ceilings, !waits || own <= others(is, thread), || {
            format!("T{thread} of priority {own} waits at {gate:?}, and none is as high")
        })?;
    }
    Ok(())
}

/// A gate of a ceiling is found free, and a thread in one keeps what it runs on.
pub(super) fn sections<P: TreePolicy>(
    system: &System,
    was: &Seen,
    (after, is): (&World<P>, &Seen),
    step: Step,
) -> Checked {
    for thread in 0..is.status.len() {
        let gate = after.kernel.threads[thread].gate();
        let protocol = gate.map(|gate| system.tables.gates[gate.at()].protocol);
        let waits = matches!(protocol, Some(Protocol::Fixed { .. }));
        ensure(Rule::Free, !waits, || format!("T{thread} waits at {gate:?}"))?;
        let inside = was.protected(thread).is_some() && is.protected(thread).is_some();
        let itself = was.runs == Some(thread) && step == Step::Event(Event::Fault);
        let stops = was.standing[thread] == Standing::Activated
            && is.standing[thread] != Standing::Activated;
        let waits = !is.is_busy(thread);
        ensure(Rule::Late, !inside || itself || !stops || waits, || {
            format!("T{thread} is {:?} inside a gate", is.standing[thread])
        })?;
    }
    let (Some((first, _)), Some((next, _))) = (was.first, is.first) else { return Ok(()) };
    let ceiling = was.protected(first).filter(|_| is.protected(first).is_some());
    let goes = is.is_busy(first) && next != first;
    let above = ceiling.is_none_or(|ceiling| system.tree_priority(next) > ceiling);
    ensure(Rule::Late, !goes || above, || format!("T{next} goes before T{first} in a gate"))
}

/// After a fast path the thread runs that would run when both agree, on the same time.
pub(super) fn nothing_to_tell<P: TreePolicy>(
    system: &System,
    world: &World<P>,
    told: &World<P>,
) -> Checked {
    let [done, agreed] = [world, told].map(|world: &World<P>| world.seen(system));
    let due = world.clone().timer(system) <= world.now;
    let payer = |world: &World<P>| world.kernel.cores[0].payer();
    let same = done.runs == agreed.runs && payer(world) == payer(told);
    ensure(Rule::AtOnce, same || due, || {
        format!("{:?} runs, and {:?} when the schedulers are told", done.runs, agreed.runs)
    })
}

/// The scheduler of a thread that is stopped without having asked for it is to be told.
pub(super) fn stopped<P: TreePolicy>(
    system: &System,
    was: &Seen,
    (after, is): (&World<P>, &Seen),
) -> Checked {
    for thread in 0..is.status.len() {
        let Some(scheduler) = system.scheduler_of(thread) else { continue };
        let went_on = matches!(was.standing[thread], Standing::Activated | Standing::Placed);
        let stops = went_on && is.standing[thread] == Standing::Stopped;
        ensure(Rule::Told, !stops || events(after, scheduler).contains(&thread), || {
            format!("T{thread} is stopped, and its scheduler does not know")
        })?;
    }
    Ok(())
}

/// An alarm that has come has woken its scheduler.
pub(super) fn rings<P: TreePolicy>(
    system: &System,
    before: &World<P>,
    (after, seen): (&World<P>, &Seen),
) -> Checked {
    for (number, config) in system.schedulers.iter().enumerate() {
        let [was, is] = [before, after].map(|world| world.trees.alarms[number]);
        let own = config.thread.at();
        let waited = before.trees.dispatcher.end_points[own].standing == Standing::Waits;
        let came = waited && was <= before.now && is > after.now;
        ensure(Rule::Control, !came || seen.standing[own] != Standing::Waits, || {
            format!("T{own} had an alarm, and waits on")
        })?;
    }
    Ok(())
}
