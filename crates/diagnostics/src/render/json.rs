//! Messages for programs.
//!
//! One object for each message. Lines and columns count from 1, columns in
//! characters; `end_line` and `end_column` name the place just behind the span.

use serde_json::{Value, json as object};

use crate::{Diagnostic, SourceMap, Span};

/// Returns all messages as a JSON list; the place that a message points at comes first in its
/// `spans`.
pub fn json(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    diagnostics.iter().map(|d| diagnostic(d, sources)).collect()
}

fn diagnostic(diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
    let mut labels: Vec<_> = diagnostic.labels.iter().collect();
    labels.sort_by_key(|label| !label.primary);
    let spans = labels.into_iter().map(|label| {
        let mut value = place(label.span, sources);
        value["label"] = label.text.as_str().into();
        value["primary"] = label.primary.into();
        value
    });
    let fixes = diagnostic.fixes.iter().map(|fix| {
        let mut value = place(fix.span, sources);
        value["title"] = fix.title.as_str().into();
        value["replacement"] = fix.replacement.as_str().into();
        value
    });
    object!({
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "spans": spans.collect::<Vec<_>>(),
        "notes": diagnostic.notes,
        "fixes": fixes.collect::<Vec<_>>(),
    })
}

fn place(span: Span, sources: &SourceMap) -> Value {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    object!({
        "file": file.path.to_string_lossy(),
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    })
}
