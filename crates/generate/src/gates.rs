//! Random gates: each may call those made before it, so there are no cycles.

use crate::body::{add_signal, body};
use crate::{Mix, Random};
use fusee_model::{
    Calls, Code, Component, ComponentId, DomainId, Gate, GateId, Lock, Method, OnFault, Origin,
    Protocol, Sourced, Step, System,
};

/// The facts about the gates so far that the makers of callers need.
#[derive(Default)]
pub(crate) struct Gates {
    /// Worst execution of each method with everything below it.
    pub(crate) demand: Vec<Vec<u64>>,
    depth: Vec<u32>,
}

impl Gates {
    /// Worst execution over the methods that `method` may stand for.
    pub(crate) fn demand_of(&self, gate: GateId, method: Option<usize>) -> u64 {
        let methods = &self.demand[gate.index()];
        method.map_or_else(|| methods.iter().copied().max().unwrap_or(0), |m| methods[m])
    }

    /// Worst execution of all invocations among `calls`.
    pub(crate) fn demand_of_all(&self, calls: &[Step]) -> u64 {
        let demands = calls.iter().map(|step| match step {
            Step::Invoke { gate, method, .. } => self.demand_of(*gate, *method),
            _ => 0,
        });
        demands.sum()
    }

    /// After how much execution each of these steps ends.
    pub(crate) fn ends(&self, steps: &[Step]) -> Vec<u64> {
        let of =
            |step| own(std::slice::from_ref(step)) + self.demand_of_all(std::slice::from_ref(step));
        let add = |sum: &mut u64, step| {
            *sum += of(step);
            Some(*sum)
        };
        steps.iter().scan(0, add).collect()
    }

    /// Takes a new gate's methods down.
    fn note(&mut self, methods: &[Method]) {
        let demand = methods
            .iter()
            .map(|m| own(&m.body.steps) + self.demand_of_all(&m.body.steps))
            .collect();
        let depth = methods.iter().flat_map(|m| &m.body.steps).map(|step| match step {
            Step::Invoke { gate, .. } => self.depth[gate.index()],
            _ => 0,
        });
        let depth = 1 + depth.max().unwrap_or(0);
        self.demand.push(demand);
        self.depth.push(depth);
    }

    /// Up to `most` invocations of gates that lie less than `depth` deep.
    pub(crate) fn calls(&self, random: &mut Random, most: u64, depth: u32) -> Vec<Step> {
        let reachable: Vec<usize> =
            (0..self.depth.len()).filter(|&g| self.depth[g] < depth).collect();
        let count = if reachable.is_empty() { 0 } else { random.between(0, most) };
        let drawn =
            (0..count).filter_map(|_| random.pick(&reachable).copied().map(|g| (g, random.bits())));
        let calls = drawn.map(|(gate, bits)| {
            let methods = self.demand[gate].len() as u64;
            let method =
                (!bits.is_multiple_of(8)).then_some((bits >> 32) as usize % methods as usize);
            Step::Invoke { gate: GateId::from(gate), method, lock: None, origin: Origin::NONE }
        });
        calls.collect()
    }
}

/// Adds the gates with their components; own execution of a method is at most `longest`.
pub(crate) fn add(random: &mut Random, mix: &Mix, longest: u64, system: &mut System) -> Gates {
    let mut gates = Gates::default();
    for index in 0..random.between(mix.gates.0, mix.gates.1) as usize {
        if random.chance(mix.mutex) {
            Draw { random, mix, longest }.mutex(index, system, &mut gates);
            continue;
        }
        let protocol = protocol(random, mix);
        let component = component_for(random, index, system);
        let methods = 1 + usize::from(random.chance(mix.two_methods));
        let methods: Vec<Method> = (0..methods)
            .map(|m| Draw { random, mix, longest }.method(m, system.notifications.len(), &gates))
            .collect();
        gates.note(&methods);
        let given = Sourced { value: fusee_model::TOP_PRIORITY, origin: Origin::NONE };
        system.gates.push(Gate {
            name: format!("{}.p{index}", system.component(component).name),
            component,
            interface: format!("p{index}"),
            protocol: Sourced { value: protocol, origin: Origin::NONE },
            given_ceiling: (protocol == Protocol::Fixed && random.chance(mix.non_preemptive))
                .then_some(given),
            methods,
            direct: protocol == Protocol::Propagated && random.chance(mix.direct),
            given_threads: None,
            origin: Origin::NONE,
        });
    }
    gates
}

