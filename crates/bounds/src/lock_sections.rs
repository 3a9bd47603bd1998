//! The sections of tasks that have a lock of a component.
//!
//! A section begins with the call that takes a lock, of who has none, and ends with the one after
//! which it has none again: in between it may take others and give them back. In it a task is
//! raised to the priority of whoever sleeps on its account, perhaps by way of others who sleep with
//! a lock in hand, or wait for a gate. So who is raised in one is raised by a user of a scheduler
//! that is asked there, or of one that such a user asks with a lock in hand, to its base priority;
//! or to what raises somebody who asks within a gate that lets one thread in.
//!
//! Where such a gate is within a section, it counts in it: who waits for the gate there is kept
//! waiting by the gate's holder, who is raised then to what raises the section (module `reach`), in
//! a section of its own. Where a lock is asked for within a gate, all from the gate on is one
//! section, of the gate, which counts as those of locks do: once for each lower task, however often
//! anybody asks.
//!
//! Outside of windows of its level nobody sleeps on a task's account that is not in a section, so
//! the argument of all sections holds: each lower task takes at most one of a window, the one in
//! which it was when that began. It takes it whoever is served first: locks are handed on in the
//! order in which they are asked for, so one request may see the sections of all lower tasks, and
//! they are not counted by requests.
//!
//! An optimistic lock is handed on to nobody: who is woken tries again. Whoever else has it then is
//! less urgent, or its section is in the demand of the window, where all jobs count of those that
//! are more urgent, or as urgent. A less urgent task took it before the window began: in the window
//! such a one runs only for somebody who sleeps on its account, which ends with its section, or
//! with that of the scheduler in which it is. And who asks and does not sleep,
//! because the epoch or the word has changed meanwhile, was interrupted by somebody for whom that
//! owner has let go of the lock. So one try fails for each request, and one for each time that
//! somebody is woken. Who waits for a gate in its section does not change that; whoever asks for an
//! optimistic lock within a gate may be raised while it does, so that has no bound (module
//! `lock_order`).
//!
//! Below schedulers all of this holds in the windows of the module `trees`: who sleeps stays
//! dispatched, and lends. In a table each slot is as the beginning of a window: each thread that
//! goes later takes one section at most in it, the one in which it was, and each of the others may
//! have been woken since its last slot, so that it goes round once more.

use std::collections::BTreeSet;

use fusee_model::{Algorithm, Body, GateId, LockCall, Origin, Step, System, TaskId};

use crate::body::{BodyRef, Unknown};
use crate::context::Context;
use crate::demand::Demand;
use crate::obstacle::{Obstacle, unknown_time};

/// A section of a lock of a component.
#[derive(Debug, Clone)]
pub(crate) struct LockSection {
    /// The component's gate.
    pub(crate) gate: GateId,
    /// The highest level of the tasks that may wait for it.
    pub(crate) rise: i16,
    /// The place at which the lock is taken.
    pub(crate) origin: Origin,
    /// Gates that let one thread in and may be entered in it.
    pub(crate) entered: BTreeSet<GateId>,
    /// Its longest length, without waiting.
    pub(crate) length: Result<u64, Obstacle>,
}

/// A body's steps from one that takes a lock, of a task that has none, until it has none again.
pub(crate) struct Place {
    /// The gate of the first lock.
    pub(crate) gate: GateId,
    pub(crate) steps: std::ops::RangeInclusive<usize>,
}

/// Returns the outermost sections of a body; none: a lock is given back that is not had, or not
/// given back.
pub(crate) fn places(system: &System, body: &Body) -> Option<Vec<Place>> {
    let (mut had, mut found, mut from) = (Vec::new(), Vec::new(), 0);
    for (at, step) in body.steps.iter().enumerate() {
        let Some((gate, call)) = system.lock_call(step) else { continue };
        let &Step::Invoke { lock, .. } = step else { continue };
        if call == LockCall::Take {
            // The outermost section counts whole. Whoever holds one lock is raised until it has let
            // go of all.
            from = if had.is_empty() { at } else { from };
            had.push((gate, lock));
            continue;
        }
        // Locks may be given back in any order. One that is not had makes the whole list worthless.
        let own = had.iter().rposition(|other| *other == (gate, lock))?;
        let (first, _) = had[0];
        had.remove(own);
        if had.is_empty() {
            found.push(Place { gate: first, steps: from..=at });
        }
    }
    had.is_empty().then_some(found)
}

