//! A description with its tasks on certain cores, and what is promised then.

use fusee_bounds::Analysis;
use fusee_diagnostics::{Diagnostic, Severity, Span};
use fusee_model::derived::Derived;
use fusee_model::{GateId, Origin, Policy, Protocol, System};
use serde_json::{Value, json};

use crate::costs::Costs;
use crate::methods::Proved;
use crate::packings::{fit_protocols, put};
use crate::priced::costs_of;
use crate::solve::placement::{Unplaced, placement};

/// A description that passes the checks, with its bounds.
pub struct Candidate {
    /// The description, changed.
    pub system: System,
    /// The facts derived from the system.
    pub derived: Derived,
    /// The bounds that are promised.
    pub analysis: Analysis,
    /// Gates that have another protocol than the description gives them.
    protocols: Vec<GateId>,
    /// Exclusive gates that tasks of several cores use.
    between_cores: usize,
}

/// The judge of placements.
pub(super) struct Judge<'a> {
    /// As it was written.
    pub(super) described: &'a System,
    /// With all tasks on one core, and protocols for one.
    pub(super) system: &'a System,
    /// The costs of the kernel's paths, for each kernel that a placement may need.
    pub(super) costs: &'a Costs,
    /// The execution times from the programs of the components.
    pub(super) proved: &'a Proved,
    /// `true` if priorities are searched for.
    pub(super) audsley: bool,
    pub(super) span: &'a dyn Fn(Origin) -> Option<Span>,
}

/// The result of judging some placements.
pub(super) struct Judged {
    pub(super) best: Option<Candidate>,
    /// The number of descriptions that were analyzed.
    pub(super) tried: usize,
    /// The first error of each placement that a check refuses.
    pub(super) refused: Vec<Diagnostic>,
}

impl Judge<'_> {
    /// Returns the best of these placements with the protocols that they need.
    pub(super) fn best(&self, placements: &[Vec<u32>]) -> Judged {
        let mut judged = Judged { best: None, tried: 0, refused: Vec::new() };
        for places in placements {
            for protocol in self.between_cores() {
                let candidate = match self.judge(places, protocol) {
                    Ok(candidate) => candidate,
                    Err(refusal) => {
                        judged.refused.push(refusal);
                        continue;
                    }
                };
                judged.tried += 1;
                let same_for_all = candidate.between_cores == 0;
                if judged.best.as_ref().is_none_or(|best| candidate.rank() > best.rank()) {
                    judged.best = Some(candidate);
                }
                if same_for_all {
                    break;
                }
            }
        }
        judged
    }

    /// The protocols that a gate between cores can have.
    fn between_cores(&self) -> Vec<Protocol> {
        // Where policies differ those remain that go with each.
        let policy = self.system.common_policy().unwrap_or(Policy::EarliestDeadline);
        Protocol::between_cores_to_try(policy)
    }

    /// Returns a placement with this protocol where a gate needs one, or the check that forbids it.
    fn judge(&self, places: &[u32], protocol: Protocol) -> Result<Candidate, Diagnostic> {
        let mut system = self.system.clone();
        put(&mut system, |task| places[task]);
        fit_protocols(&mut system, Some(protocol));
        // Cores and protocols decide which kernel the system gets, and so what its paths cost.
        if self.audsley
            && let Some(assigned) = fusee_bounds::assign_audsley(&system, &self.costs.of(&system))
        {
            system = assigned;
        }
        self.bounded(system)
    }

    /// Returns a placement under which all holds, where the search that decides finds one.
    pub(super) fn decided(&self, cores: u32) -> Option<Candidate> {
        let Judge { system, costs, proved, audsley, span, .. } = *self;
        let system = placement(&Unplaced { system, cores, costs, proved, audsley, span })?;
        self.bounded(system).ok().filter(|found| found.analysis.is_schedulable())
    }

    /// Returns a finished system with its bounds, or the check that forbids it.
    fn bounded(&self, system: System) -> Result<Candidate, Diagnostic> {
        let found = fusee_check::check(&system, self.span);
        if let Some(refusal) = found.into_iter().find(|found| found.severity == Severity::Error) {
            return Err(refusal);
        }
        let derived = Derived::of(&system);
        let costs = costs_of(&system, self.costs, self.proved);
        let analysis = fusee_bounds::analyze(&system, &derived, &costs);
        let between_cores = system.gates.iter().filter(|gate| gate.is_global()).count();
        let was = |id: GateId| self.described.gate(id).protocol.value;
        let changed = system.gate_ids().filter(|&(id, gate)| gate.protocol.value != was(id));
        let protocols = changed.map(|(id, _)| id).collect();
        Ok(Candidate { system, derived, analysis, protocols, between_cores })
    }
}

impl Candidate {
    /// Returns the rank, better is more: deadlines that hold, then little between cores, then
    /// slack.
    fn rank(&self) -> (std::cmp::Reverse<usize>, std::cmp::Reverse<usize>, i128) {
        let tasks = self.analysis.tasks.iter();
        let failing = tasks.clone().filter(|task| !task.is_schedulable()).count();
        let slack = |task: &fusee_bounds::TaskBound| {
            Some(task.slack()?.saturating_mul(1_000_000) / i128::from(task.deadline?.ns().max(1)))
        };
        let least = tasks.filter_map(slack).min().unwrap_or(i128::MIN);
        let reverse = std::cmp::Reverse;
        (reverse(failing), reverse(self.between_cores), least)
    }

    /// Returns the lines that make the change in a description's configuration.
    pub fn lines(&self) -> Vec<String> {
        let system = &self.system;
        let core = |task: &fusee_model::Task| format!("{}.core = {};", task.name, task.core);
        let protocol = |&id: &GateId| {
            let gate = system.gate(id);
            format!("{}_priority_protocol = \"{}\";", gate.name, gate.protocol.value.name())
        };
        let cores = system.tasks.iter().map(core);
        cores.chain(self.protocols.iter().map(protocol)).collect()
    }

    /// Returns the answer for programs.
    pub(super) fn json(&self) -> Value {
        let mut value = json!(fusee_bounds::summary(&self.system, &self.derived, &self.analysis));
        let place = |task: &fusee_model::Task| json!({ "task": task.name, "core": task.core });
        value["places"] = self.system.tasks.iter().map(place).collect();
        value["lines"] = self.lines().into();
        value
    }
}
