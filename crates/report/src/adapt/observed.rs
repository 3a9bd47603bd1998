//! The results of a run, put beside the promises.

use crate::Run;
use crate::adapt::timeline::{Focus, timeline};
use crate::verdict::{Mood, TaskVerdict};
use crate::view::{GateObserved, Observed, View};
use fusee_model::{Duration, System, TaskId};
use fusee_sim::{Outcome, Recording, TaskOutcome};

/// Adds the observations to the tasks, which stand in the order of `order`, to the gates, and the
/// timeline.
pub(crate) fn add(view: &mut View, system: &System, order: &[TaskId], run: &Run<'_>) {
    let outcome = run.outcome;
    view.run = Some(sentence(run));
    for (task, &id) in view.tasks.iter_mut().zip(order) {
        let judged = outcome.tasks.get(id.index()).zip(run.verdict.tasks.get(id.index()));
        task.observed = judged.map(|(seen, judged)| observed(seen, judged));
    }
    for (gate, seen) in view.gates.iter_mut().zip(&outcome.gates).filter(|(gate, _)| !gate.direct) {
        let (invocations, contended, longest_wait) =
            (seen.invocations, seen.contended, seen.longest_wait);
        gate.observed = Some(GateObserved { invocations, contended, longest_wait });
    }
    let worst = worst_task(system, outcome)
        .and_then(|id| Some((id, outcome.tasks.get(id.index())?.responses.worst?)));
    if let Some((task, (arrival, completion))) = worst.filter(|_| !outcome.records.is_empty()) {
        let focus = Focus { task, arrival: arrival.ns(), completion: completion.ns() };
        view.timeline = Some(timeline(system, &outcome.records, focus, order));
    }
}

fn sentence(run: &Run<'_>) -> String {
    let outcome = run.outcome;
    let ppm = outcome.utilisation_ppm();
    format!(
        "{} {} of virtual time, {} kernel events, processor {}.{} % busy.",
        run.how,
        outcome.elapsed,
        outcome.events,
        ppm / 10_000,
        ppm / 1_000 % 10
    )
}

/// Returns the task whose worst response a reader should look at: the one that needed most of its
/// deadline.
pub(crate) fn worst_task(system: &System, outcome: &Outcome) -> Option<TaskId> {
    let mut worst: Option<(u128, TaskId)> = None;
    for (id, task) in system.task_ids() {
        let seen = outcome.tasks.get(id.index()).filter(|seen| seen.responses.worst.is_some());
        let (Some(seen), Some(deadline)) = (seen, task.deadline) else { continue };
        let share = u128::from(seen.responses.longest.ns()) * 1_000_000
            / u128::from(deadline.value.ns().max(1));
        if worst.is_none_or(|(most, _)| share > most) {
            worst = Some((share, id));
        }
    }
    worst.map(|(_, id)| id)
}

/// Records from longer ago than this before a job are not asked for.
const LONGEST_LOOK_BACK: u64 = 2_000_000_000;

/// Returns the recording that lets a page show the worst response of `task` with the events that
/// led to it.
///
/// What a thread does is only known from its first record on, so records begin a period of the
/// slowest task earlier.
pub(crate) fn window(system: &System, outcome: &Outcome, task: TaskId) -> Option<Recording> {
    let (arrival, completion) = outcome.tasks.get(task.index())?.responses.worst?;
    let response = completion.ns().saturating_sub(arrival.ns());
    let periods =
        system.tasks.iter().filter_map(|task| Some(task.release.as_ref()?.period.value.ns()));
    let look_back = periods.max().unwrap_or(0).min(LONGEST_LOOK_BACK).saturating_add(response);
    let from = Duration(arrival.ns().saturating_sub(look_back));
    Some(Recording::Window { from, to: Duration(completion.ns().saturating_add(response / 4)) })
}

fn observed(outcome: &TaskOutcome, judged: &TaskVerdict) -> Observed {
    Observed {
        jobs: outcome.jobs,
        misses: outcome.misses,
        unfinished: outcome.unfinished,
        crashed: outcome.crashed,
        refused: outcome.refused,
        word: (judged.word.to_owned(), judged.mood == Mood::Bad),
        max: judged.longest.unwrap_or_default(),
        mean: outcome.response_mean().map(|mean| Duration(round(mean.ns()))),
        blocking: outcome.blocking_max,
        preemptions: outcome.preemptions,
        histogram: outcome
            .responses
            .histogram
            .buckets()
            .map(|b| (b.low, b.high, b.count))
            .collect(),
    }
}

/// Returns a mean with three significant digits or more: the others say nothing.
fn round(ns: u64) -> u64 {
    let unit = 10u64.pow(ns.checked_ilog10().unwrap_or(0).saturating_sub(3));
    (ns + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    #[test]
    fn means_are_rounded() {
        assert_eq!([0, 999, 12_345, 12_345_678].map(super::round), [0, 999, 12_350, 12_350_000]);
    }
}
