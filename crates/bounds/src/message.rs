//! A message with places that are still to be looked up.

use fusee_diagnostics::{Diagnostic, Rule, Span};
use fusee_model::Origin;

/// Looks up the place of an origin.
pub(crate) type Places<'a> = &'a dyn Fn(Origin) -> Option<Span>;

/// A message with places that are still to be looked up.
pub(crate) struct Message {
    pub(crate) diagnostic: Diagnostic,
}

impl Message {
    pub(crate) fn new(rule: &Rule, text: String) -> Self {
        Self { diagnostic: Diagnostic::new(rule.code, rule.severity, text) }
    }

    /// Points at a place; a place that cannot be looked up becomes a note.
    pub(crate) fn place(mut self, places: Places<'_>, origin: Origin, text: String) -> Self {
        let first = self.diagnostic.labels.is_empty();
        self.diagnostic = match places(origin) {
            Some(span) if first => self.diagnostic.at(span, text),
            Some(span) => self.diagnostic.because(span, text),
            None => self.diagnostic.with_note(text),
        };
        self
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_note(text);
        self
    }
}
