//! The pages of all rules: complete, distinct, with examples that show them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, Rule, Severity};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

/// The messages of each layer about a description, as far as the layers before let it.
struct Messages {
    adl: Vec<Diagnostic>,
    check: Vec<Diagnostic>,
    bounds: Vec<Diagnostic>,
}

fn messages(file: &Path) -> Messages {
    let reading = fusee_adl::read(file, &fusee_adl::Options::default());
    let span = |origin| reading.origins.span(origin);
    let check = reading.system.as_ref().map(|s| fusee_check::check(s, &span)).unwrap_or_default();
    let usable = fusee_check::is_usable(&reading.diagnostics) && fusee_check::is_usable(&check);
    let analyze = |system| {
        let analysis = fusee_bounds::analyze(system, &Derived::of(system), &CostTable::zero("sim"));
        fusee_bounds::diagnostics(system, &analysis, &span)
    };
    let bounds = reading.system.as_ref().filter(|_| usable).map(analyze).unwrap_or_default();
    Messages { adl: reading.diagnostics, check, bounds }
}

/// Returns the codes of all messages that are at least as severe.
fn codes(diagnostics: &[Diagnostic], severity: Severity) -> BTreeSet<&'static str> {
    diagnostics.iter().filter(|d| d.severity >= severity).map(|d| d.code.0).collect()
}

/// Writes a rule's example where it can be read.
fn example(rule: &Rule) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples");
    std::fs::create_dir_all(&folder).expect("a folder for the examples");
    let file = folder.join(format!("{}-{}.camkes", rule.code.0, rule.name));
    std::fs::write(&file, rule.example).expect("an example that can be written");
    file
}

/// Rules whose example is a sketch, because no short text of one file can show them.
const SKETCHES: [(&str, &str); 11] = [
    ("F0100", "more than fifty errors"),
    ("F0101", "a file that cannot be read"),
    ("F0104", "bytes that are no text"),
    ("F0118", "what a text of millions of words leads to besides"),
    ("F0136", "hundreds of brackets"),
    ("F0607", "stopped by an error of the checks"),
    ("F0610", "a table of costs"),
    ("F0614", "a platform whose kernel costs time"),
    ("F0615", "a platform whose kernel was measured"),
    ("F0616", "a table of costs"),
    ("F0621", "a platform whose kernel costs time"),
];

/// Every rule of a crate whose example does not produce exactly its code, with what it produces.
fn wrong_examples(rules: &[Rule], layer: fn(&Messages) -> (bool, &[Diagnostic])) -> Vec<String> {
    let mut wrong = Vec::new();
    for rule in rules.iter().filter(|r| SKETCHES.iter().all(|(code, _)| *code != r.code.0)) {
        let found = messages(&example(rule));
        let (clean_before, own) = layer(&found);
        if !clean_before || codes(own, rule.severity) != BTreeSet::from([rule.code.0]) {
            let all = [&found.adl, &found.check, &found.bounds]
                .map(|d| d.iter().map(|d| (d.code.0, &d.message)).collect::<Vec<_>>());
            wrong.push(format!("{}: {all:?}", rule.code.0));
        }
    }
    wrong
}

fn said_by_adl(messages: &Messages) -> (bool, &[Diagnostic]) {
    (true, &messages.adl)
}

/// A check may be about a setting of which the language tells that nothing follows it.
fn said_by_checks(messages: &Messages) -> (bool, &[Diagnostic]) {
    let is_told = |found: &Diagnostic| found.code.0 == "F0347";
    (messages.adl.iter().all(is_told), &messages.check)
}

fn said_by_analysis(messages: &Messages) -> (bool, &[Diagnostic]) {
    (messages.adl.is_empty() && fusee_check::is_usable(&messages.check), &messages.bounds)
}

#[test]
fn examples_of_the_language_break_their_rule_and_no_other() {
    assert_eq!(wrong_examples(fusee_adl::RULES, said_by_adl), Vec::<String>::new());
}

#[test]
fn examples_of_checks_break_their_rule_and_no_other() {
    assert_eq!(wrong_examples(fusee_check::RULES, said_by_checks), Vec::<String>::new());
}

#[test]
fn examples_of_the_analysis_break_their_rule_and_no_other() {
    assert_eq!(wrong_examples(fusee_bounds::RULES, said_by_analysis), Vec::<String>::new());
}

#[test]
fn there_are_as_many_rules_as_promised() {
    let count = fusee_adl::RULES.len() + fusee_check::RULES.len() + fusee_bounds::RULES.len();
    assert!(count >= 40, "{count} rules");
}
