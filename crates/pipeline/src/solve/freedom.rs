//! The values that a search may choose.
//!
//! What a description leaves out is free, and what it gives is fixed: somebody had a reason to
//! write it. `--change` frees what is given, by kind (`priority`) or by name (`motor.priority`,
//! `motor.*`), and `--keep` fixes again. A budget that is left out stays so: no deadline holds
//! because of one. The policy is free only by its name.

use std::collections::BTreeSet;

use fusee_diagnostics::{Diagnostic, closest};
use fusee_model::derived::Derived;
use fusee_model::{PrioritySource, System, TaskId};

use super::setting::{KINDS, Subject, provides};
use crate::rules;

/// The names that a user gives.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Names of values that may change although the description gives them.
    pub change: Vec<String>,
    /// Names of values that stay as they are.
    pub keep: Vec<String>,
}

/// The subjects whose values may be chosen.
#[derive(Debug, Clone)]
pub(super) struct Freedom {
    free: BTreeSet<Subject>,
}

impl Freedom {
    /// Returns what is free in a description on so many cores.
    ///
    /// # Errors
    /// A name is of nothing that has a value to choose.
    pub(super) fn of(system: &System, cores: u32, names: &Names) -> Result<Self, Box<Diagnostic>> {
        let all = subjects(system, cores);
        let unknown = |name: &&String| {
            !KINDS.contains(&name.as_str()) && !all.iter().any(|&one| is_named(system, one, name))
        };
        if let Some(name) = names.change.iter().chain(&names.keep).find(unknown) {
            return Err(Box::new(nothing_of(system, &all, name)));
        }
        let named = |one: Subject, by: &[String]| by.iter().any(|name| is_named(system, one, name));
        let silent = |one: Subject| match one {
            Subject::Policy | Subject::Budget(_) => false,
            other => !other.is_given(system),
        };
        let is_free =
            |&one: &Subject| (silent(one) || named(one, &names.change)) && !named(one, &names.keep);
        Ok(Self { free: all.into_iter().filter(is_free).collect() })
    }

    /// Returns what is free if all that is given may change, but for the policy.
    pub(super) fn widest(system: &System, cores: u32, keep: &[String]) -> Self {
        let kept = |one: &Subject| keep.iter().any(|name| is_named(system, *one, name));
        let all = subjects(system, cores).into_iter();
        Self { free: all.filter(|one| *one != Subject::Policy && !kept(one)).collect() }
    }

    /// Returns `true` if the value of a subject may be chosen.
    pub(super) fn has(&self, subject: Subject) -> bool {
        self.free.contains(&subject)
    }

    /// Returns `true` if a task's core may be chosen.
    pub(super) fn core(&self, task: TaskId) -> bool {
        self.has(Subject::Core(task))
    }

    /// Returns all free subjects.
    pub(super) fn all(&self) -> impl Iterator<Item = Subject> + '_ {
        self.free.iter().copied()
    }

    /// Returns the kinds of free subjects, each once.
    pub(super) fn kinds(&self) -> Vec<&'static str> {
        let has = |kind: &&str| self.free.iter().any(|one| one.kind() == *kind);
        KINDS.into_iter().filter(has).collect()
    }
}

/// Returns all subjects that have a value to choose.
///
/// Gates that one task passes bar nobody, and those that are no lock would do something else as
/// one. The priority of a thread without timing is that of CAmkES, and a component's `priority` is
/// a ceiling of its gates as well.
fn subjects(system: &System, cores: u32) -> BTreeSet<Subject> {
    let derived = Derived::of(system);
    let mut all = BTreeSet::from([Subject::Policy]);
    for (id, task) in system.task_ids() {
        let given = task.priority_source == PrioritySource::Given;
        let twofold = given && provides(system, id);
        if task.release.is_some() && !twofold && system.scheduler(id).is_none() {
            all.insert(Subject::Priority(id));
        }
        if task.budget.is_some() {
            all.insert(Subject::Budget(id));
        }
        if cores > 1 {
            all.insert(Subject::Core(id));
        }
    }
    let shared = |id| derived.gate(id).tasks.len() > 1;
    let gates = system.gate_ids().filter(|(id, gate)| gate.is_exclusive() && shared(*id));
    all.extend(gates.map(|(id, _)| Subject::Protocol(id)));
    all
}

/// Returns `true` if a word of the user names a subject: its kind, its name, or all of an instance.
fn is_named(system: &System, subject: Subject, word: &str) -> bool {
    let (owner, names) = subject.names(system);
    let attribute = |name: &str| names.iter().any(|own| own == name) || name == subject.kind();
    match word.rsplit_once('.') {
        None => word == subject.kind(),
        Some((instance, "*")) => instance == owner,
        Some((instance, name)) => instance == owner && attribute(name),
    }
}

/// Nothing that can be chosen has a name.
fn nothing_of(system: &System, all: &BTreeSet<Subject>, name: &str) -> Diagnostic {
    let message = format!("`{name}` names nothing that can be chosen");
    let known: Vec<String> = all.iter().map(|one| one.name(system)).collect();
    let known = known.iter().map(String::as_str).chain(KINDS);
    let error = Diagnostic::error(rules::NOTHING_TO_CHOOSE, message);
    let error = error.with_note(format!(
        "a kind ({}), an attribute such as `motor.priority`, or `motor.*` for all of an instance",
        KINDS.join(", ")
    ));
    match closest(name, known) {
        Some(similar) => error.with_note(format!("did you mean `{similar}`?")),
        None => error,
    }
}
