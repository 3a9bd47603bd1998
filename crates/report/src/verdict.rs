//! The verdict on a run, once for all that show it.
//!
//! A verdict is about what ran. Console, JSON and page are made from one [`Verdict`],
//! so that none of them can be silent about what another one tells. Whatever went
//! wrong is a *finding*: a message of its own, and the run is fine only if there is
//! none but notes. That a run shows nothing bad is not enough for that: a task without
//! a complete job, a job that crashed before its end, a call that was refused keep
//! every deadline, because what should have taken time did not happen. So nothing is
//! said to hold of which nothing ran.

mod assumptions;
mod chain_rules;
mod chains;
mod findings;
mod phrase;
pub(crate) mod rules;
mod sentence;
#[cfg(test)]
mod tests;
mod word;

use fusee_bounds::{Analysis, TaskBound};
use fusee_diagnostics::{Diagnostic, Severity, Span};
use fusee_model::{Duration, Origin, System};
use fusee_sim::{Outcome, TaskOutcome};

pub use chains::{ChainPart, ChainSeen, ChainVerdict};
pub use phrase::{Mood, Phrase};
pub use word::Word;

/// The place where a run was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// In the simulator: bodies are those of the description.
    Simulator,
    /// On a machine with this name.
    Machine(&'a str),
    /// On several cores of a machine with this name, which take turns: its times say nothing.
    InTurns(&'a str),
}

impl Place<'_> {
    /// Returns `true` if times there say something.
    fn is_timed(self) -> bool {
        !matches!(self, Place::InTurns(_))
    }
}

/// The known facts about a run.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The system in question.
    pub system: &'a System,
    /// The promised bounds, if there is a description.
    pub analysis: Option<&'a Analysis>,
    /// The counts of the run.
    pub outcome: &'a Outcome,
    /// The place where it was made.
    pub place: Place<'a>,
    /// The findings that only the machine can tell: faults, refused calls, consoles that were too
    /// small.
    pub told: &'a [Diagnostic],
    /// Faults, also those before the system's start.
    pub faults: u64,
    /// Components that ran as their description says, without code of their own.
    pub stubs: &'a [String],
    /// The written times and calls that no program confirms.
    pub word: Word<'a>,
    /// The places behind the model's origins.
    pub span: &'a dyn Fn(Origin) -> Option<Span>,
}

/// The verdict on a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// In a line, phrase by phrase.
    pub phrases: Vec<Phrase>,
    /// The length of the run, and the place where it was made.
    pub closing: String,
    /// `true` if the run's times say something, so that it is held against deadlines and bounds.
    pub timed: bool,
    /// Task by task, in the system's order.
    pub tasks: Vec<TaskVerdict>,
    /// Chain by chain, in the system's order.
    pub chains: Vec<ChainVerdict>,
    /// Everything that went wrong, and notes.
    pub findings: Vec<Diagnostic>,
    /// `true` if every deadline was met; `None`: no job had one.
    pub deadlines_held: Option<bool>,
    /// `true` if every bound held; `None`: there is none, or no job was compared with one.
    pub bounds_held: Option<bool>,
    /// Faults, also those before the system's start.
    pub faults: u64,
    /// Calls that were answered with an error.
    pub refused: u64,
    /// Jobs that were released and not complete at the end.
    pub unfinished: u64,
    /// Components that ran without code of their own.
    pub stubs: Vec<String>,
    /// Tasks and methods whose written times or calls their programs contradict.
    pub trusted: Vec<String>,
    /// Tasks and methods whose written times or calls could not be compared with their programs.
    pub open: Vec<String>,
    /// Tasks with a deadline that no bound promises, by position: whatever the run shows, another
    /// one may be late.
    pub unpromised: Vec<usize>,
}

/// The verdict of a run on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskVerdict {
    /// The bounds that are promised.
    pub bound: Option<Duration>,
    /// The longest time that a job is known to have taken, complete or not.
    pub longest: Option<Duration>,
    /// In two words.
    pub word: &'static str,
    /// The mood of the words: good, bad, or neither.
    pub mood: Mood,
}

impl TaskVerdict {
    /// Returns `true` if a job took longer than what is promised.
    pub fn exceeded(&self) -> bool {
        matches!((self.bound, self.longest), (Some(bound), Some(longest)) if longest > bound)
    }
}

impl Verdict {
    /// Judges a run. One without times is judged as if there were neither deadlines nor bounds.
    pub fn of(facts: &Facts<'_>) -> Verdict {
        if !facts.place.is_timed() {
            let outcome = facts.outcome.clone().without_times();
            return Verdict::judged(&Facts { analysis: None, outcome: &outcome, ..*facts });
        }
        Verdict::judged(facts)
    }

