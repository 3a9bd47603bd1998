//! A chain of holders longer than one thread nests: nothing is refused.

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "tests/systems/chain/chain.camkes";

/// Returns the longest response of the task that waits for all others.
fn longest(results: &Value) -> u64 {
    let tasks = results["tasks"].as_array().expect("tasks");
    let task =
        tasks.iter().find(|task| task["name"].as_str().is_some_and(|name| name.starts_with("t0")));
    task.and_then(|task| task["response_max_ns"].as_u64())
        .unwrap_or_else(|| panic!("no response of t0: {results:#}"))
}

#[test]
fn who_waits_along_four_gates_is_not_refused() {
    let simulated = FUSEE.json(&["simulate", SYSTEM, "--for", "2s", "--releases", "drawn"], 0);
    for task in simulated["tasks"].as_array().expect("tasks") {
        let (longest, bound) =
            (task["response_max_ns"].as_u64(), task["response_bound_ns"].as_u64());
        assert!(longest.is_some() && bound.is_some() && longest <= bound, "{task:#}");
    }
    let folder = format!("{}/chain", env!("CARGO_TARGET_TMPDIR"));
    let run = FUSEE.json(&["run", SYSTEM, "--for", "400ms", "-o", &folder], 0);
    assert_eq!(run["bounds_held"], true, "{run:#}");
    let console = run["console"].as_array().expect("a console").iter();
    let console: Vec<&str> =
        console.filter_map(|line| line["text"].as_str().or(line.as_str())).collect();
    let errors = console.iter().filter(|line| line.contains("error")).count();
    assert_eq!(errors, 10, "five tasks, two jobs each: {console:?}");
    assert!(
        console.iter().filter(|line| line.contains("error")).all(|line| line.ends_with("error 0")),
        "{console:?}"
    );
    // It does wait: for the others' calls, and above all for what is left of the longest one in the
    // last gate.
    assert!(longest(&simulated) > 40_000_000, "{simulated:#}");
    assert!(longest(&run) > 20_000_000, "{run:#}");
}
