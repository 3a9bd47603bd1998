//! Signals behind which nothing executes, worked out once for a system.

use std::collections::BTreeSet;

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Body, GateId, NotificationId, Step, System};

use crate::amount::Amount;
use crate::demands::Demands;
use crate::kernel_cost::KernelCost;

/// A set of signals.
pub(crate) type Signals = BTreeSet<NotificationId>;

/// A signal or wait that a window's end depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Closing {
    /// Every completion takes time.
    Never,
    /// Completions take none, and some other path does.
    Always,
    /// No path takes any.
    BySignals(EndingSignals),
}

/// Signals behind which no execution counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndingSignals {
    /// The signals that end each task's job.
    pub(crate) tasks: Vec<Signals>,
    /// The signals that end each method, by gate and position.
    methods: Vec<Vec<Signals>>,
}

impl Closing {
    pub(crate) fn of(
        system: &System,
        derived: &Derived,
        costs: &CostTable,
        kernel: &KernelCost,
        demands: &Demands,
    ) -> Self {
        if kernel.completion > Amount::ZERO {
            Closing::Never
        } else if !costs.is_zero() {
            Closing::Always
        } else {
            Closing::BySignals(EndingSignals::of(system, derived, kernel, demands))
        }
    }
}

impl EndingSignals {
    fn of(system: &System, derived: &Derived, kernel: &KernelCost, demands: &Demands) -> Self {
        let methods =
            system.gates.iter().map(|gate| vec![Signals::new(); gate.methods.len()]).collect();
        let mut ending = Self { tasks: Vec::new(), methods };
        // Callees come first, so that the end of a method is known where it is invoked.
        for &(gate, method) in derived.method_order.iter().rev() {
            let signals = ending.of_body(kernel, demands, &system.gate(gate).methods[method].body);
            ending.methods[gate.index()][method] = signals;
        }
        ending.tasks =
            system.tasks.iter().map(|task| ending.of_body(kernel, demands, &task.body)).collect();
        ending
    }

    /// Goes back from the end up to the first step that takes time. What has no known time has no
    /// bound either.
    fn of_body(&self, kernel: &KernelCost, demands: &Demands, body: &Body) -> Signals {
        let mut signals = Signals::new();
        for step in body.steps.iter().rev() {
            let takes_time = match *step {
                // Windows end with all worst cases spent, so only a computation that never takes
                // time can be left.
                Step::Compute { worst, .. } => worst.ns() > 0,
                Step::Emit(id) => {
                    signals.insert(id);
                    false
                }
                Step::Invoke { gate, method, .. } => {
                    // What the method signals last comes behind all its own time, so it counts even
                    // if the method takes time.
                    signals.extend(self.of_invocation(gate, method));
                    let demand = demands.invocation(kernel, gate, method);
                    demand.is_ok_and(|demand| demand.total() > Amount::ZERO)
                }
                // If its signal has come before, a wait ends at once.
                Step::Wait(_) => false,
            };
            if takes_time {
                break;
            }
        }
        signals
    }

    /// Those of a method, or of any where it is not named.
    pub(crate) fn of_invocation(&self, gate: GateId, method: Option<usize>) -> Signals {
        let methods = self.methods.get(gate.index()).map_or(&[][..], Vec::as_slice);
        let named =
            methods.iter().enumerate().filter(|&(m, _)| method.is_none_or(|named| named == m));
        named.flat_map(|(_, signals)| signals.iter().copied()).collect()
    }
}
