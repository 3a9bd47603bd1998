//! `fusee analyze --compare`: what each protocol gives at one gate.

use fusee_testing::{Tool, workspace};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

fn protocol<'v>(compared: &'v Value, name: &str) -> &'v Value {
    let all = compared["protocols"].as_array().expect("a list");
    all.iter().find(|found| found["protocol"] == name).unwrap_or_else(|| panic!("{compared:#}"))
}

fn bound(protocol: &Value, task: &str) -> Option<u64> {
    let tasks = protocol["tasks"].as_array().expect("a list");
    tasks.iter().find(|found| found["name"] == task)?["response_bound_ns"].as_u64()
}

/// A changed description says the same as the comparison.
#[test]
fn each_protocol_between_cores_is_compared_as_if_it_stood_there() {
    let compared =
        FUSEE.json(&["analyze", "examples/helping/mrsp.camkes", "--compare", "store.map"], 0);
    for name in ["msrp", "mrsp", "mpcp"] {
        let found = protocol(&compared, name);
        let file = format!("examples/helping/{name}.camkes");
        let alone = FUSEE.json(&["analyze", &file], 0);
        for task in alone["tasks"].as_array().expect("a list") {
            let name = task["name"].as_str().expect("a name");
            let response = task["response_bound_ns"].as_u64();
            assert_eq!(bound(found, name), response, "{file}: {name}");
            assert!(response.is_some());
        }
        assert_eq!(found["given"], name == "mrsp");
    }
    // What lets all in is no answer to who may share, and does not count.
    assert_eq!(protocol(&compared, "propagated")["lets_all_in"], true);
    // Those of one core do not fit, and it is said why.
    for name in ["fifo", "inherited", "fixed", "ceiling", "non_preemptive"] {
        let found = protocol(&compared, name);
        assert_eq!((&found["fits"], &found["code"]), (&false.into(), &"F0507".into()), "{name}");
    }
}

#[test]
fn one_core_compares_the_protocols_of_one() {
    let file = "examples/pathfinder/inherited.camkes";
    let gate = FUSEE.json(&["analyze", file], 0)["gates"][0]["name"].clone();
    let gate = gate.as_str().expect("a name");
    let compared = FUSEE.json(&["analyze", file, "--compare", gate], 0);
    for name in ["inherited", "fixed", "ceiling", "non_preemptive", "fifo"] {
        assert_eq!(protocol(&compared, name)["fits"], true, "{name}");
    }
    assert_eq!(protocol(&compared, "mrsp")["fits"], false);
    // The inversion of Pathfinder is what a fifo gate gives.
    let fifo = protocol(&compared, "fifo");
    assert_eq!(fifo["schedulable"], false);
    assert!(!fifo["missing"].as_array().expect("a list").is_empty());
    assert_eq!(fifo["line"], format!("{gate}_priority_protocol = \"fifo\";"));
}

/// A protocol that a description lacks only at this gate is what is asked about.
#[test]
fn a_gate_without_a_protocol_for_its_cores_can_be_compared() {
    let helping = workspace().join("examples/helping");
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for name in ["mrsp.camkes", "components.camkes", "tasks.inc"] {
        let text = std::fs::read_to_string(helping.join(name)).expect("readable");
        let text = text.replace("\"mrsp\"", "\"inherited\"");
        std::fs::write(folder.join(name), text).expect("written");
    }
    let path = folder.join("mrsp.camkes");
    let path = path.to_str().expect("UTF-8");
    FUSEE.json(&["analyze", path], 2);
    let compared = FUSEE.json(&["analyze", path, "--compare", "store.map"], 0);
    assert_eq!(protocol(&compared, "msrp")["schedulable"], true);
}

#[test]
fn an_unknown_gate_is_an_error_with_what_was_meant() {
    let compared =
        FUSEE.json(&["analyze", "examples/helping/mrsp.camkes", "--compare", "store.mop"], 2);
    let found = &compared["diagnostics"][0];
    assert_eq!(
        (&found["code"], &found["notes"][0]),
        (&"F0005".into(), &"did you mean `store.map`?".into())
    );
}
