//! The length of the longest chain of holders.
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

use crate::Capabilities;
use fusee_kernel::{Capability, GateConfig};
use std::collections::BTreeSet;

/// The gates that lead on from a domain.
#[derive(Default, Clone)]
struct Place {
    /// Mutexes that are locked in it.
    mutexes: u32,
    /// The domains behind its gates, and whether one can wait at the gate.
    ways: Vec<(usize, bool)>,
    /// The number of ways that lead to it from domains not yet looked at.
    open: usize,
    /// The longest chain up to it.
    before: u32,
}

/// Returns the length of the longest chain of gates of which each is held by the thread that waits
/// at the next.
pub(crate) fn longest(gates: &[GateConfig], capabilities: &Capabilities) -> u16 {
    let exclusive = gates.iter().filter(|gate| gate.protocol.is_exclusive()).count() as u32;
    // Where some way leads back past a gate or a mutex at which one can wait, or a mutex is shared,
    // no chain is longer than there are gates to hold: nobody waits at one twice.
    let places = places(gates, capabilities);
    let longest = along(places.clone())
        .or_else(|| along(merged(places?)))
        .unwrap_or(exclusive)
        .min(exclusive);
    u16::try_from(longest).unwrap_or(u16::MAX)
}

fn places(gates: &[GateConfig], capabilities: &Capabilities) -> Option<Vec<Place>> {
    let mut places: Vec<Place> =
        (0..capabilities.domain_count()).map(|_| Place::default()).collect();
    let mut locked = BTreeSet::new();
    for from in 0..places.len() {
        for &capability in capabilities.of_domain(from) {
            match capability {
                Capability::Mutex(mutex) => {
                    locked.insert(mutex.0).then_some(())?;
                    places[from].mutexes += 1;
                }
                Capability::Gate(gate) => {
                    let config = &gates[gate.at()];
                    let to = capabilities.domain(config.component.at().into());
                    let waits = config.protocol.is_exclusive();
                    places[from].ways.push((to, waits));
                    places[to].open += 1;
                }
                // Whoever sleeps may do so on anybody's account.
                Capability::Thread(..) => return None,
                _ => {}
            }
        }
    }
    Some(places)
}

/// Domains that lead to each other as one, where nobody waits between them: going round makes no
/// chain longer.
///
/// None: one can wait on a way that leads back.
fn merged(mut places: Vec<Place>) -> Option<Vec<Place>> {
    let reached: Vec<BTreeSet<usize>> =
        (0..places.len()).map(|from| reached(&places, from)).collect();
    let first = |place: usize| {
        let mut same =
            reached[place].iter().filter(|&&to| to <= place && reached[to].contains(&place));
        same.next().copied().unwrap_or(place)
    };
    let mut all: Vec<Place> = places.iter().map(|_| Place::default()).collect();
    for (from, place) in places.iter_mut().enumerate() {
        let inside = |to: usize| first(to) == first(from);
        let leads_back = place.ways.iter().any(|&(to, _)| inside(to));
        let waits = place.mutexes > 0 || place.ways.iter().any(|&(to, waits)| waits && inside(to));
        if leads_back && waits {
            return None;
        }
        for (to, waits) in
            std::mem::take(&mut place.ways).into_iter().filter(|&(to, _)| !inside(to))
        {
            all[first(from)].ways.push((first(to), waits));
            all[first(to)].open += 1;
        }
        all[first(from)].mutexes += place.mutexes;
    }
    Some(all)
}

/// Returns the domains that some way leads to.
fn reached(places: &[Place], from: usize) -> BTreeSet<usize> {
    let (mut reached, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(place) = todo.pop() {
        todo.extend(places[place].ways.iter().map(|&(to, _)| to).filter(|&to| reached.insert(to)));
    }
    reached
}

/// Returns the most mutexes and gates at which one can wait, on any way; none: some way leads back
/// to where it was.
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
