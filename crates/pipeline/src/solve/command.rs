//! The searches one after the other, and the answer that they lead to.

use std::cell::Cell;

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::{PrioritySource, System};

use super::answer::{Answer, Asked, Prefer, Solved};
use super::back;
use super::class::Class;
use super::conflict::{Conflict, Refuted};
use super::decide::{Decider, Verdict};
use super::freedom::Freedom;
use super::judge::Judged;
use super::known::Known;
use super::nearest::Nearest;
use super::packed::Packing;
use super::refusal::{self, Refusal};
use super::said;
use super::setting::Choice;
use super::suspending::decided;
use super::written;
use crate::complete::Completed;
use crate::load::{Loaded, Surroundings, wants_audsley};
use crate::progress;

/// Looks for a choice under which every deadline and chain of a description holds.
///
/// # Errors
/// The description is wrong whatever is chosen, or a name is of nothing that can be chosen.
pub fn run(asked: &Asked) -> Result<Solved, Box<Loaded>> {
    let (Completed { mut loaded, proved, .. }, costs) = asked.analysis.ready()?;
    let Some((described, _)) = loaded.system.clone() else { return Err(Box::new(loaded)) };
    if is_wrong_anyhow(&loaded, &described) {
        return Err(Box::new(loaded));
    }
    let least = described.cores();
    let cores = asked.cores.unwrap_or(least);
    if cores < least {
        loaded.diagnostics = vec![said::too_few_cores(cores, least)];
        return Err(Box::new(loaded));
    }
    let freedom = match Freedom::of(&described, cores, &asked.names) {
        Ok(freedom) => freedom,
        Err(wrong) => {
            loaded.diagnostics = vec![*wrong];
            return Err(Box::new(loaded));
        }
    };
    let system = as_read(described);
    let known = Known {
        system: &system,
        costs: &costs,
        proved: &proved,
        audsley: wants_audsley(&asked.analysis.source, &system),
        loaded: &loaded,
        cores,
        effort: asked.effort,
        spent: Cell::new(0),
    };
    let outcome = progress::during("solving", || known.outcome(&freedom, asked.prefer));
    let widened = match &outcome {
        Outcome::Found(_) => None,
        _ => progress::during("solving with more choices", || {
            known.widened(&freedom, &asked.names.keep)
        }),
    };
    let free = freedom.kinds();
    let around = Surroundings::of(&asked.analysis.source);
    let (answer, mut diagnostics) = match outcome {
        Outcome::Found(found) => {
            let writer = written::Writer { asked: &asked.analysis, around: &around, known: &known };
            writer.answer(*found)
        }
        Outcome::None(class) => {
            (Answer::Contradiction(known.conflict(&freedom, &class)), Vec::new())
        }
        Outcome::Refused(refusal) => (Answer::Refused(refusal), Vec::new()),
        Outcome::Unknown(why) => (Answer::NotFound(why), Vec::new()),
    };
    let analyses = known.spent.get();
    let none = said::none(&known, &answer, widened.as_ref(), &free);
    diagnostics.extend(none);
    Ok(Solved { loaded, answer, free, cores, analyses, diagnostics })
}

/// Returns `true` if something is wrong with a description that no choice mends.
fn is_wrong_anyhow(loaded: &Loaded, described: &System) -> bool {
    let span = |origin| loaded.origins.span(origin);
    let of_choices = fusee_check::check(described, &span);
    let mut errors = loaded.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.any(|found| !of_choices.contains(found) || !is_mended_by_choice(found))
}

/// Returns `true` if a check is about cores, protocols, priorities and budgets.
fn is_mended_by_choice(found: &Diagnostic) -> bool {
    !crate::load::WITHOUT_WCET.contains(&found.code)
}

/// Returns a system in which priorities that its description leaves out are left out again.
fn as_read(mut system: System) -> System {
    for task in &mut system.tasks {
        if task.priority_source == PrioritySource::Audsley {
            task.priority_source = PrioritySource::DeadlineMonotonic;
        }
    }
    // It was possible when the description was read.
    let _ = fusee_model::priorities::assign_deadline_monotonic(&mut system);
    system
}

