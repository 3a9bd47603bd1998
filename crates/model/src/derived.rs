//! The facts derived from a system: reach, ceilings, stacks, nesting, cycles.
//!
//! Everything here is a consequence of who invokes what. It is worked out once,
//! for the whole system, over two graphs. The *method graph* has a node for each
//! method of each gate: it decides who can reach what, because a task that only
//! ever calls `store.get` does not get to the gates behind `store.put`. The *gate
//! graph* merges the methods of each gate: it decides where a thread may have to
//! wait, because all methods of a gate share its lock and its stacks.
//!
//! Both are condensed into strongly connected components, so that a description
//! with cycles still gets an answer and every pass is linear: sets of tasks are
//! bit sets, handed down in topological order. In a cycle each gate counts once
//! for the nesting depth, a gate of the cycle has as many stacks as tasks that
//! reach it, and [`Derived::cycles`] says what is wrong; whoever needs a finite
//! execution time must look at [`TaskFacts::cyclic`] first.

mod bits;
mod components;
mod cores;
mod cycles;
mod graph;
mod stacks;
#[cfg(test)]
mod tests;

pub use cores::{OnCore, Urgency};
pub use cycles::{Cycle, CycleEdge, CycleKind};

use crate::{ComponentId, GateId, Origin, Priority, Protocol, System, TOP_PRIORITY, TaskId};
use bits::BitTable;
use components::Components;
use graph::{GateGraph, MethodGraph};

/// All facts derived from one system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// One entry for each gate of the system, in its order.
    pub gates: Vec<GateFacts>,
    /// One entry for each task of the system, in its order.
    pub tasks: Vec<TaskFacts>,
    /// Cycles over gates, at most one for each knot of gates that invoke each other.
    pub cycles: Vec<Cycle>,
    /// All gates, each one after every gate that invokes it; gates of a cycle stand together.
    pub order: Vec<GateId>,
    /// All methods as (gate, position), each one after every method that invokes it, recursions
    /// apart.
    pub method_order: Vec<(GateId, usize)>,
    /// The largest number of gates that one thread can be inside at once.
    pub longest_nesting: u32,
    /// Bodies whose invocations were assumed because `calls` is missing.
    pub assumptions: Vec<Assumption>,
}

/// The facts derived for one gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateFacts {
    /// The given ceiling, else the derived one; `None`: not given, and no task gets here. A gate
    /// between cores has another one on each ([`on_cores`](Self::on_cores)).
    pub ceiling: Option<Priority>,
    /// The highest base priority of the tasks that reach the gate (Sudvarg et al. 2024, section 5).
    pub highest: Option<Priority>,
    /// The lowest base priority of the tasks that reach the gate (`p_min` of Sudvarg et al. 2024,
    /// equation 5).
    pub lowest: Option<Priority>,
    /// Tasks that can reach it, in order: n(g) of them.
    pub tasks: Vec<TaskId>,
    /// The bodies that invoke it directly: tasks first, then gates, each in order.
    pub callers: Vec<Caller>,
    /// Gates that its methods invoke directly, in order.
    pub callees: Vec<GateId>,
    /// The number of threads that can ask for it at the same time: min(n(g), sum of the callers'
    /// stacks).
    pub requests: u32,
    /// Stacks s(g): 1 for an exclusive gate, else [`requests`](Self::requests).
    pub stacks: u32,
    /// Threads that Sudvarg et al.'s parser would give its pool on seL4; see the `stacks` module.
    pub rpc_threads: u32,
    /// `true` if an `inherited` gate can be held by a thread that comes here (a library on seL4
    /// then needs `nest`).
    pub below_inherited: bool,
    /// Gates on the longest chain of invocations that starts here, itself included.
    pub depth: u32,
    /// Cores of the tasks that reach it, in order.
    pub cores: Vec<u32>,
    /// For a gate with a protocol between cores, how each core sees it, in order of cores; empty
    /// for all others.
    pub on_cores: Vec<OnCore>,
    /// `true` if it can reach itself.
    pub cyclic: bool,
}

/// The facts derived for one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFacts {
    /// Gates that it can reach, in order.
    pub gates: Vec<GateId>,
    /// The most gates that its thread can be inside at once.
    pub nesting: u32,
    /// `true` if it can get into a cycle: then its execution time is unbounded or it can stop for
    /// ever.
    pub cyclic: bool,
}

/// A caller of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Caller {
    /// A task's own body.
    Task(TaskId),
    /// A method of another gate.
    Gate(GateId),
}

/// Invocations that were assumed because nothing said which there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// The owner of the body.
    pub caller: Caller,
    /// The component that lacks the `calls` attribute.
    pub component: ComponentId,
    /// Gates that were assumed to be invoked, in order.
    pub gates: Vec<GateId>,
    /// The place at which the task or the gate is described.
    pub origin: Origin,
}

impl Derived {
    /// Works out everything; never fails, whatever the system invokes.
    pub fn of(system: &System) -> Derived {
        Graphs::of(system).derive()
    }

    /// Returns a gate's facts.
    pub fn gate(&self, id: GateId) -> &GateFacts {
        &self.gates[id.index()]
    }

    /// Returns a task's facts.
    pub fn task(&self, id: TaskId) -> &TaskFacts {
        &self.tasks[id.index()]
    }

