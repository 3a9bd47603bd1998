//! A hostile component gets nothing, and the others keep their deadlines.

use serde_json::Value;
use std::process::Command;

/// Runs a description for a time on the emulated machine; its results as JSON.
fn run(description: &str, folder: &str, time: &str) -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let output = format!("{}/{folder}", env!("CARGO_TARGET_TMPDIR"));
    let run = Command::new(env!("CARGO_BIN_EXE_fusee"))
        .current_dir(root)
        .args(["run", description, "--for", time, "--json", "-o", &output])
        .output()
        .expect("fusee starts");
    serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{description}: {error}\n{}", String::from_utf8_lossy(&run.stderr)))
}

fn lines(run: &Value) -> Vec<String> {
    let lines = run["console"].as_array().expect("console lines");
    lines.iter().map(|line| format!("{}: {}", line["component"], line["text"]).replace('"', "")).collect()
}

fn task<'r>(run: &'r Value, name: &str) -> &'r Value {
    let tasks = run["tasks"].as_array().expect("tasks");
    tasks.iter().find(|task| task["name"] == name).expect("the task")
}

/// The attacker's attempts: all of them made, none with success, as many of them as `faults` ended by a fault.
fn is_contained(run: &Value, attempts: usize, faults: usize) {
    let lines = lines(run);
    assert_eq!(lines, [format!("attacker: {attempts} attempts made, now for ever")]);
    let faulted: Vec<&Value> = run["faults"].as_array().expect("faults").iter().map(|f| &f["component"]).collect();
    assert_eq!(faulted, vec!["attacker"; faults]);
    for witness in ["watch", "log"] {
        let task = task(run, witness);
        assert_eq!(task["misses"], 0, "{witness}");
        let (longest, bound) = (task["response_max_ns"].as_u64(), task["response_bound_ns"].as_u64());
        assert!(longest.is_some() && longest <= bound, "{witness}: {longest:?} is above {bound:?}");
    }
}

#[test]
fn memory_is_out_of_reach() {
    is_contained(&run("examples/attack/c.camkes", "attack-c", "150ms"), 44, 43);
}

#[test]
fn calls_and_privileges_are_refused() {
    is_contained(&run("examples/attack/rust.camkes", "attack-rust", "150ms"), 47, 22);
}

#[test]
fn in_peace_nothing_happens() {
    let run = run("examples/attack/c-peace.camkes", "attack-peace", "150ms");
    assert_eq!(lines(&run), [""; 0]);
    assert_eq!(run["faults"], Value::Array(Vec::new()));
    assert_eq!(task(&run, "attacker")["misses"], 0);
}
