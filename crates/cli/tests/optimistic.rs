//! Mutexes that are words: no call while none waits, and bounds hold.

use fusee_measure::{Setting, words};
use fusee_testing::Tool;
use serde_json::Value;
use std::path::Path;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const EXAMPLE: &str = "examples/locks/optimistic.camkes";

/// Returns a number of each task.
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
    // What unlocks cost was measured where eight are held, of a component that has no more.
    let text = std::fs::read_to_string(Path::new("../..").join(EXAMPLE)).expect("an example");
    let refusal = |name: &str, text: String| {
        let path = format!("{folder}/{name}.camkes");
        std::fs::write(&path, text).expect("a description");
        let refused = FUSEE.json(&["analyze", &path, "--platform", "qemu-rv64"], 1);
        assert_eq!(refused["tasks"][0]["response_bound_ns"], Value::Null, "{refused:#}");
        refused["diagnostics"].to_string()
    };
    let has = |more: usize| (0..more).map(|i| format!("has mutex more{i};\n")).collect::<String>();
    let many = format!("{}has mutex index;", has(7));
    let said = refusal("many", text.replace("has mutex index;", &many));
    assert!(said.contains("`log` has 9 mutexes"), "{said}");
    let assembly = format!("component More {{ {} }}\n\nassembly {{", has(7));
    let text = text.replace("assembly {", &assembly);
    let said = refusal(
        "held",
        text.replace("component Alarm alarm;", "component More more;\ncomponent Alarm alarm;"),
    );
    assert!(said.contains("may hold 9 mutexes at once"), "{said}");
    // Whose mutexes are called for is another system.
    FUSEE.json(&["verify", &image, "examples/locks/locks.camkes"], 2);
}

/// On this machine an instruction is a tick: a call of the kernel's alone takes over a hundred.
#[test]
fn a_free_mutex_takes_no_call_and_a_held_one_is_handed_over() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimistic-measured");
    let setting = Setting::instructions(1_000);
    let system = words(setting).write(&folder).expect("a folder");
    let system = system.to_str().expect("a path");
    // Its threads take all the time that there is.
    let out = format!("{}/build", folder.display());
    let run = FUSEE.json(&["run", system, "--for", "40ms", "-o", &out], 1);
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

/// Returns a run after something in the description is replaced.
fn with(replaced: &str, instead: &str, kernel: &str) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("optimistic-{instead}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/systems/optimistic");
    let described = std::fs::read_to_string(root.join("optimistic.camkes")).expect("a system");
    assert!(described.contains(replaced), "{described}");
    let described = described
        .replace(replaced, &replaced.replace("continue", instead).replace("false", instead));
    for kind in ["Store", "High", "Low", "Breaker", "Other"] {
        let (name, to) = (kind.to_lowercase(), folder.join("components").join(kind));
        let file = format!("{name}.c");
        std::fs::create_dir_all(&to).expect("a folder");
        std::fs::copy(root.join("components").join(kind).join(&file), to.join(&file))
            .expect("a source");
    }
    let system = folder.join("optimistic.camkes");
    std::fs::write(&system, described).expect("a file");
    let system = system.to_str().expect("a path");
    let out = format!("{}/build-{kernel}", folder.display());
    // What is written of components that lie and fail is none of what they do.
    let run = ["run", system, "--for", "60ms", "--kernel", kernel, "--trust-written", "-o", &out];
    FUSEE.json(&run, 1)
}

/// Whoever gets the mutex of a thread that has failed inside is told, whether it has waited for it
/// or found it; and two are never inside.
#[test]
fn an_owner_that_fails_leaves_the_mutex_to_others() {
    let last = |on_fault: &str| {
        let run = with("on_fault = \"continue\"", on_fault, "checked");
        let lines = run["console"].as_array().expect("lines").iter();
        let lines: Vec<&str> = lines.map(|line| line["text"].as_str().expect("text")).collect();
        assert!(lines.iter().all(|line| line.contains(" jobs, ")), "{lines:#?}");
        let line = lines.last().expect("a line");
        let word = |word: &str| word.parse::<u32>().ok();
        let numbers: Vec<u32> = line.split(' ').filter_map(word).collect();
        assert!(numbers[0] >= 800, "{line}");
        (numbers[1], numbers[2], run)
    };
    let (told, ended, run) = last("continue");
    assert!(told >= 50 && ended == 0, "{told} {ended}");
    // Nobody else's call was refused: who has got the mutex may unlock it. The run can end between
    // the last fault and its answer.
    let faults = run["faults"].as_array().expect("faults").len() as u64;
    let refused = run["refused"].as_u64().expect("a number");
    assert!(refused == faults || refused + 1 == faults, "{run:#}");
    // The words are free again, and who has waited comes to its end with the component.
    let (told, ended, _) = last("restart");
    assert!(told == 0 && ended >= 10, "{told} {ended}");
    let (told, ended, _) = last("dead");
    assert!(told == 0 && ended >= 790, "{told} {ended}");
}

/// Whatever a component writes into its word, the kernel's own rules hold, and a task that has
/// nothing to do with it keeps its time.
#[test]
fn a_component_that_lies_harms_itself() {
    with("breaker.lies = false", "true", "checked");
    let run = with("breaker.lies = false", "true", "plain");
    assert_eq!(run["bounds_held"], true, "{run:#}");
    let tasks = run["tasks"].as_array().expect("tasks");
    let other = tasks.iter().find(|task| task["name"] == "other").expect("a task");
    assert!(other["jobs"].as_u64() > Some(100) && other["misses"] == 0, "{run:#}");
}
