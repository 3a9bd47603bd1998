//! The manual pages of the rules, of topics, and the words of the glossary.
//!
//! A page is the rule's own text; the book's pages are made from the same. The
//! page of a topic is one of the book's, and a word is a row of its glossary.

use fusee_diagnostics::{Code, Rule, render};
use fusee_pipeline::combinations::{self, SETTINGS, SHARINGS, Sharing};
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

/// The word for the table of ways to schedule and ways to share.
const COMBINATIONS: &str = "combinations";

/// A way to share, with what `check` says of it in each setting.
type Row = (&'static Sharing, Vec<Result<(), Code>>);

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
    if wanted.to_lowercase() == COMBINATIONS {
        explain_combinations(output);
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

/// Prints which ways to schedule and to share go together, as `check` finds it.
fn explain_combinations(output: &mut Output) {
    let of = |sharing: &'static Sharing| {
        SETTINGS.iter().map(move |setting| combinations::accepted(setting, sharing))
    };
    let rows = SHARINGS.iter().map(|sharing| (sharing, of(sharing).collect::<Vec<_>>()));
    let rows: Vec<Row> = rows.collect();
    output.json(|| {
        let cells = rows.iter().flat_map(|(sharing, cells)| {
            SETTINGS.iter().zip(cells).map(|(setting, cell)| {
                let rule = cell.err().map(|code| code.0);
                json!({ "setting": setting.name, "sharing": sharing.name, "rule": rule })
            })
        });
        json!({ "combinations": cells.collect::<Vec<_>>() })
    });
    output.text(combinations_table(&rows));
}

/// Returns the table as text: a row for each way to share, a numbered column for each setting.
fn combinations_table(rows: &[Row]) -> String {
    let line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("  {cell:<5}")).collect();
        format!("{}\n", format!("{name:<16}{cells}").trim_end())
    };
    let mut numbers = (1..=SETTINGS.len()).map(|number| number.to_string());
    let mut text = line("", &mut numbers);
    for (sharing, cells) in rows {
        let cell = |cell: &Result<(), Code>| {
            cell.map_or_else(|code| code.0.to_owned(), |()| "yes".to_owned())
        };
        text += &line(sharing.name, &mut cells.iter().map(cell));
    }
    text.push('\n');
    for (number, setting) in SETTINGS.iter().enumerate() {
        text += &format!("{:>2}  {}\n", number + 1, setting.name);
    }
    let all = rows.iter().flat_map(|(_, cells)| cells);
    let accepted = all.clone().filter(|cell| cell.is_ok()).count();
    text + &format!(
        "\n{accepted} of {} go together; `fusee explain CODE` says why one does not\n",
        all.count()
    )
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
