//! A message about the model, before its places are looked up.
//!
//! Rules speak of origins; only the caller of [`check`](crate::check) can turn an
//! origin into a span. A place that cannot be looked up (in a generated system)
//! becomes a note, so that no fact is lost.

use fusee_diagnostics::{Diagnostic, Rule, Severity, Span};
use fusee_model::Origin;

/// A message with origins in place of spans.
pub(crate) struct Finding {
    rule: &'static Rule,
    severity: Severity,
    message: String,
    places: Vec<(Origin, String, bool)>,
    notes: Vec<String>,
    fixes: Vec<(String, Origin, String)>,
}

impl Finding {
    /// Breaks `rule`, with the rule's own severity.
    pub(crate) fn of(rule: &'static Rule, message: impl Into<String>) -> Self {
        let (places, notes, fixes) = (Vec::new(), Vec::new(), Vec::new());
        Self { rule, severity: rule.severity, message: message.into(), places, notes, fixes }
    }

    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Returns the place that the message points at.
    pub(crate) fn at(mut self, origin: Origin, text: impl Into<String>) -> Self {
        self.places.push((origin, text.into(), true));
        self
    }

    /// Returns a place that contributes.
    pub(crate) fn because(mut self, origin: Origin, text: impl Into<String>) -> Self {
        self.places.push((origin, text.into(), false));
        self
    }

    /// Returns a further fact, or what to do.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Returns a repair: write `value` in place of the value at an origin.
    pub(crate) fn fix(
        mut self,
        title: impl Into<String>,
        origin: Origin,
        value: impl Into<String>,
    ) -> Self {
        self.fixes.push((title.into(), origin, value.into()));
        self
    }

    pub(crate) fn resolve(self, span: &dyn Fn(Origin) -> Option<Span>) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(self.rule.code, self.severity, self.message);
        let mut lost = Vec::new();
        for (origin, text, primary) in self.places {
            match span(origin) {
                Some(span) if primary => diagnostic = diagnostic.at(span, text),
                Some(span) => diagnostic = diagnostic.because(span, text),
                None => lost.push(text),
            }
        }
        diagnostic.notes.extend(lost.into_iter().filter(|t| !t.is_empty()));
        diagnostic.notes.extend(self.notes);
        for (title, origin, value) in self.fixes {
            if let Some(span) = span(origin) {
                diagnostic = diagnostic.with_fix(title, span, value);
            }
        }
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    use fusee_diagnostics::FileId;

    use super::*;

    const RULE: Rule = crate::RULES[0];

    #[test]
    fn places_that_are_known_become_labels_and_others_notes() {
        let known = Span { file: FileId(0), start: 1, end: 2 };
        let finding = Finding::of(&RULE, "message")
            .at(Origin(1), "here")
            .because(Origin(2), "there")
            .note("also")
            .fix("repair", Origin(1), "1")
            .fix("lost", Origin(2), "2");
        let diagnostic = finding.resolve(&|origin| (origin == Origin(1)).then_some(known));
        assert_eq!(diagnostic.labels.len(), 1);
        assert!(diagnostic.labels[0].primary);
        assert_eq!(diagnostic.notes, ["there", "also"]);
        assert_eq!(
            diagnostic.fixes.iter().map(|f| f.title.as_str()).collect::<Vec<_>>(),
            ["repair"]
        );
        assert_eq!((diagnostic.code, diagnostic.severity), (RULE.code, RULE.severity));
    }
}
