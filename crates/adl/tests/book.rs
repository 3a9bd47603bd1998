//! The book's chapter on descriptions is true.
//!
//! Each of its descriptions is read without a complaint, each rule that it names exists, and
//! its table of attributes is the program's. `SNAPSHOTS=overwrite` writes the table anew.

use fusee_adl::Options;
use fusee_adl::RULES;
use fusee_adl::resolve::{ATTRIBUTES, Fate, Known, Place, Reader, resolve};
use fusee_adl::syntax::load_bytes;
use fusee_diagnostics::Severity;
use std::path::PathBuf;

const BEGIN: &str = "<!-- attributes -->\n";
const END: &str = "<!-- end of attributes -->\n";

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../book/src/description.md")
}

fn chapter() -> String {
    std::fs::read_to_string(path()).expect("the chapter")
}

fn row(known: &Known) -> String {
    let name = match known.place {
        Place::Component => known.name.to_string(),
        Place::Interface | Place::Provided => format!("*i*`_{}`", known.name),
        Place::Method => format!("*i*`_{name}`, *i*`_`*m*`_{name}`", name = known.name),
        Place::Mutex => format!("*mutex*`_{}`", known.name),
        Place::Semaphore => format!("*semaphore*`_{}`", known.name),
        Place::System => format!("system.{}", known.name),
        Place::Core => format!("`system.core`*n*`_{}`", known.name),
        Place::Connection => format!("*connection*`.{}`", known.name),
        Place::Own => format!("*i*`.{}`", known.name),
    };
    let name = if name.contains('`') { name } else { format!("`{name}`") };
    let fate = match known.fate {
        Fate::Followed => "followed".to_owned(),
        Fate::Judged => known.why.to_owned(),
        Fate::Needless => format!("no effect (F0347): {}", known.why),
        Fate::Apart => format!("not followed (F0348): {}", known.why),
    };
    let Known { takes, default, meaning, reader, .. } = known;
    match reader {
        Reader::Camkes => format!("| {name} | {takes} | {default} | {meaning} | {fate} |\n"),
        _ => format!("| {name} | {takes} | {default} | {meaning} |\n"),
    }
}

fn table() -> String {
    let mut text = String::new();
    for (reader, title) in [
        (Reader::Fusee, "Fusee reads:"),
        (Reader::PrioritisedRequests, "The library for prioritised requests and Fusee read:"),
        (Reader::Camkes, "CAmkES and its connectors read; the last column says what Fusee does:"),
    ] {
        let (more, line) = match reader {
            Reader::Camkes => (" here |", " --- |"),
            _ => ("", ""),
        };
        text += &format!(
            "\n{title}\n\n| attribute | takes | default | meaning |{more}\n| --- | --- | --- | --- \
             |{line}\n"
        );
        ATTRIBUTES
            .iter()
            .filter(|known| known.reader == reader)
            .for_each(|known| text += &row(known));
    }
    text + "\n"
}

#[test]
fn its_table_is_the_catalogue() {
    let chapter = chapter();
    let (before, rest) = chapter.split_once(BEGIN).expect("where the table begins");
    let (found, after) = rest.split_once(END).expect("where the table ends");
    if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
        std::fs::write(path(), format!("{before}{BEGIN}{}{END}{after}", table()))
            .expect("writing the chapter");
        return;
    }
    assert_eq!(found, table());
}

#[test]
fn its_descriptions_are_read_without_a_complaint() {
    let chapter = chapter();
    let blocks: Vec<&str> = chapter
        .split("```camkes\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(""))
        .collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        let loaded = load_bytes(block.as_bytes());
        let resolution = resolve(&loaded.tree, "book", &Options::default());
        let all = loaded.diagnostics.iter().chain(&resolution.diagnostics);
        let complaints: Vec<&str> =
            all.filter(|d| d.severity > Severity::Note).map(|d| d.message.as_str()).collect();
        assert!(complaints.is_empty(), "{complaints:?} in\n{block}");
        assert!(resolution.system.is_some());
    }
}

#[test]
fn the_rules_that_it_names_exist() {
    let chapter = chapter();
    let named: Vec<&str> = chapter
        .match_indices("F0")
        .map(|(at, _)| &chapter[at..(at + 5).min(chapter.len())])
        .collect();
    assert!(!named.is_empty());
    for code in named {
        // Codes from F04 on are other crates'.
        assert!(code > "F04" || RULES.iter().any(|rule| rule.code.0 == code), "{code}");
    }
}
