//! The declarations of a project's CMake files about its components.
//!
//! CMake itself runs them, in a folder of its own, with what CAmkES's build offers to
//! projects: commands that write down what is declared, and a program for each component.
//! What a program is compiled from, and how, is read from CMake's file interface. What
//! CMake makes of commands, it makes when a system is built.

mod complaints;
mod process;
mod reply;
pub(crate) mod rules;
mod said;
mod scratch;

pub(crate) use process::Limit;
pub(crate) use reply::Program;
pub use reply::{Include, Part};
pub(crate) use said::{Connector, Said};

use crate::failure::{self, Failure};
use fusee_diagnostics::Diagnostic;
use process::Ended;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The request for one run of CMake.
#[derive(Debug, Clone)]
pub(crate) struct Asked<'a> {
    /// The project's folder, absolute.
    pub(crate) project: &'a Path,
    /// The description's folder, absolute.
    pub(crate) description: &'a Path,
    /// The absolute path of the folder to which everything is written.
    pub(crate) scratch: PathBuf,
    /// Bytes of the machine's word.
    pub(crate) word: u32,
    /// Variables that the user gives.
    pub(crate) variables: &'a [(String, String)],
}

/// A project that CMake has run.
#[derive(Debug)]
pub(crate) struct Run {
    /// The project's folder.
    pub(crate) project: PathBuf,
    scratch: PathBuf,
    /// The project's declarations; of one with errors those before them.
    pub(crate) said: Said,
    programs: reply::Programs,
    /// The project's files that CMake read.
    pub(crate) files: BTreeSet<PathBuf>,
    /// The reasons for which there is no result.
    pub(crate) problems: Failure,
    /// The reason for which it refuses to be built for this machine: the place and the text.
    pub(crate) refusal: Option<(String, String)>,
    /// The warnings of the run.
    pub(crate) warnings: Vec<Diagnostic>,
}

impl Run {
    /// Runs CMake on a project.
    pub(crate) fn of(asked: &Asked<'_>) -> Self {
        let mut run = Self::without(asked.project, Failure::new());
        run.scratch.clone_from(&asked.scratch);
        if let Err(problems) = run.configure(asked) {
            run.problems = problems;
        }
        run
    }

    /// One that was not run, and why.
    pub(crate) fn without(project: &Path, problems: Failure) -> Self {
        Self {
            project: project.to_owned(),
            scratch: PathBuf::new(),
            said: Said::default(),
            programs: reply::Programs::default(),
            files: BTreeSet::new(),
            problems,
            refusal: None,
            warnings: Vec::new(),
        }
    }

    fn configure(&mut self, asked: &Asked<'_>) -> Result<(), Failure> {
        process::installed()?;
        scratch::prepare(asked)?;
        let ended = process::cmake(&asked.scratch, asked.project, Limit::CONFIGURE)?;
        let complaints = complaints::read(&ended.text, &asked.scratch);
        self.said = said::read(&asked.scratch, &complaints.places)?;
        self.warnings = complaints.warnings;
        self.refusal = complaints.refusal;
        match ended.how {
            Ended::Late(limit) => return Err(vec![late("CMake", asked.project, limit)]),
            Ended::Badly if self.refusal.is_some() => return Ok(()),
            Ended::Badly => {
                let problems = complaints.errors;
                return Err(if problems.is_empty() {
                    let message = format!("CMake failed on `{}`", asked.project.display());
                    vec![quoting(Diagnostic::error(rules::CMAKE_FAILED, message), &ended.text)]
                } else {
                    problems
                });
            }
            Ended::Well => {}
        }
        let reply =
            reply::read(&asked.scratch).map_err(|(path, error)| failure::file(&path, &error))?;
        self.programs = reply.programs;
        self.files = reply.files;
        Ok(())
    }

    /// Returns the program that an instance of a component type is compiled from; `None` if the
    /// project does not declare it.
    pub(crate) fn program(
        &self,
        kind: &str,
        instance: &str,
    ) -> Option<(Program, Vec<&said::Target>)> {
        let targets = self.said.targets(kind, instance);
        let target = targets.last()?;
        let mut program = self.programs.of(&target.name).unwrap_or_default();
        for target in &targets {
            program.problems.extend(target.problems(self));
        }
        Some((program, targets))
    }

    /// Lets CMake make the sources and headers that it is to make for these programs.
    pub(crate) fn generate(&self, targets: &[String]) -> Result<(), Failure> {
        if targets.is_empty() {
            return Ok(());
        }
        let ended = process::ninja(&self.scratch, targets, Limit::GENERATE)?;
        match ended.how {
            Ended::Well => Ok(()),
            Ended::Late(limit) => Err(vec![late("a command of CMake's", &self.project, limit)]),
            Ended::Badly => {
                let message = "what CMake is to make for a component could not be made";
                Err(vec![quoting(Diagnostic::error(rules::CMAKE_COMMAND, message), &ended.text)])
            }
        }
    }

    /// Returns the folder to which CMake wrote.
    pub(crate) fn scratch(&self) -> &Path {
        &self.scratch
    }
}

fn late(what: &str, project: &Path, limit: Limit) -> Diagnostic {
    let seconds = limit.0.as_secs();
    let message = format!("{what} did not end within {seconds} s in `{}`", project.display());
    Diagnostic::error(rules::CMAKE_LATE, message)
}

/// The end of what a tool said, as notes.
fn quoting(mut diagnostic: Diagnostic, text: &str) -> Diagnostic {
    const MOST_LINES: usize = 30;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let from = lines.len().saturating_sub(MOST_LINES);
    diagnostic.notes.extend(lines[from..].iter().map(|&line| line.to_owned()));
    diagnostic
}

#[cfg(test)]
mod tests;
