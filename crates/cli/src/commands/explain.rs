//! The manual pages of the rules.
//!
//! A page is the rule's own text; the book's pages are made from the same.

use fusee_diagnostics::{Rule, Severity};
use serde_json::{Value, json};

use crate::args::Explain;
use crate::output::Output;
use crate::rules;
use crate::status::Status;

/// Prints one rule's page, or the list of all.
pub(crate) fn run(arguments: &Explain, output: &mut Output) -> Status {
    let Some(wanted) = &arguments.rule else {
        let rules = rules::all();
        output.json(|| json!({ "rules": rules.iter().map(|rule| object(rule)).collect::<Vec<_>>() }));
        output.text(list(&rules));
        return Status::Fine;
    };
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
    let line = |rule: &&Rule| format!("{}  {:<7}  {}\n", rule.code.0, severity(rule.severity), rule.name);
    rules.iter().map(line).collect()
}

fn page(rule: &Rule) -> String {
    let indent = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
    format!(
        "{} {} ({})\n\n{}\n\nWhy it matters\n\n{}\n\nExample\n\n{}\nWhat to do instead\n\n{}\n\nReference: {}\n",
        rule.code.0,
        rule.name,
        severity(rule.severity),
        rule.what.trim(),
        rule.why.trim(),
        indent(rule.example.trim_matches('\n')),
        rule.instead.trim(),
        rule.reference.trim(),
    )
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
