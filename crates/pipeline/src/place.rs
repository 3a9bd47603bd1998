//! The placement of tasks: tried, and judged by the analysis itself.
//!
//! The library's heuristics make the placements (packing by utilization, and resource-aware
//! after Lakshmanan, de Niz and Rajkumar 2009). They know tasks and what these share, and nothing
//! of blocking, waiting and the kernel's costs; so each placement is a changed description that
//! is checked and bounded like any other, with each protocol between cores where gates need one.
//! What holds, shares least between cores and leaves most slack is the answer.

mod candidate;

use fusee_diagnostics::{Code, Diagnostic, Severity, render};
use fusee_model::System;
use fusee_model::derived::Derived;
use serde_json::{Value, json};

use crate::complete::Completed;
use crate::load::{Loaded, wants_audsley};
use crate::packings::{self, Described};
use crate::priced::costs_of;
use crate::{analyze, progress, rules};
pub use candidate::Candidate;
use candidate::{Judge, Judged};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description, and with which costs it is analyzed.
    pub analysis: analyze::Asked,
    /// The number of cores.
    pub cores: u32,
}

/// The result of the search.
pub struct Placed {
    /// The description as it is.
    pub loaded: Loaded,
    /// The number of descriptions that were analyzed.
    pub tried: usize,
    /// The reasons for which others could not be analyzed, the most frequent first.
    pub refused: Vec<Refusal>,
    /// The best of them; `None`: there was none that passes the checks.
    pub best: Option<Candidate>,
    /// The messages for the user.
    pub diagnostics: Vec<Diagnostic>,
}

/// A reason for which the checks refuse placements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The code of the rule.
    pub code: Code,
    /// The message for the first of them.
    pub message: String,
    /// The number of descriptions that it refuses.
    pub count: usize,
}

/// Places the tasks of a description on so many cores.
///
/// # Errors
/// The description is wrong, on whichever cores its tasks are.
pub fn run(asked: &Asked) -> Result<Placed, Box<Loaded>> {
    let (Completed { loaded, proved, .. }, costs) = asked.analysis.ready()?;
    let (loaded, described, system) = on_one_core(loaded)?;
    let (table, derived) = (costs_of(&system, &costs, &proved), Derived::of(&system));
    let analysis = fusee_bounds::analyze(&system, &derived, &table);
    let judge = Judge {
        described: &described,
        system: &system,
        costs: &costs,
        proved: &proved,
        audsley: wants_audsley(&asked.analysis.source, &system),
        span: &|origin| loaded.origins.span(origin),
    };
    let one_core = Described { system: &system, derived: &derived, analysis: &analysis };
    let placements = packings::all(&one_core, asked.cores);
    let Judged { mut best, mut tried, refused } =
        progress::during("placing", || judge.best(&placements));
    if best.as_ref().is_none_or(|best| !best.analysis.is_schedulable())
        && let Some(decided) = progress::during("placing", || judge.decided(asked.cores))
    {
        (best, tried) = (Some(decided), tried + 1);
    }
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    if best.is_none() {
        let load = analysis.loads(&system).iter().map(|load| load.share).sum();
        diagnostics.push(nowhere(asked.cores, load));
    }
    Ok(Placed { loaded, tried, refused: counted(&refused), best, diagnostics })
}

/// Returns the system as described and with all tasks on core 0, if nothing is wrong with it there:
/// what is wrong only because of where its tasks are is what is to be changed.
fn on_one_core(mut loaded: Loaded) -> Result<(Loaded, System, System), Box<Loaded>> {
    let Some((described, _)) = loaded.system.clone() else { return Err(Box::new(loaded)) };
    let span = |origin| loaded.origins.span(origin);
    let of_places = fusee_check::check(&described, &span);
    let mut system = described.clone();
    packings::put(&mut system, |_| 0);
    packings::fit_protocols(&mut system, None);
    let of_itself = fusee_check::check(&system, &span);
    loaded.diagnostics.retain(|found| !of_places.contains(found));
    loaded.diagnostics.extend(of_itself);
    match loaded.diagnostics.iter().any(|found| found.severity == Severity::Error) {
        true => Err(Box::new(loaded)),
        false => Ok((loaded, described, system)),
    }
}

/// Returns the reasons, each once.
fn counted(refused: &[Diagnostic]) -> Vec<Refusal> {
    let mut reasons: Vec<Refusal> = Vec::new();
    for found in refused {
        match reasons.iter_mut().find(|reason| reason.code == found.code) {
            Some(reason) => reason.count += 1,
            None => {
                let (code, message) = (found.code, found.message.clone());
                reasons.push(Refusal { code, message, count: 1 });
            }
        }
    }
    reasons.sort_by_key(|reason| (std::cmp::Reverse(reason.count), reason.code));
    reasons
}

/// No placement passes the checks.
fn nowhere(cores: u32, load: f64) -> Diagnostic {
    let message = format!("no placement on {cores} cores was found");
    let needs = format!("the tasks need {:.1} % of one core together", load * 100.0);
    let note = if load > f64::from(cores) {
        format!("take {} cores or more, or shorten execution times", load.ceil())
    } else {
        "tasks that signal each other stay together; take more cores, or divide the largest tasks"
            .to_owned()
    };
    Diagnostic::error(rules::NO_PLACEMENT, message).with_note(needs).with_note(note)
}

impl Placed {
    /// Returns `true` if every deadline holds with the answer.
    pub fn holds(&self) -> bool {
        self.best.as_ref().is_some_and(|best| best.analysis.is_schedulable())
    }

    /// Returns the answer for programs.
    pub fn json(&self, asked: &Asked) -> Value {
        let of_none = json!({ "system": null, "schedulable": false, "tasks": [] });
        let mut value = self.best.as_ref().map_or(of_none, Candidate::json);
        value["cores"] = asked.cores.into();
        value["tried"] = self.tried.into();
        let reason =
            |r: &Refusal| json!({ "code": r.code.0, "message": r.message, "count": r.count });
        value["refused"] = self.refused.iter().map(reason).collect();
        value["diagnostics"] = render::json(&self.diagnostics, &self.loaded.sources);
        value
    }
}
