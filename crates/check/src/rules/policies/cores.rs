//! The cores whose threads run a component's code.

use std::collections::BTreeSet;

use fusee_model::{ComponentId, InterfaceKind};

use crate::view::View;

/// Returns the cores whose threads may come into a component's protection domain.
pub(super) fn entering(view: &View<'_>, id: ComponentId) -> BTreeSet<u32> {
    let system = view.system;
    let all = (0..system.components.len()).map(ComponentId::from);
    let domain = system.component(id).domain;
    let inside = all.filter(|&other| system.component(other).domain == domain);
    inside.flat_map(|member| of_component(view, member)).collect()
}

fn of_component(view: &View<'_>, id: ComponentId) -> BTreeSet<u32> {
    let system = view.system;
    let mut cores = called(view, id);
    for interface in &system.component(id).interfaces {
        let InterfaceKind::Consumes(Some(event)) = interface.kind else { continue };
        // Whoever runs its callbacks is on the core of one who has the event as well.
        cores.extend(system.core_of_event(event));
        let all = (0..system.components.len()).map(ComponentId::from);
        let consumers = all.filter(|&other| {
            let mut kinds = system.component(other).interfaces.iter().map(|one| &one.kind);
            kinds.any(|kind| *kind == InterfaceKind::Consumes(Some(event)))
        });
        cores.extend(consumers.flat_map(|other| called(view, other)));
    }
    cores
}

/// Returns the cores of a component's own tasks, and of those that get to its gates.
fn called(view: &View<'_>, id: ComponentId) -> BTreeSet<u32> {
    let tasks = view.system.tasks.iter().filter(|task| task.component == id);
    let gates = view.system.gate_ids().filter(|(_, gate)| gate.component == id);
    let users = gates.flat_map(|(gate, _)| view.derived.gate(gate).cores.iter().copied());
    tasks.map(|task| task.core).chain(users).collect()
}
