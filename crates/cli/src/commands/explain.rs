//! The manual pages of the rules, of topics, and the words of the glossary.
//!
//! A page is the rule's own text; the book's pages are made from the same. The
//! page of a topic is one of the book's, and a word is a row of its glossary.

use fusee_diagnostics::{Rule, render};
use fusee_pipeline::rules;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Explain;
use crate::output::Output;

/// The book's glossary: rows of a word and its meaning.
const GLOSSARY: &str = include_str!("../../../../book/src/glossary.md");

/// A topic that a page of the book explains.
struct Topic {
    name: &'static str,
    /// A page of the book.
    page: &'static str,
}

const TOPICS: [Topic; 1] =
    [Topic { name: "wcet", page: include_str!("../../../../book/src/first-bound.md") }];

/// Prints one rule's page, that of a topic, the meaning of a word, or the list of all rules.
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
    if let Some(rule) = rules::find(wanted) {
        output.json(|| render::manual_json(rule));
        output.text(render::manual(rule));
        return Status::Fine;
    }
    let Some((word, meaning)) = meaning(wanted) else { return output.bad_input(unknown(wanted)) };
    output.json(|| json!({ "word": word, "meaning": meaning }));
    output.text(format!("{word}: {meaning}\n"));
    Status::Fine
}

/// Iterates over the words of the glossary with their meanings. One row may name several words.
fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
    let row = |line: &'static str| {
        let (word, meaning) = line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ")?;
        (word != "word" && word != "---").then_some((word, meaning))
    };
    GLOSSARY.lines().filter_map(row)
}

/// Returns the row of a word, also for its plural and whatever the case of its letters.
fn meaning(wanted: &str) -> Option<(&'static str, &'static str)> {
    let wanted = wanted.trim().to_lowercase();
    let is_it = |word: &str| {
        let word = word.to_lowercase();
        wanted == word || wanted.strip_suffix('s') == Some(word.as_str())
    };
    words().find(|(row, _)| row.split(", ").any(is_it))
}

fn list(rules: &[&Rule]) -> String {
    let line = |rule: &&Rule| {
        format!("{}  {:<7}  {}\n", rule.code.0, render::word(rule.severity), rule.name)
    };
    rules.iter().map(line).collect()
}

/// Returns the message about a rule that does not exist, with similar rules and words.
fn unknown(wanted: &str) -> String {
    let lower = wanted.to_lowercase();
    let rules = rules::all()
        .into_iter()
        .filter(|rule| !lower.is_empty() && rule.name.contains(&lower))
        .map(|rule| format!("  {}  {}", rule.code.0, rule.name));
    let words = words()
        .filter(|(word, _)| !lower.is_empty() && word.to_lowercase().contains(&lower))
        .map(|(word, _)| format!("  {word}"));
    let near: Vec<String> = rules.chain(words).collect();
    if near.is_empty() {
        format!("there is no rule `{}`; `fusee explain` lists all", wanted.escape_debug())
    } else {
        format!("there is no rule `{}`; similar:\n{}", wanted.escape_debug(), near.join("\n"))
    }
}
