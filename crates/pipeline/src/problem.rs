//! The reason for which a command could not do its work.

use fusee_diagnostics::Diagnostic;

use crate::rules;
use crate::status::Status;

/// The reason for which there is no run.
pub struct Problem {
    /// The messages to show.
    pub diagnostics: Vec<Diagnostic>,
    /// The status with which the command ends.
    pub status: Status,
}

impl Problem {
    /// Returns the problem that a tool of the host failed.
    pub fn tool(sentence: String) -> Problem {
        Problem::tool_with(vec![Diagnostic::error(rules::UNREADABLE, sentence)])
    }

    /// Returns the same about descriptions that the command has written itself, and whose files are
    /// gone.
    pub fn without_places(mut self) -> Problem {
        for diagnostic in &mut self.diagnostics {
            diagnostic.labels.clear();
            diagnostic.fixes.clear();
        }
        self
    }

    /// Returns the problem of a failed build: the input is wrong, unless a tool is missing.
    pub fn of_build(diagnostics: Vec<Diagnostic>) -> Problem {
        Problem { status: status_of_build(&diagnostics), diagnostics }
    }

    /// A tool is missing or failed.
    pub fn tool_with(diagnostics: Vec<Diagnostic>) -> Problem {
        Problem { diagnostics, status: Status::ToolFailed }
    }
}

/// Returns the status of a failed build: the input is wrong, unless a tool is missing.
pub fn status_of_build(diagnostics: &[Diagnostic]) -> Status {
    if lacks_tool(diagnostics) { Status::ToolFailed } else { Status::BadInput }
}

/// Returns `true` if a tool is missing, no C compiler, no CMake or no kernel: then nothing is wrong
/// with the input.
pub fn lacks_tool(diagnostics: &[Diagnostic]) -> bool {
    let tools = ["F0418", "F0901", rules::NO_KERNEL.0];
    diagnostics.iter().any(|diagnostic| tools.contains(&diagnostic.code.0))
}
