//! Messages beside the text: those of `fusee check`, with the same codes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, Severity, SourceMap};
use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, NumberOrString, Position, Range,
};

use crate::places;
use crate::workspace::Understood;

/// Returns the messages about each file of a description, also of those without any. What has no
/// place, or one in a file that comes with Fusee, stands at the beginning of the description.
pub(crate) fn by_file(
    understood: &Understood,
    root: &Path,
) -> BTreeMap<PathBuf, Vec<lsp_types::Diagnostic>> {
    let loaded = &understood.checked.loaded;
    let sources = &loaded.sources;
    let mut all: BTreeMap<PathBuf, Vec<_>> = BTreeMap::new();
    all.insert(root.to_owned(), Vec::new());
    for path in sources.files().filter_map(|(_, file)| places::absolute(&file.path)) {
        all.entry(path).or_default();
    }
    for found in &loaded.diagnostics {
        let label = found.primary();
        let own = label.and_then(|label| places::absolute(&sources.file(label.span.file).path));
        let place = match (&own, label) {
            (Some(_), Some(label)) => {
                let file = sources.file(label.span.file);
                places::range(file, label.span.start, label.span.end)
            }
            _ => Range::new(Position::new(0, 0), Position::new(0, 0)),
        };
        let message = message(found, place, sources);
        all.entry(own.unwrap_or_else(|| root.to_owned())).or_default().push(message);
    }
    all
}

fn message(found: &Diagnostic, range: Range, sources: &SourceMap) -> lsp_types::Diagnostic {
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    };
    let others = found.labels.iter().filter(|label| !label.primary);
    let related = others.filter_map(|label| {
        let location = places::location(label.span, sources)?;
        Some(DiagnosticRelatedInformation { location, message: label.text.clone() })
    });
    lsp_types::Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(found.code.0.to_owned())),
        source: Some("fusee".to_owned()),
        message: found.lines(),
        related_information: Some(related.collect()),
        ..lsp_types::Diagnostic::default()
    }
}
