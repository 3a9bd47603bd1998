//! Gates, events and components that several cores share.

pub(crate) mod asked_while_held;
pub(crate) mod lock_inside;
pub(crate) mod locks;
pub(crate) mod mutex_protocol;
pub(crate) mod one_core;
pub(crate) mod policy;
pub(crate) mod semaphore;
pub(crate) mod signal_inside;
pub(crate) mod signals;

use std::collections::BTreeSet;

use fusee_model::Gate;

use crate::view::View;
use crate::ways;

/// Returns `true` if a thread holds a gate of its own core while it is inside.
pub(in crate::rules) fn is_held(gate: &Gate) -> bool {
    gate.is_exclusive() && !gate.is_global()
}

/// For each component, the cores of tasks that run its code.
pub(super) fn entered(view: &View<'_>) -> Vec<BTreeSet<u32>> {
    let mut entered = vec![BTreeSet::new(); view.system.components.len()];
    for task in &view.system.tasks {
        entered[task.component.index()].insert(task.core);
    }
    for (gate, methods) in view.system.gates.iter().zip(ways::cores(view)) {
        entered[gate.component.index()].extend(methods.into_iter().flatten());
    }
    entered
}
