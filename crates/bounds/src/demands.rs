//! The costs of bodies: execution and kernel time, with all they invoke.
//!
//! Methods are done callees first, so each is looked at once. An execution time
//! that nobody gave, a recursion, a wait for an event: each is remembered with its
//! place and carried up to every body that gets there. It never becomes a zero.

use fusee_model::derived::Derived;
use fusee_model::{Body, GateId, LockCall, LockComponent, PRETAKE, Step, System};

use crate::amount::Amount;
use crate::body::{BodyRef, Unknown};
use crate::change::own_time;
use crate::demand::Demand;
use crate::kernel_cost::KernelCost;
use crate::lock_costs::{Calls, Code, Epoch};
use crate::wait::Waits;

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
            let whose = BodyRef::Method(gate, position);
            let demand = match kernel.message(gate, position) {
                Some(cost) => demands
                    .method(system, kernel, (gate, position))
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

    /// Returns the cost of one invocation, with the passage; `None` as method: the method that
    /// costs most.
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

    /// Returns the cost of a method behind the gate.
    pub(crate) fn inside(&self, gate: GateId, method: Option<usize>) -> Result<Demand, Unknown> {
        let all = self.methods.get(gate.index()).map_or(&[][..], Vec::as_slice);
        let range = match method {
            Some(m) => m..m + 1,
            // A gate without methods is asked for its first one, which is not there: so it has an
            // unknown time, and not none.
            None => 0..all.len().max(1),
        };
        let mut most: Option<Demand> = None;
        for position in range {
            let demand = match all.get(position) {
                Some(Some(known)) => (*known)?,
                // Callees are done first, so a method that is not done yet leads back to where it
                // is invoked.
                Some(None) => return Err(Unknown::Recursion(gate)),
                None => return Err(Unknown::Wcet(BodyRef::Method(gate, position))),
            };
            most = Some(match most {
                // Nobody knows which method runs, so the longest counts, and a wait in any of them
                // does.
                Some(m) if m.total() >= demand.total() => {
                    Demand { waits: m.waits.or(demand.waits), ..m }
                }
                Some(m) => Demand { waits: m.waits.or(demand.waits), ..demand },
                None => demand,
            });
        }
        Ok(most.unwrap_or(Demand::NONE))
    }

    /// Returns the cost of a method: of a lock component as it is known to be, otherwise by its
    /// body.
    fn method(
        &self,
        system: &System,
        kernel: &KernelCost,
        (gate, position): (GateId, usize),
    ) -> Result<Demand, Unknown> {
        let method = &system.gate(gate).methods[position];
        let call = LockCall::of(&method.name).filter(|_| system.lock_component(gate).is_some());
        match call {
            Some(call) => Ok(self.lock_calls(system, kernel, gate)?.call(call)),
            None => self.body(kernel, BodyRef::Method(gate, position), &method.body),
        }
    }

    /// Returns the parts that calls of a lock component are made of.
    ///
    /// # Errors
    /// Nobody has said how long its own code takes, or the scheduler's.
    pub(crate) fn lock_calls(
        &self,
        system: &System,
        kernel: &KernelCost,
        gate: GateId,
    ) -> Result<Calls, Unknown> {
        let described = system.gate(gate);
        // Whatever is missing of a lock component, its first method is named as the unknown one.
        let first = Unknown::Wcet(BodyRef::Method(gate, 0));
        let behind = system.lock_scheduler(described.component).ok_or(first)?;
        let own = |name: &str| {
            let mut methods = described.methods.iter();
            let at = methods.position(|method| method.name == name).ok_or(first)?;
            let body = &described.methods[at].body;
            is_timed(body, BodyRef::Method(gate, at))?;
            Ok(Demand { execution: Amount(own_time(body)), ..Demand::NONE })
        };
        let passage = Demand::of_kernel(kernel.gate(gate).ok_or(Unknown::Passage(gate))?);
        let has_epoch = system.lock_component(gate) == Some(LockComponent::Optimistic);
        let epoch = has_epoch.then(|| Ok(Epoch { passage, own: own(PRETAKE)? })).transpose()?;
        let code = Code {
            epoch,
            take: own(LockCall::Take.method())?,
            release: own(LockCall::Release.method())?,
            asked: self.invocation(kernel, behind, None)?,
        };
        Ok(Calls::of(code, &kernel.sleep, behind))
    }

    fn body(&self, kernel: &KernelCost, whose: BodyRef, body: &Body) -> Result<Demand, Unknown> {
        is_timed(body, whose)?;
        self.steps(kernel, whose, &body.steps)
    }

    /// Returns the cost of some steps of a body.
    ///
    /// # Errors
    /// Nobody knows how long one of them takes.
    pub(crate) fn steps(
        &self,
        kernel: &KernelCost,
        whose: BodyRef,
        steps: &[Step],
    ) -> Result<Demand, Unknown> {
        let mut sum = Demand::NONE;
        for step in steps {
            sum.add(match *step {
                Step::Compute { worst, .. } => {
                    Demand { execution: Amount::of(worst), ..Demand::NONE }
                }
                Step::Invoke { gate, method, .. } => self.invocation(kernel, gate, method)?,
                Step::Emit(id) => Demand { kernel: kernel.emission(id), ..Demand::NONE },
                Step::Wait(id) => {
                    // How long the wait lasts is no part of a body. Here the kernel's own path
                    // counts, and the place.
                    Demand { kernel: kernel.wait, waits: Some((whose, id)), ..Demand::NONE }
                }
            });
        }
        Ok(sum)
    }
}

/// Checks that the description says how long a body executes.
fn is_timed(body: &Body, whose: BodyRef) -> Result<(), Unknown> {
    // A list that says for how long something is computed gives a time, even where no `wcet` does.
    let computes = body.steps.iter().any(|s| matches!(s, Step::Compute { .. }));
    if body.wcet_origin.is_none() && !computes { Err(Unknown::Wcet(whose)) } else { Ok(()) }
}
