//! Ceilings that the description gives.

pub(crate) mod above_users;
pub(crate) mod below_user;
pub(crate) mod top_priority;
pub(crate) mod without_fixed;

use fusee_model::{Gate, GateId, Priority, Sourced};

use crate::rules::policies::has_ceiling;
use crate::view::View;

/// Returns all gates with ceilings that are given, with them.
fn given<'a>(view: &View<'a>) -> impl Iterator<Item = (GateId, &'a Gate, Sourced<Priority>)> {
    (view.system.gate_ids())
        .filter(|(id, _)| has_ceiling(view, *id))
        .filter_map(|(id, g)| Some((id, g, g.given_ceiling?)))
}
