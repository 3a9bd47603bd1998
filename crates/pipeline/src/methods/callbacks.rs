//! Threads that run callbacks of events: nothing says how long, or how often.

use fusee_diagnostics::Diagnostic;
use fusee_model::{Policy, System};
use fusee_tables::symbol;

use super::linked::Linked;

/// Returns the programs' callbacks that may run while a task with a bound wants to run.
///
/// Where deadlines decide, they run when no task wants to.
pub(super) fn unbounded(system: &System, linked: &[Linked]) -> Vec<Diagnostic> {
    if system.policies() == [Policy::EarliestDeadline].into() {
        return Vec::new();
    }
    let released = system.tasks.iter().filter(|task| task.release.is_some());
    let Some(least) = released.min_by_key(|task| task.priority.value) else { return Vec::new() };
    let has = |name: &str| linked.iter().any(|linked| linked.program.symbol(name).is_some());
    let named = system.callback_levels().map(|(component, interface, level)| {
        (component, system.component(component).interfaces[interface].name.as_str(), level)
    });
    let above = named.filter(|&(component, event, level)| {
        level >= least.priority.value && has(&symbol::event(system, component, event))
    });
    let told = above.map(|(component, event, level)| {
        let name = &system.component(component).name;
        let message = format!("nothing says how long a callback of `{name}.{event}` runs");
        Diagnostic::error(fusee_wcet::METHOD, message)
            .with_note(format!(
                "its thread has priority {level}, and `{}` {}: no response below it has a bound",
                least.name, least.priority.value
            ))
            .with_note(format!("a repair: a lower priority, by `{name}.{event}_priority`"))
    });
    told.collect()
}
