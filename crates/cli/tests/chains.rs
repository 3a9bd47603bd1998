//! A chain from an interrupt to an actuator: bounded, simulated, booted, drawn.

use std::path::PathBuf;

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const EXAMPLE: &str = "examples/chain/chain.camkes";
const MS: u64 = 1_000_000;

fn number(of: &Value, name: &str) -> u64 {
    of[name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {of:#}"))
}

/// Returns a file with the example's description, changed.
fn changed(name: &str, from: &str, to: &str) -> PathBuf {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/chain/chain.camkes"
    ));
    let text = text.expect("the example");
    assert!(text.contains(from), "{from}");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("chain-{name}.camkes"));
    std::fs::write(&path, text.replace(from, to)).expect("a file");
    path
}

fn codes(result: &Value) -> Vec<&str> {
    let found = result["diagnostics"].as_array().expect("diagnostics").iter();
    found.filter_map(|one| one["code"].as_str()).collect()
}

#[test]
fn bounds_are_the_sums_of_the_parts() {
    let analysed = FUSEE.json(&["analyze", EXAMPLE], 0);
    let chain = &analysed["chains"][0];
    let times: Vec<(&str, &str, u64)> =
        chain["parts"].as_array().expect("parts").iter().map(part).collect();
    // By hand: responses 0.1, 0.4, 1.4 and 2.1 ms; the interrupt arrives when it does, and two
    // clocks are waited for.
    let expected = [
        ("receiver", "response", MS / 10),
        ("filter", "response", 4 * MS / 10),
        ("controller", "wait", 10 * MS),
        ("controller", "response", 14 * MS / 10),
        ("actuator", "wait", 20 * MS),
        ("actuator", "response", 21 * MS / 10),
    ];
    assert_eq!(times, expected);
    assert_eq!(number(chain, "reaction_bound_ns"), expected.iter().map(|part| part.2).sum::<u64>());
    assert_eq!(chain["guaranteed"], true);
    // 1.4 ms and 10 ms until the next output of the controller, then the response of the actuator.
    assert_eq!(number(&analysed["chains"][1], "age_bound_ns"), 135 * MS / 10);
}

fn part(part: &Value) -> (&str, &str, u64) {
    (
        part["task"].as_str().unwrap_or("?"),
        part["kind"].as_str().unwrap_or("?"),
        number(part, "time_ns"),
    )
}

/// Checks that the observations stay within the promises, and come close to them.
fn within_bounds(result: &Value, least: u64) {
    for chain in result["chains"].as_array().expect("chains") {
        let (seen, bound) = (number(chain, "reaction_max_ns"), number(chain, "reaction_bound_ns"));
        assert!(seen <= bound && seen * 10 >= bound * 7, "{chain:#}");
        assert!(number(chain, "reactions") >= least, "{chain:#}");
        if let Some(bound) = chain["age_bound_ns"].as_u64() {
            assert!(number(chain, "age_max_ns") <= bound, "{chain:#}");
        }
    }
}

#[test]
fn observed_stays_within_bounds_in_the_simulator_and_on_a_machine() {
    within_bounds(&FUSEE.json(&["simulate", EXAMPLE], 0), 400);
    within_bounds(
        &FUSEE.json(&["simulate", EXAMPLE, "--releases", "drawn", "--execution", "random"], 0),
        400,
    );
    let folder = format!("{}/chain-run", env!("CARGO_TARGET_TMPDIR"));
    let page = format!("{folder}.html");
    let run = FUSEE.json(&["run", EXAMPLE, "--for", "200ms", "-o", &folder, "--report", &page], 0);
    // Ten jobs of the actuator: the first sees nothing, and of what the second sees not all tasks
    // had begun before.
    within_bounds(&run, 8);
    let (booted, free) = (&run["chains"][0], &FUSEE.json(&["analyze", EXAMPLE], 0)["chains"][0]);
    let (with, without) = (number(booted, "reaction_bound_ns"), number(free, "reaction_bound_ns"));
    assert!(with > without, "the kernel's time is in the bound: {with} > {without}");
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(
        page.contains("<h2>Chains</h2>") && page.contains("actuator: until its next job, 20 ms")
    );
}

#[test]
fn a_chain_that_is_not_guaranteed_fails_every_command() {
    let late = changed("late", "within 40 ms", "within 30 ms");
    let late = late.to_str().expect("a path");
    let analysed = FUSEE.json(&["analyze", late], 1);
    assert_eq!((codes(&analysed), &analysed["schedulable"]), (vec!["F0618"], &Value::Bool(false)));
    let simulated = FUSEE.json(&["simulate", late], 1);
    assert_eq!(codes(&simulated), ["F0618", "F1131", "F1133"]);
    assert_eq!(simulated["deadlines_held"], false);
    let line = simulated["verdict"].as_str().expect("a line");
    assert!(line.starts_with("1 chain late, ") || line.contains("1 chain late"), "{line}");
    let text = FUSEE.run(&["analyze", late]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("1 of 2 chains are not guaranteed"), "{text}");
}

#[test]
fn a_chain_of_which_nothing_arrives_is_not_fine() {
    let run = FUSEE.json(&["simulate", EXAMPLE, "--for", "2ms"], 1);
    assert!(codes(&run).contains(&"F1132"), "{:?}", codes(&run));
}

#[test]
fn an_emitter_that_is_too_fast_has_no_bound() {
    let fast = changed(
        "fast",
        "filter.deadline = \"2 ms\";",
        "filter.deadline = \"2 ms\"; filter.period = \"7 ms\";",
    );
    let analysed = FUSEE.json(&["analyze", fast.to_str().expect("a path")], 1);
    assert_eq!(codes(&analysed), ["F0415", "F0619"]);
    assert_eq!(analysed["chains"][0]["reaction_bound_ns"], Value::Null);
}
