//! Computes shares of schedulable sets, over a grid of parameters.

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_pipeline::experiment::work::{Stopped, estimate, estimate_json, sentence, work};
use fusee_pipeline::experiment::{Subject, load};
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Sweep;
use crate::output::Output;

/// Runs an experiment, or what is left of it.
pub(crate) fn run(arguments: &Sweep, output: &mut Output) -> Status {
    let (asked, mut sources) = (arguments.asked(), SourceMap::default());
    let subject = match load(&asked, &mut sources) {
        Ok(subject) => subject,
        Err(diagnostics) => return refused(&diagnostics, &sources, output),
    };
    if arguments.estimate {
        return estimated(&subject, output);
    }
    let outcome = match work(&asked, &subject, &arguments.way()) {
        Ok(outcome) => outcome,
        Err(Stopped::Failed(sentence)) => return output.failed(sentence),
        Err(Stopped::Impossible(sentence)) => return output.bad_input(sentence),
        Err(Stopped::Other(diagnostic)) => return refused(&[*diagnostic], &sources, output),
    };
    if let Err(sentence) = output.write(&outcome.products) {
        return output.failed(sentence);
    }
    output.json_of(&sources, || outcome.json(&subject, &sources));
    output.diagnostics(&outcome.diagnostics, &sources);
    let (points, sets) = (subject.plan.points.len(), subject.plan.sets());
    output
        .text(format!("{points} points, {sets} task sets, {} rows\n", outcome.results.rows.len()));
    Status::Fine
}

/// The same shape of result where nothing can be run.
fn refused(diagnostics: &[Diagnostic], sources: &SourceMap, output: &mut Output) -> Status {
    let messages = || render::json(diagnostics, sources);
    output.json_of(sources, || json!({ "rows": [], "files": [], "diagnostics": messages() }));
    output.diagnostics(diagnostics, sources);
    Status::BadInput
}

fn estimated(subject: &Subject, output: &mut Output) -> Status {
    let estimate = estimate(subject, subject.plan.sets());
    output.json(|| estimate_json(subject, &estimate));
    output.text(format!("{} points, {} task sets\n", subject.plan.points.len(), estimate.sets));
    output.text(sentence(&estimate, subject.workers));
    Status::Fine
}
