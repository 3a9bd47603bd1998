//! An experiment's work: how long it takes, and what comes out.

use std::path::PathBuf;
use std::time::Duration;

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_sweep::{Estimate, OUTSIDE, Recovery, Results, Row, RunError, Value as Setting};
use serde_json::{Map, Value, json};

use super::{Asked, NoLog, Subject, dask, log_path, open, restart};
use crate::progress::{Steps, remark};

/// The time for which sets are tried for an estimate.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The number of sets below which no estimate is made.
const MANY: u64 = 100_000;

/// The way in which an experiment is worked on.
#[derive(Debug, Clone)]
pub struct Way {
    /// `true` if the results of an earlier run are thrown away.
    pub restart: bool,
    /// The scheduler of a Dask cluster, if one works.
    pub dask: Option<String>,
}

/// The result of an experiment.
pub struct Outcome {
    /// The results that an earlier run had left.
    pub recovery: Recovery,
    /// The shares of the sets.
    pub results: Results,
    /// Files to be written.
    pub products: Vec<(PathBuf, Vec<u8>)>,
    /// A warning for each test that was asked about sets outside its assumptions.
    pub diagnostics: Vec<Diagnostic>,
}

/// A reason for which there is no result.
pub enum Stopped {
    /// The host failed.
    Failed(String),
    /// The experiment is none that can be run.
    Impossible(String),
    /// The folder belongs to another experiment.
    Other(Box<Diagnostic>),
}

impl From<NoLog> for Stopped {
    fn from(why: NoLog) -> Self {
        match why {
            NoLog::Failed(sentence) => Self::Failed(sentence),
            NoLog::Other(diagnostic) => Self::Other(diagnostic),
        }
    }
}

/// Does what is left of an experiment.
///
/// # Errors
/// Why nothing came out.
pub fn work(asked: &Asked, subject: &Subject, way: &Way) -> Result<Outcome, Stopped> {
    if way.restart {
        let path = log_path(&subject.folder);
        let failed =
            |error| Stopped::Failed(format!("`{}` can't be used: {error}", path.display()));
        restart(subject).map_err(failed)?;
    }
    let mut log = open(subject)?;
    let recovery = log.recovery();
    if let Some(address) = &way.dask {
        // The cluster's side writes to the log itself.
        drop(log);
        dask::work(asked, address, subject).map_err(Stopped::Failed)?;
        log = open(subject)?;
    }
    announce(subject, recovery);
    let mut bar = Steps::new("task sets", subject.plan.sets());
    let each = subject.plan.sets() as f64 / subject.plan.chunks().max(1) as f64;
    let Subject { experiment, plan, workers, .. } = subject;
    let ran = fusee_sweep::run(experiment, plan, &mut log, *workers, &mut |progress| {
        bar.at((progress.done as f64 * each) as u64);
    });
    drop(bar);
    let results = ran.map_err(|error| match error {
        RunError::Impossible(_) => Stopped::Impossible(error.to_string()),
        _ => Stopped::Failed(error.to_string()),
    })?;
    let files = results.files(experiment).map_err(|error| Stopped::Failed(error.to_string()))?;
    let products = files.into_iter().map(|(name, content)| (subject.folder.join(name), content));
    let (products, diagnostics) = (products.collect(), outside(subject, &results));
    Ok(Outcome { recovery, results, products, diagnostics })
}

/// Returns an estimate of the time that so many sets take.
pub fn estimate(subject: &Subject, sets: u64) -> Estimate {
    Estimate::measure(&subject.experiment, &subject.plan, sets, subject.workers, PATIENCE)
}

/// Returns an estimate in a line.
pub fn sentence(estimate: &Estimate, workers: usize) -> String {
    let percent = (estimate.uncertainty * 100.0).ceil();
    let threads = if workers == 1 { "1 thread".to_owned() } else { format!("{workers} threads") };
    let (time, tried) = (duration(estimate.time), estimate.tried);
    format!("about {time} on {threads}, give or take {percent} % ({tried} sets tried)\n")
}

/// Returns a time in the two units that matter.
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
fn announce(subject: &Subject, recovery: Recovery) {
    let chunks = subject.plan.chunks();
    if recovery.done > 0 {
        remark(&format!("{} of {chunks} chunks are done already\n", recovery.done));
    }
    if recovery.dropped > 0 {
        remark("a damaged record was found in the log; its chunk is done again\n");
    }
    let open = u128::from(chunks - recovery.done) * u128::from(subject.experiment.chunk);
    let sets = open.min(u128::from(subject.plan.sets())) as u64;
    if sets >= MANY {
        remark(&sentence(&estimate(subject, sets), subject.workers));
    }
}

/// Returns a warning for each test that was asked about sets outside its assumptions.
fn outside(subject: &Subject, results: &Results) -> Vec<Diagnostic> {
    let warning = |label: &str| {
        let rows = results.rows.iter().filter(|row| row.label == label);
        let (outside, sets) =
            rows.fold((0, 0), |(outside, sets), row| (outside + row.outside, sets + row.sets));
        let message = format!(
            "`{label}` says nothing about {outside} of {sets} sets, which break its assumptions"
        );
        (outside > 0).then(|| Diagnostic::warning(OUTSIDE, message))
    };
    subject.experiment.tests.iter().filter_map(|test| warning(&test.label)).collect()
}

/// Returns an estimate of all of an experiment for programs.
pub fn estimate_json(subject: &Subject, estimate: &Estimate) -> Value {
    json!({
        "sets": estimate.sets,
        "points": subject.plan.points.len(),
        "workers": subject.workers,
        "seconds": estimate.time.as_secs_f64(),
        "uncertainty": estimate.uncertainty,
        "tried": estimate.tried,
    })
}

impl Outcome {
    /// Returns the result for programs.
    pub fn json(&self, subject: &Subject, sources: &SourceMap) -> Value {
        let results = &self.results;
        let paths = self.products.iter().map(|(path, _)| path.display().to_string());
        json!({
            "title": subject.experiment.title,
            "points": subject.plan.points.len(),
            "sets": subject.plan.sets(),
            "chunks": subject.plan.chunks(),
            "resumed": self.recovery.done,
            "rows": results.rows.iter().map(|row| row_json(results, row)).collect::<Vec<_>>(),
            "files": paths.collect::<Vec<_>>(),
            "diagnostics": render::json(&self.diagnostics, sources),
        })
    }
}

fn row_json(results: &Results, row: &Row) -> Value {
    let value = |value: &Setting| match value {
        Setting::Integer(number) => json!(number),
        Setting::Real(_) => json!(value.number()),
        Setting::Word(word) => json!(word),
    };
    let axes = results.axes.iter().zip(&row.values);
    let axes: Map<String, Value> = axes.map(|(name, v)| (name.clone(), value(v))).collect();
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
