//! Trust in other components' code.

pub(crate) mod bus_master;
pub(crate) mod calls_left_out;
pub(crate) mod endless_section;
pub(crate) mod without_budget;

use fusee_model::ComponentId;

use crate::view::View;

/// Names of components, in order.
fn names(view: &View<'_>, components: &[ComponentId]) -> Vec<String> {
    components.iter().map(|&id| view.system.component(id).name.clone()).collect()
}
