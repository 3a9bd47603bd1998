//! The request for a choice, and the answer.

use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_model::derived::Derived;
use fusee_report::verdict::ChainVerdict;

use super::conflict::Conflict;
use super::freedom::Names;
use super::refusal::Refusal;
use super::setting::Setting;
use super::text::Written;
use crate::analysed::Analysed;
use crate::load::Loaded;
use crate::{analyze, chains};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description, and with which costs it is analyzed.
    pub analysis: analyze::Asked,
    /// The number of cores; those that the description names without one.
    pub cores: Option<u32>,
    /// The best of several choices.
    pub prefer: Prefer,
    /// The names of what may change and what stays.
    pub names: Names,
    /// The analyses of one task that each of the searches may make.
    pub effort: u64,
}

/// The best of several choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    /// The fewest changed values, then the largest least slack.
    Edits,
    /// The largest least slack, then the fewest changed values.
    Slack,
}

/// The result of the search.
pub struct Solved {
    /// The description as it is.
    pub loaded: Loaded,
    /// The answer.
    pub answer: Answer,
    /// The kinds of values that were free.
    pub free: Vec<&'static str>,
    /// The number of cores.
    pub cores: u32,
    /// The analyses of one task that were made.
    pub analyses: u64,
    /// The messages for the user.
    pub diagnostics: Vec<Diagnostic>,
}

/// The answer to the question for a choice.
pub enum Answer {
    /// All holds as it is described.
    Holds(Box<Promise>),
    /// All holds with these values.
    Found(Box<Solution>),
    /// There is no choice, and these deadlines contradict each other.
    Contradiction(Conflict),
    /// There is no choice, by a quick proof.
    Refused(Refusal),
    /// None was found, and nothing is proved.
    NotFound(&'static str),
}

/// Values under which all holds.
pub struct Solution {
    /// The values.
    pub settings: Vec<Setting>,
    /// The text with them.
    pub written: Written,
    /// The promise of that text.
    pub promise: Promise,
}

/// A description with its bounds, as `analyze` tells them.
pub struct Promise {
    /// The description that was read.
    pub loaded: Loaded,
    /// The system that it describes.
    pub system: System,
    /// The facts derived from the system.
    pub derived: Derived,
    /// The bounds that are promised.
    pub analysed: Analysed,
}

impl Promise {
    /// Returns the promise for each chain.
    pub fn chains(&self) -> Vec<ChainVerdict> {
        chains::promised(&self.system, &self.analysed.analysis)
    }
}
