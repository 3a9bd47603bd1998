//! Uses of lock components for which no theorem is known.
//!
//! The theorem (module `lock_sections`) is about components that come with Fusee, and about
//! sections that the lists of calls name and in which nothing but further locks and gates is waited
//! for, of components that let sections nest and in one order (module `lock_order`).

use fusee_model::derived::Derived;
use fusee_model::{
    ComponentId, GateId, InterfaceKind, LockComponent, Overrun, Step, System, TaskId,
};

use crate::body::BodyRef;
use crate::lock_order::Order;
use crate::lock_sections::{bodies, places};
use crate::obstacle::{LockMisfit, Obstacle};

/// Returns the first use of which no bound is known.
pub(crate) fn refused(system: &System, derived: &Derived) -> Option<Obstacle> {
    let own = |id: &ComponentId| system.component(*id).lock_component.is_none();
    // Only of the components that come with Fusee is it known when a thread sleeps, and who wakes
    // it.
    if let Some(component) = system.lock_services().find(own) {
        return Some(Obstacle::Sleep { component });
    }
    if let Some(misfit) =
        system.lock_components().find_map(|(id, kind)| component(system, id, kind))
    {
        return Some(misfit);
    }
    let users = system.task_ids().filter(|(id, _)| uses(system, derived, *id));
    if let Some(misfit) = suspends_between(system, derived) {
        return Some(misfit);
    }
    users.map(|(id, _)| id).find_map(|task| job(system, derived, task)).or_else(|| {
        let order = Order::of(system);
        let wrong = order.wrong(system);
        let nested = wrong.and_then(|it| misfit(it.component(), LockMisfit::Nested(it)));
        nested
            .or_else(|| order.gates().into_iter().find_map(|gate| suspends(system, derived, gate)))
    })
}

/// Returns an obstacle if tasks wait suspended at a gate between cores where others have locks: a
/// job that is resumed might find a lock taken each time.
fn suspends_between(system: &System, derived: &Derived) -> Option<Obstacle> {
    let all = || system.gate_ids().map(|(id, _)| id);
    let gates: Vec<GateId> = all().filter(|&gate| system.gate(gate).is_suspending()).collect();
    all().find_map(|lock| {
        system.lock_component(lock)?;
        let cores = &derived.gate(lock).cores;
        let meets = |gate: &&GateId| derived.gate(**gate).cores.iter().any(|c| cores.contains(c));
        let gate = *gates.iter().find(meets)?;
        misfit(system.gate(lock).component, LockMisfit::SuspendsBetween(gate))
    })
}

/// Returns an obstacle if a task inside of a gate may wait for an event, and a lock's holder for
/// the gate.
fn suspends(system: &System, derived: &Derived, gate: GateId) -> Option<Obstacle> {
    let whose = body_with(system, derived, gate, |step| matches!(step, Step::Wait(_)))?;
    misfit(system.gate(gate).component, LockMisfit::Suspends(whose, gate))
}

/// A method behind a gate, or behind one from within it, that has such a step.
fn body_with(
    system: &System,
    derived: &Derived,
    gate: GateId,
    wanted: impl Fn(&Step) -> bool,
) -> Option<BodyRef> {
    derived.within(gate).into_iter().chain([gate]).find_map(|inner| {
        let mut methods = system.gate(inner).methods.iter();
        let at = methods.position(|method| method.body.steps.iter().any(&wanted))?;
        Some(BodyRef::Method(inner, at))
    })
}

fn misfit(component: ComponentId, why: LockMisfit) -> Option<Obstacle> {
    Some(Obstacle::LockUse { component, why })
}

/// Returns an obstacle for a component that is not asked by each lock, or is asked by another one,
/// or at a gate that keeps others out.
fn component(system: &System, id: ComponentId, kind: LockComponent) -> Option<Obstacle> {
    for (gate, described) in system.gate_ids().filter(|(_, gate)| gate.component == id) {
        // Who sleeps inside would keep the gate, and nobody could come in to wake it.
        if described.is_exclusive() {
            return misfit(id, LockMisfit::Exclusive);
        }
        let asks = |component: &fusee_model::Component| {
            let mut interfaces = component.interfaces.iter();
            interfaces.any(|interface| interface.kind == InterfaceKind::Uses(Some(gate)))
        };
        let mut others = system.components.iter().filter(|component| asks(component));
        let is_lock =
            |one: &fusee_model::Component| one.lock_component.is_some_and(LockComponent::is_asked);
        if kind == LockComponent::Scheduler && !others.all(is_lock) {
            return Some(Obstacle::Sleep { component: id });
        }
    }
    match kind != LockComponent::Scheduler && system.lock_scheduler(id).is_none() {
        true => Some(Obstacle::Sleep { component: id }),
        false => None,
    }
}

fn uses(system: &System, derived: &Derived, task: TaskId) -> bool {
    derived.task(task).gates.iter().any(|&gate| system.lock_component(gate).is_some())
}

/// Returns the action of a task that the theorem does not cover.
fn job(system: &System, derived: &Derived, task: TaskId) -> Option<Obstacle> {
    let described = system.task(task);
    let suspends = described.budget.as_ref().is_some_and(|b| b.overrun == Overrun::Suspend);
    // A suspended owner would keep the lock until its budget is filled again.
    if suspends {
        return misfit(described.component, LockMisfit::Budget(task));
    }
    for (whose, body) in bodies(system, task) {
        if body.steps.iter().any(|step| matches!(step, Step::Wait(_))) {
            return misfit(owner(system, whose), LockMisfit::Waits(whose));
        }
        let asks = |step: &&Step| match step {
            Step::Invoke { gate, .. } => system.lock_component(*gate).is_some(),
            _ => false,
        };
        let all = body.steps.iter().filter(asks);
        // A call that names no lock begins or ends a section that no list shows.
        if all.clone().any(|step| system.lock_call(step).is_none()) {
            return misfit(owner(system, whose), LockMisfit::Unlisted(whose));
        }
        let calls = all.count();
        // A callback runs in a thread that the model does not show, and may take locks there.
        if calls > 0 && has_callbacks(system, owner(system, whose), task) {
            return misfit(owner(system, whose), LockMisfit::Callback);
        }
        let Some(sections) = places(system, body) else {
            return misfit(owner(system, whose), LockMisfit::Unlisted(whose));
        };
        let inside = sections.iter().flat_map(|place| &body.steps[place.steps.clone()]);
        if let Some(body) = inside.clone().find_map(|step| signals(system, derived, (whose, step)))
        {
            return misfit(owner(system, whose), LockMisfit::Signals(body));
        }
    }
    None
}

/// Returns the body in which a step signals or waits for a signal.
fn signals(system: &System, derived: &Derived, (whose, step): (BodyRef, &Step)) -> Option<BodyRef> {
    let signals = |step: &Step| matches!(step, Step::Emit(_) | Step::Wait(_));
    match *step {
        Step::Invoke { gate, .. } => body_with(system, derived, gate, signals),
        _ => signals(step).then_some(whose),
    }
}

fn owner(system: &System, body: BodyRef) -> ComponentId {
    match body {
        BodyRef::Task(task) => system.task(task).component,
        BodyRef::Method(gate, _) => system.gate(gate).component,
    }
}

/// Returns `true` if code of the component may run in threads that the model does not show.
fn has_callbacks(system: &System, component: ComponentId, task: TaskId) -> bool {
    let released = system.task(task).release_event();
    let interfaces = &system.component(component).interfaces;
    interfaces.iter().any(|interface| match interface.kind {
        InterfaceKind::Consumes(Some(event)) => Some(event) != released,
        _ => false,
    })
}
