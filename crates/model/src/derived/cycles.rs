//! Cycles over gates: what they are, and one whole cycle for each knot.
//!
//! A *knot* is a strongly connected component of the gate graph. Three things can
//! be wrong in it. A single thread can come back to a gate that it is still inside:
//! on an exclusive gate it waits for itself, on any other it recurses. Or no thread
//! does, but two threads take exclusive gates in opposite orders and wait for each
//! other: a cycle in the order in which locks are taken. A knot that has neither is
//! harmless (its methods merely cross) and is not reported.
//!
//! Only knots are searched, breadth first, so the cycle that is shown is a shortest
//! one; systems without knots pay nothing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use super::Graphs;
use super::graph::{Edge, MethodGraph};
use crate::{GateId, Origin, Protocol, System, TaskId};

/// Gates that invoke each other in a way that can go wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// The kind of cycle.
    pub kind: CycleKind,
    /// The whole cycle: each edge ends where the next begins, the last where the first begins.
    pub edges: Vec<CycleEdge>,
    /// All gates of the knot, in order; the cycle that is shown is one way round it.
    pub gates: Vec<GateId>,
    /// Tasks that can get into the knot, in order.
    pub tasks: Vec<TaskId>,
}

/// The possible effects of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CycleKind {
    /// A thread comes back to an exclusive gate that it holds: the first edge's `from`.
    SelfDeadlock,
    /// A thread comes back to a gate that admits it again: the first edge's `from`.
    Recursion,
    /// Threads that take the exclusive gates in different orders wait for each other.
    Deadlock,
}

/// One invocation of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CycleEdge {
    /// The gate whose method invokes.
    pub from: GateId,
    /// The position of that method.
    pub method: usize,
    /// The gate that it invokes.
    pub to: GateId,
    /// The entry of `calls`, or the connection.
    pub origin: Origin,
    /// `true` if this invocation was only assumed, for want of `calls`.
    pub assumed: bool,
}

impl Cycle {
    /// Returns `true` if it could vanish once `calls` is given for all gates that lack it.
    pub fn is_assumed(&self) -> bool {
        self.edges.iter().any(|e| e.assumed)
    }
}

struct Knot<'a> {
    system: &'a System,
    graph: &'a MethodGraph,
    gates: &'a [usize],
    /// The outgoing invocations of each node in the knot, as far as they stay in it.
    edges: BTreeMap<usize, Vec<Edge>>,
}

/// A path of invocations from one gate to another.
type Path = Vec<Edge>;

pub(super) fn find(graphs: &Graphs<'_>) -> Vec<Cycle> {
    let Graphs { methods, gates, gate_components: components, .. } = graphs;
    let knots: Vec<&Vec<usize>> = components
        .members
        .iter()
        .filter(|m| components.is_cyclic(m[0], &gates.successors))
        .collect();
    if knots.is_empty() {
        return Vec::new();
    }
    let mut edges: BTreeMap<usize, BTreeMap<usize, Vec<Edge>>> = BTreeMap::new();
    for edge in &methods.edges {
        let component = components.of_node[methods.gate_of[edge.from]];
        if component == components.of_node[methods.gate_of[edge.to]] {
            edges.entry(component).or_default().entry(edge.from).or_default().push(*edge);
        }
    }
    let mut cycles: Vec<Cycle> = (knots.into_iter())
        .filter_map(|gates| {
            let edges = edges.remove(&components.of_node[gates[0]]).unwrap_or_default();
            let (kind, path) =
                Knot { system: graphs.system, graph: methods, gates, edges }.worst()?;
            Some(describe(graphs, gates, kind, &path))
        })
        .collect();
    cycles.sort_by(|a, b| a.gates.cmp(&b.gates));
    cycles
}

fn describe(graphs: &Graphs<'_>, gates: &[usize], kind: CycleKind, path: &[Edge]) -> Cycle {
    let gate = |node: usize| GateId::from(graphs.methods.gate_of[node]);
    let edges = (path.iter())
        .map(|e| {
            let method = e.from - graphs.methods.nodes_of(gate(e.from)).start - 1;
            CycleEdge {
                from: gate(e.from),
                method,
                to: gate(e.to),
                origin: e.origin,
                assumed: e.assumed,
            }
        })
        .collect();
    let is_reached = |task: &usize| gates.iter().any(|&g| graphs.reach.get(g, *task));
    let tasks = (0..graphs.system.tasks.len()).filter(is_reached).map(TaskId::from).collect();
    Cycle { kind, edges, gates: gates.iter().map(|&g| GateId::from(g)).collect(), tasks }
}

/// The search for the gates that a thread in one gate can come to.
struct Search {
    /// Nodes at which it starts.
    starts: std::ops::Range<usize>,
    /// The invocation by which each node was first reached.
    via: BTreeMap<usize, Edge>,
    /// The invocation by which each gate was first reached.
    gates: BTreeMap<usize, Edge>,
}

