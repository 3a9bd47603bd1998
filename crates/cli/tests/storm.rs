//! Random system calls never break a rule of the kernel's state.
//!
//! Four tasks and three servers of `tests/systems/storm` make nothing else, on the kernel that
//! checks itself after each event and stops the machine when a rule does not hold. `STORM_CALLS`
//! says how many calls to make; each round draws others.

use std::process::Command;

use serde_json::Value;

const CALLERS: [&str; 4] = ["a", "b", "c", "d"];

/// Runs one round; how many calls the tasks report, those of the servers not counted.
fn round(seed: u64, time: &str) -> u64 {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = format!("{}/storm", env!("CARGO_TARGET_TMPDIR"));
    let run = Command::new(env!("CARGO_BIN_EXE_fusee"))
        .current_dir(root)
        .args([
            "run",
            "tests/systems/storm/storm.camkes",
            "--kernel",
            "checked",
            "--for",
            time,
            "--json",
        ])
        .args(["-o", &folder, "-D", "CHECKED", "-D", &format!("ROUND={seed}")])
        .output()
        .expect("fusee starts");
    let text = String::from_utf8_lossy(&run.stderr);
    let json: Value = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("round {seed}: {error}\n{text}"));
    let tasks = json["tasks"].as_array().expect("tasks");
    assert_eq!(tasks.len(), CALLERS.len() + 1, "round {seed} stopped the machine:\n{text}");
    let faults = json["faults"].as_array().expect("faults").len();
    assert!(faults > 0, "round {seed}: some of the calls were to be faults");
    CALLERS.iter().map(|caller| calls(&json, caller)).sum()
}

/// Returns the number that a caller printed last.
fn calls(run: &Value, caller: &str) -> u64 {
    let mut lines = run["console"].as_array().expect("console lines").iter();
    let last =
        lines.rfind(|line| line["component"] == caller).and_then(|line| line["text"].as_str());
    let number = last.and_then(|line| line.split(' ').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("`{caller}` made no calls: {last:?}"))
}

#[test]
fn random_calls_break_no_invariant() {
    let wanted = fusee_testing::given_or("STORM_CALLS", 10_000);
    let time = if wanted > 100_000 { "2s" } else { "400ms" };
    let (mut made, mut rounds) = (0, 0);
    while made < wanted {
        made += round(rounds, time);
        rounds += 1;
        println!("{made} of {wanted} random calls, no invariant broken");
    }
}
