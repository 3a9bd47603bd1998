//! A run's verdict as a document for programs.

use fusee_model::System;
use fusee_report::verdict::Verdict;
use fusee_sim::{Outcome, TaskOutcome};
use serde_json::{Value, json};

use crate::chains;
use crate::status::Status;

/// Returns the status with which a command ends that has made a run.
pub fn status(verdict: &Verdict) -> Status {
    if verdict.is_fine() { Status::Fine } else { Status::Missed }
}

/// Adds what every run says of a task.
pub(crate) fn describe_task(seen: &TaskOutcome, value: &mut Value) {
    value["lost"] = seen.lost.into();
    value["unfinished"] = seen.unfinished.into();
    value["refused"] = seen.refused.into();
    value["crashed"] = seen.crashed.into();
    value["faults"] = seen.faults.into();
}

/// Adds what a run says as a whole.
pub(crate) fn describe(system: &System, verdict: &Verdict, outcome: &Outcome, value: &mut Value) {
    let name = |&task: &usize| system.tasks[task].name.as_str();
    value["not_guaranteed"] = verdict.unpromised.iter().map(name).collect();
    value["verdict"] = verdict.line().into();
    value["bounds_held"] = verdict.bounds_held.into();
    value["deadlines_held"] = verdict.deadlines_held.into();
    value["refused"] = verdict.refused.into();
    value["unfinished"] = verdict.unfinished.into();
    value["crashed"] = outcome.crashed().into();
    value["faults"] = json!([]);
    value["stubs"] = verdict.stubs.clone().into();
    value["trusted"] = verdict.trusted.clone().into();
    value["not_compared"] = verdict.open.clone().into();
    chains::describe(&verdict.chains, value);
}