impl Search {
    /// Returns the invocations that lead to a gate.
    fn path(&self, gate: usize) -> Option<Path> {
        let mut edge = *self.gates.get(&gate)?;
        let mut path = vec![edge];
        while !self.starts.contains(&edge.from) {
            edge = *self.via.get(&edge.from)?;
            path.push(edge);
        }
        path.reverse();
        Some(path)
    }
}

/// Up to this many gates in a knot the shortest of all cycles is looked for; beyond, the first will
/// do.
const EXHAUSTIVE: usize = 64;

impl Knot<'_> {
    fn is_exclusive(&self, gate: usize) -> bool {
        self.system.gates[gate].protocol.value.is_exclusive()
    }

    /// Returns `true` if the order in which it is taken matters: a thread that enters a `ceiling`
    /// gate finds every such gate free that it may yet ask for, in whatever order.
    fn is_lock(&self, gate: usize) -> bool {
        self.is_exclusive(gate) && self.system.gates[gate].protocol.value != Protocol::Ceiling
    }

    /// Returns the worst thing that can happen, with a shortest way round.
    fn worst(&self) -> Option<(CycleKind, Path)> {
        let (exclusive, reentrant): (Vec<usize>, Vec<usize>) =
            self.gates.iter().partition(|&&g| self.is_exclusive(g));
        let way_back = |gates: &[usize]| {
            self.shortest(gates.iter().filter_map(|&g| self.search(g, |_| true).path(g)))
        };
        let self_deadlock = way_back(&exclusive).map(|p| (CycleKind::SelfDeadlock, p));
        let recursion = || way_back(&reentrant).map(|p| (CycleKind::Recursion, p));
        let locks: Vec<usize> =
            exclusive.iter().copied().filter(|&gate| self.is_lock(gate)).collect();
        let deadlock = || self.lock_cycle(&locks).map(|p| (CycleKind::Deadlock, p));
        self_deadlock.or_else(recursion).or_else(deadlock)
    }

    fn shortest(&self, mut paths: impl Iterator<Item = Path>) -> Option<Path> {
        if self.gates.len() > EXHAUSTIVE { paths.next() } else { paths.min_by_key(Vec::len) }
    }

    /// Returns a cycle in the order in which gates are taken.
    fn lock_cycle(&self, locks: &[usize]) -> Option<Path> {
        let after: BTreeMap<usize, Search> =
            locks.iter().map(|&g| (g, self.search(g, |to| !self.is_lock(to)))).collect();
        self.shortest(locks.iter().filter_map(|&start| self.round_trip(start, &after)))
    }

    fn round_trip(&self, start: usize, after: &BTreeMap<usize, Search>) -> Option<Path> {
        let mut before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(gate) = queue.pop_front() {
            for &next in after.get(&gate)?.gates.keys().filter(|g| self.is_lock(**g)) {
                if let Entry::Vacant(entry) = before.entry(next) {
                    entry.insert(gate);
                    queue.push_back(next);
                }
            }
        }
        let mut parts = Vec::new();
        let mut gate = start;
        loop {
            let holder = *before.get(&gate)?;
            parts.push(after.get(&holder)?.path(gate)?);
            gate = holder;
            if gate == start {
                break;
            }
        }
        Some(parts.into_iter().rev().flatten().collect())
    }

    /// Everywhere that a thread in `start` can come to, going on only through gates where `pass`
    /// says so.
    fn search(&self, start: usize, pass: impl Fn(usize) -> bool) -> Search {
        let starts = self.graph.nodes_of(GateId::from(start));
        let mut queue: VecDeque<usize> = starts.clone().skip(1).collect();
        let mut search = Search { starts, via: BTreeMap::new(), gates: BTreeMap::new() };
        while let Some(node) = queue.pop_front() {
            for &edge in self.edges.get(&node).into_iter().flatten() {
                if search.via.contains_key(&edge.to) {
                    continue;
                }
                search.via.insert(edge.to, edge);
                let gate = self.graph.gate_of[edge.to];
                search.gates.entry(gate).or_insert(edge);
                if gate != start && pass(gate) {
                    self.enter(edge, &mut search.via, &mut queue);
                }
            }
        }
        search
    }

    /// Queues the method nodes at which a thread goes on that arrives by an invocation.
    fn enter(&self, edge: Edge, via: &mut BTreeMap<usize, Edge>, queue: &mut VecDeque<usize>) {
        let nodes = self.graph.nodes_of(GateId::from(self.graph.gate_of[edge.to]));
        if edge.to != nodes.start {
            queue.push_back(edge.to);
            return;
        }
        for node in nodes.skip(1) {
            if let Entry::Vacant(entry) = via.entry(node) {
                entry.insert(edge);
                queue.push_back(node);
            }
        }
    }
}
