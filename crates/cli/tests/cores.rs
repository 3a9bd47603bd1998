//! Four cores that share a map: analyzed from the description on.

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Returns the analysis of an example.
fn analyze(example: &str, status: i32) -> Value {
    FUSEE.json(&["analyze", &format!("examples/cores/{example}.camkes")], status)
}

fn task<'a>(analysis: &'a Value, name: &str) -> &'a Value {
    let mut tasks = analysis["tasks"].as_array().expect("tasks").iter();
    tasks.find(|task| task["name"] == name).expect("the task")
}

/// The motor waits with the steering: for the longest sections of three cores, and for its own.
#[test]
fn one_deadline_is_lost_where_nobody_preempts_who_waits() {
    let bad = analyze("bad", 1);
    assert_eq!(task(&bad, "motor")["response_bound_ns"], 200_000 + 500_000 + 3 * 300_000);
    let verdicts = bad["tasks"].as_array().expect("tasks").iter();
    let lost = verdicts.filter(|task| task["schedulable"] == false).map(|task| &task["name"]);
    assert_eq!(lost.collect::<Vec<_>>(), ["motor"]);
    let repair = bad["diagnostics"].to_string();
    assert!(repair.contains("map.cells_priority_protocol = \\\"mrsp\\\""), "{repair}");
}

#[test]
fn all_deadlines_hold_with_what_is_proposed() {
    let good = analyze("good", 0);
    assert_eq!(task(&good, "motor")["response_bound_ns"], 200_000 + 4 * 20_000);
    let planner = task(&good, "planner");
    // Two requests at the map behind an update and two readings, one at the log behind three.
    assert_eq!(planner["waiting_ns"], 2 * (500_000 + 2 * 300_000) + 3 * 20_000);
    let update = &planner["waiting"][0];
    let found = [&update["task"], &update["gate"], &update["requests"], &update["time_ns"]];
    assert_eq!(found.map(Value::to_string), ["\"camera\"", "\"map.cells\"", "2", "1000000"]);
    let gates = good["gates"].as_array().expect("gates");
    let map = gates.iter().find(|gate| gate["name"] == "map.cells").expect("the map");
    assert_eq!(map["cores"][2]["priority"], task(&good, "steering")["priority"]);
    assert!(map["ceiling"].is_null(), "there is one on each core");
}
