//! Components, connections and gates.

use crate::view::{Component, Edge, EdgeKind, Gate};
use fusee_model::derived::Derived;
use fusee_model::{Connection, End, InterfaceKind, System};

/// Returns all components; those that share an address space know their group.
pub(crate) fn components(system: &System) -> Vec<Component> {
    let component = |c: &fusee_model::Component| {
        let domain =
            system.domains.get(c.domain.index()).filter(|domain| domain.components.len() > 1);
        Component {
            name: c.name.clone(),
            kind: c.kind.clone(),
            control: c.control,
            hardware: c.hardware,
            group: domain.map(|domain| domain.name.clone()),
        }
    };
    system.components.iter().map(component).collect()
}

/// Returns the lines of the component graph: every `from` end with every `to` end.
pub(crate) fn edges(system: &System) -> Vec<Edge> {
    system.connections.iter().flat_map(|connection| lines(system, connection)).collect()
}

fn lines(system: &System, connection: &Connection) -> Vec<Edge> {
    // Connectors for shared memory may have all their ends on one side.
    let (from, to): (Vec<&End>, Vec<&End>) =
        match (connection.from.split_first(), connection.to.split_first()) {
            (None, Some((first, rest))) => (vec![first], rest.iter().collect()),
            (Some((first, rest)), None) => (vec![first], rest.iter().collect()),
            _ => (connection.from.iter().collect(), connection.to.iter().collect()),
        };
    let pairs = from.iter().flat_map(|&a| to.iter().map(move |&b| (a, b)));
    let line = |(a, b): (&End, &End)| {
        let kind = kind(system, b).or_else(|| kind(system, a))?;
        let label = format!("{} ({})", connection.name, connection.connector);
        Some(Edge { from: a.component.index(), to: b.component.index(), kind, label })
    };
    pairs.filter_map(line).collect()
}

fn kind(system: &System, end: &End) -> Option<EdgeKind> {
    let interface = system.components.get(end.component.index())?.interfaces.get(end.interface)?;
    match interface.kind {
        InterfaceKind::Provides(gate) | InterfaceKind::Uses(Some(gate)) => {
            Some(EdgeKind::Procedure(gate.index()))
        }
        InterfaceKind::Uses(None) => None,
        InterfaceKind::Emits(_) | InterfaceKind::Consumes(_) => Some(EdgeKind::Event),
        InterfaceKind::Dataport(_) => Some(EdgeKind::Memory),
    }
}

/// Returns all gates with what follows for them.
pub(crate) fn gates(system: &System, derived: &Derived) -> Vec<Gate> {
    let gate = |(id, gate): (fusee_model::GateId, &fusee_model::Gate)| {
        let facts = derived.gate(id);
        Gate {
            name: gate.name.clone(),
            interface: gate.interface.clone(),
            component: gate.component.index(),
            protocol: gate.protocol.value,
            direct: gate.direct,
            ceiling: facts.shown_ceiling(),
            stacks: facts.stacks,
            rpc_threads: facts.rpc_threads,
            tasks: facts.tasks.iter().map(|&task| system.task(task).name.clone()).collect(),
            observed: None,
        }
    };
    system.gate_ids().map(gate).collect()
}
