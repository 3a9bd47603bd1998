//! How long a chain of holders can be.
//!
//! One thread waits at a gate whose holder waits at another gate, whose holder waits
//! at a third: the kernel follows such a chain to its end. From one gate of it to the
//! next leads what its holder has passed in between, so the chain is a way along the
//! capabilities, from domain to domain, and no longer than the longest of them; but
//! each piece of that way may be another thread's, so that it can be far longer than
//! any one thread's nesting. Nobody waits where many can be inside, so propagated
//! gates do not count. Who is in a domain may hold any of its mutexes.
//!
//! What code may do counts here, not what the description says that it does: a
//! component that calls more than it has told makes no chain too long for the kernel.

use crate::Objects;
use fusee_kernel::{Capability, GateIndex};
use std::collections::BTreeSet;

/// What leads on from a domain.
#[derive(Default)]
struct Place {
    /// Mutexes that are locked in it.
    mutexes: u32,
    /// The domains behind its gates, and whether one can wait at the gate.
    ways: Vec<(usize, bool)>,
    /// How many ways lead to it from domains that have not been looked at.
    open: usize,
    /// The longest chain up to it.
    before: u32,
}

/// The longest chain of gates of which each is held by who waits at the next.
pub(crate) fn longest(objects: &Objects) -> u16 {
    let exclusive = objects.gates.iter().filter(|gate| gate.protocol.is_exclusive()).count() as u32;
    // Where some way leads back, or a mutex is shared, no chain is longer than there are gates to hold: nobody waits at
    // one twice.
    let longest = along(places(objects)).unwrap_or(exclusive).min(exclusive);
    u16::try_from(longest).unwrap_or(u16::MAX)
}

fn places(objects: &Objects) -> Option<Vec<Place>> {
    let capabilities = &objects.capabilities;
    let mut places: Vec<Place> = (0..capabilities.domain_count()).map(|_| Place::default()).collect();
    let mut locked = BTreeSet::new();
    for from in 0..places.len() {
        for &capability in capabilities.of_domain(from) {
            match capability {
                Capability::Mutex(mutex) => {
                    locked.insert(mutex.0).then_some(())?;
                    places[from].mutexes += 1;
                }
                Capability::Gate(gate) => {
                    let (to, waits) = behind(objects, gate);
                    places[from].ways.push((to, waits));
                    places[to].open += 1;
                }
                _ => {}
            }
        }
    }
    Some(places)
}

/// The domain behind a gate, and whether one can wait there.
fn behind(objects: &Objects, gate: GateIndex) -> (usize, bool) {
    let config = &objects.gates[gate.at()];
    (objects.capabilities.domain(config.component.at().into()), config.protocol.is_exclusive())
}

/// The most mutexes and gates at which one can wait, on any way; none: some way leads back to where it was.
fn along(places: Option<Vec<Place>>) -> Option<u32> {
    let mut places = places?;
    let mut todo: Vec<usize> = (0..places.len()).filter(|&index| places[index].open == 0).collect();
    let (mut longest, mut seen) = (0, 0);
    while let Some(from) = todo.pop() {
        seen += 1;
        let chain = places[from].before + places[from].mutexes;
        longest = longest.max(chain);
        for (to, waits) in std::mem::take(&mut places[from].ways) {
            let place = &mut places[to];
            place.before = place.before.max(chain + u32::from(waits));
            place.open -= 1;
            if place.open == 0 {
                todo.push(to);
            }
        }
    }
    (seen == places.len()).then_some(longest)
}
