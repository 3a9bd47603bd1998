//! Deadlines decide: a set that no priorities schedule.

use std::fs;
use std::path::Path;

use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const TASKS: [&str; 4] = ["stabilise", "steer", "camera", "recorder"];

/// Every job of every task met its deadline and its bound.
fn holds(value: &Value, jobs: &[(&str, u64)]) {
    for (task, &(name, expected)) in value["tasks"].as_array().expect("tasks").iter().zip(jobs) {
        let number = |key: &str| task[key].as_u64().unwrap_or_else(|| panic!("`{key}` in {task}"));
        assert_eq!(
            (&task["name"], number("jobs"), number("misses")),
            (&name.into(), expected, 0),
            "{task}"
        );
        assert!(number("response_max_ns") <= number("response_bound_ns"), "{task}");
        assert!(number("response_bound_ns") <= number("deadline_ns"), "{task}");
    }
}

/// Two hyperperiods of 6.545 s.
#[test]
fn deadlines_schedule_97_hundredths_of_the_core() {
    let arguments = ["simulate", "examples/edf/deadlines.camkes", "--for", "13090ms"];
    let value = FUSEE.json(&arguments, 0);
    holds(&value, &[("stabilise", 2618), ("steer", 1870), ("camera", 1190), ("recorder", 770)]);
    // The first jobs of all tasks come at once, the last of them is due last: its bound is what a
    // run shows.
    let stabilise = &value["tasks"][0];
    assert_eq!(stabilise["response_max_ns"], stabilise["response_bound_ns"], "{stabilise}");
}

/// Three times the hyperperiod of the first three on a machine, on a kernel that orders threads by
/// deadlines, with what its paths cost there. Nobody is in the middle of a job at its end.
#[test]
fn they_hold_on_a_machine_too() {
    hold_on("qemu-rv64", 1155);
}

/// The same bounds hold on 32 bits.
#[test]
#[ignore = "takes ten seconds; `make soundness` runs it"]
fn they_hold_on_32_bits_too() {
    hold_on("qemu-rv32", 1155);
}

/// All of one.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn they_hold_for_a_hyperperiod() {
    hold_on("qemu-rv64", 6545);
    hold_on("qemu-rv32", 6545);
}

/// Every job of so many milliseconds was in time.
fn hold_on(platform: &str, time: u64) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let built = root.path().expect("it has a path").display().to_string();
    let arguments = ["run", "examples/edf/deadlines.camkes", "--platform", platform];
    let more = ["-o", &built, "--for", &format!("{time}ms")];
    let value = FUSEE.json(&[&arguments[..], &more].concat(), 0);
    let done = |(name, period): (&'static str, u64)| (name, time.div_ceil(period));
    holds(&value, &[("stabilise", 5), ("steer", 7), ("camera", 11), ("recorder", 17)].map(done));
    assert_eq!(value["bounds_held"], true, "{value:#}");
}

const ON_CORES: [&str; 5] = ["stabilise", "steer", "camera", "survey", "recorder"];

/// Two cores with a gate between them, each with a kernel that orders threads by deadlines.
#[test]
fn deadlines_decide_on_each_of_two_cores() {
    let jobs = [2000, 1429, 909, 1111, 588];
    let value = FUSEE.json(&["simulate", "examples/edf/cores.camkes", "--for", "9999ms"], 0);
    let named: Vec<(&str, u64)> = ON_CORES.into_iter().zip(jobs).collect();
    holds(&value, &named);
}

/// Two cores with a gate between them, on one of which deadlines decide, on the other priorities:
/// simulated, and booted, each core with a kernel of its own.
#[test]
fn deadlines_decide_on_one_of_two_cores() {
    let system = "examples/edf/mixed.camkes";
    let value = FUSEE.json(&["simulate", system, "--for", "9999ms"], 0);
    let jobs = [("stabilise", 2000), ("steer", 1429), ("camera", 909), ("survey", 1000)];
    holds(&value, &[&jobs[..], &[("plot", 500)]].concat());
    for kernel in ["checked", "plain"] {
        let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mixed").join(kernel);
        let folder = out.to_str().expect("UTF-8");
        let run = ["run", system, "--for", "200ms", "--kernel", kernel, "-o", folder];
        let value = FUSEE.json(&run, 0);
        let tasks = value["tasks"].as_array().expect("tasks");
        let jobs: Vec<_> = tasks.iter().filter_map(|task| task["jobs"].as_u64()).collect();
        // QEMU's cores take turns: how many there are says nothing.
        assert!(jobs.len() == 5 && jobs.iter().all(|&jobs| jobs >= 3), "{value:#}");
        let files = ["kernel.elf", "kernel.fixed_priority.elf"].map(|name| out.join(name));
        let [first, other] = files.map(|file| fs::read(file).expect("a kernel"));
        assert!(first != other, "each core has the kernel of its policy");
    }
}

/// Returns all orders of four numbers.
fn orders() -> Vec<[u8; 4]> {
    let digits =
        |number: u32| std::array::from_fn(|at| (number / 4_u32.pow(at as u32) % 4) as u8 + 1);
    let all = (0..256).map(digits);
    all.filter(|order: &[u8; 4]| (1..=4).all(|priority| order.contains(&priority))).collect()
}

#[test]
fn no_assignment_of_priorities_schedules_them() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/edf");
    for name in ["components.camkes", "tasks.inc"] {
        fs::copy(example.join(name), folder.join(name)).expect("the example's parts");
    }
    let text = fs::read_to_string(example.join("priorities.camkes")).expect("the example");
    let orders = orders();
    assert_eq!(orders.len(), 24);
    for order in orders {
        let given = TASKS
            .iter()
            .zip(order)
            .map(|(task, priority)| format!("        {task}.priority = {priority};\n"));
        let assigned =
            text.replacen("#include", &format!("{}#include", given.collect::<String>()), 1);
        let path = folder.join("priorities.camkes");
        fs::write(&path, assigned).expect("a description");
        let value = FUSEE.json(&["simulate", path.to_str().expect("UTF-8"), "--for", "7s"], 1);
        let misses: u64 = value["tasks"]
            .as_array()
            .expect("tasks")
            .iter()
            .filter_map(|t| t["misses"].as_u64())
            .sum();
        assert!(misses > 0, "{order:?}: {value:#}");
    }
}
