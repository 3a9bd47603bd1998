//! Components that several cores enter, and that a fault ends or restarts.
//!
//! Each core's kernel has an epoch of its own for a component. Where tasks of several cores enter
//! one that does not go on after a fault, all cores that can be in it have to leave before its
//! initial data are put back; so has the core that sets components up, and those that run its
//! callbacks.

use crate::{TablesError, mail};
use fusee_kernel::ComponentIndex;
use fusee_kernel::cores::RestartConfig;
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, OnFault, System};

/// The restarts between cores.
///
/// # Errors
/// [`TablesError::Faults`] where the activation of a gate between cores would be inside, or a core
/// cannot be told.
pub(crate) fn restarts(
    system: &System,
    derived: &Derived,
) -> Result<Vec<RestartConfig>, TablesError> {
    let mut found = Vec::new();
    for (index, component) in system.components.iter().enumerate() {
        let id = ComponentId::from(index);
        let cores = mail::entering(system, derived, id);
        let [first, second, ..] = cores.into_iter().collect::<Vec<_>>()[..] else { continue };
        if component.on_fault == OnFault::Continue {
            continue;
        }
        let mut cores = mail::running(system, derived, id);
        cores.insert(0);
        let bit = |&core: &u32| 1_u32.checked_shl(core);
        let bits: Option<Vec<u32>> = cores.iter().map(bit).collect();
        match bits {
            Some(bits) if !is_in_activations(system, derived, id) => {
                let component = ComponentIndex(index as u16);
                found.push(RestartConfig { component, cores: bits.into_iter().sum() });
            }
            _ => {
                let (name, origin) = (component.name.clone(), component.origin);
                return Err(TablesError::Faults { name, first, second, origin });
            }
        }
    }
    Ok(found)
}

/// Whether the activation of a gate between cores may be in a component.
fn is_in_activations(system: &System, derived: &Derived, component: ComponentId) -> bool {
    system.gate_ids().filter(|(_, gate)| gate.protocol.value.is_global()).any(|(id, _)| {
        let mut within = derived.within(id);
        within.push(id);
        within.into_iter().any(|gate| system.gate(gate).component == component)
    })
}
