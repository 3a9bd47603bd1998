//! Shared memory that a call's arguments go through.
//!
//! The description gives a caller the attribute `IFACE_buffer` where its calls go through a
//! dataport; the callee's interface to the same dataport is found by the dataport itself.

use super::ctype::Types;
use super::ends::ends;
use super::shape::{Buffer, dataport};
use fusee_model::{ComponentId, GateId, Interface, InterfaceKind, Value};
use fusee_tables::symbol;

/// The memory that a used interface's calls go through.
pub(super) fn of_use(types: Types<'_>, (id, name): (ComponentId, &str)) -> Option<Buffer> {
    of(types, id, interface(types, (id, name))?)
}

/// The memory of each end of a gate's connections, as the callee sees it; empty: calls go without.
pub(super) fn of_gate(types: Types<'_>, gate: GateId) -> Vec<Buffer> {
    let callee = types.system.gate(gate).component;
    let own = |end| {
        let wanted = interface(types, end)?.kind;
        let own =
            types.system.component(callee).interfaces.iter().find(|own| own.kind == wanted)?;
        of(types, callee, own)
    };
    ends(types.system, gate).map(own).collect::<Option<_>>().unwrap_or_default()
}

/// The dataport interface of a caller that its calls go through.
fn interface<'a>(types: Types<'a>, (id, name): (ComponentId, &str)) -> Option<&'a Interface> {
    let component = types.system.component(id);
    let given = format!("{name}_buffer");
    let attribute = component.attributes.iter().rev().find(|attribute| attribute.name == given)?;
    let Value::Text(interface) = &attribute.value else { return None };
    component.interface(interface).filter(|of| matches!(of.kind, InterfaceKind::Dataport(Some(_))))
}

fn of(types: Types<'_>, id: ComponentId, interface: &Interface) -> Option<Buffer> {
    let bytes = dataport(types.system, types, interface).size;
    Some(Buffer { window: symbol::window(types.system, id, &interface.name), bytes })
}
