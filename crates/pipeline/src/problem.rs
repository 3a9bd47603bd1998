//! Why a command could not do what it was asked for.

use fusee_diagnostics::Diagnostic;

use crate::rules;
use crate::status::Status;

/// Why there is no run.
pub struct Problem {
    /// What to say.
    pub diagnostics: Vec<Diagnostic>,
    /// How to end.
    pub status: Status,
}

impl Problem {
    /// The host failed.
    pub fn tool(sentence: String) -> Problem {
        Problem::tool_with(vec![Diagnostic::error(rules::UNREADABLE, sentence)])
    }

    /// The same about descriptions that the command has written itself, and whose files nobody has
    /// at hand any more.
    pub fn without_places(mut self) -> Problem {
        for diagnostic in &mut self.diagnostics {
            diagnostic.labels.clear();
            diagnostic.fixes.clear();
        }
        self
    }

    /// A tool is missing or failed.
    pub fn tool_with(diagnostics: Vec<Diagnostic>) -> Problem {
        Problem { diagnostics, status: Status::ToolFailed }
    }
}
