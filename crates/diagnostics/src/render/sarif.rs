//! Messages as a document of the Static Analysis Results Interchange Format.
//!
//! Version 2.1.0: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
//! Lines and columns count from 1, columns in characters (`unicodeCodePoints`), and an
//! `endColumn` is the one behind the last.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{Diagnostic, SourceMap, Span};

/// The messages of one run.
#[derive(Debug, Clone, Default)]
pub struct Sarif {
    results: Vec<Value>,
    codes: BTreeSet<&'static str>,
}

impl Sarif {
    /// Adds messages.
    pub fn add(&mut self, diagnostics: &[Diagnostic], sources: &SourceMap) {
        self.codes.extend(diagnostics.iter().map(|found| found.code.0));
        self.results.extend(diagnostics.iter().map(|found| result(found, sources)));
    }

    /// Returns the document, from this version of the tool.
    pub fn document(&self, version: &str) -> Value {
        let rules: Vec<Value> = self.codes.iter().map(|code| json!({ "id": code })).collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": "fusee", "version": version, "rules": rules } },
                "columnKind": "unicodeCodePoints",
                "results": self.results,
            }],
        })
    }
}

fn result(found: &Diagnostic, sources: &SourceMap) -> Value {
    let (primary, others): (Vec<_>, Vec<_>) = found.labels.iter().partition(|label| label.primary);
    let at = |label: &&crate::Label| {
        let mut at = location(label.span, sources);
        if !label.text.is_empty() {
            at["message"] = json!({ "text": label.text });
        }
        at
    };
    let mut result = json!({
        "ruleId": found.code,
        "level": found.severity,
        "message": { "text": found.lines() },
        "locations": primary.iter().map(at).collect::<Vec<_>>(),
    });
    if !others.is_empty() {
        result["relatedLocations"] = others.iter().map(at).collect();
    }
    if !found.fixes.is_empty() {
        let fix = |fix: &crate::Fix| {
            let at = location(fix.span, sources);
            let at = &at["physicalLocation"];
            let replacement = json!({
                "deletedRegion": at["region"],
                "insertedContent": { "text": fix.replacement },
            });
            json!({
                "description": { "text": fix.title },
                "artifactChanges": [{
                    "artifactLocation": at["artifactLocation"],
                    "replacements": [replacement],
                }],
            })
        };
        result["fixes"] = found.fixes.iter().map(fix).collect();
    }
    result
}

fn location(span: Span, sources: &SourceMap) -> Value {
    let file = sources.file(span.file);
    let (start, end) = (file.position(span.start), file.position(span.end));
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.path.to_string_lossy()) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        },
    })
}

/// Returns a path as a reference: what has a meaning there is written as `%` and its number.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let written = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    let reference: String = written.collect();
    if path.starts_with('/') { format!("file://{reference}") } else { reference }
}
