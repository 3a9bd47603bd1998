//! The judge of choices: checks and analysis of the changed description.
//!
//! A choice is made in the system as reading the changed text would make it: what is chosen is
//! given from then on, and priorities that stay left out are assigned anew. So what is judged is
//! what `analyze` says of the text.

use std::cell::Cell;

use fusee_bounds::{Analysis, TaskBound};
use fusee_diagnostics::{Diagnostic, Severity, Span};
use fusee_model::derived::Derived;
use fusee_model::{
    Budget, Gate, Origin, Overrun, Policy, PrioritySource, Protocol, Sourced, System,
};
use fusee_model::{Priority, Value, priorities};

use super::setting::{Choice, Setting};
use crate::costs::Costs;
use crate::methods::Proved;
use crate::priced::costs_of;

/// The weight of a deadline without any bound, in millionths of a deadline.
const NO_BOUND: i128 = 1_000_000_000;

/// The judge of choices.
pub(super) struct Judge<'a> {
    /// The description; priorities that it leaves out are by deadline.
    pub(super) described: &'a System,
    /// The costs of the kernel's paths, for each kernel that a choice may need.
    pub(super) costs: &'a Costs,
    /// The execution times from the programs of the components.
    pub(super) proved: &'a Proved,
    /// `true` if priorities that stay left out are searched for when the text is read.
    pub(super) audsley: bool,
    /// The place of an origin.
    pub(super) span: &'a dyn Fn(Origin) -> Option<Span>,
    /// The analyses of one task that may still be made.
    pub(super) left: Cell<u64>,
}

/// A choice with its bounds.
#[derive(Clone)]
pub(super) struct Judged {
    pub(super) choice: Choice,
    pub(super) system: System,
    pub(super) analysis: Analysis,
}

impl Judge<'_> {
    /// Takes so many analyses of one task from what is left; `false`: there is not as much.
    pub(super) fn spends(&self, tasks: u64) -> bool {
        let rest = self.left.get().checked_sub(tasks);
        self.left.set(rest.unwrap_or(0));
        rest.is_some()
    }

    /// Returns the system with the chosen values; none where priorities run out.
    pub(super) fn system(&self, choice: &Choice) -> Option<System> {
        let mut system = self.described.clone();
        choice.settings().iter().for_each(|&setting| set(&mut system, setting));
        priorities::assign_deadline_monotonic(&mut system).ok()?;
        if self.audsley
            && let Some(assigned) = fusee_bounds::assign_audsley(&system, &self.costs.of(&system))
        {
            system = assigned;
        }
        Some(system)
    }

    /// Returns a choice with its bounds; none where it cannot be made or no analysis is left.
    pub(super) fn judge(&self, choice: Choice) -> Option<Judged> {
        if !self.spends(self.described.tasks.len() as u64) {
            return None;
        }
        let system = self.system(&choice)?;
        let analysis = self.analysis(&system);
        Some(Judged { choice, system, analysis })
    }

    /// Returns the bounds of a system.
    pub(super) fn analysis(&self, system: &System) -> Analysis {
        let costs = costs_of(system, self.costs, self.proved);
        fusee_bounds::analyze(system, &Derived::of(system), &costs)
    }

    /// Returns the first check that refuses a system.
    pub(super) fn refusal(&self, system: &System) -> Option<Diagnostic> {
        let found = fusee_check::check(system, self.span);
        found.into_iter().find(|found| found.severity == Severity::Error)
    }

    /// Returns `true` if all holds under a choice and the checks accept it.
    pub(super) fn accepts(&self, judged: &Judged) -> bool {
        judged.analysis.is_schedulable() && self.refusal(&judged.system).is_none()
    }
}

impl Judged {
    /// Returns the rank, less is better: what fails, then by how much in all, then the least slack.
    pub(super) fn rank(&self) -> (usize, i128, i128) {
        let tasks = &self.analysis.tasks;
        let failing = tasks.iter().filter(|task| !task.is_schedulable()).count();
        let chains = self.analysis.chains.iter().filter(|chain| !chain.is_guaranteed()).count();
        let late = |task: &TaskBound| share(task).map_or(NO_BOUND, |share| (-share).max(0));
        let late = tasks.iter().filter(|task| !task.is_schedulable()).map(late).sum();
        (failing + chains, late, -self.least_slack())
    }

    /// Returns the least slack of a task, in millionths of its deadline.
    pub(super) fn least_slack(&self) -> i128 {
        self.analysis.tasks.iter().filter_map(share).min().unwrap_or(-NO_BOUND)
    }
}

/// Returns a task's slack in millionths of its deadline.
fn share(task: &TaskBound) -> Option<i128> {
    let deadline = i128::from(task.deadline?.ns().max(1));
    Some(task.slack()?.saturating_mul(1_000_000) / deadline)
}

/// Gives a system a chosen value.
fn set(system: &mut System, setting: Setting) {
    let chosen = Origin::NONE;
    match setting {
        Setting::Policy(policy) => {
            system.settings.policy = Some(Sourced { value: policy, origin: chosen });
        }
        Setting::Core(task, core) => system.tasks[task.index()].core = core,
        Setting::Priority(id, priority) => {
            let task = &mut system.tasks[id.index()];
            task.priority = Sourced { value: priority, origin: chosen };
            task.priority_source = PrioritySource::Given;
        }
        Setting::Budget(task, amount) => {
            let budget = &mut system.tasks[task.index()].budget;
            let overrun = budget.as_ref().map_or(Overrun::Suspend, |budget| budget.overrun);
            *budget = Some(Budget { amount: Sourced { value: amount, origin: chosen }, overrun });
        }
        Setting::Protocol(id, protocol) => {
            let ceiling = ceiling(system, system.gate(id), protocol);
            let gate = &mut system.gates[id.index()];
            gate.protocol = Sourced { value: protocol, origin: chosen };
            gate.given_ceiling = ceiling;
        }
    }
}

/// Returns the ceiling that the description gives a gate if it has this protocol: its own, and for
/// `fixed` also the priority of the interface's thread or of its component.
fn ceiling(system: &System, gate: &Gate, protocol: Protocol) -> Option<Sourced<Priority>> {
    let attributes = &system.component(gate.component).attributes;
    let priority = |name: &str| {
        let found = attributes.iter().find(|attribute| attribute.name == name)?;
        let Value::Integer(value) = found.value else { return None };
        let value = Priority::try_from(value).ok()?;
        Some(Sourced { value, origin: found.origin })
    };
    let own = priority(&format!("{}_ceiling", gate.interface));
    if own.is_some() || protocol != Protocol::Fixed {
        return own;
    }
    priority(&format!("{}_priority", gate.interface)).or_else(|| priority("priority"))
}

/// Returns `true` if priorities decide on a task's core.
pub(super) fn by_priority(system: &System, task: fusee_model::TaskId) -> bool {
    system.policy_on(system.task(task).core) == Policy::FixedPriority
}
