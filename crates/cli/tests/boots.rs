//! Examples boot, print what they ever did, and keep their bounds.
//!
//! What was printed stands in `tests/examples/*.run.txt`, without times, which belong to the
//! kernel's speed; `SNAPSHOTS=overwrite` rewrites it. Half of the examples are compiled by clang,
//! half by GCC.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use snapbox::Data;

fn root() -> PathBuf {
    std::fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the root")
}

/// Runs an example; its results as JSON.
fn run(example: &str, time: &str, options: &[&str]) -> Value {
    let path = format!("examples/{example}.camkes");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "boots-{}-{}",
        options.len(),
        example.replace('/', "-")
    ));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
    command
        .current_dir(root())
        .args(["run", &path, "--for", time, "--json", "-o"])
        .arg(folder)
        .args(options);
    let run = command.output().expect("fusee starts");
    let text = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{example}: {error}\n{text}"))
}

/// Returns the results that do not depend on the kernel's speed.
fn seen(run: &Value) -> String {
    let list = |key: &str| run[key].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let mut seen = String::new();
    for line in list("console") {
        let _ = writeln!(seen, "{}: {}", text(&line["component"]), text(&line["text"]));
    }
    for line in text(&run["serial"]).lines() {
        let _ = writeln!(seen, "serial port: {line}");
    }
    for fault in list("faults") {
        let _ = writeln!(
            seen,
            "fault in {}, invoked by {}",
            text(&fault["component"]),
            text(&fault["task"])
        );
    }
    for task in list("tasks") {
        let _ = writeln!(
            seen,
            "{}: {} jobs, {} misses",
            text(&task["name"]),
            task["jobs"],
            task["misses"]
        );
    }
    seen
}

fn boots(example: &str, time: &str, options: &[&str]) {
    let run = run(example, time, options);
    // Two examples have no bounds at all.
    let without = ["dataports/dataports", "timer/timer"].contains(&example);
    assert_eq!(
        run["bounds_held"],
        if without { Value::Null } else { true.into() },
        "{example}: {run:#}"
    );
    // The parser's crash is what that example is about.
    let refused = u64::from(example == "restart/restart");
    assert_eq!(run["refused"], refused, "{example}: {run:#}");
    let golden =
        root().join("tests/examples").join(format!("{}.run.txt", example.replace('/', "-")));
    let expected = Data::read_from(&golden, None);
    snapbox::Assert::new().action_env(snapbox::assert::DEFAULT_ACTION_ENV).eq(seen(&run), expected);
}

#[test]
fn small_examples_boot() {
    for example in ["hello/hello", "dataports/dataports", "restart/restart", "locks/locks"] {
        boots(example, "40ms", &[]);
    }
}

#[test]
fn tasks_that_events_release_boot_with_the_times_of_their_programs() {
    boots("released/released", "60ms", &[]);
}

#[test]
fn small_examples_boot_when_compiled_by_clang() {
    for example in ["hello/hello", "events/events", "groups/groups", "timer/timer"] {
        boots(example, "40ms", &["--compiler", "clang-19"]);
    }
}

#[test]
fn examples_without_code_boot() {
    for example in ["nested/config2", "nested/config4", "engine/engine"] {
        boots(example, "100ms", &["--stubs"]);
    }
}
