//! A hostile scheduler takes no time from threads outside of its tree.
//!
//! `examples/schedulers/hostile.camkes` has one below a table of slots, and another one below that:
//! they make random calls for ever. In each round others are drawn, on the kernel that checks
//! itself and on the plain one. `HOSTILE_CALLS` says how many calls to make.

use fusee_testing::{Tool, given_or};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The slot of `steady` begins 5 ms after its release and after a job of `clock`, and its job of
/// 0.9 ms can meet another one. The kernel that checks itself takes its time for that.
const LATEST: [(&str, u64); 2] = [("plain", 6_200_000), ("checked", 7_500_000)];

/// Runs one round for so many milliseconds; how many calls the hostile ones made.
fn round(seed: u64, milliseconds: u64, (kernel, latest): (&str, u64)) -> u64 {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let built = root.path().expect("it has a path").join("built").display().to_string();
    let (end, drawn) = (format!("{milliseconds}ms"), format!("ROUND={seed}"));
    let arguments = ["run", "examples/schedulers/hostile.camkes", "--kernel", kernel];
    let more = ["-D", &drawn, "--for", &end, "-o", &built];
    let value = FUSEE.json(&[&arguments[..], &more].concat(), 1);
    let tasks = value["tasks"].as_array().expect("tasks");
    for (name, period, most) in [("steady", 8, latest), ("clock", 2, 1_000_000)] {
        let what = format!("{kernel}, round {seed}: {value:#}");
        let task = tasks.iter().find(|task| task["name"] == name).expect(&what);
        assert_eq!(task["jobs"], milliseconds / period, "{name}: {what}");
        assert_eq!(task["misses"], 0, "{name}: {what}");
        let longest = task["response_max_ns"].as_u64().expect("a time");
        assert!(longest <= most, "{name} took {longest} ns: {what}");
    }
    ["hostile", "minion"].iter().map(|name| calls(&value, name)).sum()
}

/// Returns the number that somebody printed last.
fn calls(run: &Value, name: &str) -> u64 {
    let mut lines = run["console"].as_array().expect("console lines").iter();
    let last = lines.rfind(|line| line["component"] == name).and_then(|line| line["text"].as_str());
    last.and_then(|text| text.split(' ').next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn random_calls_of_a_scheduler_cost_nobody_else_a_deadline() {
    let wanted = given_or("HOSTILE_CALLS", 12_000);
    let milliseconds = if wanted > 100_000 { 4_000 } else { 400 };
    let (mut made, mut rounds) = (0, 0);
    while made < wanted {
        made += round(rounds, milliseconds, LATEST[rounds as usize % 2]);
        rounds += 1;
        println!("{made} of {wanted} random calls, no deadline missed");
    }
    assert!(rounds > 1, "both kernels had their turn");
}
