//! What bodies cost: execution and kernel time, with everything they invoke.
//!
//! Methods are done callees first, so each is looked at once. An execution time
//! that nobody gave, a recursion, a wait for an event: each is remembered with its
//! place and carried up to every body that gets there. It never becomes a zero.

use fusee_model::derived::Derived;
use fusee_model::{Body, GateId, NotificationId, Step, System};

use crate::amount::Amount;
use crate::body::{BodyRef, Unknown};
use crate::kernel_cost::KernelCost;
use crate::wait::Waits;

/// What one run of a body costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Demand {
    /// Execution in components.
    pub(crate) execution: Amount,
    /// Kernel paths.
    pub(crate) kernel: Amount,
    /// Waiting for other cores.
    pub(crate) waiting: Amount,
    /// A body in it that waits for an event, and the event.
    pub(crate) waits: Option<(BodyRef, NotificationId)>,
}

impl Demand {
    const NONE: Demand = Demand {
        execution: Amount::ZERO,
        kernel: Amount::ZERO,
        waiting: Amount::ZERO,
        waits: None,
    };

    /// Execution, kernel time and waiting together.
    pub(crate) fn total(&self) -> Amount {
        self.execution.plus(self.kernel).plus(self.waiting)
    }

    fn add(&mut self, other: Demand) {
        self.execution = self.execution.plus(other.execution);
        self.kernel = self.kernel.plus(other.kernel);
        self.waiting = self.waiting.plus(other.waiting);
        self.waits = self.waits.or(other.waits);
    }
}

/// The demands of all bodies.
pub(crate) struct Demands {
    /// One for each task's job, without the kernel's share in its release and end.
    pub(crate) tasks: Vec<Result<Demand, Unknown>>,
    /// By gate and method.
    methods: Vec<Vec<Option<Result<Demand, Unknown>>>>,
    pub(crate) waits: Waits,
}

impl Demands {
    /// Those of a core's tasks, where requests at gates between cores wait so long.
    pub(crate) fn of(
        system: &System,
        derived: &Derived,
        kernel: &KernelCost,
        waits: &Waits,
    ) -> Self {
        let methods = system.gates.iter().map(|g| vec![None; g.methods.len()]).collect();
        let waits = waits.clone();
        let mut demands = Self { tasks: Vec::new(), methods, waits };
        for &(gate, position) in derived.method_order.iter().rev() {
            let body = &system.gate(gate).methods[position].body;
            let whose = BodyRef::Method(gate, position);
            let demand = match kernel.message(gate, position) {
                Some(cost) => demands
                    .body(kernel, whose, body)
                    .map(|d| Demand { kernel: d.kernel.plus(cost), ..d }),
                None => Err(Unknown::Message(whose)),
            };
            demands.methods[gate.index()][position] = Some(demand);
        }
        demands.tasks = system
            .task_ids()
            .map(|(id, task)| demands.body(kernel, BodyRef::Task(id), &task.body))
            .collect();
        demands
    }

    /// What one invocation costs, the passage included; `None` as method: whichever costs most.
    pub(crate) fn invocation(
        &self,
        kernel: &KernelCost,
        gate: GateId,
        method: Option<usize>,
    ) -> Result<Demand, Unknown> {
        let mut demand = self.inside(gate, method)?;
        demand.kernel = demand.kernel.plus(kernel.gate(gate).ok_or(Unknown::Passage(gate))?);
        let wait = self.waits.at(gate)?;
        demand.waiting = demand.waiting.plus(wait.total());
        demand.waits = demand.waits.or(wait.event);
        Ok(demand)
    }

    /// What a method costs behind the gate.
    pub(crate) fn inside(&self, gate: GateId, method: Option<usize>) -> Result<Demand, Unknown> {
        let all = self.methods.get(gate.index()).map_or(&[][..], Vec::as_slice);
        let range = match method {
            Some(m) => m..m + 1,
            None => 0..all.len().max(1),
        };
        let mut most: Option<Demand> = None;
        for position in range {
            let demand = match all.get(position) {
                Some(Some(known)) => (*known)?,
                Some(None) => return Err(Unknown::Recursion(gate)),
                None => return Err(Unknown::Wcet(BodyRef::Method(gate, position))),
            };
            most = Some(match most {
                Some(m) if m.total() >= demand.total() => {
                    Demand { waits: m.waits.or(demand.waits), ..m }
                }
                Some(m) => Demand { waits: m.waits.or(demand.waits), ..demand },
                None => demand,
            });
        }
        Ok(most.unwrap_or(Demand::NONE))
    }

    fn body(&self, kernel: &KernelCost, whose: BodyRef, body: &Body) -> Result<Demand, Unknown> {
        let computes = body.steps.iter().any(|s| matches!(s, Step::Compute { .. }));
        if body.wcet_origin.is_none() && !computes {
            return Err(Unknown::Wcet(whose));
        }
        let mut sum = Demand::NONE;
        for step in &body.steps {
            sum.add(match *step {
                Step::Compute { worst, .. } => {
                    Demand { execution: Amount::of(worst), ..Demand::NONE }
                }
                Step::Invoke { gate, method, .. } => self.invocation(kernel, gate, method)?,
                Step::Emit(id) => Demand { kernel: kernel.emission(id), ..Demand::NONE },
                Step::Wait(id) => {
                    Demand { kernel: kernel.wait, waits: Some((whose, id)), ..Demand::NONE }
                }
            });
        }
        Ok(sum)
    }
}
