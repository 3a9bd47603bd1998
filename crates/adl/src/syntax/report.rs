//! Where messages about text are collected.
//!
//! One mistake can lead to thousands of messages (a binary file that was given by
//! mistake, a macro in a header that is used everywhere). After [`MAX_ERRORS`]
//! errors the rest is only counted, and a last note says how many there were.

use crate::rules;
use fusee_diagnostics::{Diagnostic, Severity};

/// The number of errors that are reported in full.
pub(crate) const MAX_ERRORS: usize = 50;

/// Collects messages.
#[derive(Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
}

impl Report {
    /// Adds a message, unless there are too many errors already.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            self.errors += 1;
        }
        if self.errors <= MAX_ERRORS && self.diagnostics.len() < 10 * MAX_ERRORS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether further errors are only counted; then there is no need to put them into words.
    pub(crate) fn is_full(&self) -> bool {
        self.errors > MAX_ERRORS
    }

    /// Counts an error without words.
    pub(crate) fn count(&mut self) {
        self.errors += 1;
    }

    /// The messages, with a last one if some were left out.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.errors > MAX_ERRORS {
            let more = self.errors - MAX_ERRORS;
            let noun = if more == 1 { "error" } else { "errors" };
            let message = format!("{more} more {noun} not shown");
            let note = "errors often follow from earlier ones: mend the first ones and run again";
            self.diagnostics.push(Diagnostic::note(rules::TOO_MANY_ERRORS, message).with_note(note));
        }
        self.diagnostics
    }
}

/// The candidate that was probably meant by `word`, if one is near.
pub(crate) fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match word.len() {
        0..=2 => return None,
        3..=4 => 1,
        5..=64 => 2,
        _ => return None,
    };
    let measured = candidates.into_iter().map(|candidate| (distance(word, candidate, limit), candidate));
    measured.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour, ignoring case;
/// anything above `limit` is only known to be above it.
fn distance(left: &str, right: &str, limit: usize) -> usize {
    let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
    let (left, right) = (lower(left), lower(right));
    if left.len().abs_diff(right.len()) > limit {
        return limit + 1;
    }
    let mut older = vec![0; right.len() + 1];
    let mut old: Vec<usize> = (0..=right.len()).collect();
    for i in 1..=left.len() {
        let mut new = vec![i; right.len() + 1];
        for j in 1..=right.len() {
            let replaced = old[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            new[j] = replaced.min(old[j] + 1).min(new[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                new[j] = new[j].min(older[j - 2] + 1);
            }
        }
        older = std::mem::replace(&mut old, new);
    }
    old[right.len()]
}
