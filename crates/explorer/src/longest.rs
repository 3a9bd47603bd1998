//! The greatest depth of threads and of chains of holders in ordered gates.
//!
//! Worked out anew, so that a random system declares what a build would have declared, and not
//! more: then no call of it may ever be refused for its depth. Gate `n` leads to component `n`, and
//! from there only to gates of higher number, so all that can follow a component is known before
//! the component is looked at.

use fusee_kernel::{Capability, GateConfig};

/// The longest ways from any of the threads' homes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Longest {
    /// Gates passed and mutexes locked, one in the other.
    pub(crate) depth: u8,
    /// Gates and mutexes at which one can wait, one behind the other.
    pub(crate) chain: u16,
}

/// Returns the longest ways, given what each component may name; the homes come after the gates'
/// components.
pub(crate) fn longest(gates: &[GateConfig], components: &[Vec<Capability>]) -> Longest {
    let mut ways = vec![(0, 0); components.len()];
    for component in (0..gates.len()).rev().chain(gates.len()..components.len()) {
        let (mut depth, mut chain) = (0, 0);
        for capability in &components[component] {
            if let Capability::Gate(gate) = capability {
                let (behind, waits) =
                    (ways[gate.at()], u16::from(gates[gate.at()].protocol.is_exclusive()));
                depth = depth.max(1 + behind.0);
                chain = chain.max(waits + behind.1);
            }
        }
        let locks = mutexes(&components[component]).len() as u16;
        ways[component] = (depth + locks as u8, chain + locks);
    }
    let homes = &ways[gates.len()..];
    let depth = homes.iter().map(|way| way.0).max().unwrap_or(0);
    let chain = homes.iter().map(|way| way.1).max().unwrap_or(0);
    let exclusive = gates.iter().filter(|gate| gate.protocol.is_exclusive()).count() as u16;
    // A mutex of several components leads back from one of them to another.
    let shared = (0..gates.len())
        .any(|gate| components.iter().filter(|its| mutexes(its).contains(&gate)).count() > 1);
    Longest { depth, chain: if shared { exclusive } else { chain } }
}

fn mutexes(capabilities: &[Capability]) -> Vec<usize> {
    let mut found: Vec<usize> = capabilities
        .iter()
        .filter_map(|capability| match capability {
            Capability::Mutex(gate) => Some(gate.at()),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
