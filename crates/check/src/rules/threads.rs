//! Descriptions that are also built for seL4 with Sudvarg et al.'s library.
//!
//! Fusee needs none of these attributes: its threads carry priority and identity
//! into the callee. But who writes them will build with them, and there a count
//! that is too small blocks tasks that no analysis knows of.

pub(crate) mod connector_differs;
pub(crate) mod nest_missing;
pub(crate) mod requestor_missing;
pub(crate) mod too_few;
pub(crate) mod too_many;

use fusee_model::{Connection, GateId, InterfaceKind};

use crate::view::View;

/// The connector family that takes prioritized requests.
const PRIORITIZED: &str = "seL4RPCCallPrioritized";

/// Connections of that family, each with the gate that it leads to.
fn prioritized<'v>(view: &'v View<'_>) -> impl Iterator<Item = (&'v Connection, GateId)> {
    let of_family = view.system.connections.iter().filter(|c| c.connector.starts_with(PRIORITIZED));
    of_family.filter_map(|connection| {
        let (_, interface) = view.end(connection.to.first()?)?;
        match interface.kind {
            InterfaceKind::Provides(gate) => Some((connection, gate)),
            _ => None,
        }
    })
}
