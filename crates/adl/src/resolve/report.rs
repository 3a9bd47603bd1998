//! The messages of resolving, and the places they lead back to.

use fusee_diagnostics::{Diagnostic, Severity, Span};
use fusee_model::Origin;

/// Leads from the model back to the description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    spans: Vec<Span>,
}

impl Origins {
    /// Returns the place behind an origin; `None` for [`Origin::NONE`] and for origins of other
    /// descriptions.
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
    errors: usize,
    others: usize,
}

/// More messages of a kind than these are counted, not shown: a user does not read them.
const MOST_ERRORS: usize = 50;
const MOST_OTHERS: usize = 500;

impl Report {
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        let (count, most) = match diagnostic.severity {
            Severity::Error => (&mut self.errors, MOST_ERRORS),
            Severity::Warning | Severity::Note => (&mut self.others, MOST_OTHERS),
        };
        *count += 1;
        if *count <= most {
            self.diagnostics.push(diagnostic);
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Returns all messages, with a word about those that are not shown.
    pub(super) fn finish(self) -> (Vec<Diagnostic>, Origins) {
        let mut diagnostics = self.diagnostics;
        for (count, most, what) in
            [(self.errors, MOST_ERRORS, "errors"), (self.others, MOST_OTHERS, "warnings and notes")]
        {
            if count > most {
                let message = format!("{} more {what} not shown", count - most);
                let note = "mend the first ones and run again";
                diagnostics
                    .push(Diagnostic::note(crate::rules::TOO_MANY_ERRORS, message).with_note(note));
            }
        }
        (diagnostics, self.origins)
    }

    /// Returns `true` if another message would be shown; what it costs to look for similar names is
    /// spared if not.
    pub(super) fn is_open(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors < MOST_ERRORS,
            Severity::Warning | Severity::Note => self.others < MOST_OTHERS,
        }
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
        let shown = self.is_open(diagnostic.severity);
        let similar = if shown { fusee_diagnostics::closest(name, known) } else { None };
        self.push(match similar {
            Some(other) => diagnostic.with_fix(format!("did you mean `{other}`?"), span, other),
            None => diagnostic,
        });
    }
}
