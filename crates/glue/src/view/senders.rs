//! Callers: the ends of the connections to a gate.
//!
//! The number of the end travels in the upper half of the method's number, so that it costs
//! a caller nothing. It is what the caller's code says, which may be anything; whose thread
//! it is, the kernel says in the same word. So the callee believes only ends that this
//! thread can come through, by the capabilities of the domains that it can get into.

use super::buffers;
use super::ctype::Types;
use super::ends::ends;
use super::found::Found;
use fusee_kernel::Capability;
use fusee_model::{ComponentId, GateId, InterfaceKind, System, Value};
use fusee_tables::{Machine, Machines};
use std::collections::BTreeSet;

/// The most methods of a gate, and the most ends, that fit the number.
const MOST: usize = 256;

/// The number of an end.
pub(super) fn end(
    system: &System,
    gate: GateId,
    (component, interface): (ComponentId, &str),
) -> usize {
    ends(system, gate).position(|end| end == (component, interface)).unwrap_or(0)
}

/// Returns the answer of `get_sender_id` for each end: the attribute `IFACE_attributes` where it is
/// a number, else the lowest number from 1 that no other end has.
pub(super) fn badges(system: &System, gate: GateId) -> Vec<u64> {
    let given = |(component, interface): (ComponentId, &str)| {
        let name = format!("{interface}_attributes");
        match &system
            .component(component)
            .attributes
            .iter()
            .find(|attribute| attribute.name == name)?
            .value
        {
            Value::Integer(number) => u64::try_from(*number).ok(),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    };
    let given: Vec<Option<u64>> = ends(system, gate).map(given).collect();
    let taken: BTreeSet<u64> = given.iter().flatten().copied().collect();
    let mut free = (1..).filter(|number| !taken.contains(number));
    given.into_iter().map(|badge| badge.or_else(|| free.next()).unwrap_or(0)).collect()
}

/// Returns the gates whose components ask for the caller, or find the arguments of each end in
/// memory of its own.
pub(crate) fn asked<'f>(
    types: Types<'_>,
    found: impl Iterator<Item = (ComponentId, &'f Found)>,
) -> BTreeSet<GateId> {
    let system = types.system;
    let mut asked = BTreeSet::new();
    for (id, found) in found {
        for interface in &system.component(id).interfaces {
            let InterfaceKind::Provides(gate) = interface.kind else { continue };
            let asks = found.wanted.contains(&format!("{}_get_sender_id", interface.name))
                || buffers::of_gate(types, gate).len() > 1;
            let fits =
                system.gate(gate).methods.len() <= MOST && ends(system, gate).count() <= MOST;
            if asks && fits {
                asked.insert(gate);
            }
        }
    }
    asked
}

/// Returns the ends of a gate through which each of the threads can come, core by core: bytes of
/// eight ends each, the lowest bit first.
pub(super) fn ways(system: &System, machines: &Machines, gate: GateId) -> Vec<Vec<u8>> {
    let machine = machines.first();
    let domains: Vec<usize> = ends(system, gate)
        .map(|(component, _)| machine.objects.capabilities.domain(component))
        .collect();
    let of_thread = |reached: BTreeSet<usize>| {
        let mut bytes = vec![0; domains.len().div_ceil(8)];
        for (end, _) in domains.iter().enumerate().filter(|(_, domain)| reached.contains(domain)) {
            bytes[end / 8] |= 1 << (end % 8);
        }
        bytes
    };
    let threads = machines.cores.iter().flat_map(|core| &core.machine.objects.threads);
    threads.map(|thread| of_thread(reached(machine, machine.domain_of(thread.component)))).collect()
}

/// The lowest end of such bytes; 0 for a thread that has none, and so never comes.
pub(super) fn first(ways: &[u8]) -> usize {
    let byte = ways.iter().position(|byte| *byte != 0);
    byte.map_or(0, |byte| byte * 8 + ways[byte].trailing_zeros() as usize)
}

/// The domains that a thread can get into from the one where it begins. Code of a domain may use
/// whatever its table has, whichever component of a group it was meant for.
fn reached(machine: &Machine, first: Option<usize>) -> BTreeSet<usize> {
    let mut reached: BTreeSet<usize> = first.into_iter().collect();
    let mut open: Vec<usize> = first.into_iter().collect();
    while let Some(domain) = open.pop() {
        for capability in machine.objects.capabilities.of_domain(domain) {
            let Capability::Gate(gate) = *capability else { continue };
            let callee = machine.domain_of(machine.objects.gates[gate.at()].component);
            open.extend(callee.filter(|&callee| reached.insert(callee)));
        }
    }
    reached
}
