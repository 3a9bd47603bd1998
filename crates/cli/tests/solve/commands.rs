//! The command: what it prints, writes and refuses.

use std::path::PathBuf;

use fusee_testing::{Tool, workspace};
use serde_json::Value;

use crate::write;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Copies an example with what it includes, and returns the copy's path.
fn copied(example: &str, name: &str) -> PathBuf {
    let from = workspace().join("examples").join(example);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("solve-{name}"));
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    for file in std::fs::read_dir(from.parent().expect("a folder")).expect("it is there") {
        let path = file.expect("a file").path();
        if path.is_file() {
            let to = folder.join(path.file_name().expect("a name"));
            std::fs::copy(&path, to).expect("it is copied");
        }
    }
    folder.join(from.file_name().expect("a name"))
}

fn lines(answer: &Value) -> Vec<&str> {
    let values = answer["values"].as_array().expect("values").iter();
    values.map(|value| value["line"].as_str().expect("a line")).collect()
}

/// The repairs that the book gives, and nothing else.
#[test]
fn examples_that_fail_change_in_one_word() {
    for (example, word) in [
        ("cores/bad.camkes", "map.cells_priority_protocol = \"mrsp\";"),
        ("pathfinder/fifo.camkes", "information.bus_priority_protocol = \"inherited\";"),
    ] {
        let path = format!("examples/{example}");
        let kept = FUSEE.json(&["solve", &path, "--no-build"], 1);
        let said = kept["diagnostics"].to_string();
        assert!(said.contains("all holds after 1 change"), "{example}: {kept:#}");
        let solve = ["solve", &path, "--no-build", "--change", "protocol"];
        let answer = FUSEE.json(&solve, 0);
        assert_eq!(lines(&answer), [word], "{example}: {answer:#}");
        assert_eq!(FUSEE.json(&solve, 0), answer, "each run answers the same");
    }
}

#[test]
fn what_is_applied_holds_and_needs_no_more() {
    let path = copied("cores/bad.camkes", "applied");
    let path = path.to_str().expect("UTF-8");
    let before = std::fs::read_to_string(path).expect("text");
    let solve = ["solve", path, "--no-build", "--change", "protocol"];
    let shown = FUSEE.json(&solve, 0);
    assert_eq!(std::fs::read_to_string(path).expect("text"), before, "shown and not written");
    let applied = FUSEE.json(&[&solve[..], &["--apply"]].concat(), 0);
    assert_eq!(shown["tasks"], applied["tasks"]);
    let after = std::fs::read_to_string(path).expect("text");
    let changed = before.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((changed, before.lines().count()), (1, after.lines().count()), "{after}");
    let analysed = FUSEE.json(&["analyze", path, "--no-build"], 0);
    assert_eq!(analysed["tasks"], applied["tasks"]);
    let again = FUSEE.json(&solve, 0);
    assert_eq!((&again["answer"], &again["edits"]), (&"holds".into(), &Value::Array(Vec::new())));
}

/// Deadlines could decide where priorities do not suffice: one line.
#[test]
fn what_no_order_mends_another_policy_may() {
    let path = "examples/edf/priorities.camkes";
    let none = FUSEE.json(&["solve", path, "--no-build"], 1);
    assert_eq!(none["answer"], "none", "{none:#}");
    let conflict = &none["conflict"];
    assert!(conflict["deadlines"].to_string().contains("recorder"), "{none:#}");
    let change = "policy";
    let answer = FUSEE.json(&["solve", path, "--no-build", "--change", change], 0);
    assert_eq!(lines(&answer), ["system.policy = \"earliest_deadline\";"], "{answer:#}");
}

#[test]
fn names_of_nothing_are_refused() {
    let path = "examples/cores/bad.camkes";
    for names in ["motor.prioriti", "nothing", "motor.wcet"] {
        let refused = FUSEE.json(&["solve", path, "--no-build", "--change", names], 2);
        assert_eq!(refused["diagnostics"][0]["code"], "F0008", "{names}: {refused:#}");
    }
    let few = FUSEE.json(&["solve", path, "--no-build", "--cores", "2"], 2);
    assert_eq!(few["diagnostics"][0]["code"], "F0008", "{few:#}");
}

/// Tasks without gates, and what is in the configuration.
fn description(name: &str, tasks: &[&str], settings: &str) -> PathBuf {
    let instances = tasks.iter().map(|task| format!("        component T {task};\n"));
    let instances: String = instances.collect();
    let text = format!(
        "component T {{ control; }}\nassembly {{\n    composition {{\n{instances}    }}\n    \
         configuration {{\n{settings}    }}\n}}\n"
    );
    write(name, &text)
}

#[test]
fn a_budget_becomes_the_least_that_lasts() {
    let settings = "        a.period = \"10 ms\";\n        a.wcet = \"3 ms\";\n        \
                    a.budget = \"2 ms\";\n";
    let path = description("budget", &["a"], settings);
    let path = path.to_str().expect("UTF-8");
    let kept = FUSEE.json(&["solve", path], 1);
    assert_eq!(kept["answer"], "not_found", "{kept:#}");
    let answer = FUSEE.json(&["solve", path, "--change", "a.budget", "--apply"], 0);
    assert_eq!(lines(&answer), ["a.budget = \"3.000001 ms\";"], "{answer:#}");
    FUSEE.json(&["analyze", path], 0);
}

