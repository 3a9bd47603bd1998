//! Locks beside deadlines, ceilings and cores: no bound is exceeded.

use std::fs;
use std::path::Path;

use fusee_testing::{Tool, copy};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The line that lets deadlines decide.
const BY_DEADLINE: &str = "        system.policy = \"earliest_deadline\";\n";

/// Returns the longest response and the bound of each task, in nanoseconds.
fn responses(value: &Value) -> Vec<(u64, u64)> {
    let number = |task: &Value, key: &str| {
        task[key].as_u64().unwrap_or_else(|| panic!("no {key} in {value:#}"))
    };
    let tasks = value["tasks"].as_array().expect("tasks").iter();
    tasks.map(|task| (number(task, "response_max_ns"), number(task, "response_bound_ns"))).collect()
}

/// Every job of a run kept its bound.
fn hold(value: &Value) -> Vec<(u64, u64)> {
    let all = responses(value);
    for &(longest, bound) in &all {
        assert!(longest <= bound, "{value:#}");
    }
    all
}

/// Holds a description, which is an example after some changes, in simulation without and with what
/// the kernel costs, and on both machines. Returns what is simulated without costs.
fn holds(name: &str, example: &str, change: impl Fn(String) -> String) -> Vec<(u64, u64)> {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path").join(name);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/locks"), &folder);
    let file = folder.join("system.camkes");
    let text = fs::read_to_string(folder.join(format!("{example}.camkes"))).expect("the example");
    let changed = change(text);
    fs::write(&file, changed).expect("it is written");
    let file = file.display().to_string();
    let simulate = |more: &[&str]| {
        let all = [&["simulate", &file, "--for", "1s"], more].concat();
        hold(&FUSEE.json(&all, 0))
    };
    let ideal = simulate(&[]);
    for platform in ["qemu-rv64", "qemu-rv32"] {
        simulate(&["--platform", platform, "--releases", "drawn", "--seed", "7"]);
        let built = folder.join(platform).display().to_string();
        let run = ["run", &file, "--platform", platform, "-o", &built, "--for", "200ms"];
        let run = FUSEE.json(&run, 0);
        assert_eq!(run["bounds_held"], true, "{name} on {platform}: {run:#}");
        let booted = hold(&run);
        for (seen, free) in booted.iter().zip(&ideal) {
            assert!(seen.1 >= free.1, "costs make no bound shorter: {booted:?} {ideal:?}");
        }
        FUSEE.json(&["verify", &format!("{built}/image.elf"), &file], 0);
    }
    ideal
}

/// The same description where the priority ceiling protocol stands in place of deadline floors.
fn by_ceiling(text: String) -> String {
    assert!(text.contains(BY_DEADLINE) && text.contains("\"srp\""), "{text}");
    text.replace(BY_DEADLINE, "").replace("\"srp\"", "\"ceiling\"")
}

#[test]
fn words_by_deadline_hold() {
    let ideal = holds("words-edf", "deadlines", |text| text);
    // `alarm` waits for who is inside with the index.
    assert!(ideal[0].0 > 230_000, "{ideal:?}");
}

#[test]
fn words_beside_ceilings_hold() {
    let ideal = holds("words-pcp", "deadlines", by_ceiling);
    assert!(ideal[0].0 > 230_000, "{ideal:?}");
}

#[test]
fn lock_components_by_deadline_hold() {
    let ideal = holds("locks-edf", "cabinet", |text| text);
    assert!(ideal[0].0 > 220_000, "{ideal:?}");
}

#[test]
fn lock_components_beside_ceilings_hold() {
    let ideal = holds("locks-pcp", "cabinet", by_ceiling);
    assert!(ideal[0].0 > 220_000, "{ideal:?}");
}

/// The tasks of a second core, whatever they share.
const FAR_TASKS: &str = r#"    configuration {
        system.startup = "20 ms";
        far_alarm.core = 1;
        far_display.core = 1;
        far_alarm.stub = true;
        far_display.stub = true;
        far_alarm.period = "3 ms";
        far_alarm.calls = ["200 us", "sink.find", "50 us"];
        far_display.period = "10 ms";
        far_display.calls = ["2.6 ms", "sink.find", "sink.write", "500 us"];
"#;

