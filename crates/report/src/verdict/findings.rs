//! The findings of a run that deserve a message, task by task.

use fusee_diagnostics::{Code, Diagnostic, Severity};
use fusee_model::{Duration, InterfaceKind, LockComponent, ReleaseKind, System, Task};
use fusee_sim::TaskOutcome;

use super::sentence::{goes_on, is_silent};
use super::{Facts, Place, TaskVerdict, assumptions, rules};
use crate::text::count;

/// Everything that is to be said about a run.
pub(super) fn all(
    facts: &Facts<'_>,
    verdicts: &[TaskVerdict],
    unpromised: &[usize],
) -> Vec<Diagnostic> {
    let mut findings = facts.told.to_vec();
    findings.extend(assumptions::broken(facts, verdicts));
    let one = |(index, verdict): (usize, &TaskVerdict)| {
        let (task, seen) = (&facts.system.tasks[index], &facts.outcome.tasks[index]);
        let of = Of { facts, index, task, seen, verdict };
        [
            of.crashed(),
            of.silent(),
            of.missed(),
            of.lost(),
            of.missing(),
            of.endless(),
            of.exceeded(),
            of.refused(),
        ]
    };
    findings.extend(verdicts.iter().enumerate().flat_map(one).flatten());
    findings.extend(not_entered(facts));
    findings.extend(not_promised(facts, verdicts, unpromised));
    findings.extend(stubs(facts));
    findings.extend(in_turns(facts));
    findings
}

/// Cores that are not parallel.
fn in_turns(facts: &Facts<'_>) -> Option<Diagnostic> {
    let Place::InTurns(name) = facts.place else { return None };
    let text = format!(
        "the cores of {name} run one after the other: what ran is shown, and nothing is said of \
         deadlines and bounds"
    );
    let message = Diagnostic::note(rules::CORES_TAKE_TURNS.code, text);
    Some(message.with_note("`fusee simulate` runs them at the same time"))
}

/// Deadlines that no bound promises, whatever the run has shown of them.
fn not_promised(
    facts: &Facts<'_>,
    verdicts: &[TaskVerdict],
    unpromised: &[usize],
) -> Option<Diagnostic> {
    let all = facts.system.tasks.iter().filter(|task| task.deadline.is_some()).count() as u64;
    let verb = if unpromised.len() == 1 { "is" } else { "are" };
    let text = format!("{} of {} {verb} not guaranteed", unpromised.len(), count(all, "deadline"));
    let mut message = Diagnostic::warning(rules::NOT_PROMISED.code, text);
    for &index in unpromised {
        let task = &facts.system.tasks[index];
        let deadline = task.deadline.map_or(Duration::ZERO, |deadline| deadline.value);
        let text = match verdicts[index].bound {
            None => format!("`{}` has no bound", task.name),
            Some(bound) => format!("`{}` may take {bound}, its deadline is {deadline}", task.name),
        };
        message = match (facts.span)(task.origin) {
            Some(place) if message.labels.is_empty() => message.at(place, text),
            Some(place) => message.because(place, text),
            None => message.with_note(text),
        };
    }
    message = message.with_note("what is met in one run can be missed in another");
    (!unpromised.is_empty())
        .then(|| message.with_note("`fusee analyze` says why, and looks for a repair"))
}

/// A task with what a run showed of it.
struct Of<'a> {
    facts: &'a Facts<'a>,
    index: usize,
    task: &'a Task,
    seen: &'a TaskOutcome,
    verdict: &'a TaskVerdict,
}

