//! Mutexes that are words: no call while nobody waits, and bounds hold.

use fusee_measure::{Setting, words};
use fusee_testing::Tool;
use serde_json::Value;
use std::path::Path;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const EXAMPLE: &str = "examples/locks/optimistic.camkes";

/// A number of each task.
fn numbers(results: &Value, key: &str) -> Vec<u64> {
    let tasks = results["tasks"].as_array().expect("tasks").iter();
    tasks.map(|task| task[key].as_u64().unwrap_or_else(|| panic!("no {key}: {task:#}"))).collect()
}

#[test]
fn simulation_and_machine_keep_the_bounds() {
    let bounds = |more: &[&str]| {
        let arguments = [&["analyze", EXAMPLE], more].concat();
        numbers(&FUSEE.json(&arguments, 0), "response_bound_ns")
    };
    let (free, booted) = (bounds(&[]), bounds(&["--platform", "qemu-rv64"]));
    let simulated = |more: &[&str]| {
        let arguments = [&["simulate", EXAMPLE, "--for", "2s"], more].concat();
        numbers(&FUSEE.json(&arguments, 0), "response_max_ns")
    };
    let (ideal, costly) = (simulated(&[]), simulated(&["--platform", "qemu-rv64"]));
    let folder = format!("{}/optimistic", env!("CARGO_TARGET_TMPDIR"));
    let run = FUSEE.json(&["run", EXAMPLE, "--for", "200ms", "-o", &folder], 0);
    assert_eq!(run["bounds_held"], true, "{run:#}");
    let observed = numbers(&run, "response_max_ns");
    for task in 0..3 {
        assert!(ideal[task] <= free[task], "{ideal:?} {free:?}");
        assert!(costly[task] <= booted[task], "{costly:?} {booted:?}");
        assert!(observed[task] <= booted[task], "{observed:?} {booted:?}");
    }
    // It does wait.
    assert!(ideal[0] > 230_000 && observed[0] > 230_000, "{ideal:?} {observed:?}");
    let image = format!("{folder}/image.elf");
    FUSEE.json(&["verify", &image, EXAMPLE], 0);
    // Whose mutexes are called for is another system.
    FUSEE.json(&["verify", &image, "examples/locks/locks.camkes"], 2);
}

/// On this machine an instruction is a tick: a call of the kernel's alone takes over a hundred.
#[test]
fn a_free_mutex_takes_no_call_and_a_held_one_is_handed_over() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimistic-measured");
    let setting = Setting {
        runs: 1_000,
        stretch: 1,
        crowded_stretch: 1,
        gap: 40,
        serial: 0,
        serial_interrupt: 0,
    };
    let system = words(setting).write(&folder).expect("a folder");
    let system = system.to_str().expect("a path");
    // Its threads take all the time that there is.
    let run = FUSEE.json(&["run", system, "--for", "40ms"], 1);
    let console = run["console"].as_array().expect("lines").iter();
    let longest = |name: &str| {
        let start = format!("path {name} ");
        let mut lines = console.clone().filter_map(|line| line["text"].as_str());
        let line = lines.find_map(|line| line.strip_prefix(&start));
        let line = line.unwrap_or_else(|| panic!("{name} is not in {run:#}"));
        let numbers: Vec<u64> =
            line.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert_eq!(numbers[0], 1_000, "{name}");
        numbers[2]
    };
    assert!(longest("mutex.uncontended") <= 20);
    assert!(longest("mutex.handover") <= 700);
}
