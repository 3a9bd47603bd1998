//! Scheduling policies, and gates that do not go with them.

pub(crate) mod background;
pub(crate) mod ceiling_inside;
mod cores;
pub(crate) mod dependencies;
pub(crate) mod optimistic_mutex;
pub(crate) mod priority_unused;
pub(crate) mod protocol_unfit;
pub(crate) mod srp_is_fixed;
pub(crate) mod unused;

use fusee_model::{GateId, Origin, Policy, Protocol, System};

use crate::view::View;

/// Returns `true` if a gate has a ceiling under the policy of its users' core.
pub(super) fn has_ceiling(view: &View<'_>, id: GateId) -> bool {
    let protocol = view.system.gate(id).protocol.value;
    let by_priority = matches!(protocol, Protocol::Fixed | Protocol::Ceiling | Protocol::Srp);
    by_priority && deadlines_at(view, id).is_none()
}

/// Returns `true` if deadlines decide on a core.
pub(super) fn by_deadline(system: &System, core: u32) -> bool {
    system.policy_on(core) == Policy::EarliestDeadline
}

/// Returns the place that sets deadlines on a core, if one does.
pub(super) fn deadlines_on(system: &System, core: u32) -> Option<Origin> {
    let given = system.policy_given(core)?;
    (given.value == Policy::EarliestDeadline).then_some(given.origin)
}

/// The same of some core whose tasks reach a gate; if none do, of all cores.
pub(super) fn deadlines_at(view: &View<'_>, id: GateId) -> Option<Origin> {
    let on = |core| deadlines_on(view.system, core);
    match &view.derived.gate(id).cores[..] {
        [] if view.system.common_policy().is_none() => None,
        [] => on(0),
        cores => cores.iter().find_map(|&core| on(core)),
    }
}
