//! The answer for programs.

use fusee_bounds::Change;
use fusee_diagnostics::render;
use fusee_model::{System, TaskId};
use serde_json::{Value, json};

use super::answer::{Answer, Promise, Solution, Solved};
use super::conflict::{Conflict, Relaxation};
use super::refusal::Refusal;
use crate::chains;

impl Solved {
    /// Returns the answer for programs.
    pub fn json(&self) -> Value {
        let system = self.loaded.system.as_ref().map(|(system, _)| system);
        let mut value = match &self.answer {
            Answer::Holds(promise) => promise_json(promise),
            Answer::Found(solution) => promise_json(&solution.promise),
            _ => json!({
                "system": system.map(|system| &system.name),
                "schedulable": false,
                "tasks": [],
            }),
        };
        value["answer"] = match self.answer {
            Answer::Holds(_) => "holds",
            Answer::Found(_) => "found",
            Answer::Contradiction(_) | Answer::Refused(_) => "none",
            Answer::NotFound(_) => "not_found",
        }
        .into();
        value["cores"] = self.cores.into();
        value["free"] = self.free.clone().into();
        value["analyses"] = self.analyses.into();
        for list in ["values", "edits", "lines"] {
            value[list] = json!([]);
        }
        if let Answer::Found(solution) = &self.answer {
            edits(solution, &mut value);
        }
        if let Some(system) = system {
            value["conflict"] = conflict(system, &self.answer);
            value["relaxations"] = relaxations(system, &self.answer);
        }
        value["diagnostics"] = render::json(&self.diagnostics, &self.loaded.sources);
        value
    }
}

/// Returns bounds as `analyze` tells them.
fn promise_json(promise: &Promise) -> Value {
    let (system, analysis) = (&promise.system, &promise.analysed.analysis);
    let mut value = json!(fusee_bounds::summary(system, &promise.derived, analysis));
    chains::describe(&promise.chains(), &mut value);
    value
}

/// Adds the changed values, and where they stand in the text.
fn edits(solution: &Solution, value: &mut Value) {
    let system = &solution.promise.system;
    let values = solution.settings.iter().map(
        |setting| json!({ "name": setting.subject().name(system), "line": setting.line(system) }),
    );
    value["values"] = values.collect();
    let edits = solution.written.edits.iter().map(|edit| {
        json!({
            "file": edit.path.to_string_lossy(),
            "start": edit.start,
            "end": edit.end,
            "old": edit.old,
            "new": edit.new,
        })
    });
    value["edits"] = edits.collect();
    value["lines"] = solution.written.lines.clone().into();
}

/// Returns the tasks whose deadlines contradict each other; `null` where nothing is proved.
fn conflict(system: &System, answer: &Answer) -> Value {
    let name = |task: &TaskId| system.task(*task).name.as_str();
    let (tasks, is_least) = match answer {
        Answer::Contradiction(Conflict { tasks, is_least, .. }) => (tasks.clone(), *is_least),
        Answer::Refused(Refusal::Longer { task, .. }) => (vec![*task], true),
        Answer::Refused(Refusal::Load { tasks, .. }) => (tasks.clone(), false),
        Answer::Holds(_) | Answer::Found(_) | Answer::NotFound(_) => return Value::Null,
    };
    let names: Vec<&str> = tasks.iter().map(name).collect();
    json!({ "deadlines": names, "is_least": is_least })
}

/// Returns the single changes of what is asked for that would be enough.
fn relaxations(system: &System, answer: &Answer) -> Value {
    let Answer::Contradiction(conflict) = answer else { return json!([]) };
    let of = |relaxation: &Relaxation| match *relaxation {
        Relaxation::Deadline(task, least) => {
            let name = &system.task(task).name;
            json!({ "line": format!("{name}.deadline = \"{}\"", least.exact()), "work": false })
        }
        Relaxation::Time(body, most) => {
            json!({ "line": Change::Time(body, most).text(system), "work": true })
        }
    };
    conflict.relaxations.iter().map(of).collect()
}
