//! The definitions, followed to the letter and without regard to cost.

use super::*;

/// A method of a gate.
pub(super) type Place = (usize, usize);

/// Every method that an invocation can mean.
fn places(system: &System, invocation: (usize, Option<usize>)) -> Vec<Place> {
    let (gate, method) = invocation;
    match method {
        Some(method) => vec![(gate, method)],
        None => (0..system.gates[gate].methods.len()).map(|m| (gate, m)).collect(),
    }
}

/// Every method that a body can invoke directly.
pub(super) fn next(system: &System, body: &Body) -> Vec<Place> {
    (body.steps.iter())
        .filter_map(|step| match step {
            Step::Invoke { gate, method, .. } => Some((gate.index(), *method)),
            _ => None,
        })
        .flat_map(|i| places(system, i))
        .collect()
}

fn after(system: &System, place: Place) -> Vec<Place> {
    next(system, &system.gates[place.0].methods[place.1].body)
}

/// Everything that can be reached in any number of steps from the given places, these included.
pub(super) fn closure(system: &System, from: Vec<Place>) -> Vec<Place> {
    let mut all = from;
    let mut done = 0;
    while done < all.len() {
        for place in after(system, all[done]) {
            if !all.contains(&place) {
                all.push(place);
            }
        }
        done += 1;
    }
    all
}

/// Returns the longest chain of invocations from any of the places; only for systems in which
/// chains end.
pub(super) fn longest(system: &System, places: &[Place]) -> usize {
    places.iter().map(|&p| 1 + longest(system, &after(system, p))).max().unwrap_or(0)
}

/// Returns the longest way from gate to gate, whichever methods lead on; only for systems in which
/// ways end.
pub(super) fn longest_way(system: &System, gate: usize) -> usize {
    let first = methods(system, gate)
        .into_iter()
        .flat_map(|place| after(system, place))
        .collect::<Vec<_>>();
    1 + gates(&first).into_iter().map(|next| longest_way(system, next)).max().unwrap_or(0)
}

fn methods(system: &System, gate: usize) -> Vec<Place> {
    places(system, (gate, None))
}

fn gates(places: &[Place]) -> Vec<usize> {
    let mut gates: Vec<usize> = places.iter().map(|p| p.0).collect();
    gates.sort_unstable();
    gates.dedup();
    gates
}

/// Returns `true` if a thread that is in the gate can come to it again.
pub(super) fn comes_back(system: &System, gate: usize) -> bool {
    let first = methods(system, gate).into_iter().flat_map(|p| after(system, p)).collect();
    gates(&closure(system, first)).contains(&gate)
}

fn is_exclusive(system: &System, gate: usize) -> bool {
    system.gates[gate].protocol.value.is_exclusive()
}

/// Exclusive gates that a thread can ask for while it holds `gate`.
fn taken_while_holding(system: &System, gate: usize) -> Vec<usize> {
    let first = methods(system, gate).into_iter().flat_map(|p| after(system, p)).collect();
    gates(&closure(system, first)).into_iter().filter(|&g| is_exclusive(system, g)).collect()
}

/// Returns `true` if the order in which exclusive gates are taken has a cycle.
pub(super) fn locks_cross(system: &System) -> bool {
    let count = system.gates.len();
    let mut before = vec![vec![false; count]; count];
    for gate in (0..count).filter(|&g| is_exclusive(system, g)) {
        for other in taken_while_holding(system, gate) {
            before[gate][other] = true;
        }
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                before[from][to] |= before[from][middle] && before[middle][to];
            }
        }
    }
    (0..count).any(|g| before[g][g])
}

/// Gates that invoke the gate directly.
pub(super) fn calling_gates(system: &System, gate: usize) -> Vec<usize> {
    let calls = |g: &usize| {
        methods(system, *g).into_iter().flat_map(|p| after(system, p)).any(|p| p.0 == gate)
    };
    (0..system.gates.len()).filter(calls).collect()
}

/// Tasks that invoke the gate directly.
pub(super) fn calling_tasks(system: &System, gate: usize) -> usize {
    system.tasks.iter().filter(|t| next(system, &t.body).iter().any(|p| p.0 == gate)).count()
}

/// Tasks that can get to the gate.
pub(super) fn reaching(system: &System, gate: usize) -> Vec<usize> {
    (system.tasks.iter().enumerate())
        .filter(|(_, t)| closure(system, next(system, &t.body)).iter().any(|p| p.0 == gate))
        .map(|(i, _)| i)
        .collect()
}

/// min(n(g), sum over the callers), by its recursive definition; only where invocations end.
pub(super) fn requests(system: &System, gate: usize) -> usize {
    let from_gates =
        calling_gates(system, gate).into_iter().map(|g| stacks(system, g)).sum::<usize>();
    reaching(system, gate).len().min(from_gates + calling_tasks(system, gate))
}

/// s(g) by its recursive definition; only where invocations end.
pub(super) fn stacks(system: &System, gate: usize) -> usize {
    if is_exclusive(system, gate) { 1 } else { requests(system, gate) }
}
