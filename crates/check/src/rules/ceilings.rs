//! Ceilings of gates with a fixed priority.

pub(crate) mod above_users;
pub(crate) mod below_user;
pub(crate) mod top_priority;
pub(crate) mod without_fixed;

use fusee_model::{Gate, GateId, Priority, Protocol, Sourced};

use crate::view::View;

/// All fixed gates whose ceiling is given, with it.
fn given<'a>(view: &View<'a>) -> impl Iterator<Item = (GateId, &'a Gate, Sourced<Priority>)> {
    (view.system.gate_ids())
        .filter(|(_, g)| g.protocol.value == Protocol::Fixed)
        .filter_map(|(id, g)| Some((id, g, g.given_ceiling?)))
}
