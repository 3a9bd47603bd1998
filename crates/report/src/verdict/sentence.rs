//! A run in a line.

use super::phrase::{Mood, Phrase, phrase};
use super::{Facts, Place, Verdict, Word, kept};
use crate::text::count;
use fusee_model::TaskId;

/// Returns the phrases of a verdict, the worst first.
pub(super) fn phrases(facts: &Facts<'_>, verdict: &Verdict) -> Vec<Phrase> {
    let bad = |number: u64, text: &str| (number > 0).then(|| phrase(Mood::Bad, text));
    let outcome = facts.outcome;
    let silent = (0..outcome.tasks.len()).filter(|&task| is_silent(facts, task)).count() as u64;
    let mut phrases: Vec<Phrase> = [
        bad(verdict.faults, &count(verdict.faults, "fault")),
        bad(outcome.crashed(), &format!("{} crashed", count(outcome.crashed(), "job"))),
        bad(verdict.refused, &format!("{} refused", count(verdict.refused, "call"))),
        bad(silent, &format!("{} without a complete job", count(silent, "task"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    phrases.extend(deadlines(facts, verdict));
    let timed = facts.system.tasks.iter().filter(|task| task.deadline.is_some()).count() as u64;
    let unpromised = verdict.unpromised.len() as u64;
    phrases.extend(bad(
        unpromised,
        &format!("{unpromised} of {} not guaranteed", count(timed, "deadline")),
    ));
    let late =
        verdict.chains.iter().filter(|chain| chain.seen.is_some_and(|seen| seen.late > 0)).count()
            as u64;
    phrases.extend(bad(late, &format!("{} late", count(late, "chain"))));
    let open =
        verdict.chains.iter().filter(|chain| chain.is_limited() && !chain.is_guaranteed()).count()
            as u64;
    phrases.extend(bad(open, &format!("{} not guaranteed", count(open, "chain"))));
    phrases.push(bounds(facts, verdict));
    if phrases.iter().all(|phrase| phrase.mood != Mood::Bad) && !verdict.is_fine() {
        phrases.push(phrase(Mood::Bad, "not all is as it should be"));
    }
    if !verdict.stubs.is_empty() {
        let names: Vec<String> = verdict.stubs.iter().map(|name| format!("`{name}`")).collect();
        phrases.push(phrase(Mood::Plain, format!("stubs for {}", crate::text::list(&names))));
    }
    let word = Word { contradicted: &verdict.trusted, open: &verdict.open };
    phrases.extend(word.phrases());
    phrases
}

/// Returns `true` if no job of a task came to an end of any kind.
pub(super) fn is_silent(facts: &Facts<'_>, task: usize) -> bool {
    let seen = &facts.outcome.tasks[task];
    seen.jobs + seen.crashed == 0 && !goes_on(facts, task)
}

/// Returns `true` if a thread without a period has begun on a machine and not come back, or a
/// scheduler in the simulator: it may be meant so.
pub(super) fn goes_on(facts: &Facts<'_>, task: usize) -> bool {
    let (described, seen) = (&facts.system.tasks[task], &facts.outcome.tasks[task]);
    let decides = facts.system.scheduler(TaskId::from(task)).is_some();
    let may_go_on = facts.place != Place::Simulator || decides;
    described.release.is_none() && may_go_on && seen.unfinished > 0
}

fn deadlines(facts: &Facts<'_>, verdict: &Verdict) -> Option<Phrase> {
    if !verdict.timed {
        return None;
    }
    let misses = facts.outcome.misses();
    if misses > 0 {
        return Some(phrase(Mood::Bad, format!("{} missed", count(misses, "deadline"))));
    }
    match verdict.deadlines_held {
        Some(true) => Some(phrase(Mood::Good, "no deadline missed")),
        Some(false) => None,
        None if facts.system.tasks.iter().any(|task| task.deadline.is_some()) => {
            Some(phrase(Mood::Plain, "no deadline was put to the test"))
        }
        None => Some(phrase(Mood::Plain, "no deadlines")),
    }
}

fn bounds(facts: &Facts<'_>, verdict: &Verdict) -> Phrase {
    let pairs =
        || verdict.tasks.iter().zip(&facts.outcome.tasks).filter(|(task, _)| task.bound.is_some());
    let chains = verdict.chains.iter().filter(|chain| chain.exceeded()).count();
    let exceeded = (pairs().filter(|(task, _)| task.exceeded()).count() + chains) as u64;
    let (all, held) = (pairs().count(), pairs().filter(|(task, seen)| kept(task, seen)).count());
    match verdict.bounds_held {
        _ if !verdict.timed => phrase(Mood::Plain, "nothing said of deadlines and bounds"),
        _ if facts.analysis.is_none() => phrase(Mood::Plain, "no bounds without the description"),
        _ if all == 0 && exceeded == 0 => phrase(Mood::Plain, "no bounds"),
        _ if exceeded > 0 => phrase(Mood::Bad, format!("{} exceeded", count(exceeded, "bound"))),
        None => phrase(Mood::Plain, "no bound was put to the test"),
        Some(true) if held == all && verdict.unpromised.is_empty() => {
            phrase(Mood::Good, "every bound held")
        }
        Some(true) if held == all => {
            phrase(Mood::Plain, format!("{} held", count(held as u64, "bound")))
        }
        Some(true) => {
            phrase(Mood::Plain, format!("{held} of {all} bounds were put to the test, and held"))
        }
        Some(false) => phrase(Mood::Bad, format!("{held} of {all} bounds held")),
    }
}