    /// Returns the largest sum of gates' numbers on any way from gate to gate, also where no thread
    /// goes all of it: one that waits at a gate waits for what its holder waits for, which may have
    /// called another method. Each gate of a cycle counts once, as for the nesting.
    pub fn longest_way(&self, number: impl Fn(GateId) -> u32) -> u32 {
        let mut behind = vec![0_u32; self.gates.len()];
        let cyclic = |id: &GateId| self.gate(*id).cyclic;
        // Gates of a cycle stand together; two cycles side by side count as one, which is no less.
        for knot in self.order.chunk_by(|one, next| cyclic(one) && cyclic(next)).rev() {
            let callees = knot.iter().flat_map(|&id| &self.gate(id).callees);
            let further = callees.map(|callee| behind[callee.index()]).max().unwrap_or(0);
            let all = knot.iter().map(|&id| number(id)).fold(further, u32::saturating_add);
            knot.iter().for_each(|id| behind[id.index()] = all);
        }
        behind.into_iter().max().unwrap_or(0)
    }

    /// Gates on the longest way from gate to gate: no chain of holders is longer.
    pub fn longest_chain(&self) -> u32 {
        self.longest_way(|_| 1)
    }

    /// Returns the gates that can be passed from within one, itself apart, in no order.
    pub fn within(&self, gate: GateId) -> Vec<GateId> {
        let (mut found, mut ahead) = (Vec::new(), self.gate(gate).callees.clone());
        while let Some(inner) = ahead.pop() {
            if inner != gate && !found.contains(&inner) {
                found.push(inner);
                ahead.extend(&self.gate(inner).callees);
            }
        }
        found
    }

    /// Returns `true` if a task can get to a gate.
    pub fn reaches(&self, task: TaskId, gate: GateId) -> bool {
        self.task(task).gates.binary_search(&gate).is_ok()
    }
}

/// A system's graphs with their components, and what was handed down in them.
struct Graphs<'a> {
    system: &'a System,
    methods: MethodGraph,
    method_components: Components,
    gates: GateGraph,
    gate_components: Components,
    /// For each gate, the tasks that reach it.
    reach: BitTable,
    /// For each node of the method graph, the most gates that a thread there can be inside.
    depth: Vec<u32>,
}

impl<'a> Graphs<'a> {
    fn of(system: &'a System) -> Self {
        let methods = MethodGraph::of(system);
        let method_components = Components::of(&methods.successors);
        let gates = methods.gate_graph(system.gates.len());
        let gate_components = Components::of(&gates.successors);
        let reach = methods.reach(system, &method_components);
        let depth = methods.depths(&method_components);
        Self { system, methods, method_components, gates, gate_components, reach, depth }
    }

    fn derive(&self) -> Derived {
        let cycles = cycles::find(self);
        let order: Vec<GateId> =
            self.gate_components.topological().into_iter().map(GateId::from).collect();
        let mut gates: Vec<GateFacts> =
            self.system.gate_ids().map(|(id, _)| self.gate(id)).collect();
        stacks::fill(self.system, &order, &mut gates);
        cores::fill(self.system, &order, &mut gates);
        let tasks = self.tasks(&gates, &cycles);
        let longest_nesting = tasks.iter().map(|t| t.nesting).max().unwrap_or(0);
        let method_order = self.methods.method_order(&self.method_components);
        let assumptions = graph::assumptions(self.system);
        Derived { gates, tasks, cycles, order, method_order, longest_nesting, assumptions }
    }

    /// Returns a gate's facts, all but those that `stacks` fills in.
    fn gate(&self, id: GateId) -> GateFacts {
        let tasks: Vec<TaskId> = self.reach.row(id.index()).map(TaskId::from).collect();
        let reaching = || tasks.iter().map(|&t| self.system.task(t));
        let level = |&task: &TaskId| self.system.level(task);
        let highest = tasks.iter().map(level).max();
        let lowest = tasks.iter().map(level).min();
        let mut cores: Vec<u32> = Vec::new();
        for task in reaching() {
            if !cores.contains(&task.core) {
                cores.push(task.core);
            }
        }
        cores.sort_unstable();
        let gate = self.system.gate(id);
        let derived = match gate.protocol.value {
            Protocol::NonPreemptive => highest.map(|_| TOP_PRIORITY),
            _ => highest,
        };
        GateFacts {
            ceiling: gate.given_ceiling.map(|c| c.value).or(derived),
            highest,
            lowest,
            callers: self.gates.callers(id),
            callees: self.gates.successors[id.index()].iter().map(|&g| GateId::from(g)).collect(),
            requests: 0,
            stacks: 0,
            rpc_threads: 0,
            below_inherited: false,
            depth: self.methods.nodes_of(id).map(|n| self.depth[n]).max().unwrap_or(0),
            cores,
            on_cores: Vec::new(),
            cyclic: self.gate_components.is_cyclic(id.index(), &self.gates.successors),
            tasks,
        }
    }

    fn tasks(&self, gates: &[GateFacts], cycles: &[Cycle]) -> Vec<TaskFacts> {
        let nesting =
            |invoked: &Vec<usize>| invoked.iter().map(|&n| self.depth[n]).max().unwrap_or(0);
        let mut facts: Vec<TaskFacts> = (self.methods.task_successors.iter())
            .map(|invoked| TaskFacts {
                gates: Vec::new(),
                nesting: nesting(invoked),
                cyclic: false,
            })
            .collect();
        for (index, gate) in gates.iter().enumerate() {
            for task in &gate.tasks {
                facts[task.index()].gates.push(GateId::from(index));
            }
        }
        for task in cycles.iter().flat_map(|c| &c.tasks) {
            facts[task.index()].cyclic = true;
        }
        facts
    }
}
