//! The command line as tests run it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::workspace;

/// A program of this project, by its path: cargo tells a test alone where it stands.
#[derive(Debug, Clone, Copy)]
pub struct Tool(pub &'static str);

impl Tool {
    /// Runs it in a folder.
    ///
    /// # Panics
    /// When it does not start.
    pub fn run_in(self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(self.0);
        // How long something takes is nothing to compare.
        command.env("FUSEE_PROGRESS", "never").current_dir(folder).args(arguments);
        command.output().expect("it starts")
    }

    /// Runs it in the project's root.
    ///
    /// # Panics
    /// When it does not start.
    pub fn run(self, arguments: &[&str]) -> Output {
        self.run_in(&workspace(), arguments)
    }

    /// Runs it in the project's root with `--json`; the document, if it ends with this status.
    ///
    /// # Panics
    /// When it ends otherwise, or writes anything but one document.
    #[track_caller]
    pub fn json(self, arguments: &[&str], status: i32) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        let errors = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(status), "{arguments:?}: {errors}");
        document(&run)
    }

    /// Boots a description beside which its image is put; what its components print, if the run
    /// ends with this status.
    ///
    /// # Panics
    /// As [`json`](Self::json).
    #[track_caller]
    pub fn console(self, description: &Path, how: &[&str], status: i32) -> Vec<String> {
        let [path, out] = [description, &description.with_file_name("out")]
            .map(|path| path.display().to_string());
        printed(&self.json(&[&["run", &path, "-o", &out], how].concat(), status))
    }
}

/// The row of a document's list that has this under a key.
///
/// # Panics
/// When it is no list, or has no such row.
#[track_caller]
pub fn row<'d>(list: &'d Value, key: &str, value: &str) -> &'d Value {
    let rows = list.as_array().unwrap_or_else(|| panic!("no list: {list:?}"));
    let of_it = |row: &&Value| row[key] == value;
    rows.iter().find(of_it).unwrap_or_else(|| panic!("{value}: {rows:?}"))
}

/// The one JSON document that a command has written.
///
/// # Panics
/// When it has written anything else.
#[track_caller]
pub fn document(run: &Output) -> Value {
    let errors = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// Returns the number of lines that begin so.
pub fn beginning(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

/// The lines that the components of a run have printed, in order.
///
/// # Panics
/// When the document is of no run.
#[track_caller]
pub fn printed(run: &Value) -> Vec<String> {
    let lines = run["console"].as_array().unwrap_or_else(|| panic!("no console: {run:?}"));
    lines.iter().map(|line| line["text"].as_str().unwrap_or_default().to_owned()).collect()
}