impl Of<'_> {
    fn simulated(&self) -> bool {
        self.facts.place == Place::Simulator
    }

    /// Half a sentence about where it was seen.
    fn where_(&self) -> &'static str {
        if self.simulated() { "in the simulated run" } else { "in the run" }
    }

    /// Returns a message that points at the task.
    fn message(&self, code: Code, severity: Severity, text: String) -> Diagnostic {
        let message = Diagnostic::new(code, severity, text);
        match (self.facts.span)(self.task.origin) {
            Some(place) => message.at(place, "this task"),
            None => message,
        }
    }

    fn warning(&self, code: Code, text: String) -> Diagnostic {
        self.message(code, Severity::Warning, text)
    }

    fn crashed(&self) -> Option<Diagnostic> {
        let (name, crashed) = (&self.task.name, self.seen.crashed);
        let all = self.seen.jobs + crashed;
        let text = format!("{crashed} of {} of task `{name}` crashed", count(all, "job"));
        (crashed > 0).then(|| {
            self.warning(rules::JOB_CRASHED.code, text).with_note(
                "a job that crashes meets no deadline and keeps no bound: it never completes",
            )
        })
    }

    /// No job came to its end, and nothing else says so.
    fn silent(&self) -> Option<Diagnostic> {
        let (seen, name, code) = (self.seen, &self.task.name, rules::NOTHING_COMPLETE.code);
        if goes_on(self.facts, self.index) {
            let text = format!(
                "`{name}` has not ended: its thread, which has no period, was still under way"
            );
            return Some(self.message(rules::STILL_RUNNING.code, Severity::Note, text));
        }
        if !is_silent(self.facts, self.index) || seen.misses > 0 {
            return None;
        }
        if seen.released == 0 {
            return Some(self.never_released());
        }
        let since = Duration(self.facts.outcome.elapsed.ns().min(seen.oldest.ns()));
        let text = format!("no job of task `{name}` was complete when the run ended");
        Some(
            self.warning(code, text)
                .with_note(format!("its first job had been under way for {since}"))
                .with_note("run for a longer time (`--for`)"),
        )
    }

    fn never_released(&self) -> Diagnostic {
        let text = format!("task `{}` never ran: no job of it was released", self.task.name);
        let message = self.warning(rules::NEVER_RELEASED.code, text);
        let elapsed = self.facts.outcome.elapsed;
        match &self.task.release {
            Some(release) if matches!(release.kind, ReleaseKind::Notification(_)) => {
                message.with_note("the event that releases it did not come")
            }
            Some(release) => message.with_note(format!(
                "its first job is due {} after the start, and the run took {elapsed}: run for a \
                 longer time (`--for`)",
                release.offset
            )),
            None => message,
        }
    }

    fn missed(&self) -> Option<Diagnostic> {
        let seen = self.seen;
        if seen.misses == 0 {
            return None;
        }
        let code = if self.simulated() {
            fusee_sim::DEADLINE_MISSED.code
        } else {
            rules::DEADLINE_MISSED.code
        };
        let times = count(seen.misses, "deadline");
        let text = format!("task `{}` missed {times} {}", self.task.name, self.where_());
        let mut message = Diagnostic::warning(code, text);
        let deadline =
            self.task.deadline.or(self.task.release.as_ref().map(|release| release.period));
        let span = self.facts.span;
        let place = deadline.and_then(|d| span(d.origin)).or_else(|| span(self.task.origin));
        if let (Some(place), Some(deadline)) = (place, deadline) {
            message = message.at(place, format!("{} after its arrival", deadline.value));
        }
        let late = deadline.is_some_and(|deadline| seen.responses.longest > deadline.value);
        if let Some((arrival, _)) = seen.responses.worst.filter(|_| late) {
            let took = seen.responses.longest;
            message = message.with_note(format!(
                "its longest response took {took}, from its arrival at {arrival}"
            ));
        }
        Some(message)
    }

    fn lost(&self) -> Option<Diagnostic> {
        let times = count(self.seen.lost, "release");
        let text = format!(
            "the kernel dropped {times} of task `{}`: it has fallen too far behind",
            self.task.name
        );
        (self.seen.lost > 0).then(|| self.warning(fusee_sim::RELEASE_LOST.code, text))
    }

    /// Releases of a machine's timer that are not in the records.
    fn missing(&self) -> Option<Diagnostic> {
        let release =
            self.task.release.as_ref().filter(|release| release.kind == ReleaseKind::Periodic)?;
        // A core that has no turn for long loses releases.
        if self.simulated() || !self.facts.place.is_timed() || self.seen.released == 0 {
            return None;
        }
        let rest = self.facts.outcome.elapsed.ns().checked_sub(release.offset.ns())?;
        // A release at the last instant may be one or none.
        let due = rest.saturating_sub(1) / release.period.value.ns().max(1) + u64::from(rest > 0);
        let text = format!(
            "task `{}` was released {} times, and should have been {due} times",
            self.task.name, self.seen.released
        );
        (self.seen.released < due).then(|| self.warning(rules::RELEASES_MISSING.code, text))
    }

    /// Returns a job without a deadline that is older than its period.
    fn endless(&self) -> Option<Diagnostic> {
        let release = self.task.release.as_ref().filter(|_| self.task.deadline.is_none())?;
        let text = format!(
            "a job of task `{}` has not ended: it had been under way for {} when the run ended",
            self.task.name, self.seen.oldest
        );
        (self.seen.oldest > release.period.value)
            .then(|| self.warning(rules::NEVER_ENDED.code, text))
    }

    fn exceeded(&self) -> Option<Diagnostic> {
        let (bound, longest) = (self.verdict.bound?, self.verdict.longest?);
        if !self.verdict.exceeded() {
            return None;
        }
        let text = format!("task `{}` took {longest}, and its bound is {bound}", self.task.name);
        let message = self.message(rules::BOUND_EXCEEDED.code, Severity::Error, text);
        if self.simulated() {
            return Some(
                message
                    .with_note("this is a defect of Fusee, please report it with the description"),
            );
        }
        let reasons = assumptions::reasons(self.facts, self.index);
        if reasons.is_empty() {
            return Some(message.with_note(
                "nothing that the run shows contradicts what the description states: please report \
                 it with the description and the code",
            ));
        }
        Some(reasons.into_iter().fold(message, Diagnostic::with_note))
    }

    /// On a machine, the components whose calls were refused say where themselves.
    fn refused(&self) -> Option<Diagnostic> {
        let calls = count(self.seen.refused, "call");
        let text = format!("the kernel refused {calls} of task `{}`", self.task.name);
        (self.seen.refused > 0 && self.simulated()).then(|| {
            self.warning(fusee_sim::CALL_REFUSED.code, text)
                .with_note("what was refused did not happen, so response times say little")
        })
    }
}