fn protocol(random: &mut Random, mix: &Mix) -> Protocol {
    let mut drawn = random.below(mix.protocols.iter().map(|&(_, w)| u64::from(w)).sum());
    for &(kind, weight) in mix.protocols {
        match drawn.checked_sub(u64::from(weight)) {
            None => return kind,
            Some(rest) => drawn = rest,
        }
    }
    Protocol::Inherited
}

/// The parameters with which methods are drawn.
struct Draw<'a> {
    random: &'a mut Random,
    mix: &'a Mix,
    /// Longest own execution of a method.
    longest: u64,
}

impl Draw<'_> {
    /// Adds a component with a mutex and the gate whose methods lock it, and nobody else.
    fn mutex(&mut self, index: usize, system: &mut System, gates: &mut Gates) {
        let component = add_component(system, format!("c{index}"), false);
        let name = format!("m{index}");
        system.components[component.index()].code.locks.push(Lock::mutex(name.clone()));
        let notifications = system.notifications.len();
        let section = self.method(0, notifications, gates);
        let mut push =
            |interface: String, protocol: Protocol, mut method: Method, gates: &mut Gates| {
                // Nobody knows how long a mutex is held unless every body lists what it does.
                method.body.calls = Calls::Given(Origin::NONE);
                let methods = vec![method];
                gates.note(&methods);
                system.gates.push(Gate {
                    name: format!("c{index}.{interface}"),
                    component,
                    interface,
                    protocol: Sourced { value: protocol, origin: Origin::NONE },
                    given_ceiling: None,
                    methods,
                    direct: false,
                    given_threads: None,
                    origin: Origin::NONE,
                });
                GateId::from(system.gates.len() - 1)
            };
        let mutex = push(name, Protocol::Inherited, section, gates);
        let mut calls =
            vec![Step::Invoke { gate: mutex, method: Some(0), lock: None, origin: Origin::NONE }];
        let Draw { random, mix, longest } = self;
        add_signal(random, mix, notifications, &mut calls);
        let own = own_time(random, mix, *longest);
        let body = body(random, mix, own, calls);
        push(
            format!("p{index}"),
            Protocol::Propagated,
            Method { name: "m0".into(), body, origin: Origin::NONE },
            gates,
        );
        gates.depth[mutex.index()] = u32::MAX;
    }

    fn method(&mut self, index: usize, notifications: usize, gates: &Gates) -> Method {
        let Draw { random, mix, longest } = self;
        let mut calls = gates.calls(random, 2, mix.depth);
        add_signal(random, mix, notifications, &mut calls);
        let own = own_time(random, mix, *longest);
        Method {
            name: format!("m{index}"),
            body: body(random, mix, own, calls),
            origin: Origin::NONE,
        }
    }
}

fn own_time(random: &mut Random, mix: &Mix, longest: u64) -> u64 {
    if random.chance(mix.empty) { 0 } else { random.between(0, longest) }
}

/// Most gates have a component of their own; some share the one before.
fn component_for(random: &mut Random, index: usize, system: &mut System) -> ComponentId {
    match system.components.len().checked_sub(1) {
        Some(last) if random.chance(20) => ComponentId::from(last),
        _ => add_component(system, format!("c{index}"), false),
    }
}

/// Adds a component in a domain of its own.
pub(crate) fn add_component(system: &mut System, name: String, control: bool) -> ComponentId {
    let id = ComponentId::from(system.components.len());
    let domain = DomainId::from(system.domains.len());
    system.domains.push(fusee_model::Domain { name: name.clone(), components: vec![id] });
    system.components.push(Component {
        kind: format!("Kind_{name}"),
        name,
        control,
        hardware: false,
        domain,
        on_fault: OnFault::Continue,
        startup: None,
        dependencies: false,
        trusted: true,
        lock_component: None,
        interfaces: Vec::new(),
        attributes: Vec::new(),
        code: Code::default(),
        origin: Origin::NONE,
    });
    id
}

/// Worst own execution of a list of steps.
pub(crate) fn own(steps: &[Step]) -> u64 {
    let parts = steps.iter().map(|step| match step {
        Step::Compute { worst, .. } => worst.ns(),
        _ => 0,
    });
    parts.sum()
}
