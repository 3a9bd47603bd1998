//! The graph of invocations, by method and by gate.
//!
//! Each gate has one node that stands for "some method or other", followed by one
//! node for each method. An invocation that does not name its method goes to the
//! first, which leads to all the others; that keeps the number of edges linear in
//! the size of the description.

use super::bits::BitTable;
use super::components::Components;
use super::{Assumption, Caller};
use crate::{Body, Calls, ComponentId, GateId, Origin, Step, System, TaskId};

/// The graph over methods.
pub(super) struct MethodGraph {
    /// The first node of each gate, and one past the last node at the end.
    first: Vec<usize>,
    /// The gate of each node.
    pub(super) gate_of: Vec<usize>,
    /// Edges, sorted and without repetition.
    pub(super) successors: Vec<Vec<usize>>,
    /// Nodes that each task's own body invokes.
    pub(super) task_successors: Vec<Vec<usize>>,
    /// All invocations made by gates' methods, in order.
    pub(super) edges: Vec<Edge>,
}

/// One invocation by a method.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) origin: Origin,
    pub(super) assumed: bool,
}

/// The graph over gates.
pub(super) struct GateGraph {
    /// Gates that each gate invokes.
    pub(super) successors: Vec<Vec<usize>>,
    callers: Vec<Vec<Caller>>,
}

impl GateGraph {
    pub(super) fn callers(&self, gate: GateId) -> Vec<Caller> {
        self.callers[gate.index()].clone()
    }
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list.dedup();
    list
}

impl MethodGraph {
    pub(super) fn of(system: &System) -> Self {
        let mut first = vec![0];
        let mut gate_of = Vec::new();
        for (index, gate) in system.gates.iter().enumerate() {
            gate_of.resize(gate_of.len() + 1 + gate.methods.len(), index);
            first.push(gate_of.len());
        }
        let successors = vec![Vec::new(); gate_of.len()];
        let mut graph =
            Self { first, gate_of, successors, task_successors: Vec::new(), edges: Vec::new() };
        for (index, gate) in system.gates.iter().enumerate() {
            let any = graph.first[index];
            graph.successors[any] = (any + 1..=any + gate.methods.len()).collect();
            for (position, method) in gate.methods.iter().enumerate() {
                graph.add_method(any + 1 + position, &method.body);
            }
        }
        graph.task_successors = (system.tasks.iter())
            .map(|task| sorted(graph.invocations(&task.body).map(|(node, _)| node).collect()))
            .collect();
        graph
    }

    fn add_method(&mut self, node: usize, body: &Body) {
        let assumed = body.calls == Calls::Assumed;
        let edges: Vec<Edge> = self
            .invocations(body)
            .map(|(to, origin)| Edge { from: node, to, origin, assumed })
            .collect();
        self.successors[node] = sorted(edges.iter().map(|e| e.to).collect());
        self.edges.extend(edges);
    }

    /// Nodes invoked by a body; an unknown gate is no node.
    fn invocations<'a>(&'a self, body: &'a Body) -> impl Iterator<Item = (usize, Origin)> + 'a {
        body.steps.iter().filter_map(|step| match *step {
            Step::Invoke { gate, method, origin, .. } => Some((self.node(gate, method)?, origin)),
            _ => None,
        })
    }

    fn node(&self, gate: GateId, method: Option<usize>) -> Option<usize> {
        let end = *self.first.get(gate.index() + 1)?;
        let any = self.first[gate.index()];
        Some(method.map(|m| any + 1 + m).filter(|&n| n < end).unwrap_or(any))
    }

    pub(super) fn nodes_of(&self, gate: GateId) -> std::ops::Range<usize> {
        self.first[gate.index()]..self.first[gate.index() + 1]
    }

    /// Returns all methods, callers before callees.
    pub(super) fn method_order(&self, components: &Components) -> Vec<(GateId, usize)> {
        (components.topological().into_iter())
            .filter_map(|node| {
                let gate = self.gate_of[node];
                let position = (node - self.first[gate]).checked_sub(1)?;
                Some((GateId::from(gate), position))
            })
            .collect()
    }

