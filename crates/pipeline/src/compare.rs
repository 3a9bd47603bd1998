//! The result of each protocol at one gate.
//!
//! Each protocol makes a changed description, which is checked and bounded like any other. What
//! the checks refuse there is told with the rule that does; so is a protocol between cores at a
//! gate of one core, which works and is for nothing.

use fusee_bounds::{Analysis, TaskBound};
use fusee_diagnostics::{Code, Diagnostic, Severity, closest};
use fusee_model::derived::Derived;
use fusee_model::{Duration, GateId, Policy, Protocol, System};
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::{analyze, progress, rules};

/// The warning of `fusee check` about a protocol between cores at a gate of one.
const FOR_NOTHING: Code = Code("F0571");

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description, and with which costs it is analyzed.
    pub analysis: analyze::Asked,
    /// The gate, `component.interface`.
    pub gate: String,
}

/// The result of a comparison of protocols.
pub struct Compared {
    /// The description as it is.
    pub loaded: Loaded,
    /// It, whatever stands at the gate.
    pub system: System,
    /// The gate in question.
    pub gate: GateId,
    /// The protocols that fit.
    pub fitting: Vec<Fitting>,
    /// The protocols that do not, with why.
    pub unfit: Vec<(Protocol, Diagnostic)>,
}

/// A protocol that fits the gate.
pub struct Fitting {
    /// The protocol that is tried.
    pub protocol: Protocol,
    /// `true` if the description gives it.
    pub is_given: bool,
    /// `true` if it lets several threads in at once, where the description's lets one.
    pub lets_all_in: bool,
    /// The bounds that are promised with it.
    pub analysis: Analysis,
}

/// Compares the protocols at a gate of a description.
///
/// # Errors
/// There is no such gate, or the description is wrong whatever stands there.
pub fn run(asked: &Asked) -> Result<Compared, Box<Loaded>> {
    let (completed, costs) = asked.analysis.ready()?;
    let mut loaded = completed.loaded;
    let Some((system, _)) = loaded.system.clone() else { return Err(Box::new(loaded)) };
    let Some(gate) = named(&system, &asked.gate) else {
        loaded.diagnostics = vec![unknown(&system, &asked.gate)];
        return Err(Box::new(loaded));
    };
    let span = |origin| loaded.origins.span(origin);
    let of_system = fusee_check::check(&system, &span);
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let elsewhere = loaded.diagnostics.iter().filter(is_error);
    if elsewhere.into_iter().any(|found| !of_system.contains(found)) {
        return Err(Box::new(loaded));
    }
    let (mut fitting, mut unfit) = (Vec::new(), Vec::new());
    progress::during("comparing", || {
        for protocol in Protocol::ALL {
            let changed = with(&system, gate, protocol);
            match refusal(fusee_check::check(&changed, &span)) {
                Some(refusal) => unfit.push((protocol, refusal)),
                None => {
                    let (derived, table) = (Derived::of(&changed), costs.of(&changed));
                    let analysis = fusee_bounds::analyze(&changed, &derived, &table);
                    let given = system.gate(gate).protocol.value;
                    fitting.push(Fitting {
                        protocol,
                        is_given: protocol == given,
                        lets_all_in: given.is_exclusive() && !protocol.is_exclusive(),
                        analysis,
                    });
                }
            }
        }
    });
    if fitting.is_empty() {
        return Err(Box::new(loaded));
    }
    Ok(Compared { loaded, system, gate, fitting, unfit })
}

fn named(system: &System, name: &str) -> Option<GateId> {
    let mut gates = system.gate_ids().filter(|(_, gate)| !gate.direct);
    gates.find(|(_, gate)| gate.name == name).map(|(id, _)| id)
}

/// There is no gate of that name, or calls there do not pass one.
fn unknown(system: &System, name: &str) -> Diagnostic {
    let names = || system.gates.iter().filter(|gate| !gate.direct).map(|gate| gate.name.as_str());
    let known: Vec<&str> = names().take(MOST_NAMES).collect();
    let message = format!("`{}` has no gate `{name}`", system.name);
    let found = Diagnostic::error(rules::NO_GATE, message);
    if system.gates.iter().any(|gate| gate.direct && gate.name == name) {
        return found.with_note("calls there stay in one group, and pass no gate");
    }
    match (closest(name, names()), known.is_empty()) {
        (Some(similar), _) => found.with_note(format!("did you mean `{similar}`?")),
        (None, true) => found.with_note("it has none at all"),
        (None, false) => found.with_note(format!("there are `{}`", known.join("`, `"))),
    }
}

