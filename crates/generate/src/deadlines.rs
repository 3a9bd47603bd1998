//! Drawn systems in which deadlines decide.
//!
//! Whether a system is one of them, and what its gates become, has a stream of random
//! numbers of its own: all else is drawn as it would be without.

use crate::{Case, Mix, Random};
use fusee_model::{Origin, Policy, Protocol, Sourced};

/// Makes deadlines decide, perhaps. A gate at the top ceiling becomes non-preemptive, all others
/// with ceilings one of those that deadlines have.
pub(crate) fn perhaps(mix: &Mix, seed: u64, index: u64, case: &mut Case) {
    let mut random = Random::new(!seed, index);
    if !random.chance(mix.by_deadline) {
        return;
    }
    let value = Policy::EarliestDeadline;
    case.system.settings.policy = Some(Sourced { value, origin: Origin::NONE });
    case.costs.policy = value;
    for gate in &mut case.system.gates {
        gate.protocol.value = match gate.protocol.value {
            Protocol::Fixed if gate.given_ceiling.is_some() => Protocol::NonPreemptive,
            Protocol::Fixed | Protocol::Ceiling => Protocol::Srp,
            Protocol::Inherited if random.chance(40) => Protocol::Srp,
            protocol => protocol,
        };
        gate.given_ceiling = None;
    }
    for mutex in case
        .system
        .gate_ids()
        .map(|(id, _)| id)
        .filter(|&id| case.system.mutex(id).is_some())
        .collect::<Vec<_>>()
    {
        case.system.gates[mutex.index()].protocol.value = Protocol::Inherited;
    }
}
