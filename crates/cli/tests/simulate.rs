//! `simulate` and `report`: shapes, exit statuses, and files that are whole.

use std::path::Path;
use std::process::Command;

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

#[test]
fn runs_have_the_agreed_shape_and_keep_their_bounds() {
    for number in 1..=4 {
        let system = format!("examples/nested/config{number}.camkes");
        let value = FUSEE.json(&["simulate", &system, "--for", "10s"], 0);
        assert_eq!(
            (&value["virtual_ns"], value["events"].as_u64() > Some(1000)),
            (&10_000_000_000_u64.into(), true)
        );
        let tasks = value["tasks"].as_array().expect("tasks");
        assert_eq!(tasks.len(), 4);
        for task in tasks {
            let number =
                |key: &str| task[key].as_u64().unwrap_or_else(|| panic!("`{key}` in {task}"));
            assert_eq!(number("misses"), 0);
            assert!(
                number("jobs") >= 10 && number("response_mean_ns") <= number("response_max_ns")
            );
            assert!(number("response_max_ns") <= number("response_bound_ns"), "{task}");
        }
    }
}

#[test]
fn a_missed_deadline_is_status_1() {
    let value = FUSEE.json(&["simulate", "examples/pathfinder/fifo.camkes"], 1);
    let misses: u64 = value["tasks"]
        .as_array()
        .expect("tasks")
        .iter()
        .filter_map(|task| task["misses"].as_u64())
        .sum();
    assert!(
        misses > 0 && value["bounds_exceeded"].as_array().is_some_and(Vec::is_empty),
        "{value}"
    );
    let diagnostics = value["diagnostics"].as_array().expect("diagnostics");
    assert!(diagnostics.iter().any(|diagnostic| diagnostic["code"] == "F0705"), "{diagnostics:?}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = |seed: &str| {
        let how = [
            "--for",
            "2s",
            "--execution",
            "random",
            "--releases",
            "offsets",
            "--seed",
            seed,
            "--json",
        ];
        FUSEE.run(&[["simulate", "examples/engine/engine.camkes"].as_slice(), &how].concat()).stdout
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn files_are_written_whole_and_named_last() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = folder.path().expect("it has a path");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (trace, page) = (path("run.pftrace"), path("page.html"));
    let system = "examples/pathfinder/inherited.camkes";
    let run = FUSEE.run(&["simulate", system, "--trace", &trace, "--report", &page]);
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.ends_with(&format!("wrote {trace}\nwrote {page}\n")), "{text}");
    let written = std::fs::read_to_string(&page).expect("the page");
    assert!(written.starts_with("<!DOCTYPE html>") && written.trim_end().ends_with("</html>"));
    assert!(std::fs::metadata(&trace).expect("the trace").len() > 1000);
    assert_eq!(std::fs::read_dir(folder).expect("the folder").count(), 2);
    // A folder stands in the way: nothing is written, and the status says so.
    let run = FUSEE.run(&["report", system, "--report", folder.to_str().expect("UTF-8")]);
    assert_eq!((run.status.code(), run.stdout.len()), (Some(3), 0));
}

#[test]
fn report_chooses_a_name() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = folder.path().expect("it has a path");
    let system = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/nested/config3.camkes");
    let mut command = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    let run = command
        .current_dir(path)
        .arg("report")
        .arg(system)
        .arg("--sensitivity")
        .output()
        .expect("it runs");
    assert!(
        String::from_utf8_lossy(&run.stdout).ends_with("wrote config3.html\n")
            && path.join("config3.html").exists()
    );
}

#[test]
fn what_cannot_be_simulated_is_said() {
    for arguments in
        [["--for", "0s"], ["--for", "soon"], ["--execution", "fast"], ["--platform", "moon"]]
    {
        let run = FUSEE
            .run(&[["simulate", "examples/nested/config1.camkes"].as_slice(), &arguments].concat());
        assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
    let value = FUSEE.json(&["simulate", "no-such-file.camkes"], 2);
    assert_eq!((&value["tasks"], &value["events"]), (&Value::Array(Vec::new()), &0.into()));
}
