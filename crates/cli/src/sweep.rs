//! From an experiment's file to an open log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_pipeline::rules;
use fusee_sweep::{Experiment, Log, LogError, OTHER_LOG, Plan};

use crate::args::Sweep;

/// An experiment that can be run.
pub(crate) struct Subject {
    /// What is to be done.
    pub(crate) experiment: Experiment,
    /// How the work is cut.
    pub(crate) plan: Plan,
    /// Where the results go.
    pub(crate) folder: PathBuf,
    /// How many threads work.
    pub(crate) workers: usize,
}

/// Reads the experiment and decides where and how it is run.
pub(crate) fn load(arguments: &Sweep, sources: &mut SourceMap) -> Result<Subject, Vec<Diagnostic>> {
    let path = &arguments.experiment;
    let text = fs::read_to_string(path).map_err(|error| {
        let message = format!("`{}` can't be read", path.display());
        vec![Diagnostic::error(rules::UNREADABLE, message).with_note(error.to_string())]
    })?;
    let file = sources.add(path, text);
    let mut experiment = Experiment::read(sources, file)?;
    if let Some(share) = arguments.sample {
        experiment = experiment.sampled(share);
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.workers.unwrap_or_else(cores).clamp(1, 4096);
    let plan = experiment.plan();
    Ok(Subject { experiment, plan, folder: folder(arguments), workers })
}

/// The folder that was asked for, or one named after the experiment.
fn folder(arguments: &Sweep) -> PathBuf {
    let named =
        || arguments.experiment.file_stem().map_or_else(|| PathBuf::from("sweep"), PathBuf::from);
    arguments.output.clone().unwrap_or_else(named)
}

/// The name of the log in its folder.
pub(crate) fn log_path(folder: &Path) -> PathBuf {
    folder.join("sweep.log")
}

/// Why there is no log.
pub(crate) enum NoLog {
    /// Its file can't be used.
    Failed(String),
    /// It belongs to another experiment.
    Other(Box<Diagnostic>),
}

/// Opens the log, after a fresh start if one is asked for.
pub(crate) fn open(subject: &Subject, arguments: &Sweep) -> Result<Log, NoLog> {
    let path = log_path(&subject.folder);
    let failed =
        |error: io::Error| NoLog::Failed(format!("`{}` can't be used: {error}", path.display()));
    fs::create_dir_all(&subject.folder).map_err(failed)?;
    if arguments.restart && path.exists() {
        fs::remove_file(&path).map_err(failed)?;
    }
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
