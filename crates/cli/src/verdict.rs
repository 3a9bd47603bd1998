//! A verdict on the console and in JSON.

use fusee_model::{Duration, System, TimeColumn};
use fusee_pipeline::status::Status;
use fusee_report::verdict::{Mood, TaskVerdict, Verdict};
use fusee_sim::Outcome;
use serde_json::{Value, json};

use crate::chains;
use crate::output::{bad, good};

/// How a command ends that has made a run.
pub(crate) fn status(verdict: &Verdict) -> Status {
    if verdict.is_fine() { Status::Fine } else { Status::Missed }
}

/// The verdict in a line, with colours.
pub(crate) fn line(system: &System, verdict: &Verdict) -> String {
    let phrases: Vec<String> =
        verdict.phrases.iter().map(|phrase| coloured(phrase.mood, &phrase.text)).collect();
    format!("{}: {} {}", system.name, phrases.join(", "), verdict.closing)
}

/// The words for a task.
pub(crate) fn word(task: &TaskVerdict) -> String {
    coloured(task.mood, task.word)
}

pub(crate) fn coloured(mood: Mood, text: &str) -> String {
    match mood {
        Mood::Good => good(text),
        Mood::Bad => bad(text),
        Mood::Plain => text.to_owned(),
    }
}

/// What a run says of each task.
pub(crate) fn task_json(seen: &fusee_sim::TaskOutcome, value: &mut Value) {
    value["lost"] = seen.lost.into();
    value["unfinished"] = seen.unfinished.into();
    value["refused"] = seen.refused.into();
    value["crashed"] = seen.crashed.into();
    value["faults"] = seen.faults.into();
}

/// What a run says as a whole.
pub(crate) fn describe(
    system: &System,
    (verdict, outcome): (&Verdict, &Outcome),
    value: &mut Value,
) {
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
    chains::describe(&verdict.chains, value);
}

/// The cells of a column of times, in one unit; what is not known is a dash.
pub(crate) fn times(times: &[Option<Duration>]) -> Vec<String> {
    let column = TimeColumn::of(times.iter().flatten().copied());
    times.iter().map(|time| time.map_or("-".to_owned(), |time| column.show(time))).collect()
}

/// An observed time, in whole microseconds if it is long: more digits say nothing. Rounded up, so
/// that what is above a bound never looks like it.
pub(crate) fn rounded_up(time: Duration) -> Duration {
    let step = if time.ns() >= 1_000_000 { 1000 } else { 1 };
    Duration(time.ns().div_ceil(step) * step)
}
