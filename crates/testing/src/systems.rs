//! Systems in a few words.

use fusee_model::*;

/// A value that nothing in a description stands behind.
pub fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

/// Returns a step of own execution.
pub fn compute(time: u64) -> Step {
    Step::Compute { best: Duration(time), worst: Duration(time) }
}

/// An invocation of a gate's first method.
pub fn call(gate: usize) -> Step {
    Step::Invoke { gate: GateId::from(gate), method: Some(0), lock: None, origin: Origin::NONE }
}

fn body(steps: &[Step]) -> Body {
    Body {
        steps: steps.to_vec(),
        wcet_origin: Some(Origin::NONE),
        calls: Calls::Given(Origin::NONE),
    }
}

/// A system under construction: one component for each task and gate.
#[derive(Debug, Default)]
pub struct Builder(System);

impl Builder {
    fn component(&mut self) -> ComponentId {
        let id = ComponentId::from(self.0.components.len());
        self.0.components.push(Component::empty(format!("c{}", id.0)));
        id
    }

    /// A gate with one method.
    pub fn gate(mut self, protocol: Protocol, steps: &[Step]) -> Self {
        let component = self.component();
        self.0.gates.push(Gate {
            name: format!("g{}", self.0.gates.len()),
            component,
            interface: "i".into(),
            protocol: sourced(protocol),
            given_ceiling: None,
            methods: vec![Method { name: "m".into(), body: body(steps), origin: Origin::NONE }],
            direct: false,
            given_threads: None,
            origin: Origin::NONE,
        });
        self
    }

    /// A periodic task with D = T.
    pub fn task(mut self, priority: Priority, period: u64, steps: &[Step]) -> Self {
        let component = self.component();
        let release = Release {
            kind: ReleaseKind::Periodic,
            period: sourced(Duration(period)),
            offset: Duration::ZERO,
            jitter: sourced(Duration::ZERO),
        };
        self.0.tasks.push(Task {
            name: format!("t{}", self.0.tasks.len()),
            component,
            release: Some(release),
            deadline: None,
            priority: sourced(priority),
            priority_source: PrioritySource::Given,
            core: 0,
            budget: None,
            body: body(steps),
            origin: Origin::NONE,
        });
        self
    }

    /// Returns the finished system.
    pub fn system(mut self) -> System {
        self.0.name = "test".into();
        self.0
    }
}
