//! Arguments, exit statuses and what goes to which stream.

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

fn fusee(arguments: &[&str]) -> Command {
    Command::new(cargo_bin!("fusee")).args(arguments)
}

#[test]
fn suggests_what_was_probably_meant() {
    let run = fusee(&["explian"]).assert().code(2).stdout_eq(str![]);
    run.stderr_eq(str![[r#"
error: unrecognized subcommand 'explian'

  tip: a similar subcommand exists: 'explain'
...
"#]]);
    fusee(&["explain", "--jsno"]).assert().code(2).stderr_eq(str![[r#"
error: unexpected argument '--jsno' found

  tip: a similar argument exists: '--json'
...
"#]]);
}

#[test]
fn explains_the_way_to_a_first_bound() {
    let page = include_str!("../../../book/src/first-bound.md");
    assert!(page.contains("--facts-from"));
    let run = fusee(&["explain", "WCET"]).output().expect("it runs");
    assert!(run.status.success() && run.stderr.is_empty());
    assert_eq!(String::from_utf8_lossy(&run.stdout), page);
}

#[test]
fn explains_the_words_of_the_glossary() {
    let explained = |word: &str| {
        let run = fusee(&["explain", word]).output().expect("it runs");
        assert!(run.status.success() && run.stderr.is_empty(), "{word}");
        String::from_utf8(run.stdout).expect("text")
    };
    let gate = explained("gate");
    assert!(gate.starts_with("gate: the kernel's object behind a provided procedure interface"));
    // Whatever the case, in the plural, of several words, and by each word of a row of two.
    assert_eq!(explained("Gates"), gate);
    assert!(explained("effective priority").starts_with("effective priority: the maximum of"));
    for path in ["fast path", "slow paths"] {
        assert!(explained(path).starts_with("fast path, slow path: the short way"), "{path}");
    }
    let run = fusee(&["explain", "account", "--json"]).output().expect("it runs");
    let value: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(value["word"], "account");
    assert!(value["meaning"].as_str().is_some_and(|meaning| meaning.ends_with("a TCap")));
    // A heading of a table is no word.
    fusee(&["explain", "word"]).assert().code(2);
    fusee(&["explain", "effective"]).assert().code(2).stderr_eq(str![[r#"
error: there is no rule `effective`; similar:
  effective priority

"#]]);
}

#[test]
fn each_word_has_one_meaning() {
    let page = include_str!("../../../book/src/glossary.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    let named = |row: &str| row.split(" | ").next().map(|word| word[2..].to_owned());
    let words: Vec<String> = rows.iter().filter_map(|row| named(row)).collect();
    let words: Vec<&str> = words.iter().flat_map(|row| row.split(", ")).collect();
    let words: Vec<&str> =
        words.into_iter().filter(|word| !["word", "---"].contains(word)).collect();
    let distinct: std::collections::BTreeSet<&str> = words.iter().copied().collect();
    assert!(words.len() > 60 && distinct.len() == words.len(), "{words:?}");
}

#[test]
fn explains_by_code_and_by_name() {
    for rule in ["F0001", "f0001", "file-unreadable"] {
        fusee(&["explain", rule]).assert().code(0).stderr_eq(str![]).stdout_eq(str![[r#"
F0001 file-unreadable (error)
...
Why it matters
...
Example
...
What to do instead
...
Reference: [..]

"#]]);
    }
}

#[test]
fn names_similar_rules() {
    fusee(&["explain", "unreadable"]).assert().code(2).stdout_eq(str![]).stderr_eq(str![[r#"
error: there is no rule `unreadable`; similar:
...
  F0001  file-unreadable
...
"#]]);
    fusee(&["explain", "F9999\u{1b}[31m"]).assert().code(2).stderr_eq(str![[r#"
error: there is no rule `F9999/u{1b}[31m`; `fusee explain` lists all

"#]]);
}

#[test]
fn keeps_standard_output_for_json() {
    let json = |arguments: &[&str]| -> serde_json::Value {
        let run = fusee(arguments).output().expect("it runs");
        serde_json::from_slice(&run.stdout).expect("one JSON document")
    };
    assert_eq!(json(&["explain", "F0001", "--json"])["name"], "file-unreadable");
    assert!(
        json(&["explain", "--json"])["rules"].as_array().is_some_and(|rules| !rules.is_empty())
    );
    assert!(json(&["doctor", "--json"])["tools"][0]["version"].is_string());
    assert!(json(&["explain", "F9999", "--json"])["error"].is_string());
}

#[test]
fn completes_in_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = fusee(&["completions", shell]).output().expect("it runs");
        let script = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success() && script.contains("doctor"), "{shell}: {script}");
    }
}

#[test]
fn survives_a_reader_that_goes_away() {
    let mut child = std::process::Command::new(cargo_bin!("fusee"))
        .args(["completions", "bash"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn says_when_output_is_lost() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let status =
        std::process::Command::new(cargo_bin!("fusee")).arg("explain").stdout(full).status();
    assert_eq!(status.expect("it runs").code(), Some(3));
}

/// Every document tells its form and what made it; also those about what was not done, and about
/// arguments that can't be read.
#[test]
fn every_document_tells_its_form_and_what_made_it() {
    let cases: [(&[&str], Option<i32>); 9] = [
        (&["explain", "--json"], Some(0)),
        (&["doctor", "--json"], None),
        (&["explain", "F9999", "--json"], Some(2)),
        (&["check", "no such file.camkes", "--json"], Some(2)),
        (&["analyze", "nothing.camkes", "--json"], Some(2)),
        (&["wcet", "nothing.elf", "--json"], Some(2)),
        (&["--json", "analyze", "a.camkes", "--no-such-option"], Some(2)),
        (&["no-such-command", "--json"], Some(2)),
        (&["--json"], Some(2)),
    ];
    for (arguments, status) in cases {
        let run = fusee(arguments).output().expect("it runs");
        let text = String::from_utf8_lossy(&run.stdout);
        let document: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}"));
        assert!(text.starts_with("{\n  \"schema\": 1,"), "{text}");
        assert!(status.is_none() || run.status.code() == status, "{arguments:?}: {document:#}");
        let words = document["provenance"]["command"].as_str().expect("a command line");
        assert_eq!(words.replace('\'', ""), format!("fusee {}", arguments.join(" ")));
        assert_eq!(document["provenance"]["fusee"], env!("CARGO_PKG_VERSION"));
        let told = document["error"].is_string() || document["diagnostics"].is_array();
        assert!(told || status != Some(2), "{document:#}");
    }
    let unknown = fusee(&["check", "--jsno", "--json"]).output().expect("it runs");
    let document: serde_json::Value = serde_json::from_slice(&unknown.stdout).expect("JSON");
    assert_eq!(document["error"], "unexpected argument '--jsno' found");
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("a similar argument"), "{unknown:?}");
    // Help is no document.
    let help = fusee(&["check", "--json", "--help"]).output().expect("it runs");
    assert!(help.status.success() && help.stdout.starts_with(b"Check a description"), "{help:?}");
}
