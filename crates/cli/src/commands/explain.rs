//! The manual pages of the rules, and of topics.
//!
//! A page is the rule's own text; the book's pages are made from the same. The
//! page of a topic is one of the book's.

use fusee_diagnostics::{Rule, Severity};
use fusee_pipeline::status::Status;
use serde_json::{Value, json};

use crate::args::Explain;
use crate::output::Output;
use crate::rules;

/// What is explained besides rules.
struct Topic {
    name: &'static str,
    /// A page of the book.
    page: &'static str,
}

const TOPICS: [Topic; 1] =
    [Topic { name: "wcet", page: include_str!("../../../../book/src/first-bound.md") }];

/// Prints one rule's page, that of a topic, or the list of all rules.
pub(crate) fn run(arguments: &Explain, output: &mut Output) -> Status {
    let Some(wanted) = &arguments.rule else {
        let rules = rules::all();
        output
            .json(|| json!({ "rules": rules.iter().map(|rule| object(rule)).collect::<Vec<_>>() }));
        output.text(list(&rules));
        return Status::Fine;
    };
    if let Some(topic) = TOPICS.iter().find(|topic| topic.name == wanted.to_lowercase()) {
        output.json(|| json!({ "topic": topic.name, "page": topic.page }));
        output.text(topic.page.to_owned());
        return Status::Fine;
    }
    match rules::find(wanted) {
        Some(rule) => {
            output.json(|| object(rule));
            output.text(page(rule));
            Status::Fine
        }
        None => output.bad_input(unknown(wanted)),
    }
}

fn list(rules: &[&Rule]) -> String {
    let line =
        |rule: &&Rule| format!("{}  {:<7}  {}\n", rule.code.0, severity(rule.severity), rule.name);
    rules.iter().map(line).collect()
}

fn page(rule: &Rule) -> String {
    let indent = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    format!(
        "{} {} ({})\n\n{}\n\nWhy it matters\n\n{}\n\nExample\n\n{}\nWhat to do \
         instead\n\n{}\n\nReference: {}\n",
        rule.code.0,
        rule.name,
        severity(rule.severity),
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

fn object(rule: &Rule) -> Value {
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

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

/// What to say about a rule that does not exist.
fn unknown(wanted: &str) -> String {
    let lower = wanted.to_lowercase();
    let near: Vec<String> = rules::all()
        .into_iter()
        .filter(|rule| !lower.is_empty() && rule.name.contains(&lower))
        .map(|rule| format!("  {}  {}", rule.code.0, rule.name))
        .collect();
    if near.is_empty() {
        format!("there is no rule `{}`; `fusee explain` lists all", wanted.escape_debug())
    } else {
        format!("there is no rule `{}`; similar:\n{}", wanted.escape_debug(), near.join("\n"))
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
