//! What tasks do while they have a lock of a component.
//!
//! A section begins with the call that takes a lock and ends with the one that releases it. In it a
//! task is raised to the priority of whoever sleeps on its account. Sections are neither nested in
//! each other nor in exclusive gates, and pass none (module `lock_use`): so whoever waits for one
//! waits at nothing else, and who is raised in one is raised by a user of the same scheduler, to
//! its base priority.
//!
//! Outside of windows of its level nobody sleeps on a task's account that is not in a section, so
//! the argument of all sections holds: each lower task takes at most one of a window, the one in
//! which it was when that began. It takes it whoever is served first: locks are handed on in the
//! order in which they are asked for, so one request may see the sections of all lower tasks, and
//! they are not counted by requests.
//!
//! An optimistic lock is handed on to nobody: who is woken tries again. A try finds the lock taken
//! only by a less urgent task, whoever is more urgent being through with its sections when others
//! run, and nobody being as urgent (module `lock_use`). That task took it before the window began:
//! in the window a less urgent one runs only for somebody who sleeps on its account, which ends
//! with its section, or with that of the scheduler in which it is. And who asks and does not sleep,
//! because the epoch or the word has changed meanwhile, was interrupted by somebody for whom that
//! owner has let go of the lock. So one try fails for each request, and one for each time that
//! somebody is woken.

use fusee_model::{Body, GateId, LockCall, Origin, Step, System, TaskId};

use crate::body::{BodyRef, Unknown};
use crate::context::Context;
use crate::demand::Demand;
use crate::obstacle::{Obstacle, unknown_time};

/// A section of a lock of a component.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LockSection {
    /// The component's gate.
    pub(crate) gate: GateId,
    /// The highest level of those who may wait for it.
    pub(crate) rise: i16,
    /// Where the lock is taken.
    pub(crate) origin: Origin,
    /// How long it can last, waiting apart.
    pub(crate) length: Result<u64, Obstacle>,
}

/// Places of the steps of a body in which locks are taken and given back, each with the gate.
pub(crate) fn places(
    system: &System,
    body: &Body,
) -> Vec<(GateId, std::ops::RangeInclusive<usize>)> {
    let (mut open, mut found) = (None, Vec::new());
    for (at, step) in body.steps.iter().enumerate() {
        match system.lock_call(step) {
            Some((_, LockCall::Take)) => open = Some(at),
            Some((gate, LockCall::Release)) => {
                found.extend(open.take().map(|from| (gate, from..=at)));
            }
            None => {}
        }
    }
    found
}

/// The bodies that a task's job runs through, its own first, but for those of lock components.
pub(crate) fn bodies(system: &System, task: TaskId) -> Vec<(BodyRef, &Body)> {
    let mut found = vec![(BodyRef::Task(task), &system.task(task).body)];
    let mut at = 0;
    while let Some(&(_, body)) = found.get(at) {
        at += 1;
        for step in &body.steps {
            let Step::Invoke { gate, method, .. } = *step else { continue };
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

/// All sections of a task.
pub(crate) fn of_task(context: &Context<'_>, task: TaskId) -> Vec<LockSection> {
    let (system, mut found) = (context.system, Vec::new());
    if system.lock_services().next().is_none() {
        return found;
    }
    for (whose, body) in bodies(system, task) {
        for (gate, steps) in places(system, body) {
            let origin = match body.steps[*steps.start()] {
                Step::Invoke { origin, .. } => origin,
                _ => Origin::NONE,
            };
            let demand = context.demands.steps(&context.kernel, whose, &body.steps[steps]);
            let rounds = rounds(context, gate);
            let length = demand
                .and_then(|demand| Ok(demand.plus(rounds?)))
                .map_err(|unknown| unknown_time(task, unknown))
                .and_then(|demand| context.section(task, demand));
            found.push(LockSection { gate, rise: rise(context, gate), origin, length });
        }
    }
    found
}

/// What a task goes round besides, that was woken before a window or has not slept at its end.
fn rounds(context: &Context<'_>, gate: GateId) -> Result<Demand, Unknown> {
    let calls = context.demands.lock_calls(context.system, &context.kernel, gate)?;
    Ok(calls.round.times(2))
}

/// The highest level of those who ask the same scheduler.
fn rise(context: &Context<'_>, gate: GateId) -> i16 {
    let system = context.system;
    let behind = system.lock_scheduler(system.gate(gate).component).unwrap_or(gate);
    let users = context.derived.gate(behind).tasks.iter();
    users.map(|&user| context.levels.highest(user)).max().unwrap_or(-1)
}
