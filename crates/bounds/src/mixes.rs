//! Policies and protocols for which no theorem is known.
//!
//! The checks refuse such descriptions with their reasons; who comes without them gets no bound.
//!
//! - `fixed` and `ceiling` are about priorities, and deadlines have none.
//! - Nobody is raised for who waits at a `fifo` gate. Under fixed priorities a lower level has a
//!   bound (module `inversion`); under earliest deadline none of the deadlines is the lowest.
//! - So do the ceilings of `mrsp`, and the queues and boosts of `mpcp`. Nothing may be locked,
//!   signalled or held for unknown time within a gate between cores.
//! - Whoever asks for a `ceiling` gate while it holds another exclusive one can be refused although
//!   the gate is free: then who waits for the other one waits for a section that its ceiling does
//!   not know, three of them.

use fusee_model::{Body, GateId, LockKind, Policy, Protocol, Step};

use crate::context::Context;
use crate::obstacle::Obstacle;
use crate::reach::is_exclusive;

/// Returns a gate that some task of the core passes and that no theorem covers.
pub(crate) fn refused(context: &Context<'_>, core: u32) -> Option<Obstacle> {
    unfit(context, core).or_else(|| unknown_between_cores(context, core))
}

/// Returns an obstacle if kernel paths of unknown cost between cores disturb a core, also where
/// none of the tasks in question asks: they look, and lay sections down.
fn unknown_between_cores(context: &Context<'_>, core: u32) -> Option<Obstacle> {
    let system = context.system;
    let users = |id: GateId| &context.derived.gate(id).cores;
    let globals =
        || system.gate_ids().filter(|(id, gate)| gate.is_global() && !users(*id).is_empty());
    // Paths that take no time disturb nobody, and a core without such gates takes none of them.
    if context.kernel.is_free || !globals().any(|(id, _)| users(id).contains(&core)) {
        return None;
    }
    let (gate, _) = globals().find(|&(id, _)| context.kernel.gate(id).is_none())?;
    let task = *context.derived.gate(gate).tasks.first()?;
    Some(Obstacle::Passage { task, gate })
}

/// A gate that no theorem covers, whatever the kernel costs.
fn unfit(context: &Context<'_>, core: u32) -> Option<Obstacle> {
    let system = context.system;
    let exclusive = system.gate_ids().map(|(id, _)| id).filter(|&id| is_exclusive(system, id));
    let mut used =
        exclusive.filter(|&id| context.derived.gate(id).cores.binary_search(&core).is_ok());
    used.find(|&id| match (system.policy_on(core), system.gate(id).protocol.value) {
        (policy, protocol) if !protocol.goes_with(policy) => true,
        (_, protocol) if protocol.is_global() => {
            is_refused_between_cores(context, id)
                || protocol.suspends() && is_inside_exclusive(context, id)
        }
        // One user alone never waits there, so nobody would have to be raised.
        (Policy::EarliestDeadline, Protocol::Fifo) => context.derived.gate(id).tasks.len() > 1,
        (_, Protocol::Ceiling) => is_inside_another(context, id),
        _ => false,
    })
    .map(|gate| Obstacle::NoTheorem { gate })
}

/// Returns `true` if a section between cores can do what the kernel refuses there.
fn is_refused_between_cores(context: &Context<'_>, gate: GateId) -> bool {
    let system = context.system;
    let mut inside = context.derived.within(gate);
    inside.push(gate);
    let emits = |body: &Body| body.steps.iter().any(|step| matches!(step, Step::Emit(_)));
    inside.iter().any(|&id| {
        let component = system.gate(id).component;
        let mut locks = system.component(component).code.locks.iter().enumerate();
        // A wait for a lock in the section would make all cores in the queue wait for an unknown
        // time.
        let unknown = locks.any(|(lock, described)| {
            described.kind != LockKind::Mutex || system.gate_of_mutex(component, lock).is_none()
        });
        let signals = system.gate(id).methods.iter().any(|method| emits(&method.body));
        unknown || signals || (id != gate && is_exclusive(system, id))
    })
}

/// Returns `true` if the holder of an exclusive gate can be suspended at this one.
fn is_inside_exclusive(context: &Context<'_>, gate: GateId) -> bool {
    let mut gates = context.system.gate_ids();
    gates.any(|(outer, described)| {
        described.is_exclusive()
            && context.reach.is_nested_in(gate, outer)
            // A gate to which no task comes is never held.
            && !context.derived.gate(outer).tasks.is_empty()
    })
}

/// Returns `true` if the gate can be asked for by the holder of an exclusive gate with another
/// protocol.
fn is_inside_another(context: &Context<'_>, gate: GateId) -> bool {
    let mut around =
        context.system.gate_ids().filter(|&(outer, _)| context.reach.is_nested_in(gate, outer));
    around.any(|(outer, described)| {
        is_exclusive(context.system, outer)
            && described.protocol.value != Protocol::Ceiling
            && !context.derived.gate(outer).tasks.is_empty()
    })
}
