//! Changes of a description, to try out.
//!
//! Repairs and sensitivity both ask "what if": what if this gate had another
//! protocol, that task another priority, this body took longer. A change knows how
//! to make a changed system, and how an engineer would write it.

use fusee_model::derived::Derived;
use fusee_model::{Body, Duration, GateId, Origin, Priority, Protocol, Step, System, TaskId};

use crate::body::BodyRef;

/// A change of one value in a description.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Another protocol at a gate, with the derived ceiling where it needs one.
    Protocol(GateId, Protocol),
    /// Another priority for a task.
    Priority(TaskId, Priority),
    /// Another own execution time for a body.
    Time(BodyRef, Duration),
    /// Another core for a task, with this protocol at exclusive gates that are between cores only
    /// then, and inheritance at those that no longer are.
    Core {
        /// The task in question.
        task: TaskId,
        /// Its new core.
        core: u32,
        /// The protocol between cores.
        between: Protocol,
    },
}

impl Change {
    /// Returns the changed system with what follows from it.
    pub fn apply(self, system: &System) -> (System, Derived) {
        let mut changed = system.clone();
        match self {
            Change::Protocol(id, protocol) => {
                let gate = &mut changed.gates[id.index()];
                // A ceiling that was given for the old protocol need not fit the new one. The
                // derived one does.
                gate.protocol.value = protocol;
                gate.given_ceiling = None;
            }
            Change::Priority(id, priority) => changed.tasks[id.index()].priority.value = priority,
            Change::Time(body, time) => set_time(body_of(&mut changed, body), time),
            Change::Core { task, core, between } => {
                changed.tasks[task.index()].core = core;
                fit_protocols(&mut changed, between);
            }
        }
        let derived = Derived::of(&changed);
        (changed, derived)
    }

    /// Returns `true` if tasks do the same after the change: all but another execution time.
    pub fn keeps_work(self) -> bool {
        !matches!(self, Change::Time(..))
    }

    /// Returns the lines that make the change in a description's configuration: one, or several,
    /// without the last semicolon.
    pub fn text(self, system: &System) -> String {
        match self {
            Change::Protocol(id, protocol) => {
                format!("{}_priority_protocol = \"{}\"", system.gate(id).name, protocol.name())
            }
            Change::Priority(id, priority) => {
                format!("{}.priority = {priority}", system.task(id).name)
            }
            Change::Core { task, core, .. } => {
                let (changed, _) = self.apply(system);
                let gates = system.gates.iter().zip(&changed.gates);
                let gates = gates.filter(|(was, is)| was.protocol.value != is.protocol.value);
                let gates = gates.map(|(_, gate)| {
                    let word = gate.protocol.value.name();
                    format!("; {}_priority_protocol = \"{word}\"", gate.name)
                });
                format!("{}.core = {core}{}", system.task(task).name, gates.collect::<String>())
            }
            Change::Time(BodyRef::Task(id), time) => {
                // A rounded time would be another one than the one that was tried.
                format!("{}.wcet = \"{}\"", system.task(id).name, time.exact())
            }
            Change::Time(body, time) => {
                let name = body.name(system);
                let (interface, method) = name.rsplit_once('.').unwrap_or((&name, ""));
                format!("{interface}_{method}_wcet = \"{}\"", time.exact())
            }
        }
    }

    /// Returns the value alone, as it is written, with the place of the present one where the
    /// description gives it.
    pub fn replacement(self, system: &System) -> Option<(Origin, String)> {
        match self {
            Change::Protocol(id, protocol) => {
                let gate = system.gate(id);
                // A protocol that nobody has written has the place of its gate, where nothing can
                // be replaced.
                let given = gate.protocol.origin != gate.origin;
                given.then(|| (gate.protocol.origin, format!("\"{}\"", protocol.name())))
            }
            Change::Priority(id, priority) => {
                let task = system.task(id);
                let given = task.priority_source == fusee_model::PrioritySource::Given;
                given.then(|| (task.priority.origin, priority.to_string()))
            }
            Change::Time(..) | Change::Core { .. } => None,
        }
    }
}

/// Gives each exclusive gate a protocol for as many cores as use it, where it has none.
fn fit_protocols(system: &mut System, between: Protocol) {
    let derived = Derived::of(system);
    for (gate, facts) in system.gates.iter_mut().zip(&derived.gates) {
        let fitting = match (facts.cores.len() > 1, gate.protocol.value.is_global()) {
            _ if !gate.is_exclusive() => continue,
            (true, false) => between,
            (false, true) => Protocol::Inherited,
            _ => continue,
        };
        gate.protocol.value = fitting;
        gate.given_ceiling = None;
    }
}

/// Returns the body behind a reference.
pub(crate) fn body(system: &System, body: BodyRef) -> Option<&Body> {
    match body {
        BodyRef::Task(id) => system.tasks.get(id.index()).map(|t| &t.body),
        BodyRef::Method(id, position) => {
            system.gates.get(id.index())?.methods.get(position).map(|m| &m.body)
        }
    }
}

fn body_of(system: &mut System, body: BodyRef) -> &mut Body {
    match body {
        BodyRef::Task(id) => &mut system.tasks[id.index()].body,
        BodyRef::Method(id, position) => &mut system.gates[id.index()].methods[position].body,
    }
}

/// Own worst-case execution of a body; `None` when the sum does not fit.
pub(crate) fn own_time(body: &Body) -> Option<u64> {
    body.steps.iter().try_fold(0_u64, |sum, step| match step {
        Step::Compute { worst, .. } => sum.checked_add(worst.ns()),
        _ => Some(sum),
    })
}

/// Gives a body another own execution time; what is more or less is so in its first computations.
///
/// Bounds depend on sums, and on what stands at the very end of a body, which stays as it is as
/// long as it can.
fn set_time(body: &mut Body, time: Duration) {
    // A body without a computation needs one to take any time. At the front it leaves the end of
    // the body as it is.
    if !body.steps.iter().any(|step| matches!(step, Step::Compute { .. })) {
        body.steps.insert(0, Step::Compute { best: Duration::ZERO, worst: Duration::ZERO });
    }
    let mut left = time;
    let mut first = None;
    for step in body.steps.iter_mut().rev() {
        if let Step::Compute { best, worst } = step {
            *best = Duration::ZERO;
            *worst = (*worst).min(left);
            left = Duration(left.ns() - worst.ns());
            first = Some(worst);
        }
    }
    if let Some(first) = first {
        *first = Duration(first.ns() + left.ns());
    }
}
