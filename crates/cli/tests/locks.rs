//! Mutexes: analysis, simulation and the booted machine agree on waiting.

use fusee_testing::Tool;
use serde_json::Value;
use std::process::Command;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const EXAMPLE: &str = "examples/locks/locks.camkes";

/// Returns a number of each task, by name.
fn numbers(results: &Value, key: &str) -> Vec<(String, u64)> {
    let tasks = results["tasks"].as_array().expect("tasks").iter();
    let number = |task: &Value| task[key].as_u64().unwrap_or_else(|| panic!("no {key}: {task:#}"));
    tasks.map(|task| (task["name"].as_str().expect("a name").to_owned(), number(task))).collect()
}

#[test]
fn whoever_waits_for_a_mutex_waits_no_longer_than_its_bound() {
    let free = numbers(&FUSEE.json(&["analyze", EXAMPLE], 0), "response_bound_ns");
    // 230 us of its own, and at least the longest section at the index, 60 us.
    assert!(free[0].1 >= 290_000, "{free:?}");
    let bounds = numbers(
        &FUSEE.json(&["analyze", EXAMPLE, "--platform", "qemu-rv64"], 0),
        "response_bound_ns",
    );
    let simulated =
        numbers(&FUSEE.json(&["simulate", EXAMPLE, "--for", "2s"], 0), "response_max_ns");
    let folder = format!("{}/locks", env!("CARGO_TARGET_TMPDIR"));
    let run = FUSEE.json(&["run", EXAMPLE, "--for", "200ms", "-o", &folder], 0);
    assert_eq!(run["bounds_held"], true, "{run:#}");
    let booted = numbers(&run, "response_max_ns");
    for task in 0..3 {
        assert!(simulated[task].1 <= free[task].1, "{simulated:?} {free:?}");
        assert!(booted[task].1 <= bounds[task].1, "{booted:?} {bounds:?}");
    }
    // It does wait.
    assert!(simulated[0].1 > 230_000, "{simulated:?}");
}

#[test]
fn the_verifier_knows_described_mutexes() {
    let folder = format!("{}/locks-verified", env!("CARGO_TARGET_TMPDIR"));
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let fusee = |arguments: &[&str]| {
        let run =
            Command::new(env!("CARGO_BIN_EXE_fusee")).current_dir(root).args(arguments).output();
        let run = run.expect("fusee starts");
        (
            run.status.code(),
            String::from_utf8_lossy(&run.stdout).into_owned()
                + &String::from_utf8_lossy(&run.stderr),
        )
    };
    let (status, text) = fusee(&["build", EXAMPLE, "-o", &folder]);
    assert_eq!(status, Some(0), "{text}");
    let image = format!("{folder}/image.elf");
    let (status, text) = fusee(&["verify", &image, EXAMPLE]);
    assert_eq!(status, Some(0), "{text}");
    // The same image by a description that says nothing of the mutexes: other numbers for other
    // gates.
    let silent = format!("{}/locks-silent.camkes", env!("CARGO_TARGET_TMPDIR"));
    let described = std::fs::read_to_string(format!("{root}/{EXAMPLE}")).expect("the example");
    let without = described.replace("\"lock index\", ", "").replace("\"unlock index\", ", "");
    assert_ne!(described, without);
    std::fs::write(&silent, without).expect("a scratch file");
    let (status, text) = fusee(&["verify", &image, &silent]);
    assert_eq!(status, Some(2), "{text}");
}
