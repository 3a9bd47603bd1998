//! Messages as annotations of GitHub's workflows.
//!
//! A line of the form `::error file=F,line=L,col=C,title=T::TEXT` on standard output is
//! shown beside the line in a change. Newlines and some characters are written as `%` and
//! their number: <https://docs.github.com/actions/reference/workflow-commands>.

use crate::{Diagnostic, Severity, SourceMap};

/// Returns a line for each message.
pub fn github(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    diagnostics.iter().map(|found| annotation(found, sources)).collect()
}

fn annotation(found: &Diagnostic, sources: &SourceMap) -> String {
    let word = match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(label) = found.primary() {
        let file = sources.file(label.span.file);
        let (start, end) = (file.position(label.span.start), file.position(label.span.end));
        properties.push(format!("file={}", property(&file.path.to_string_lossy())));
        properties.push(format!("line={},endLine={}", start.line, end.line));
        // A column is one of the line that the message stands at.
        if start.line == end.line {
            properties.push(format!("col={},endColumn={}", start.column, end.column));
        }
    }
    properties.push(format!("title={}", property(found.code.0)));
    let repairs = found.fixes.iter().map(|fix| format!("\n{}", fix.title));
    let said = found.lines() + &repairs.collect::<String>();
    format!("::{word} {}::{}\n", properties.join(","), text(&said))
}

fn text(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(value: &str) -> String {
    text(value).replace(':', "%3A").replace(',', "%2C")
}
