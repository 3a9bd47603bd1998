//! Restarts of components that several cores enter.

use super::Subject;
use super::finding::Findings;
use fusee_image_format::CoreSystem;
use fusee_kernel::OnFault;
use fusee_model::derived::Derived;
use fusee_model::{OnFault as Described, System};
use std::collections::BTreeSet;

/// Every core that tasks bring into a component which does not go on after a fault has to leave
/// before that is restarted; so has each that may execute a section there of a gate between cores.
pub(super) fn describe(
    subject: &Subject<'_>,
    first: &CoreSystem,
    system: &System,
    findings: &mut Findings,
) {
    for restart in &first.restarts {
        let component = subject.tables.components.get(restart.component.at());
        if component.is_none_or(|component| component.on_fault == OnFault::Continue) {
            let number = restart.component.0;
            findings.unsound(format!("component {number} is restarted, and goes on after a fault"));
        }
    }
    let derived = Derived::of(system);
    for (index, component) in system.components.iter().enumerate() {
        let own = system.tasks.iter().filter(|task| task.component.index() == index);
        let mut cores: BTreeSet<u32> = own.map(|task| task.core).collect();
        let gates = || system.gate_ids().filter(|(_, gate)| gate.component.index() == index);
        cores.extend(gates().flat_map(|(id, _)| derived.gate(id).cores.iter().copied()));
        let activation = |gate: usize| {
            first.below.iter().any(|below| below.gate.at() == gate)
                || subject.names.globals.iter().any(|global| global.gate == gate)
        };
        let several = cores.len() > 1 || gates().any(|(id, _)| activation(id.index()));
        if component.on_fault == Described::Continue || !several {
            continue;
        }
        let name = &component.name;
        let restart = first.restarts.iter().find(|restart| restart.component.at() == index);
        let told = restart.map_or(0, |restart| restart.cores);
        let untold = cores.iter().find(|&&core| told.checked_shr(core).unwrap_or(0) & 1 == 0);
        if let Some(core) = untold {
            findings.unsound(format!("core {core} is not told when `{name}` is restarted"));
        }
    }
}
