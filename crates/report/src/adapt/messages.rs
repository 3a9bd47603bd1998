//! Diagnostics with their places as text.

use crate::view::Message;
use fusee_diagnostics::{Diagnostic, SourceMap, Span};

/// Returns a place as text: `file:line:column`.
pub(crate) fn place(sources: &SourceMap, span: Span) -> String {
    let file = sources.file(span.file);
    let position = file.position(span.start);
    format!("{}:{}:{}", file.path.display(), position.line, position.column)
}

/// Diagnostics in the form in which a page shows them.
pub(crate) fn messages(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<Message> {
    let message = |diagnostic: &Diagnostic| Message {
        code: diagnostic.code.0.to_owned(),
        severity: diagnostic.severity,
        text: diagnostic.message.clone(),
        places: diagnostic
            .labels
            .iter()
            .map(|label| (place(sources, label.span), label.text.clone()))
            .collect(),
        notes: (diagnostic.notes.iter().cloned())
            .chain(
                diagnostic
                    .fixes
                    .iter()
                    .map(|fix| format!("help: {} (`{}`)", fix.title, fix.replacement.trim())),
            )
            .collect(),
    };
    diagnostics.iter().map(message).collect()
}
