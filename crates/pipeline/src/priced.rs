//! The costs of the paths of a system's own kernel.

use fusee_model::System;
use fusee_model::costs::CostTable;

use crate::costs::Costs;
use crate::methods::Proved;

/// Returns the costs of the paths of this system's kernel, with the cost that an interruption adds
/// to its programs.
pub(crate) fn costs_of(system: &System, costs: &Costs, proved: &Proved) -> CostTable {
    costs.of(system).into_owned().interrupted(proved.interruption)
}
