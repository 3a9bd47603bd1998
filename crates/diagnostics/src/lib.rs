//! One diagnostic value, many renderings.
//!
//! Every message that a user sees about an input is a [`Diagnostic`]: a code, a
//! severity, a sentence, spans with what each of them contributes, notes, and
//! where one is known a repair. Producers fill it in; nobody but the renderers
//! turns it into text. That keeps terminal, JSON, report and golden files in
//! agreement, because there is nothing else for them to show.

pub mod edits;
pub mod render;
mod similar;
mod source;

pub use similar::closest;
pub use source::{FileId, Position, SourceFile, SourceMap, Span};

use serde::Serialize;

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing, for example an assumption that was made.
    Note,
    /// Suspicious; results are still sound.
    Warning,
    /// No result can be given.
    Error,
}

/// A stable identifier such as `F0101`; `fusee explain` prints its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Code(pub &'static str);

/// One place, and what it has to do with the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// The place in the text.
    pub span: Span,
    /// The text at this place; may be empty for the primary one.
    pub text: String,
    /// `true` if this is where the message points first.
    pub primary: bool,
}

/// A repair: replace the text at `span` by `replacement`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The repair, as an instruction.
    pub title: String,
    /// The text that it replaces; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// A message about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code of its rule.
    pub code: Code,
    /// The severity of the message.
    pub severity: Severity,
    /// One sentence without a full stop.
    pub message: String,
    /// Places, the primary one first.
    pub labels: Vec<Label>,
    /// Further facts, one sentence each.
    pub notes: Vec<String>,
    /// Repairs, the best one first.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// Returns a new message without a place.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Returns an error without a place.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// Returns a warning without a place.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// Returns a note without a place.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Note, message)
    }

    /// Returns the place that the message points at, if it has one.
    pub fn primary(&self) -> Option<&Label> {
        self.labels.iter().find(|label| label.primary)
    }

    /// Returns the message and its notes, one in a line.
    pub fn lines(&self) -> String {
        let lines = std::iter::once(&self.message).chain(&self.notes);
        lines.map(String::as_str).collect::<Vec<_>>().join("\n")
    }

    /// Adds the place that the message points at.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: true });
        self
    }

    /// Adds a place that contributes.
    #[must_use]
    pub fn because(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds a repair.
    #[must_use]
    pub fn with_fix(
        mut self,
        title: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Self {
        self.fixes.push(Fix { title: title.into(), span, replacement: replacement.into() });
        self
    }
}

/// A rule: the owner of a code and of its manual page.
///
/// `fusee explain CODE` and the book's pages are both made from this text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The code of the rule.
    pub code: Code,
    /// A short name in kebab case, for example `ceiling-below-user`.
    pub name: &'static str,
    /// The severity with which it is usually reported.
    pub severity: Severity,
    /// The meaning of the rule, in Markdown.
    pub what: &'static str,
    /// The reason for the rule, in Markdown.
    pub why: &'static str,
    /// A description that breaks it, as ADL text.
    pub example: &'static str,
    /// The remedy, in Markdown.
    pub instead: &'static str,
    /// The place to read more.
    pub reference: &'static str,
}
