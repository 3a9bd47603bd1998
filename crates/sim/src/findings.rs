//! What of a run deserves a message: missed deadlines, lost releases.

use crate::{Outcome, TaskOutcome, rules};
use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::{Origin, System, Task};

/// Warnings about a run, task by task; `span` follows origins into the description.
pub fn diagnostics(system: &System, outcome: &Outcome, span: &dyn Fn(Origin) -> Option<Span>) -> Vec<Diagnostic> {
    let tasks = system.tasks.iter().zip(&outcome.tasks);
    tasks.flat_map(|(task, seen)| [missed(task, seen, span), lost(task, seen, span)]).flatten().collect()
}

fn missed(task: &Task, seen: &TaskOutcome, span: &dyn Fn(Origin) -> Option<Span>) -> Option<Diagnostic> {
    if seen.misses == 0 {
        return None;
    }
    let deadline = task.deadline.or(task.release.as_ref().map(|release| release.period))?;
    let (name, times) = (&task.name, plural(seen.misses, "deadline"));
    let message = format!("task `{name}` missed {times} in the simulated run");
    let mut diagnostic = Diagnostic::warning(rules::DEADLINE_MISSED.code, message);
    if let Some(place) = span(deadline.origin).or_else(|| span(task.origin)) {
        diagnostic = diagnostic.at(place, format!("{} after its arrival", deadline.value));
    }
    Some(match seen.worst {
        Some((arrival, _)) if seen.response_max > deadline.value => {
            let note = format!("its longest response took {}, from its arrival at {arrival}", seen.response_max);
            diagnostic.with_note(note)
        }
        _ => diagnostic,
    })
}

fn lost(task: &Task, seen: &TaskOutcome, span: &dyn Fn(Origin) -> Option<Span>) -> Option<Diagnostic> {
    if seen.lost == 0 {
        return None;
    }
    let (name, times) = (&task.name, plural(seen.lost, "release"));
    let message = format!("the kernel dropped {times} of task `{name}`: it has fallen too far behind");
    let diagnostic = Diagnostic::warning(rules::RELEASE_LOST.code, message);
    Some(match span(task.origin) {
        Some(place) => diagnostic.at(place, "this task"),
        None => diagnostic,
    })
}

fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, simulate};
    use fusee_generate::{Mix, case};
    use fusee_model::{Duration, Step};

    #[test]
    fn an_overloaded_task_misses_and_loses() {
        let mix = Mix { tasks: (1, 1), gates: (0, 0), ..Mix::default() };
        let mut system = case(&mix, 4, 3).system;
        let period = system.tasks[0].release.as_ref().map_or(Duration(1), |release| release.period.value);
        let twice = Duration(2 * period.ns());
        system.tasks[0].budget = None;
        system.tasks[0].body.steps = vec![Step::Compute { best: twice, worst: twice }];
        let options = Options { duration: Duration(1000 * period.ns()), ..Options::default() };
        let outcome = simulate(&system, &options).unwrap();
        let codes = diagnostics(&system, &outcome, &|_| None).into_iter().map(|d| d.code.0);
        assert_eq!(codes.collect::<Vec<_>>(), ["F0705", "F0706"]);
    }
}
