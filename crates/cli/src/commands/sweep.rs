//! How large is the share of schedulable sets, over a grid of parameters?

use std::time::Duration;

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_pipeline::files;
use fusee_pipeline::progress::Steps;
use fusee_pipeline::status::Status;
use fusee_sweep::{Estimate, OUTSIDE, Recovery, Results, Row, RunError};
use serde_json::{Value, json};

use crate::args::Sweep;
use crate::dask;
use crate::output::Output;
use crate::sweep::{NoLog, Subject, load, open};

/// How long sets are tried for an estimate.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Runs an experiment, or what is left of it.
pub(crate) fn run(arguments: &Sweep, output: &mut Output) -> Status {
    let mut sources = SourceMap::default();
    let subject = match load(arguments, &mut sources) {
        Ok(subject) => subject,
        Err(diagnostics) => return refused(&diagnostics, &sources, output),
    };
    if arguments.estimate {
        return estimate(&subject, output);
    }
    let mut log = match open(&subject, arguments) {
        Ok(log) => log,
        Err(NoLog::Failed(sentence)) => return output.failed(sentence),
        Err(NoLog::Other(diagnostic)) => return refused(&[*diagnostic], &sources, output),
    };
    let recovery = log.recovery();
    if let Some(address) = &arguments.dask {
        // The cluster's side writes to the log itself.
        drop(log);
        if let Err(sentence) = dask::work(arguments, address, &subject) {
            return output.failed(sentence);
        }
        log = match open(&subject, &Sweep { restart: false, ..arguments.clone() }) {
            Ok(log) => log,
            Err(NoLog::Failed(sentence)) => return output.failed(sentence),
            Err(NoLog::Other(diagnostic)) => return refused(&[*diagnostic], &sources, output),
        };
    }
    announce(&subject, recovery, output);
    let mut bar = Steps::new("task sets", subject.plan.sets());
    let each = subject.plan.sets() as f64 / subject.plan.chunks().max(1) as f64;
    let ran = fusee_sweep::run(
        &subject.experiment,
        &subject.plan,
        &mut log,
        subject.workers,
        &mut |progress| {
            bar.at((progress.done as f64 * each) as u64);
        },
    );
    drop(bar);
    match ran {
        Ok(results) => finish(&subject, recovery, &results, &sources, output),
        Err(error @ RunError::Impossible(_)) => output.bad_input(error),
        Err(error) => output.failed(error),
    }
}

/// The same shape of result where nothing can be run.
fn refused(diagnostics: &[Diagnostic], sources: &SourceMap, output: &mut Output) -> Status {
    output.json(
        || json!({ "rows": [], "files": [], "diagnostics": render::json(diagnostics, sources) }),
    );
    output.diagnostics(diagnostics, sources);
    Status::BadInput
}

fn measure(subject: &Subject, remaining: u64) -> Estimate {
    Estimate::measure(&subject.experiment, &subject.plan, remaining, subject.workers, PATIENCE)
}

fn estimate(subject: &Subject, output: &mut Output) -> Status {
    let estimate = measure(subject, subject.plan.sets());
    output.json(|| {
        json!({
            "sets": estimate.sets,
            "points": subject.plan.points.len(),
            "workers": subject.workers,
            "seconds": estimate.time.as_secs_f64(),
            "uncertainty": estimate.uncertainty,
            "tried": estimate.tried,
        })
    });
    output.text(format!("{} points, {} task sets\n", subject.plan.points.len(), estimate.sets));
    output.text(sentence(&estimate, subject.workers));
    Status::Fine
}

fn sentence(estimate: &Estimate, workers: usize) -> String {
    let percent = (estimate.uncertainty * 100.0).ceil();
    let threads = if workers == 1 { "1 thread".to_owned() } else { format!("{workers} threads") };
    let tried = estimate.tried;
    format!(
        "about {} on {threads}, give or take {percent} % ({tried} sets tried)\n",
        duration(estimate.time)
    )
}

/// A time in the two units that matter.
fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..172_800 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} days {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

/// Says what is ahead, if there is enough of it to be worth a second.
fn announce(subject: &Subject, recovery: Recovery, output: &mut Output) {
    if recovery.done > 0 {
        output.aside(format!(
            "{} of {} chunks are done already\n",
            recovery.done,
            subject.plan.chunks()
        ));
    }
    if recovery.dropped > 0 {
        output.aside("a damaged record was found in the log; its chunk is done again\n");
    }
    let open = subject.plan.chunks() - recovery.done;
    let sets = (u128::from(open) * u128::from(subject.experiment.chunk))
        .min(u128::from(subject.plan.sets())) as u64;
    if sets >= 100_000 {
        output.aside(sentence(&measure(subject, sets), subject.workers));
    }
}

fn finish(
    subject: &Subject,
    recovery: Recovery,
    results: &Results,
    sources: &SourceMap,
    output: &mut Output,
) -> Status {
    let products = match results.files(&subject.experiment) {
        Ok(products) => products,
        Err(error) => return output.failed(error),
    };
    for (name, content) in &products {
        let path = subject.folder.join(name);
        if let Err(error) = files::write(&path, content) {
            return output.failed(format!("cannot write `{}`: {error}", path.display()));
        }
    }
    let diagnostics = outside(subject, results);
    let paths = || products.iter().map(|(name, _)| subject.folder.join(name));
    output.json(|| {
        json!({
            "title": subject.experiment.title,
            "points": subject.plan.points.len(),
            "sets": subject.plan.sets(),
            "chunks": subject.plan.chunks(),
            "resumed": recovery.done,
            "rows": results.rows.iter().map(|row| row_json(results, row)).collect::<Vec<_>>(),
            "files": paths().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "diagnostics": render::json(&diagnostics, sources),
        })
    });
    output.diagnostics(&diagnostics, sources);
    let (points, sets, rows) = (subject.plan.points.len(), subject.plan.sets(), results.rows.len());
    output.text(format!("{points} points, {sets} task sets, {rows} rows\n"));
    paths().for_each(|path| output.wrote(&path));
    Status::Fine
}

fn row_json(results: &Results, row: &Row) -> Value {
    let value = |value: &fusee_sweep::Value| match value {
        fusee_sweep::Value::Integer(number) => json!(number),
        fusee_sweep::Value::Real(_) => json!(value.number()),
        fusee_sweep::Value::Word(word) => json!(word),
    };
    let axes: serde_json::Map<String, Value> =
        results.axes.iter().zip(&row.values).map(|(name, v)| (name.clone(), value(v))).collect();
    let (low, high) = row.interval();
    json!({
        "axes": axes,
        "label": row.label,
        "test": row.test,
        "sets": row.sets,
        "outside": row.outside,
        "schedulable": row.schedulable,
        "ratio": row.ratio(),
        "ratio_low": low,
        "ratio_high": high,
    })
}

/// A warning for each test that was asked about sets outside its assumptions.
fn outside(subject: &Subject, results: &Results) -> Vec<Diagnostic> {
    let warning = |label: &str| {
        let rows = || results.rows.iter().filter(|row| row.label == label);
        let (outside, sets) =
            rows().fold((0, 0), |(outside, sets), row| (outside + row.outside, sets + row.sets));
        let message = format!(
            "`{label}` says nothing about {outside} of {sets} sets, which break its assumptions"
        );
        (outside > 0).then(|| Diagnostic::warning(OUTSIDE, message))
    };
    subject.experiment.tests.iter().filter_map(|test| warning(&test.label)).collect()
}
