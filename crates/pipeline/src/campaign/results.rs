//! A campaign's file: one line for each run, whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fusee_diagnostics::Diagnostic;
use fusee_measure::{Finished, Origin, Row, TaskSet, finished};

use crate::problem::Problem;
use crate::rules;
use crate::status::Status;

/// The file, to which no other process writes meanwhile.
pub(super) struct Results {
    file: File,
    folder: PathBuf,
    /// The results that it had when it was opened.
    found: Finished,
}

/// Returns the path of a campaign's results.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("results.jsonl")
}

impl Results {
    /// Opens the file in a folder, which may be new.
    pub(super) fn open(folder: &Path, sets: &[TaskSet]) -> Result<Self, Problem> {
        let failed = |error: io::Error| unwritable(folder, &error);
        fs::create_dir_all(folder).map_err(failed)?;
        let path = path(folder);
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        file.try_lock().map_err(|_| {
            Problem::tool(format!(
                "another campaign is writing to `{}`: wait for it",
                path.display()
            ))
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let found = finished(&String::from_utf8_lossy(&bytes), sets).map_err(|error| {
            other(folder, "the results of another campaign", &error.to_string())
        })?;
        Ok(Self { file, folder: folder.to_owned(), found })
    }

    /// The rows that it has, if they were made with the same; it then stands behind the last whole
    /// line.
    pub(super) fn continued(
        &mut self,
        origin: &Origin,
        sets: &[TaskSet],
    ) -> Result<Vec<Row>, Problem> {
        if let Some(made) = self.found.origin.as_ref().filter(|made| *made != origin) {
            let what =
                format!("results that were made with {}", origin.differences(made).join(" and "));
            return Err(other(
                &self.folder,
                &what,
                &format!("made with {made}; now with {origin}"),
            ));
        }
        // With more sets than now are asked for, all lines stay.
        if self.found.rows.len() < sets.len() {
            self.file
                .set_len(self.found.bytes as u64)
                .map_err(|error| unwritable(&self.folder, &error))?;
        }
        self.file.seek(SeekFrom::End(0)).map_err(|error| unwritable(&self.folder, &error))?;
        if self.found.origin.is_none() {
            self.append(origin.line())?;
        }
        Ok(std::mem::take(&mut self.found.rows))
    }

    /// Writes a line, whole, before anything else is done.
    pub(super) fn append(&mut self, line: serde_json::Result<String>) -> Result<(), Problem> {
        let line = line.map_err(|error| Problem::tool(error.to_string()))?;
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| unwritable(&self.folder, &error))
    }
}

/// The folder cannot be written to.
pub(super) fn unwritable(folder: &Path, error: &io::Error) -> Problem {
    Problem::tool(format!("cannot write to `{}`: {error}", folder.display()))
}

/// The folder has results of something else.
pub(super) fn other(folder: &Path, what: &str, why: &str) -> Problem {
    let message = format!("`{}` has {what}", path(folder).display());
    let folder = folder.display();
    let diagnostic = Diagnostic::error(rules::OTHER_RESULTS, message)
        .with_note(why)
        .with_note(
            "one table must not mix them, so the campaign neither goes on there nor shows them",
        )
        .with_note(format!(
            "name another folder, or type: rm -r '{folder}' && fusee campaign '{folder}'"
        ));
    Problem { diagnostics: vec![diagnostic], status: Status::BadInput }
}
