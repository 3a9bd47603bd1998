//! The collection of messages about text.
//!
//! One mistake can lead to thousands of messages (a binary file that was given by
//! mistake, a macro in a header that is used everywhere). After [`MAX_ERRORS`]
//! errors the rest is only counted, and a last note says how many there were.

use crate::rules;
use fusee_diagnostics::{Diagnostic, Severity};

/// The number of errors that are reported in full.
pub(crate) const MAX_ERRORS: usize = 50;

/// The collector of messages.
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

    /// Returns `true` if further errors are only counted; then there is no need to put them into
    /// words.
    pub(crate) fn is_full(&self) -> bool {
        self.errors > MAX_ERRORS
    }

    /// Counts an error without words.
    pub(crate) fn count(&mut self) {
        self.errors += 1;
    }

    /// Returns the messages, with a last one if some were left out.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.errors > MAX_ERRORS {
            let more = self.errors - MAX_ERRORS;
            let noun = if more == 1 { "error" } else { "errors" };
            let message = format!("{more} more {noun} not shown");
            let note = "errors often follow from earlier ones: mend the first ones and run again";
            self.diagnostics
                .push(Diagnostic::note(rules::TOO_MANY_ERRORS, message).with_note(note));
        }
        self.diagnostics
    }
}
