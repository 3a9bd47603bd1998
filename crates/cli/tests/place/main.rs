//! `place`: what it says to write is written, and means what it says.

mod drawn;

use std::path::PathBuf;

use fusee_testing::{Tool, workspace};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Two pairs that share a log each, and a fifth task; no core takes more than two of the first
/// four. What `more` says is in the configuration.
fn description(name: &str, wcets: [&str; 5], more: &str) -> PathBuf {
    let task = |(task, wcet): (&str, &str)| {
        format!("        {task}.period = \"10 ms\";\n        {task}.wcet = \"{wcet}\";\n")
    };
    let tasks: String = ["a", "b", "c", "d", "e"].into_iter().zip(wcets).map(task).collect();
    let text = format!(
        "import <std_connector.camkes>;
procedure Log {{ void put(); }};
component Logger {{ provides Log log; }}
component User {{ control; uses Log log; }}
component Loner {{ control; }}
assembly {{
    composition {{
        component Logger left;
        component Logger right;
        component User a;
        component User b;
        component User c;
        component User d;
        component Loner e;
        connection seL4RPCCall l(from a.log, from b.log, to left.log);
        connection seL4RPCCall r(from c.log, from d.log, to right.log);
    }}
    configuration {{
{tasks}        a.calls = [\"log.put\"];
        b.calls = [\"log.put\"];
        c.calls = [\"log.put\"];
        d.calls = [\"log.put\"];
        left.log_wcet = \"100 us\";
        right.log_wcet = \"100 us\";
{more}    }}
}}
"
    );
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("place-{name}.camkes"));
    std::fs::write(&path, text).expect("a scratch file");
    path
}

fn lines(placed: &Value) -> String {
    let lines = placed["lines"].as_array().expect("lines").iter();
    lines.map(|line| format!("        {}\n", line.as_str().expect("a line"))).collect()
}

fn core(placed: &Value, task: &str) -> u64 {
    let places = placed["places"].as_array().expect("places");
    let place = places.iter().find(|place| place["task"] == task).expect("each task");
    place["core"].as_u64().expect("a core")
}

const FITS: [&str; 5] = ["4 ms", "4 ms", "4 ms", "4 ms", "1 ms"];

#[test]
fn who_shares_a_gate_shares_a_core_where_that_is_possible() {
    let path = description("pairs", FITS, "");
    let placed = FUSEE.json(&["place", path.to_str().expect("UTF-8"), "--cores", "2"], 0);
    assert_eq!(core(&placed, "a"), core(&placed, "b"), "{placed:#}");
    assert_eq!(core(&placed, "c"), core(&placed, "d"), "{placed:#}");
    assert_ne!(core(&placed, "a"), core(&placed, "c"), "{placed:#}");
    // Nothing is between cores, so no gate needs another protocol.
    assert!(!lines(&placed).contains("protocol"), "{placed:#}");
}

#[test]
fn the_lines_give_the_bounds_that_were_shown() {
    let path = description("asked", FITS, "");
    let placed = FUSEE.json(&["place", path.to_str().expect("UTF-8"), "--cores", "2"], 0);
    let written = description("written", FITS, &lines(&placed));
    let analysed = FUSEE.json(&["analyze", written.to_str().expect("UTF-8")], 0);
    assert_eq!(placed["tasks"], analysed["tasks"], "{placed:#}");
    assert_eq!((&placed["schedulable"], placed["tried"].as_u64() > Some(0)), (&true.into(), true));
}

/// Returns an example with some lines of its configuration given anew, written beside copies of
/// what it includes.
fn rewritten(example: &str, lines: &Value) -> PathBuf {
    let from = workspace().join("examples").join(example);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("place-{}", example.replace('/', "-")));
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    let lines = lines.as_array().expect("lines").iter();
    let lines: Vec<&str> = lines.map(|line| line.as_str().expect("a line")).collect();
    let key = |line: &str| line.split('=').next().expect("a key").trim().to_owned();
    let keys: Vec<String> = lines.iter().map(|line| key(line)).collect();
    for file in std::fs::read_dir(from.parent().expect("a folder")).expect("it is there") {
        let path = file.expect("a file").path();
        if path.is_dir() {
            // Sources, which neither command looks at.
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let kept = text.lines().filter(|line| !keys.contains(&key(line)));
        let mut kept = kept.collect::<Vec<_>>().join("\n");
        if path == from {
            let end = kept.rfind("    }\n}").expect("the configuration's end");
            kept.insert_str(end, &format!("{}\n", lines.join("\n")));
        }
        std::fs::write(folder.join(path.file_name().expect("a name")), kept)
            .expect("it is written");
    }
    folder.join(from.file_name().expect("a name"))
}

/// Also where the description has protocols between cores that the placement has no use for.
#[test]
fn the_lines_replace_protocols_that_the_description_gives() {
    for (example, cores) in [
        ("helping/mpcp.camkes", "1"),
        ("helping/mpcp.camkes", "2"),
        ("helping/mrsp.camkes", "2"),
        ("cores/bad.camkes", "2"),
        ("cores/bad.camkes", "4"),
    ] {
        let path = format!("examples/{example}");
        let placed = FUSEE.json(&["place", &path, "--cores", cores], 0);
        let written = rewritten(example, &placed["lines"]);
        let analysed = FUSEE.json(&["analyze", written.to_str().expect("UTF-8")], 0);
        assert_eq!(placed["tasks"], analysed["tasks"], "{example} on {cores}: {placed:#}");
        let found = &analysed["diagnostics"];
        let text = found.to_string();
        assert!(!text.contains("between-cores-on-one"), "{example} on {cores}: {found:#}");
    }
}

/// A placement on which nothing is between cores is one placement, whatever could be there.
#[test]
fn what_needs_no_protocol_between_cores_is_analysed_once() {
    let path = description("once", FITS, "        left.log_priority_protocol = \"mrsp\";\n");
    let placed = FUSEE.json(&["place", path.to_str().expect("UTF-8"), "--cores", "1"], 1);
    assert_eq!(placed["tried"], 0, "{placed:#}");
    let small = ["1 ms", "1 ms", "1 ms", "1 ms", "1 ms"];
    let path = description("small", small, "        left.log_priority_protocol = \"mrsp\";\n");
    let placed = FUSEE.json(&["place", path.to_str().expect("UTF-8"), "--cores", "1"], 0);
    assert_eq!(placed["tried"], 1, "{placed:#}");
}

/// The description's cores are where the search starts, not where it ends.
#[test]
fn an_overloaded_core_is_relieved() {
    let path = description("one", FITS, "        e.core = 1;\n");
    let path = path.to_str().expect("UTF-8");
    FUSEE.json(&["analyze", path], 1);
    FUSEE.json(&["place", path, "--cores", "2"], 0);
}

#[test]
fn where_there_is_too_much_to_do_it_is_said() {
    let path = description("full", ["6 ms", "6 ms", "6 ms", "6 ms", "9 ms"], "");
    let path = path.to_str().expect("UTF-8");
    let placed = FUSEE.json(&["place", path, "--cores", "3"], 1);
    let found = &placed["diagnostics"][0];
    assert_eq!((&found["code"], &placed["tasks"]), (&"F0004".into(), &Value::Array(Vec::new())));
    // 6 + 6 + 6 + 6 + 9 of 10 ms, and four sections of 0.1 ms.
    assert!(found["notes"][0].as_str().is_some_and(|note| note.contains("334.0 %")), "{found:#}");
    assert!(found["notes"][1].as_str().is_some_and(|note| note.contains("4 cores")), "{found:#}");
}

#[test]
fn what_is_wrong_on_any_core_is_an_error() {
    let path = description("wrong", ["4 ms", "4 ms", "4 ms", "4 ms", "soon"], "");
    let placed = FUSEE.json(&["place", path.to_str().expect("UTF-8"), "--cores", "2"], 2);
    assert!(placed["diagnostics"].as_array().is_some_and(|found| !found.is_empty()));
    assert_eq!(FUSEE.run(&["place", "examples/edf/deadlines.camkes"]).status.code(), Some(2));
    let none = FUSEE.run(&["place", "examples/edf/deadlines.camkes", "--cores", "0"]);
    assert_eq!(none.status.code(), Some(2));
}

/// Under earliest deadline first a gate can be between cores only under `msrp`, and others are not
/// tried.
#[test]
fn deadlines_go_with_one_protocol_between_cores() {
    let placed = FUSEE.json(&["place", "examples/edf/deadlines.camkes", "--cores", "2"], 0);
    let cores = placed["tasks"].as_array().expect("tasks").len();
    assert_eq!((cores, &placed["refused"]), (4, &Value::Array(Vec::new())));
}
