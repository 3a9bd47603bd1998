//! The tasks that may run code that is not trusted.

use fusee_model::System;
use fusee_model::derived::Derived;

/// Returns `true` for each task that may run code that is not trusted.
pub(crate) fn tasks_with_untrusted_code(system: &System, derived: &Derived) -> Vec<bool> {
    let tasks = system.task_ids().map(|(id, _)| id);
    tasks.map(|task| !system.untrusted_code(derived, task).is_empty()).collect()
}
