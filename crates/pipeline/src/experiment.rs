//! From an experiment's file to an open log.

pub mod dask;
pub mod work;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_sweep::{Experiment, Log, LogError, OTHER_LOG, Plan};

use crate::rules;

/// An experiment as it is asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The experiment's file.
    pub experiment: PathBuf,
    /// The folder for the log and the results; named after the experiment without this.
    pub output: Option<PathBuf>,
    /// The number of threads that work; as many as there are cores without this.
    pub workers: Option<usize>,
    /// The share of the sets that is drawn, in millionths; all without this.
    pub sample: Option<u64>,
}

/// An experiment that can be run.
pub struct Subject {
    /// The experiment that is to be done.
    pub experiment: Experiment,
    /// The division of the work.
    pub plan: Plan,
    /// The folder of the results.
    pub folder: PathBuf,
    /// The number of threads that work.
    pub workers: usize,
}

/// Reads the experiment and decides where and how it is run.
///
/// # Errors
/// What is wrong with it.
pub fn load(asked: &Asked, sources: &mut SourceMap) -> Result<Subject, Vec<Diagnostic>> {
    let path = &asked.experiment;
    let text = fs::read_to_string(path).map_err(|error| {
        let message = format!("`{}` can't be read", path.display());
        vec![Diagnostic::error(rules::UNREADABLE, message).with_note(error.to_string())]
    })?;
    let file = sources.add(path, text);
    let mut experiment = Experiment::read(sources, file)?;
    if let Some(share) = asked.sample {
        experiment = experiment.sampled(share);
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = asked.workers.unwrap_or_else(cores).clamp(1, 4096);
    let plan = experiment.plan();
    Ok(Subject { experiment, plan, folder: folder(asked), workers })
}

/// Returns the folder that was asked for, or one named after the experiment.
fn folder(asked: &Asked) -> PathBuf {
    let named =
        || asked.experiment.file_stem().map_or_else(|| PathBuf::from("sweep"), PathBuf::from);
    asked.output.clone().unwrap_or_else(named)
}

/// Returns the name of the log in its folder.
pub fn log_path(folder: &Path) -> PathBuf {
    folder.join("sweep.log")
}

/// Throws away what an earlier run has left.
///
/// # Errors
/// The log can't be removed.
pub fn restart(subject: &Subject) -> io::Result<()> {
    let path = log_path(&subject.folder);
    if path.exists() { fs::remove_file(&path) } else { Ok(()) }
}

/// A reason for which there is no log.
pub enum NoLog {
    /// Its file can't be used.
    Failed(String),
    /// It belongs to another experiment.
    Other(Box<Diagnostic>),
}

/// Opens the log.
///
/// # Errors
/// It can't be used, or belongs to another experiment.
pub fn open(subject: &Subject) -> Result<Log, NoLog> {
    let path = log_path(&subject.folder);
    let failed =
        |error: io::Error| NoLog::Failed(format!("`{}` can't be used: {error}", path.display()));
    fs::create_dir_all(&subject.folder).map_err(failed)?;
    Log::open(&path, &subject.experiment, &subject.plan).map_err(|error| match error {
        LogError::OtherExperiment { .. } => {
            NoLog::Other(Box::new(Diagnostic::error(OTHER_LOG, error.to_string()).with_note(
                "give another folder with `--output`, or throw it away with `--restart`",
            )))
        }
        LogError::InUse { .. } | LogError::Io { .. } | LogError::NoRecord => {
            NoLog::Failed(error.to_string())
        }
    })
}