/// Components that tasks invoke by their description and that no task has entered. Only a simulated
/// run tells. Who has an optimistic lock is asked only by those who find it taken.
fn not_entered(facts: &Facts<'_>) -> Vec<Diagnostic> {
    let system = facts.system;
    if facts.place != Place::Simulator || facts.outcome.gates.len() != system.gates.len() {
        return Vec::new();
    }
    let invoked = invoked(system);
    let silent = |index: &usize| {
        let component = &system.components[*index];
        let gates: Vec<usize> = component.interfaces.iter().filter_map(gate).collect();
        let has_task = system.tasks.iter().any(|task| task.component.index() == *index);
        let direct = gates.iter().any(|&gate| system.gates[gate].direct);
        !has_task
            && !direct
            && component.lock_component != Some(LockComponent::Optimistic)
            && gates.iter().any(|&gate| invoked[gate])
            && gates.iter().all(|&gate| facts.outcome.gates[gate].invocations == 0)
    };
    let message = |index: usize| {
        let component = &system.components[index];
        let text = format!("component `{}` never ran: no call came to it", component.name);
        let message = Diagnostic::warning(rules::NOT_ENTERED.code, text);
        match (facts.span)(component.origin) {
            Some(place) => message.at(place, "this component"),
            None => message,
        }
    };
    (0..system.components.len()).filter(silent).map(message).collect()
}

fn gate(interface: &fusee_model::Interface) -> Option<usize> {
    match interface.kind {
        InterfaceKind::Provides(gate) => Some(gate.index()),
        _ => None,
    }
}

/// Returns for each gate if some body invokes it.
fn invoked(system: &System) -> Vec<bool> {
    let methods = system.gates.iter().flat_map(|gate| &gate.methods).map(|method| &method.body);
    let mut invoked = vec![false; system.gates.len()];
    for step in
        system.tasks.iter().map(|task| &task.body).chain(methods).flat_map(|body| &body.steps)
    {
        if let fusee_model::Step::Invoke { gate, .. } = step {
            invoked[gate.index()] = true;
        }
    }
    invoked
}

fn stubs(facts: &Facts<'_>) -> Option<Diagnostic> {
    if facts.stubs.is_empty() {
        return None;
    }
    let names: Vec<String> = facts.stubs.iter().map(|name| format!("`{name}`")).collect();
    let verb = if names.len() == 1 { "is a stub" } else { "are stubs" };
    let text = format!(
        "{} {verb}: what ran there is the description, and no code",
        crate::text::list(&names)
    );
    Some(Diagnostic::note(rules::STUBS.code, text))
}
