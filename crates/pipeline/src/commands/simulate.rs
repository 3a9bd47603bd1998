//! From a description to a simulated run, and the files about it.

use std::path::PathBuf;

use fusee_diagnostics::{Diagnostic, render};
use fusee_model::System;
use fusee_report::verdict::Verdict;
use fusee_sim::{Outcome, SimError};
use serde_json::{Value, json};

use crate::analyze::{self, Promised};
use crate::load::Loaded;
use crate::problem::status_of_build;
use crate::simulate::{Run, Simulated, run as simulated};
use crate::status::Status;
use crate::{estimate, progress, verdict};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description and what is promised of it.
    pub analysis: analyze::Asked,
    /// The options of the run.
    pub run: Run,
    /// The file for a trace for Perfetto.
    pub trace: Option<PathBuf>,
    /// The file for a page.
    pub report: Option<PathBuf>,
}

/// A run with all about it.
pub struct Shown {
    /// The promised bounds.
    pub promised: Promised,
    /// The outcome that was seen.
    pub simulated: Simulated,
    /// The verdict on it.
    pub verdict: Verdict,
    /// Files to be written.
    pub products: Vec<(PathBuf, Vec<u8>)>,
    /// `true` if the trace shows all of the run.
    pub trace_is_whole: bool,
}

/// The reason for which there is no run.
pub struct NotSimulated {
    /// The rest of the description.
    pub loaded: Loaded,
    /// The status with which the command ends.
    pub status: Status,
}

/// Analyses a description, runs it, and makes the files about it.
///
/// # Errors
/// It can't be analyzed or simulated.
pub fn simulate(asked: &Asked) -> Result<Shown, Box<NotSimulated>> {
    let unusable = |loaded: Box<Loaded>| {
        let status = status_of_build(&loaded.diagnostics);
        NotSimulated { loaded: *loaded, status }
    };
    let promised = analyze::run(&asked.analysis).map_err(unusable)?;
    estimate::simulation(&promised.system, asked.run.duration)
        .into_iter()
        .for_each(|text| progress::remark(&text));
    match shown(asked, &promised) {
        Ok((simulated, verdict, products, trace_is_whole)) => {
            Ok(Shown { promised, simulated, verdict, products, trace_is_whole })
        }
        Err(error) => {
            let diagnostic = promised.subject().diagnostic(&error);
            let mut loaded = promised.loaded;
            loaded.diagnostics.push(diagnostic);
            let status = if matches!(error, SimError::Refused { .. }) {
                Status::ToolFailed
            } else {
                Status::BadInput
            };
            Err(Box::new(NotSimulated { loaded, status }))
        }
    }
}

type Made = (Simulated, Verdict, Vec<(PathBuf, Vec<u8>)>, bool);

fn shown(asked: &Asked, promised: &Promised) -> Result<Made, SimError> {
    let subject = promised.subject();
    let simulated = simulated(&promised.system, &asked.run, &promised.costs)?;
    let (mut products, mut trace_is_whole) = (Vec::new(), true);
    if let Some(path) = &asked.trace {
        let (bytes, whole) = simulated.trace(&promised.system)?;
        (products, trace_is_whole) = (vec![(path.clone(), bytes)], whole);
    }
    if let Some(path) = &asked.report {
        products.push((path.clone(), simulated.page(&subject)?.into_bytes()));
    }
    let verdict = simulated.verdict(&subject);
    Ok((simulated, verdict, products, trace_is_whole))
}

impl Shown {
    /// Returns the run for programs.
    pub fn json(&self) -> Value {
        let (promised, verdict) = (&self.promised, &self.verdict);
        let mut value = json(&promised.system, verdict, &self.simulated.outcome);
        value["how"] = self.simulated.how().into();
        value["origins"] = promised.origins();
        value["files"] = self.products.iter().map(|(path, _)| path.display().to_string()).collect();
        let diagnostics = [promised.analysed.diagnostics.as_slice(), &verdict.findings].concat();
        value["diagnostics"] = render::json(&diagnostics, &promised.loaded.sources);
        value
    }

    /// Returns the messages about the description and the run.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        [self.promised.loaded.diagnostics.as_slice(), &self.verdict.findings].concat()
    }
}

/// Returns the results of a simulated run, for programs.
pub fn json(system: &System, verdict: &Verdict, outcome: &Outcome) -> Value {
    let tasks = system.tasks.iter().zip(&verdict.tasks).zip(&outcome.tasks);
    let tasks = tasks.map(|((task, judged), seen)| {
        let mut value = json!({
            "name": task.name,
            "core": task.core,
            "jobs": seen.jobs,
            "misses": seen.misses,
            "response_max_ns": (seen.jobs > 0).then_some(seen.responses.longest.ns()),
            "response_mean_ns": seen.response_mean().map(|mean| mean.ns()),
            "response_bound_ns": judged.bound.map(|bound| bound.ns()),
            "deadline_ns": task.deadline.map(|deadline| deadline.value.ns()),
            "blocking_max_ns": seen.blocking_max.ns(),
            "preemptions": seen.preemptions,
            "budget_overruns": seen.overruns,
        });
        verdict::describe_task(seen, &mut value);
        value
    });
    let gates = system.gates.iter().zip(&outcome.gates).map(|(gate, seen)| {
        json!({
            "name": gate.name,
            "invocations": seen.invocations,
            "contended": seen.contended,
            "longest_wait_ns": seen.longest_wait.ns(),
        })
    });
    let exceeded = system.tasks.iter().zip(&verdict.tasks).filter(|(_, judged)| judged.exceeded());
    let mut value = json!({
        "system": system.name,
        "tasks": tasks.collect::<Vec<_>>(),
        "gates": gates.collect::<Vec<_>>(),
        "cores": outcome.cores,
        "events": outcome.events,
        "virtual_ns": outcome.elapsed.ns(),
        "busy_ns": outcome.busy.ns(),
        "kernel_ns": outcome.kernel.ns(),
        "utilisation_ppm": outcome.utilisation_ppm(),
        "bounds_exceeded": exceeded.map(|(task, _)| task.name.as_str()).collect::<Vec<_>>(),
    });
    verdict::describe(system, verdict, outcome, &mut value);
    value
}