/// A second core with a log of its own.
const INSTANCES: &str = "component Log far;
        component Alarm far_alarm;
        component Display far_display;
        connection seL4RPCCall fars(from far_alarm.sink, from far_display.sink, to far.sink);
        component Log log;";

/// The settings of what is there.
const SETTINGS: &str = r#"        far.records_locking = "optimistic";
        far.index_locking = "optimistic";
        far.sink_priority_protocol = "propagated";
        far.sink_write_calls = [
            "20 us", "lock records", "120 us", "lock index", "40 us", "unlock index",
            "unlock records", "10 us"
        ];
        far.sink_find_calls = ["10 us", "lock index", "60 us", "unlock index", "10 us"];
"#;

/// A second core with a diary of its own, and locks of its own.
const FAR_INSTANCES: &str = "component Diary far;
        group far_lock {
            component LockPessimistic far_keeper;
            component LockScheduler far_scheduler;
        }
        component Alarm far_alarm;
        component Display far_display;
        connection seL4RPCCall fars(from far_alarm.sink, from far_display.sink, to far.sink);
        connection seL4RPCCall fl(from far.locks, to far_lock.far_keeper.locks);
        connection seL4DirectCall fs(
            from far_lock.far_keeper.scheduler, to far_lock.far_scheduler.scheduling);
        component Diary diary;";

/// The settings of what is there.
const FAR_SETTINGS: &str = r#"        far.sink_priority_protocol = "propagated";
        far.sink_write_calls = ["2 us", "lock locks.0", "121 us", "unlock locks.0", "2 us"];
        far.sink_find_calls = ["2 us", "lock locks.0", "61 us", "unlock locks.0", "2 us"];
        far_keeper.locks_priority_protocol = "propagated";
        far_scheduler.scheduling_priority_protocol = "propagated";
        far_keeper.locks_wcet = "2 us";
        far_scheduler.scheduling_wcet = "1 us";
"#;

/// Holds an example on two cores, with its own part on the first one. On this machine the cores
/// run one after the other, so what is held against bounds is a simulation; the kernels that boot
/// check themselves.
fn holds_on_two_cores(example: &str, change: impl Fn(String) -> String, expected: &[u64]) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path").join("cores");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/locks"), &folder);
    let file = folder.join("system.camkes");
    let text = fs::read_to_string(folder.join(format!("{example}.camkes"))).expect("the example");
    fs::write(&file, change(text)).expect("it is written");
    let file = file.display().to_string();
    for more in [&[][..], &["--platform", "qemu-rv64"], &["--platform", "qemu-rv32"]] {
        let all = [&["simulate", &file, "--for", "1s"], more].concat();
        let simulated = hold(&FUSEE.json(&all, 0));
        assert!(simulated[0].0 > 230_000, "{simulated:?}");
    }
    for platform in ["qemu-rv64", "qemu-rv32"] {
        let built = folder.join(platform).display().to_string();
        let run = ["run", &file, "--platform", platform, "--kernel", "checked", "-o", &built];
        let run = FUSEE.json(&[&run[..], &["--for", "200ms"]].concat(), 0);
        let tasks = run["tasks"].as_array().expect("tasks").iter();
        let jobs: Vec<_> = tasks.map(|task| task["jobs"].as_u64().expect("a number")).collect();
        assert_eq!(jobs, expected, "{run:#}");
        FUSEE.json(&["verify", &format!("{built}/image.elf"), &file], 0);
    }
}

/// Each core adopts owners of its own.
#[test]
fn words_of_each_core_hold() {
    let change = |text: String| {
        let text = text.replacen("component Log log;", INSTANCES, 1);
        text.replacen("    configuration {\n", &[FAR_TASKS, SETTINGS].concat(), 1)
    };
    holds_on_two_cores("optimistic", change, &[67, 20, 100, 40, 10]);
}

/// On each core threads sleep on the account of threads of that core, by numbers of all cores.
#[test]
fn lock_components_of_each_core_hold() {
    let change = |text: String| {
        let text = text.replacen("component Diary diary;", FAR_INSTANCES, 1);
        text.replacen("    configuration {\n", &[FAR_TASKS, FAR_SETTINGS].concat(), 1)
    };
    holds_on_two_cores("component", change, &[67, 20, 100, 10]);
}
