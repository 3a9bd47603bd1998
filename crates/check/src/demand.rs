//! The worst execution of a job: its own and all that it invokes.
//!
//! These sums leave out the kernel's costs, which the analysis knows; they serve
//! only to find timing that contradicts itself whatever the platform. A sum is
//! unknown where an execution time is missing or where invocations do not end, and
//! an unknown sum breaks no rule here: other rules name what is missing.

use fusee_model::derived::Derived;
use fusee_model::{Body, Duration, Step, System, TaskId};

/// Worst-case execution for each task's job.
pub(crate) struct Demands {
    tasks: Vec<Option<Duration>>,
    methods: Vec<Vec<Option<Duration>>>,
    reached: Vec<Vec<bool>>,
}

impl Demands {
    pub(crate) fn of(system: &System, derived: &Derived) -> Self {
        let methods = system.gates.iter().map(|g| vec![None; g.methods.len()]).collect();
        let reached = system.gates.iter().map(|g| vec![false; g.methods.len()]).collect();
        let mut demands = Self { tasks: Vec::new(), methods, reached };
        for &(gate, method) in derived.method_order.iter().rev() {
            let body = &system.gate(gate).methods[method].body;
            demands.methods[gate.index()][method] = demands.body(body);
        }
        demands.tasks = system.tasks.iter().map(|t| demands.body(&t.body)).collect();
        demands.mark_reached(system, derived);
        demands
    }

    /// Returns a task's job; `None`: unknown.
    pub(crate) fn task(&self, task: TaskId) -> Option<Duration> {
        self.tasks[task.index()]
    }

    /// Returns an invocation of a method; `None`: unknown.
    pub(crate) fn method(&self, gate: usize, method: usize) -> Option<Duration> {
        *self.methods.get(gate)?.get(method)?
    }

    /// Returns `true` if a task with timing can invoke a method.
    pub(crate) fn is_reached(&self, gate: usize, method: usize) -> bool {
        self.reached[gate][method]
    }

    fn body(&self, body: &Body) -> Option<Duration> {
        body.wcet_origin?;
        body.steps.iter().try_fold(Duration::ZERO, |sum, step| {
            let next = match *step {
                Step::Compute { worst, .. } => worst,
                Step::Invoke { gate, method: Some(method), .. } => {
                    (*self.methods.get(gate.index())?.get(method)?)?
                }
                Step::Invoke { gate, method: None, .. } => self.longest(gate.index())?,
                Step::Emit(_) | Step::Wait(_) => Duration::ZERO,
            };
            Some(Duration(sum.0.saturating_add(next.0)))
        })
    }

    fn longest(&self, gate: usize) -> Option<Duration> {
        self.methods
            .get(gate)?
            .iter()
            .try_fold(Duration::ZERO, |longest, m| Some(longest.max((*m)?)))
    }

    fn mark_reached(&mut self, system: &System, derived: &Derived) {
        for task in system.tasks.iter().filter(|t| t.release.is_some()) {
            self.mark(&task.body);
        }
        // In a recursion the order is none; a second pass settles all but pathological ones, which
        // are errors anyway.
        for _ in 0..2 {
            for &(gate, method) in &derived.method_order {
                if self.reached[gate.index()][method] {
                    self.mark(&system.gate(gate).methods[method].body);
                }
            }
        }
    }

    fn mark(&mut self, body: &Body) {
        for step in &body.steps {
            let Step::Invoke { gate, method, .. } = *step else { continue };
            let Some(reached) = self.reached.get_mut(gate.index()) else { continue };
            match method.and_then(|m| reached.get_mut(m)) {
                Some(one) => *one = true,
                None => reached.fill(true),
            }
        }
    }
}
