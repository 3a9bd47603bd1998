//! Ways through methods: what a thread is inside of when it gets to one.
//!
//! And from which cores it came. All are worked out from method to method, so that a task
//! that only ever calls one method of a gate does not get to what the others call.

use std::collections::BTreeSet;

use fusee_model::{Body, Gate, GateId, Step};

use crate::view::View;

/// Something for each method, by gate and position.
pub(crate) type Methods<T> = Vec<Vec<T>>;

/// A gate that a thread is inside of when it runs a method: its own, or one on a way to it, the
/// outermost for which `counts` is true.
pub(crate) fn inside(view: &View<'_>, counts: impl Fn(&Gate) -> bool) -> Methods<Option<GateId>> {
    let all = view.system.gate_ids();
    let own = all.map(|(id, gate)| vec![counts(gate).then_some(id); gate.methods.len()]);
    hand_down(view, own.collect(), |outer, inner| *inner = outer.or(*inner))
}

/// A gate that a thread is inside of when it asks for a method's gate, the outermost for which
/// `counts` is true.
pub(crate) fn around(view: &View<'_>, counts: impl Fn(&Gate) -> bool) -> Methods<Option<GateId>> {
    let inside = inside(view, counts);
    let mut around: Methods<Option<GateId>> =
        view.system.gates.iter().map(|gate| vec![None; gate.methods.len()]).collect();
    for (id, gate) in view.system.gate_ids() {
        for (method, described) in gate.methods.iter().enumerate() {
            let outer = inside[id.index()][method];
            for (gate, method) in invoked(view, &described.body) {
                let slot = &mut around[gate.index()][method];
                *slot = slot.or(outer);
            }
        }
    }
    around
}

/// Returns the cores of the tasks that get to a method.
pub(crate) fn cores(view: &View<'_>) -> Methods<BTreeSet<u32>> {
    let mut cores: Methods<BTreeSet<u32>> =
        view.system.gates.iter().map(|gate| vec![BTreeSet::new(); gate.methods.len()]).collect();
    for task in &view.system.tasks {
        for (gate, method) in invoked(view, &task.body) {
            cores[gate.index()][method].insert(task.core);
        }
    }
    hand_down(view, cores, |outer, inner| inner.extend(outer))
}

/// Hands something down from each method to those that it invokes.
fn hand_down<T: Clone>(
    view: &View<'_>,
    mut known: Methods<T>,
    hand: impl Fn(&T, &mut T),
) -> Methods<T> {
    // In a recursion the order is none; a second pass settles all but pathological ones, which
    // are errors anyway.
    for _ in 0..2 {
        for &(gate, method) in &view.derived.method_order {
            let outer = known[gate.index()][method].clone();
            for (callee, method) in invoked(view, &view.system.gate(gate).methods[method].body) {
                hand(&outer, &mut known[callee.index()][method]);
            }
        }
    }
    known
}

/// Returns the methods that a body invokes; all of a gate where it does not say which.
fn invoked<'v>(view: &'v View<'_>, body: &'v Body) -> impl Iterator<Item = (GateId, usize)> + 'v {
    body.steps.iter().flat_map(|step| {
        let (gate, methods) = match *step {
            Step::Invoke { gate, method, .. } => (gate, methods(view, gate, method)),
            _ => (GateId(0), 0..0),
        };
        methods.map(move |method| (gate, method))
    })
}

fn methods(view: &View<'_>, gate: GateId, method: Option<usize>) -> std::ops::Range<usize> {
    let count = view.system.gates.get(gate.index()).map_or(0, |gate| gate.methods.len());
    match method.filter(|&method| method < count) {
        Some(method) => method..method + 1,
        None => 0..count,
    }
}