/// The outcome of the searches.
enum Outcome {
    Found(Box<Judged>),
    None(Class),
    Refused(Refusal),
    Unknown(&'static str),
}

impl Known<'_> {
    /// Searches with these choices.
    fn outcome(&self, freedom: &Freedom, prefer: Prefer) -> Outcome {
        let start = self.searching(|judge| {
            let start = judge.judge(Choice::default())?;
            let holds = judge.accepts(&start);
            Some((start, holds))
        });
        let Some((start, holds)) = start else {
            return Outcome::Unknown("the search came to its end");
        };
        if holds {
            return Outcome::Found(Box::new(self.preferred(freedom, prefer, start)));
        }
        if let Some(refusal) = refusal::quick(self.system, &start.analysis, self.cores) {
            return Outcome::Refused(refusal);
        }
        let class = Class::of(self.system, &start.analysis, freedom, self.cores);
        let verdict = self.searching(|judge| {
            let required = self.system.tasks.iter().map(|task| task.release.is_some()).collect();
            let cores = self.cores;
            decided(&Decider { judge, freedom, required, cores, class: &class })
        });
        let (scratch, why) = match verdict {
            Verdict::None => return Outcome::None(class),
            Verdict::Found(choice) => {
                let scratch = self.searching(|judge| judge.judge(choice));
                (scratch, "chains are sums of bounds, of which some orders were tried")
            }
            Verdict::Unknown(why) => (None, why),
        };
        match self.best(freedom, start, scratch) {
            Some(best) => Outcome::Found(Box::new(self.preferred(freedom, prefer, best))),
            None => Outcome::Unknown(why),
        }
    }

    /// Returns the choice with the fewest values of what the searches find.
    fn best(&self, freedom: &Freedom, start: Judged, scratch: Option<Judged>) -> Option<Judged> {
        let cores = self.cores;
        let near =
            |from: Judged| self.searching(|judge| Nearest { judge, freedom, cores }.search(from));
        let accepted = |one: &Judged| self.searching(|judge| judge.accepts(one));
        let nearest = near(start);
        let scratch = match scratch {
            Some(scratch) if accepted(&scratch) => Some(scratch),
            // Its deadlines hold: chains may with some more changes.
            Some(scratch) if nearest.is_none() => near(scratch),
            None if nearest.is_none() => {
                let required: Vec<bool> =
                    self.system.tasks.iter().map(|task| task.release.is_some()).collect();
                self.searching(|judge| Packing::new(judge, freedom, cores, &required).search())
            }
            _ => None,
        };
        let all = [nearest, scratch].into_iter().flatten();
        let least = all.map(|one| self.searching(|judge| back::taken_back(judge, one)));
        least.min_by_key(|one| (one.choice.settings().len(), -one.least_slack()))
    }

    /// Returns the choice that is preferred to this one.
    fn preferred(&self, freedom: &Freedom, prefer: Prefer, best: Judged) -> Judged {
        let cores = self.cores;
        match prefer {
            Prefer::Edits => best,
            Prefer::Slack => {
                self.searching(|judge| Nearest { judge, freedom, cores }.slackest(best))
            }
        }
    }

    fn conflict(&self, freedom: &Freedom, class: &Class) -> Conflict {
        let cores = self.cores;
        self.searching(|judge| Refuted { judge, freedom, cores, class }.conflict())
    }

    /// Returns a choice in which also values change that the description gives, if there are such
    /// and one is found.
    fn widened(&self, freedom: &Freedom, keep: &[String]) -> Option<Judged> {
        let wide = Freedom::widest(self.system, self.cores, keep);
        if wide.all().all(|subject| freedom.has(subject)) {
            return None;
        }
        match self.outcome(&wide, Prefer::Edits) {
            Outcome::Found(found) => Some(*found),
            _ => None,
        }
    }
}
