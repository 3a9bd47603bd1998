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