/// Returns the bodies that a task's job runs through, its own first, but for those of lock
/// components.
pub(crate) fn bodies(system: &System, task: TaskId) -> Vec<(BodyRef, &Body)> {
    let mut found = vec![(BodyRef::Task(task), &system.task(task).body)];
    let mut at = 0;
    while let Some(&(_, body)) = found.get(at) {
        at += 1;
        for step in &body.steps {
            let Step::Invoke { gate, method, .. } = *step else { continue };
            // Their own code is in the cost of their calls (module `lock_costs`).
            if system.component(system.gate(gate).component).lock_component.is_some() {
                continue;
            }
            let methods = system.gate(gate).methods.iter().enumerate();
            for (position, callee) in methods.filter(|(at, _)| method.is_none_or(|m| m == *at)) {
                let whose = BodyRef::Method(gate, position);
                if !found.iter().any(|(known, _)| *known == whose) {
                    found.push((whose, &callee.body));
                }
            }
        }
    }
    found
}

/// Returns `true` if a task has a section.
pub(crate) fn has_some(system: &System, task: TaskId) -> bool {
    let takes = |body: &Body| places(system, body).is_some_and(|places| !places.is_empty());
    system.lock_services().next().is_some()
        && bodies(system, task).iter().any(|(_, body)| takes(body))
}

/// Returns all sections of a task.
pub(crate) fn of_task(context: &Context<'_>, task: TaskId) -> Vec<LockSection> {
    let (system, mut found) = (context.system, Vec::new());
    if system.lock_services().next().is_none() {
        return found;
    }
    for (whose, body) in bodies(system, task) {
        for Place { gate, steps } in places(system, body).into_iter().flatten() {
            let origin = match body.steps[*steps.start()] {
                Step::Invoke { origin, .. } => origin,
                _ => Origin::NONE,
            };
            let passed = passed(context, &body.steps[steps.clone()]);
            let is_exclusive = |gate: &GateId| system.gate(*gate).is_exclusive();
            let entered = passed.iter().copied().filter(is_exclusive).collect();
            let asked: BTreeSet<GateId> =
                passed.into_iter().filter(|&gate| system.lock_component(gate).is_some()).collect();
            let rise = asked.iter().map(|&gate| rise(context, gate)).max().unwrap_or(-1);
            let demand = context.demands.steps(&context.kernel, whose, &body.steps[steps]);
            let length = demand
                .and_then(|demand| Ok(demand.plus(at_slots(context, task, &asked)?)))
                // A less urgent task may have been woken before the window, and may begin to sleep
                // at its end.
                .and_then(|demand| Ok(demand.plus(context.rounds(asked)?)))
                .map_err(|unknown| unknown_time(task, unknown))
                .and_then(|demand| context.section(task, demand));
            found.push(LockSection { gate, rise, origin, entered, length });
        }
    }
    found
}

/// Returns what others do besides in each slot in which a section may be gone on with: while others
/// had the core, each of them may have been woken by one of these, and goes round.
fn at_slots(
    context: &Context<'_>,
    task: TaskId,
    asked: &BTreeSet<GateId>,
) -> Result<Demand, Unknown> {
    let above = context.system.schedulers_above(task);
    match above.iter().any(|own| own.algorithm == Algorithm::Partitions) {
        true => context.rounds_of_others(asked),
        false => Ok(Demand::NONE),
    }
}

/// Returns the gates that may be passed in some steps, also by the bodies that these invoke.
fn passed(context: &Context<'_>, steps: &[Step]) -> BTreeSet<GateId> {
    let invoked = steps.iter().filter_map(|step| match *step {
        Step::Invoke { gate, .. } => Some(gate),
        _ => None,
    });
    invoked.flat_map(|gate| context.derived.within(gate).into_iter().chain([gate])).collect()
}

/// Returns the highest level of the tasks that ask the same scheduler; where sections nest, of all
/// that ask any, and of those that may wait for a gate within which a task does.
fn rise(context: &Context<'_>, gate: GateId) -> i16 {
    let system = context.system;
    // Whoever asks a scheduler may find somebody in its section, whatever the lock. So all users of
    // one scheduler may raise each other.
    let behind = system.lock_scheduler(system.gate(gate).component).unwrap_or(gate);
    let gates = system
        .gate_ids()
        .map(|(id, _)| id)
        .filter(|&id| id == behind || context.locks_nest && system.lock_component(id).is_some());
    let users = gates.flat_map(|id| context.derived.gate(id).tasks.iter());
    // Who waits for a lock within a gate passes on what those lend who wait for the gate.
    let around = system.gate_ids().filter(|(_, gate)| gate.is_exclusive());
    let around = around.map(|(id, _)| id).filter(|&id| !context.locks_within(id).is_empty());
    let raised = around.map(|id| context.reach.rise[id.index()]);
    users.map(|&user| context.levels.highest(user)).chain(raised).max().unwrap_or(-1)
}
