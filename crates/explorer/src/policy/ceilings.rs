//! The priority ceiling protocol's stack, as the kernel has it.

use fusee_kernel::{CeilingStack, Policy};

use crate::Store;

/// Returns the held `ceiling` gates in order of entry, each with the highest ceiling that the
/// kernel has noted for it; a stack that goes round is cut off.
pub(super) fn stack<P: Policy<Ceilings = CeilingStack>>(store: &Store<P>) -> Vec<(usize, u8)> {
    let mut found = Vec::new();
    let mut at = store.cores[0].ceilings.top;
    while let Some(gate) = store.gates.get(at.at())
        && found.len() <= store.gates.len()
    {
        found.push((at.at(), gate.place.highest));
        at = gate.place.below;
    }
    found.reverse();
    found
}
