//! What resolving says on the way, and the places it leads back to.

use fusee_diagnostics::{Diagnostic, Severity, Span};
use fusee_model::Origin;

/// Leads from the model back to the description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    spans: Vec<Span>,
}

impl Origins {
    /// The place behind an origin; `None` for [`Origin::NONE`] and for origins of other descriptions.
    pub fn span(&self, origin: Origin) -> Option<Span> {
        self.spans.get(origin.0 as usize).copied()
    }

    /// Remembers a place.
    pub(super) fn add(&mut self, span: Span) -> Origin {
        let Ok(next) = u32::try_from(self.spans.len()) else { return Origin::NONE };
        self.spans.push(span);
        Origin(next)
    }
}

/// Collects diagnostics and places.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) origins: Origins,
    suggestions: u32,
}

/// Looking for similar names costs time for each message; past this many nobody reads them.
const MOST_SUGGESTIONS: u32 = 200;

impl Report {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.severity == Severity::Error)
    }

    pub(super) fn origin(&mut self, span: Span) -> Origin {
        self.origins.add(span)
    }

    /// Reports an unknown name, with the most similar known one as a repair.
    pub(super) fn unknown<'a>(
        &mut self,
        diagnostic: Diagnostic,
        (name, span): (&str, Span),
        known: impl IntoIterator<Item = &'a str>,
    ) {
        self.suggestions += 1;
        let similar = if self.suggestions > MOST_SUGGESTIONS { None } else { super::similar::closest(name, known) };
        self.push(match similar {
            Some(other) => diagnostic.with_fix(format!("did you mean `{other}`?"), span, other),
            None => diagnostic,
        });
    }
}