    fn judged(facts: &Facts<'_>) -> Verdict {
        let pairs = facts.system.tasks.iter().zip(&facts.outcome.tasks).enumerate();
        let tasks: Vec<TaskVerdict> =
            pairs.map(|(index, (_, seen))| judge(facts, index, seen)).collect();
        let unpromised = unpromised(facts);
        let chains = chains::judge(facts);
        let mut findings = findings::all(facts, &tasks, &unpromised);
        findings.extend(chains::findings(facts, &chains));
        let mut verdict = Verdict {
            phrases: Vec::new(),
            closing: closing(facts),
            timed: facts.place.is_timed(),
            deadlines_held: if chains.iter().any(is_late) {
                Some(false)
            } else {
                deadlines_held(facts)
            },
            bounds_held: if chains.iter().any(ChainVerdict::exceeded) {
                Some(false)
            } else {
                bounds_held(facts, &tasks)
            },
            faults: facts.faults,
            refused: facts.outcome.refused,
            unfinished: facts.outcome.unfinished(),
            stubs: facts.stubs.to_vec(),
            trusted: facts.word.contradicted.to_vec(),
            open: facts.word.open.to_vec(),
            findings,
            tasks,
            chains,
            unpromised,
        };
        verdict.phrases = sentence::phrases(facts, &verdict);
        verdict
    }

    /// Returns `true` if nothing went wrong.
    pub fn is_fine(&self) -> bool {
        self.findings.iter().all(|finding| finding.severity == Severity::Note)
    }

    /// Returns the verdict in a line, for paper.
    pub fn line(&self) -> String {
        let phrases: Vec<&str> = self.phrases.iter().map(|phrase| phrase.text.as_str()).collect();
        format!("{} {}", phrases.join(", "), self.closing)
    }
}

/// Returns `true` if a chain took longer than it is allowed.
fn is_late(chain: &ChainVerdict) -> bool {
    chain.seen.is_some_and(|seen| seen.late > 0)
}

fn closing(facts: &Facts<'_>) -> String {
    match facts.place {
        Place::Simulator => format!("in {} of simulated time", facts.outcome.elapsed),
        Place::Machine(name) | Place::InTurns(name) => {
            format!("in {} on {name}", facts.outcome.elapsed)
        }
    }
}

/// Returns the tasks with a deadline that is not guaranteed. An image alone promises nothing, and
/// breaks no promise.
fn unpromised(facts: &Facts<'_>) -> Vec<usize> {
    let analysed = facts.analysis.into_iter().flat_map(|analysis| &analysis.tasks);
    analysed.filter(|task| !task.is_schedulable()).map(|task| task.task.index()).collect()
}

fn judge(facts: &Facts<'_>, index: usize, seen: &TaskOutcome) -> TaskVerdict {
    let promised = facts
        .analysis
        .and_then(|analysis| analysis.tasks.get(index))
        .is_none_or(TaskBound::is_schedulable);
    let bound = facts.analysis.and_then(|analysis| analysis.tasks.get(index)?.response());
    let timed = facts.place.is_timed();
    let known = timed && (seen.jobs > 0 || seen.unfinished > 0);
    let longest = known.then(|| seen.latest());
    let mut verdict = TaskVerdict { bound, longest, word: "met", mood: Mood::Good };
    (verdict.word, verdict.mood) = match seen {
        _ if verdict.exceeded() => ("above its bound", Mood::Bad),
        seen if seen.crashed > 0 => ("crashed", Mood::Bad),
        seen if seen.misses > 0 => ("missed", Mood::Bad),
        seen if seen.refused > 0 => ("calls refused", Mood::Bad),
        seen if seen.faults > 0 => ("faulted", Mood::Bad),
        seen if seen.released == 0 => ("never released", Mood::Bad),
        seen if seen.jobs == 0 => ("no job completed", Mood::Plain),
        _ if !timed => ("ran", Mood::Plain),
        _ if facts.system.tasks[index].deadline.is_none() => ("ended", Mood::Plain),
        _ if bound.is_none() && !promised => ("met, no bound", Mood::Plain),
        _ if !promised => ("met, not guaranteed", Mood::Plain),
        _ => ("met", Mood::Good),
    };
    verdict
}

/// Returns whether every deadline was met by a complete job; `None`: no job of a task with a
/// deadline came to its end.
fn deadlines_held(facts: &Facts<'_>) -> Option<bool> {
    if !facts.place.is_timed() {
        return None;
    }
    let tasks = facts.system.tasks.iter().zip(&facts.outcome.tasks);
    let timed: Vec<&TaskOutcome> =
        tasks.filter(|(task, _)| task.deadline.is_some()).map(|(_, seen)| seen).collect();
    let broken = |seen: &&TaskOutcome| seen.misses + seen.crashed + seen.lost > 0;
    if timed.iter().any(broken) {
        return Some(false);
    }
    timed.iter().any(|seen| seen.jobs > 0).then_some(true)
}

/// Returns whether every job that a bound speaks of kept it; a crashed job did not come as far as
/// that.
fn bounds_held(facts: &Facts<'_>, tasks: &[TaskVerdict]) -> Option<bool> {
    let bounded: Vec<_> =
        tasks.iter().zip(&facts.outcome.tasks).filter(|(task, _)| task.bound.is_some()).collect();
    if bounded.iter().any(|(task, seen)| task.exceeded() || seen.crashed + seen.lost > 0) {
        return Some(false);
    }
    bounded.iter().any(|(task, seen)| kept(task, seen)).then_some(true)
}

/// Returns `true` if a task's bound was put to the test, and held: by jobs that did all that the
/// description says.
fn kept(task: &TaskVerdict, seen: &TaskOutcome) -> bool {
    !task.exceeded() && seen.jobs > 0 && seen.crashed + seen.lost + seen.refused == 0
}