    /// Merges the methods of each gate.
    pub(super) fn gate_graph(&self, gates: usize) -> GateGraph {
        let mut successors = vec![Vec::new(); gates];
        let mut callers = vec![Vec::new(); gates];
        for (task, nodes) in self.task_successors.iter().enumerate() {
            for gate in sorted(nodes.iter().map(|&n| self.gate_of[n]).collect()) {
                callers[gate].push(Caller::Task(TaskId::from(task)));
            }
        }
        for edge in &self.edges {
            successors[self.gate_of[edge.from]].push(self.gate_of[edge.to]);
        }
        for (gate, list) in successors.iter_mut().enumerate() {
            *list = sorted(std::mem::take(list));
            for &callee in list.iter() {
                callers[callee].push(Caller::Gate(GateId::from(gate)));
            }
        }
        GateGraph { successors, callers }
    }

    /// For each gate, the tasks that can reach it.
    pub(super) fn reach(&self, system: &System, components: &Components) -> BitTable {
        let mut reach = BitTable::new(components.members.len(), system.tasks.len());
        for (task, nodes) in self.task_successors.iter().enumerate() {
            for &node in nodes {
                reach.set(components.of_node[node], task);
            }
        }
        let mut gates = BitTable::new(system.gates.len(), system.tasks.len());
        for (component, members) in components.members.iter().enumerate().rev() {
            for &node in members {
                gates.merge_from(self.gate_of[node], &reach, component);
                for &next in &self.successors[node] {
                    reach.merge(components.of_node[next], component);
                }
            }
        }
        gates
    }

    /// For each node, the most gates that a thread which comes here can then be inside, this one
    /// included.
    pub(super) fn depths(&self, components: &Components) -> Vec<u32> {
        let mut of_component = vec![0_u32; components.members.len()];
        for (component, members) in components.members.iter().enumerate() {
            let below = (members.iter().flat_map(|&n| &self.successors[n]))
                .map(|&n| of_component[components.of_node[n]])
                .max()
                .unwrap_or(0);
            let own = sorted(
                members.iter().filter(|&&n| self.counts(n)).map(|&n| self.gate_of[n]).collect(),
            )
            .len();
            of_component[component] = below + own as u32;
        }
        components.of_node.iter().map(|&c| of_component[c]).collect()
    }

    /// Returns `true` if being at a node is being inside its gate; "some method" is so only where
    /// there is none to go on to.
    fn counts(&self, node: usize) -> bool {
        let gate = self.gate_of[node];
        node != self.first[gate] || self.first[gate + 1] == node + 1
    }
}

/// Returns all bodies whose invocations were assumed, tasks first.
pub(super) fn assumptions(system: &System) -> Vec<Assumption> {
    let tasks = (system.task_ids())
        .filter_map(|(id, t)| assumption(Caller::Task(id), t.component, &[&t.body], t.origin));
    let gates = system.gate_ids().filter_map(|(id, g)| {
        let bodies: Vec<&Body> = g.methods.iter().map(|m| &m.body).collect();
        assumption(Caller::Gate(id), g.component, &bodies, g.origin)
    });
    tasks.chain(gates).collect()
}

fn assumption(
    caller: Caller,
    component: ComponentId,
    bodies: &[&Body],
    origin: Origin,
) -> Option<Assumption> {
    let assumed = bodies.iter().filter(|b| b.calls == Calls::Assumed).flat_map(|b| &b.steps);
    let mut gates: Vec<GateId> = assumed
        .filter_map(|step| match step {
            Step::Invoke { gate, .. } => Some(*gate),
            _ => None,
        })
        .collect();
    gates.sort_unstable();
    gates.dedup();
    (!gates.is_empty()).then_some(Assumption { caller, component, gates, origin })
}
