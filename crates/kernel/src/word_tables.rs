//! Rules for the tables of systems in which mutexes are words.

use crate::urgency::Urgencies;
use crate::{
    Capability, ComponentIndex, GateIndex, GateKind, Protocol, TableError, Tables, ThreadIndex,
    Word,
};

/// Checks that all mutexes can be adopted: each is of one component, and its owner inherits.
pub(crate) fn check<P: Urgencies>(tables: &Tables<'_>) -> Result<(), TableError> {
    for (index, gate) in tables.gates.iter().enumerate() {
        // Not a ceiling: the kernel does not see how an uncontended word is taken, so it could
        // raise the owner only when a thread waits.
        let inherits = gate.protocol == Protocol::Inherited;
        let right = !P::Word::ADOPTS || gate.kind != GateKind::Mutex || inherits;
        right.then_some(()).ok_or(TableError::Gate(GateIndex(index as u16)))?;
    }
    for (index, component) in tables.components.iter().enumerate() {
        let own = |capability: &Capability| match capability {
            // The owner is looked for among the threads inside this component, so no other may
            // write the word.
            Capability::Mutex(gate) => tables.gates[gate.at()].component.at() == index,
            Capability::Thread(gate, thread) => {
                P::Word::DEPENDS && is_right(tables, (*gate, *thread))
            }
            _ => true,
        };
        let right = !P::Word::ADOPTS || component.capabilities.iter().all(own);
        right.then_some(()).ok_or(TableError::Component(ComponentIndex(index as u16)))?;
    }
    Ok(())
}

/// Returns `true` if a capability for a thread names one of a row of gates: one for each thread,
/// all of one component, none a mutex. Components of one protection domain share a row.
fn is_right(tables: &Tables<'_>, (gate, thread): (GateIndex, ThreadIndex)) -> bool {
    // The kernel goes from one gate of the row to another by the difference of the threads'
    // numbers.
    let Some(first) = gate.0.checked_sub(thread.0) else { return false };
    let component = tables.gates.get(gate.at()).map(|config| config.component);
    let named = |at: GateIndex| {
        let mut all = tables.components.iter().flat_map(|component| component.capabilities);
        all.any(|capability| *capability == Capability::Mutex(at))
    };
    thread.at() < tables.threads.len()
        && (0..tables.threads.len() as u16).all(|index| {
            let at = GateIndex(first.wrapping_add(index));
            tables.gates.get(at.at()).is_some_and(|config| {
                config.kind == GateKind::Mutex
                    && config.protocol == Protocol::Inherited
                    && Some(config.component) == component
            }) && !named(at)
        })
}
