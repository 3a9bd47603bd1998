//! The manual pages of the rules, and of topics.
//!
//! A page is the rule's own text; the book's pages are made from the same. The
//! page of a topic is one of the book's.

use fusee_diagnostics::{Rule, render};
use fusee_pipeline::rules;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Explain;
use crate::output::Output;

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
        output.json(|| {
            let rules: Vec<_> = rules.iter().map(|rule| render::manual_json(rule)).collect();
            json!({ "rules": rules })
        });
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
            output.json(|| render::manual_json(rule));
            output.text(render::manual(rule));
            Status::Fine
        }
        None => output.bad_input(unknown(wanted)),
    }
}

fn list(rules: &[&Rule]) -> String {
    let line = |rule: &&Rule| {
        format!("{}  {:<7}  {}\n", rule.code.0, render::word(rule.severity), rule.name)
    };
    rules.iter().map(line).collect()
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
