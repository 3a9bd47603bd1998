//! A rule's manual page.

use serde_json::{Value, json};

use crate::{Rule, Severity};

/// Returns the page as text.
pub fn manual(rule: &Rule) -> String {
    let indent = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    format!(
        "{} {} ({})\n\n{}\n\nWhy it matters\n\n{}\n\nExample\n\n{}\nWhat to do \
         instead\n\n{}\n\nReference: {}\n",
        rule.code.0,
        rule.name,
        word(rule.severity),
        wrap(rule.what.trim()),
        wrap(rule.why.trim()),
        indent(rule.example.trim_matches('\n')),
        wrap(rule.instead.trim()),
        wrap(rule.reference.trim()),
    )
}

/// Breaks long lines of prose between words; code and tables stay as they are.
fn wrap(text: &str) -> String {
    const WIDTH: usize = 88;
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with(char::is_whitespace) || line.starts_with('|') {
            lines.push(line.to_owned());
            continue;
        }
        let mut current = String::new();
        for word in line.split_whitespace() {
            if !current.is_empty() && current.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current += word;
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// Returns the page for programs.
pub fn manual_json(rule: &Rule) -> Value {
    json!({
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "what": rule.what,
        "why": rule.why,
        "example": rule.example,
        "instead": rule.instead,
        "reference": rule.reference,
    })
}

/// Returns the word for a severity.
pub fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_prose_only() {
        let long = "word ".repeat(30);
        let wrapped = wrap(&format!("{long}\n\n    {long}\n| {long}"));
        let lengths: Vec<usize> = wrapped.lines().map(|line| line.chars().count()).collect();
        assert_eq!(lengths, [84, 64, 0, 154, 152]);
        assert_eq!(wrapped.split_whitespace().count(), 91);
    }
}
