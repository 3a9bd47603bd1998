//! A message with places that are still to be looked up.

use fusee_diagnostics::{Diagnostic, Rule, Span};
use fusee_model::Origin;

/// Looks up the place of an origin.
pub(super) type Places<'a> = &'a dyn Fn(Origin) -> Option<Span>;

/// A message with places that are still to be looked up.
pub(super) struct Message {
    pub(super) diagnostic: Diagnostic,
}

impl Message {
    pub(super) fn new(rule: &Rule, text: String) -> Self {
        Self { diagnostic: Diagnostic::new(rule.code, rule.severity, text) }
    }

    /// Puts words in front of its text.
    pub(super) fn starting(mut self, start: &str) -> Self {
        self.diagnostic.message.insert_str(0, start);
        self
    }

    /// Points at a place; a place that cannot be looked up becomes a note.
    pub(super) fn place(mut self, places: Places<'_>, origin: Origin, text: String) -> Self {
        let first = self.diagnostic.labels.is_empty();
        self.diagnostic = match places(origin) {
            // The first place is what the message points at, and all others are its causes.
            Some(span) if first => self.diagnostic.at(span, text),
            Some(span) => self.diagnostic.because(span, text),
            None => self.diagnostic.with_note(text),
        };
        self
    }

    pub(super) fn note(mut self, text: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_note(text);
        self
    }
}
