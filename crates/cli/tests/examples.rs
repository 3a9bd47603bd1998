//! The commands' output for each example: files in `tests/examples`.
//!
//! `SNAPSHOTS=overwrite` rewrites them.

use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::Data;

const EXAMPLES: [&str; 7] = [
    "pathfinder/fifo",
    "pathfinder/inherited",
    "nested/config1",
    "nested/config2",
    "nested/config3",
    "nested/config4",
    "engine/engine",
];

fn root() -> PathBuf {
    std::fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the root")
}

/// Returns the exit status and both streams of a command about an example.
fn run(arguments: &[&str]) -> String {
    let run = Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .args(arguments)
        .current_dir(root())
        .output();
    let run = run.expect("it starts");
    let (out, err) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let status = run.status.code().expect("it ends by itself");
    format!(
        "$ fusee {}\n--- status: {status}\n--- standard output:\n{out}--- standard error:\n{err}",
        arguments.join(" ")
    )
}

/// Runs `command` on every example and holds what it prints against the golden files.
fn check(command: &str, options: &[&str]) {
    for example in EXAMPLES {
        let path = format!("examples/{example}.camkes");
        let arguments = [&[command, &path], options].concat();
        let golden = root()
            .join("tests/examples")
            .join(format!("{}.{command}.txt", example.replace('/', "-")));
        let expected = Data::read_from(&golden, None);
        snapbox::Assert::new()
            .action_env(snapbox::assert::DEFAULT_ACTION_ENV)
            .eq(run(&arguments), expected);
    }
}

#[test]
fn every_example_is_analysed_as_ever() {
    check("analyze", &[]);
}

#[test]
fn every_example_runs_as_ever() {
    check("simulate", &["--for", "10s"]);
}

#[test]
fn every_description_is_in_the_list_and_in_the_readme() {
    let readme = std::fs::read_to_string(root().join("examples/README.md")).expect("the list");
    for folder in ["pathfinder", "nested", "engine"] {
        for entry in std::fs::read_dir(root().join("examples").join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let name = format!("{folder}/{}", path.file_stem().expect("a name").to_string_lossy());
            if text.contains("\nassembly {") {
                assert!(EXAMPLES.contains(&name.as_str()), "{name}");
                assert!(readme.contains(&format!("({name}.camkes)")), "{name}");
            }
        }
    }
}