/// A value from a macro has a reason that the text does not tell: its line is printed.
#[test]
fn what_a_macro_gives_is_told_and_not_written() {
    let settings = "#define LOW 1\n        a.period = \"10 ms\";\n        \
                    a.wcet = \"3 ms\";\n        a.priority = LOW;\n        \
                    b.period = \"100 ms\";\n        b.wcet = \"20 ms\";\n        b.priority = 2;\n";
    let path = description("macro", &["a", "b"], settings);
    let before = std::fs::read_to_string(&path).expect("text");
    let path = path.to_str().expect("UTF-8");
    let solve = ["solve", path, "--change", "a.priority"];
    let answer = FUSEE.json(&solve, 0);
    assert_eq!(answer["lines"].as_array().map(Vec::len), Some(1), "{answer:#}");
    assert_eq!(answer["diagnostics"][0]["code"], "F0009", "{answer:#}");
    FUSEE.json(&[&solve[..], &["--apply"]].concat(), 3);
    assert_eq!(std::fs::read_to_string(path).expect("text"), before);
    // Another value is enough, and stands in the text.
    let other = FUSEE.json(&["solve", path, "--change", "b.priority", "--apply"], 0);
    assert_eq!(lines(&other).len(), 1, "{other:#}");
    FUSEE.json(&["analyze", path], 0);
}

#[test]
fn more_slack_may_cost_more_changes() {
    let task = |name: &str, period: u32, wcet: u32| {
        format!("        {name}.period = \"{period} ms\";\n        {name}.wcet = \"{wcet} ms\";\n")
    };
    let settings = task("a", 10, 4) + &task("b", 12, 4) + &task("c", 40, 8);
    let path = description("slack", &["a", "b", "c"], &settings);
    let path = path.to_str().expect("UTF-8");
    let least = |answer: &Value| {
        let tasks = answer["tasks"].as_array().expect("tasks").iter();
        let share = |task: &Value| {
            let number = |key: &str| task[key].as_i64().expect("a time");
            number("slack_ns") * 1_000 / number("deadline_ns")
        };
        tasks.map(share).min()
    };
    let few = FUSEE.json(&["solve", path, "--cores", "2"], 0);
    let wide = FUSEE.json(&["solve", path, "--cores", "2", "--prefer", "slack"], 0);
    assert!(least(&wide) > least(&few), "{few:#}\n{wide:#}");
    assert!(lines(&wide).iter().any(|line| line.contains(".core = 1;")), "{wide:#}");
}

/// Jobs that take too long, and too many of them: nothing has to be searched for.
#[test]
fn quick_proofs_name_what_is_too_much() {
    let settings = "        a.period = \"10 ms\";\n        a.wcet = \"3 ms\";\n        \
                    a.deadline = \"2 ms\";\n";
    let path = description("longer", &["a"], settings);
    let none = FUSEE.json(&["solve", path.to_str().expect("UTF-8")], 1);
    assert_eq!((&none["answer"], &none["conflict"]["deadlines"][0]), (&"none".into(), &"a".into()));
    let task = |name: &str| {
        format!("        {name}.period = \"10 ms\";\n        {name}.wcet = \"6 ms\";\n")
    };
    let path = description("load", &["a", "b"], &(task("a") + &task("b")));
    let path = path.to_str().expect("UTF-8");
    let none = FUSEE.json(&["solve", path], 1);
    assert_eq!(none["conflict"]["deadlines"].as_array().map(Vec::len), Some(2), "{none:#}");
    let two = FUSEE.json(&["solve", path, "--cores", "2"], 0);
    assert_eq!(lines(&two).len(), 1, "{two:#}");
}

/// A chain is a sum of bounds: an order by deadline meets all deadlines and not its limit.
#[test]
fn chains_decide_with_deadlines() {
    let task = |name: &str, period: u32, wcet: u32, calls: &str| {
        format!(
            "        {name}.period = \"{period} ms\";\n        \
             {name}.wcet = \"{wcet} ms\";\n        {name}.calls = [{calls}];\n"
        )
    };
    let call = "\"data.put\"";
    let settings = task("a", 10, 1, call) + &task("b", 20, 2, call) + &task("c", 15, 5, "");
    let text = format!(
        "import <std_connector.camkes>;
procedure Data {{ void put(); }};
component Store {{ provides Data data; }}
component T {{ control; maybe uses Data data; }}
assembly {{
    composition {{
        component Store store;
        component T a;
        component T b;
        component T c;
        connection seL4RPCCall d(from a.data, from b.data, to store.data);
    }}
    configuration {{
{settings}        store.data_wcet = \"10 us\";
        system.chains = [\"a -> store -> b within 36 ms\"];
    }}
}}
"
    );
    let path = write("chain", &text);
    let path = path.to_str().expect("UTF-8");
    let before = FUSEE.json(&["analyze", path], 1);
    let holds = |answer: &Value| {
        let tasks = answer["tasks"].as_array().expect("tasks").iter();
        tasks.filter(|task| task["schedulable"] == true).count()
    };
    assert_eq!(holds(&before), 3, "{before:#}");
    let answer = FUSEE.json(&["solve", path, "--apply"], 0);
    assert_eq!(lines(&answer).len(), 1, "{answer:#}");
    FUSEE.json(&["analyze", path], 0);
    assert_eq!(FUSEE.json(&["solve", path], 0)["answer"], "holds");
}
