//! The priority ceiling protocol, from text to machine.

use std::fs;
use std::path::Path;

use fusee_testing::{Tool, copy};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const OPPOSITE: &str = "examples/ceiling/opposite.camkes";

/// Returns the longest time of each task's jobs, in ms.
fn longest(value: &Value) -> Vec<u64> {
    let tasks = value["tasks"].as_array().expect("tasks");
    let longest = |task: &Value| task["response_max_ns"].as_u64().expect("a time") / 1_000_000;
    tasks.iter().map(longest).collect()
}

/// On paper: `recorder` is inside the map when `loader` comes at 3 ms and asks for the log, which
/// is free, at 4 ms: it waits until `recorder` has been through both, at 5 ms.
#[test]
fn opposite_orders_end_without_deadlock() {
    let run = ["--for", "200ms", "--releases", "offsets"];
    let value = FUSEE.json(&[&["simulate", OPPOSITE], &run[..]].concat(), 0);
    assert_eq!(longest(&value), [10, 5, 5], "{value:#}");
    let analysed = FUSEE.json(&["analyze", OPPOSITE], 0);
    let bounds = analysed["tasks"].as_array().expect("tasks").iter();
    let bounds: Vec<_> = bounds.map(|task| task["response_bound_ns"].as_u64()).collect();
    assert_eq!(bounds, [Some(10_000_000), Some(7_000_000), Some(8_000_000)], "{analysed:#}");
}

/// The same with inheritance is refused: each could wait for the other for ever.
#[test]
fn inheritance_is_refused_there() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let file = root.path().expect("it has a path").join("inherited.camkes");
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(OPPOSITE));
    let text = text.expect("the example").replace("\"ceiling\"", "\"inherited\"");
    fs::write(&file, text).expect("it is written");
    let value = FUSEE.json(&["check", &file.display().to_string()], 2);
    assert!(value["diagnostics"].to_string().contains("F0501"), "{value:#}");
}

/// Both machines show what the simulator does, but for what kernel paths take.
#[test]
fn machines_show_the_same() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    for platform in ["qemu-rv64", "qemu-rv32"] {
        let built = folder.join(platform).display().to_string();
        let more = ["--platform", platform, "-o", &built, "--for", "200ms"];
        let value = FUSEE.json(&[&["run", OPPOSITE], &more[..]].concat(), 0);
        assert_eq!(longest(&value), [10, 5, 5], "{value:#}");
    }
}

/// The data that a call hands over survives that it is made again: components in C and Rust print
/// the same as with inheritance, under which it is made once.
#[test]
fn a_call_that_is_made_again_hands_over_the_same() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pathfinder");
    let text = fs::read_to_string(example.join("inherited.camkes")).expect("the example");
    let printed = ["inherited", "ceiling"].map(|protocol| {
        let place = folder.join(protocol);
        copy(&example, &place);
        let file = place.join("system.camkes");
        let changed = text.replace("\"inherited\"", &format!("\"{protocol}\""));
        fs::write(&file, changed).expect("it is written");
        let built = place.join("built").display().to_string();
        let more = ["-o", &built, "--for", "1s"];
        let value = FUSEE.json(&[&["run", &file.display().to_string()], &more[..]].concat(), 0);
        let lines = value["console"].as_array().expect("lines").iter();
        lines.map(|line| line["text"].to_string()).collect::<Vec<_>>()
    });
    assert!(printed[0].len() > 1, "{printed:?}");
    assert_eq!(printed[0], printed[1]);
}
