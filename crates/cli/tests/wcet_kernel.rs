//! The kernel's own paths: bounded, not longer on the machine, costs proved.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of this test's own, in which `fusee` runs.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wcet-kernel-{test}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn fusee(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(snapbox::cmd::cargo_bin!("fusee")).current_dir(folder).args(arguments).output().expect("it runs")
}

fn json(run: &Output) -> Value {
    let errors = String::from_utf8_lossy(&run.stderr);
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// The examples of the repository, by name.
fn example(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path).display().to_string()
}

#[test]
fn no_path_is_longer_on_the_machine() {
    let folder = folder("closed");
    let system = example("events/events.camkes");
    let arguments = ["--observe", "qemu-rv64", "--for", "8ms", "--path", "--entry", "acknowledge", "--json"];
    let run = fusee(&folder, &[&["wcet", "--kernel", &system][..], &arguments].concat());
    let document = json(&run);
    assert_eq!(run.status.code(), Some(0), "{document:#}");
    assert_eq!(document["paths"]["unexplained"], 0);
    let entries = document["entries"].as_array().expect("a list");
    assert!(entries.len() >= 16, "{document:#}");
    let mut seen = 0;
    for entry in entries {
        assert!(entry["bound"].is_u64() && entry["stack_bytes"].is_u64(), "{entry:#}");
        // The steps of the path that was asked for are all of its time.
        let steps = entry["path"]["steps"].as_array();
        assert_eq!(steps.is_some(), entry["name"] == "acknowledge", "{entry:#}");
        let sum = steps.map(|steps| steps.iter().filter_map(|step| step["time"].as_u64()).sum::<u64>());
        assert!(sum.is_none_or(|sum| entry["bound"] == sum), "{sum:?} of {entry:#}");
        let Some(observed) = entry["observed"].as_u64() else { continue };
        assert!(observed <= entry["bound"].as_u64().expect("a bound"), "{entry:#}");
        seen += 1;
    }
    assert!(seen >= 3, "{document:#}");
    let response = &document["interrupt_response"];
    // A system of the largest size, in which everything can happen, is not faster than one of three threads.
    assert!(response["closed"].as_u64().expect("a bound") < response["open"].as_u64().expect("a bound"), "{response}");
    assert!(document["seconds"].is_f64());
}

#[test]
fn costs_are_proved_for_every_system_and_not_from_one() {
    let folder = folder("open");
    let closed = example("events/events.camkes");
    let run = fusee(&folder, &["wcet", "--kernel", &closed, "-o", "refused.toml"]);
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(!folder.join("refused.toml").exists());
    let run = fusee(&folder, &["wcet", "--kernel", "-o", "costs.toml", "--json"]);
    let document = json(&run);
    assert_eq!(run.status.code(), Some(0), "{document:#}");
    let entries = document["entries"].as_array().expect("a list");
    assert!(entries.len() >= 16 && entries.iter().all(|entry| entry["bound"].is_u64()), "{document:#}");
    let response = &document["interrupt_response"];
    assert!(response["closed"].is_null(), "{response}");
    // Who waits for whom is looked at once for each thread, not once for each thread that waits for each.
    assert!(response["open"].as_u64().expect("a bound") < 200_000, "{response}");
    let table = std::fs::read_to_string(folder.join("costs.toml")).expect("a file");
    assert!(table.contains("release = \"proved\"") && table.contains("provenance = \"measured\""), "{table}");
    let run = fusee(
        &folder,
        &["analyze", &example("hello/hello.camkes"), "--platform", "qemu-rv64", "--costs", "costs.toml", "--json"],
    );
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn the_rounds_granted_for_a_piece_of_data_cover_its_words() {
    let source = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        std::fs::read_to_string(path).expect("a file")
    };
    let number = |path: &str, before: &str, after: &str| -> u64 {
        let text = source(path);
        let line = text.lines().find_map(|line| line.strip_prefix(before)).expect("the line");
        line.trim_end_matches(after).parse().expect("a number")
    };
    let words = number("os/system/src/restarts.rs", "const PIECE_WORDS: u16 = ", ";");
    let granted = number("os/kernel.facts.toml", "\"restore\" = ", "");
    // At most all but one of the rounds of eight words, then seven of one, and one to see that nothing is left.
    assert!(granted > words / 8 - 1 + 7, "{granted} rounds for {words} words");
}

#[test]
fn what_is_no_image_is_refused() {
    let folder = folder("refused");
    std::fs::write(folder.join("other.elf"), b"\x7fELF and nothing else").expect("a file");
    let run = fusee(&folder, &["wcet", "--kernel", "other.elf", "--json"]);
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(json(&run)["entries"], serde_json::json!([]));
}
