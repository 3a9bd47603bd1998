//! The ends of connections that lead to a gate.

use fusee_model::{ComponentId, GateId, InterfaceKind, System};

/// The ends of a gate in order of the description: component and interface.
pub(super) fn ends(system: &System, gate: GateId) -> impl Iterator<Item = (ComponentId, &str)> {
    let components = system.components.iter().enumerate();
    components.flat_map(move |(index, component)| {
        let ends = component
            .interfaces
            .iter()
            .filter(move |of| of.kind == InterfaceKind::Uses(Some(gate)));
        ends.map(move |of| (ComponentId::from(index), of.name.as_str()))
    })
}