/// So many gates are named where none is similar.
const MOST_NAMES: usize = 8;

/// Returns the system with another protocol at a gate, with the ceiling that follows.
fn with(system: &System, gate: GateId, protocol: Protocol) -> System {
    let mut changed = system.clone();
    let gate = &mut changed.gates[gate.index()];
    if gate.protocol.value != protocol {
        gate.protocol.value = protocol;
        gate.given_ceiling = None;
    }
    changed
}

/// Returns the reason for which a protocol does not fit, if it does not.
fn refusal(found: Vec<Diagnostic>) -> Option<Diagnostic> {
    found.into_iter().find(|found| found.severity == Severity::Error || found.code == FOR_NOTHING)
}

impl Fitting {
    /// Returns `true` if every deadline holds with it, and it does what the description's does.
    pub fn holds(&self) -> bool {
        self.analysis.is_schedulable() && !self.lets_all_in
    }

    /// Returns the tasks whose deadlines are not guaranteed.
    pub fn missing(&self) -> impl Iterator<Item = &TaskBound> {
        self.analysis.tasks.iter().filter(|task| !task.is_schedulable())
    }
}

impl Compared {
    /// Returns `true` if every deadline holds with one of the protocols that keep others out as the
    /// description's does.
    pub fn holds(&self) -> bool {
        self.fitting.iter().any(Fitting::holds)
    }

    /// Returns the line that gives the gate a protocol.
    pub fn line(&self, protocol: Protocol) -> String {
        let gate = &self.system.gate(self.gate).name;
        format!("{gate}_priority_protocol = \"{}\";", protocol.name())
    }

    /// Tasks by priority, the highest first; where deadlines decide, by these.
    pub fn order(&self) -> Vec<usize> {
        let tasks = &self.system.tasks;
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        let bounds = self.fitting.first().map_or(&[][..], |first| &first.analysis.tasks);
        let deadline = |at: usize| bounds.get(at).and_then(|bound| bound.deadline);
        order.sort_by_key(|&at| match self.system.policy_on(tasks[at].core) {
            Policy::FixedPriority => (false, u64::from(u8::MAX - tasks[at].priority.value)),
            Policy::EarliestDeadline => (true, deadline(at).map_or(u64::MAX, Duration::ns)),
        });
        order
    }

    /// Returns the answer for programs.
    pub fn json(&self) -> Value {
        let system = &self.system;
        let task = |bound: &TaskBound| {
            json!({
                "name": system.task(bound.task).name,
                "core": system.task(bound.task).core,
                "deadline_ns": bound.deadline.map(|time| time.ns()),
                "response_bound_ns": bound.response().map(|time| time.ns()),
                "schedulable": bound.deadline.map(|_| bound.is_schedulable()),
            })
        };
        let names = |fitting: &Fitting| -> Vec<&str> {
            fitting.missing().map(|bound| system.task(bound.task).name.as_str()).collect()
        };
        let fitting = self.fitting.iter().map(|fitting| {
            json!({
                "protocol": fitting.protocol.name(),
                "fits": true,
                "given": fitting.is_given,
                "lets_all_in": fitting.lets_all_in,
                "schedulable": fitting.analysis.is_schedulable(),
                "missing": names(fitting),
                "line": self.line(fitting.protocol),
                "tasks": fitting.analysis.tasks.iter().map(task).collect::<Vec<_>>(),
            })
        });
        let unfit = self.unfit.iter().map(|(protocol, refusal)| {
            json!({
                "protocol": protocol.name(),
                "fits": false,
                "code": refusal.code.0,
                "message": refusal.message,
            })
        });
        json!({
            "system": system.name,
            "gate": system.gate(self.gate).name,
            "policy": fusee_bounds::policy_name(system),
            "schedulable": self.holds(),
            "protocols": fitting.chain(unfit).collect::<Vec<_>>(),
            "diagnostics": [],
        })
    }
}
