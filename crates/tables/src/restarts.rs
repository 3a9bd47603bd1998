//! Components that several cores enter, and that a fault ends or restarts.
//!
//! Each core's kernel has an epoch of its own for a component. Where tasks of several cores enter
//! one that does not go on after a fault, or sections of a gate between cores do, all cores that
//! can be in it have to leave before its initial data are put back; so has the core that sets
//! components up, and those that run its callbacks.

use crate::{TablesError, mail};
use fusee_kernel::cores::RestartConfig;
use fusee_kernel::{ComponentIndex, RestartIndex};
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, OnFault, System};

/// Returns the restarts between cores.
///
/// # Errors
/// [`TablesError::Faults`] where a core cannot be told.
pub(crate) fn restarts(
    system: &System,
    derived: &Derived,
) -> Result<Vec<RestartConfig>, TablesError> {
    let mut found = Vec::new();
    for (index, component) in system.components.iter().enumerate() {
        let id = ComponentId::from(index);
        let several =
            mail::entering(system, derived, id).len() > 1 || is_in_activations(system, derived, id);
        if component.on_fault == OnFault::Continue || !several {
            continue;
        }
        let mut cores = mail::running(system, derived, id);
        cores.insert(0);
        if let Some(&core) = cores.iter().find(|core| **core >= u32::BITS) {
            let (name, origin) = (component.name.clone(), component.origin);
            return Err(TablesError::Faults { name, core, origin });
        }
        let component = ComponentIndex(index as u16);
        let cores = cores.into_iter().map(|core| 1 << core).sum();
        found.push(RestartConfig { component, cores });
    }
    Ok(found)
}

/// Returns `true` if the activation of a gate between cores may be in a component.
fn is_in_activations(system: &System, derived: &Derived, component: ComponentId) -> bool {
    system.gate_ids().filter(|(_, gate)| gate.protocol.value.is_global()).any(|(id, _)| {
        let mut within = derived.within(id);
        within.push(id);
        within.into_iter().any(|gate| system.gate(gate).component == component)
    })
}

/// For each component its restart; nothing where there are none.
pub(crate) fn by_component(restarts: &[RestartConfig], components: usize) -> Vec<RestartIndex> {
    let mut all = vec![RestartIndex::NONE; if restarts.is_empty() { 0 } else { components }];
    for (number, restart) in restarts.iter().enumerate() {
        all[restart.component.at()] = RestartIndex(number as u16);
    }
    all
}
