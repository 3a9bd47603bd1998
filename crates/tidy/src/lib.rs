//! The checks behind `fusee-tidy`, as functions of a source tree.

mod circles;
mod essays;
mod examples;
mod functions;
mod layers;
mod machines;
mod manifests;
mod modules;
mod text;
mod tree;
mod unsafety;
mod words;

use std::fmt;

pub use tree::{File, Tree};

/// Something that must be changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, relative to the root.
    pub path: String,
    /// The line from 1; 0 for the file as a whole.
    pub line: usize,
    /// The error, and the right text.
    pub message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// All findings of all checks, sorted by place.
pub fn findings(tree: &Tree) -> Vec<Finding> {
    let checks = [
        layers::check,
        machines::check,
        manifests::check,
        modules::check,
        circles::check,
        unsafety::check,
        essays::check,
        examples::check,
        functions::check,
        words::check,
    ];
    let mut findings: Vec<Finding> = checks.iter().flat_map(|check| check(tree)).collect();
    findings.sort();
    findings
}
