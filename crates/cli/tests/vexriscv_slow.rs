//! Proved bounds where memory is slow, beside what the Verilog shows.

#![allow(clippy::print_stdout, reason = "how close it comes is shown with --nocapture")]

use std::fs;
use std::path::{Path, PathBuf};

use fusee_testing::{Tool, copy, document, with_times};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Memory that takes ten cycles longer.
const SLOW: &str = "rtl-vexriscv-10";
/// So many times as long are the periods that the examples have on fast memory.
const LONGER: u64 = 8;

/// Returns a text with all times so many times longer.
fn longer(text: &str) -> String {
    with_times(text, |ns| ns * LONGER)
}

/// Returns an example for the core with longer periods, in an empty folder below the project's,
/// where the Verilog of its `.venv` is found.
fn example(folder: &str, name: &str) -> (PathBuf, String) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("vexriscv-slow-{name}"));
    let _ = fs::remove_dir_all(&to);
    copy(&examples.join("vexriscv").join(folder), &to);
    for entry in fs::read_dir(&to).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "inc" || end == "camkes") {
            let text = longer(&fs::read_to_string(&path).expect("a text"));
            let text = text.replace("\"../../", &format!("\"{}/", examples.display()));
            fs::write(&path, text).expect("a file");
        }
    }
    (to, format!("{name}.camkes"))
}

/// All deadlines are proved to hold, and no response of so long a run is above its bound.
fn assert_bounds_hold(folder: &str, name: &str, duration: &str) {
    let (at, description) = example(folder, name);
    let succeed = |arguments: &[&str]| {
        let output = FUSEE.run_in(&at, arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {arguments:?}: {text}");
    };
    succeed(&["build", &description, "--platform", SLOW, "-o", "made"]);
    let kernel = ["wcet", "--kernel", "made/image.elf", "--machine", "vexriscv"];
    succeed(&[&kernel[..], &["-o", "table.toml"]].concat());
    let run = ["run", &description, "--platform", SLOW, "--costs", "table.toml", "-o", "made"];
    // Tasks of which no job is complete after so short a time are no failure here.
    let run = document(&FUSEE.run_in(&at, &[&run[..], &["--for", duration, "--json"]].concat()));
    let mut seen = 0;
    for task in run["tasks"].as_array().expect("tasks") {
        let bound = task["response_bound_ns"].as_u64().expect("a bound");
        let Some(longest) = task["response_max_ns"].as_u64() else { continue };
        assert!(longest <= bound, "{name}: {longest} > {bound}: {task:#}");
        println!("{name} {}: {} %", task["name"], 100 * longest / bound);
        seen += 1;
    }
    assert!(seen >= 3, "{name}: {run:#}");
}

#[test]
fn only_times_get_longer() {
    let text = "t1.period = \"400 us\"; EVERY(crank, \"1 ms\", \"clock.now\");";
    assert_eq!(
        longer(text),
        "t1.period = \"3200000 ns\"; EVERY(crank, \"8000000 ns\", \"clock.now\");"
    );
}

#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn systems_keep_their_proved_bounds_where_memory_is_slow() {
    for config in 1..=4 {
        assert_bounds_hold("nested", &format!("config{config}"), "30ms");
    }
    assert_bounds_hold("events", "events", "20ms");
    assert_bounds_hold("engine", "engine", "40ms");
}
