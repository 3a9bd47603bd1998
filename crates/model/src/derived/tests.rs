//! Derived facts by hand, and against brute force on random systems.

mod brute_force;
mod by_hand;
mod cores;
mod random;

use crate::*;

/// Returns a value that nothing in a description stands behind.
fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

/// Returns a body that invokes the given methods.
fn body(invocations: &[(usize, Option<usize>)]) -> Body {
    let steps = (invocations.iter())
        .map(|&(gate, method)| Step::Invoke {
            gate: GateId::from(gate),
            method,
            lock: None,
            origin: Origin::NONE,
        })
        .collect();
    Body { steps, wcet_origin: None, calls: Calls::Given(Origin::NONE) }
}

/// A system under construction: one component for each gate and for each task.
#[derive(Default)]
struct Builder(System);

impl Builder {
    fn component(&mut self) -> ComponentId {
        let id = ComponentId::from(self.0.components.len());
        self.0.components.push(Component::empty(format!("c{}", id.0)));
        id
    }

    /// Returns a gate with the given methods, each of which invokes the given ones.
    fn gate(mut self, protocol: Protocol, methods: &[&[(usize, Option<usize>)]]) -> Self {
        let component = self.component();
        let methods = (methods.iter().enumerate())
            .map(|(i, m)| Method { name: format!("m{i}"), body: body(m), origin: Origin::NONE })
            .collect();
        self.0.gates.push(Gate {
            name: format!("g{}", self.0.gates.len()),
            component,
            interface: "i".into(),
            protocol: sourced(protocol),
            given_ceiling: None,
            methods,
            direct: false,
            given_threads: None,
            origin: Origin::NONE,
        });
        self
    }

    fn task(mut self, priority: Priority, invocations: &[(usize, Option<usize>)]) -> Self {
        let component = self.component();
        self.0.tasks.push(Task {
            name: format!("t{}", self.0.tasks.len()),
            component,
            release: None,
            deadline: None,
            priority: sourced(priority),
            priority_source: PrioritySource::Given,
            core: 0,
            budget: None,
            body: body(invocations),
            origin: Origin::NONE,
        });
        self
    }
}
