//! Systems of several cores boot: each gate between cores lets one in.
//!
//! QEMU's cores take turns, so nothing is asked of times; what is asked is what must hold whatever
//! the order of events is.

use fusee_testing::sums::{HELPER, keeper};
use fusee_testing::{Tool, write_project};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Output;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Cores, a gate between them, and one more below it that needs no lock. Each task adds to a sum
/// behind the gate and reads it again, in steps between which others could come.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Sum { int add(in int value); int both(in int value); }
procedure Twice { int twice(in int value); }
component User { control; uses Sum sum; }
component Keeper { provides Sum sum; uses Twice twice; }
component Helper { provides Twice twice; }
component Ticker { control; }
assembly {
    composition {
        component Keeper keeper; component Helper helper;
COMPONENTS
        connection seL4RPCCall sums(FROM to keeper.sum);
        connection seL4RPCCall twices(from keeper.twice, to helper.twice);
    }
    configuration {
        POLICY
        keeper.sum_wcet = "900 us"; helper.twice_wcet = "100 us";
        keeper.sum_priority_protocol = "PROTOCOL"; keeper.sum_calls = ["twice.twice"];
        helper.twice_priority_protocol = "propagated";
SETTINGS
    }
}
"#;

const USER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int before = sum_add(0);
    int after = jobs % 2 ? sum_both(1) : sum_add(1);
    if (after <= before)
        printf("lost: %d after %d\n", after, before);
    if (++jobs % 8 == 0)
        printf("%d jobs\n", jobs);
    return 0;
}
"#;

/// Preempts whoever is inside.
const TICKER: &str = "
#include <camkes.h>

int run(void)
{
    for (volatile int i = 0; i < 15000; i++)
        ;
    return 0;
}
";

/// Boots a system for a time, with one of a platform's kernels.
fn booted((system, time): (&str, &str), (platform, kernel): (&str, &str), out: &str) -> Output {
    FUSEE.run(&[
        "run",
        system,
        "--for",
        time,
        "--platform",
        platform,
        "--kernel",
        kernel,
        "--json",
        "-o",
        out,
    ])
}

/// Writes such a system for some cores, each with two users; answers its description.
fn written(protocol: &str, cores: usize) -> PathBuf {
    let users: Vec<String> = (0..2 * cores).map(|user| format!("user{user}")).collect();
    let mut components: String =
        users.iter().map(|user| format!("        component User {user};\n")).collect();
    components.extend((0..cores).map(|core| format!("        component Ticker tick{core};\n")));
    let from: Vec<String> = users.iter().map(|user| format!("from {user}.sum,")).collect();
    let ticks = (0..cores).map(|core| {
        format!(
            "        tick{core}.period = \"{period} ms\"; tick{core}.wcet = \"200 us\";\n        \
             tick{core}.priority = 200; tick{core}.core = {core};\n",
            period = 2 + core,
        )
    });
    let settings: String = users
        .iter()
        .enumerate()
        .map(|(index, user)| {
            let (core, priority, period) = (index / 2, 10 + index, 40 + 7 * (index % 5));
            format!(
                "        {user}.period = \"{period} ms\"; {user}.wcet = \"2 ms\";\n        \
                 {user}.priority = {priority}; {user}.core = {core};\n        {user}.calls = \
                 [\"sum.both\", \"sum.add\"];\n"
            )
        })
        .chain(ticks)
        .collect();
    let (word, policy) = match protocol {
        "deadlines" => ("msrp", "system.policy = \"earliest_deadline\";"),
        "differ" => ("msrp", "system.core1_policy = \"earliest_deadline\";"),
        word => (word, "system.policy = \"fixed_priority\";"),
    };
    let text = TEXT
        .replace("POLICY", policy)
        .replace("COMPONENTS\n", &components)
        .replace("FROM", &from.join(" "))
        .replace("SETTINGS\n", &settings)
        .replace("PROTOCOL", word);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{protocol}-{cores}"));
    let keeper = keeper("    for (volatile int i = 0; i < 40000; i++)\n        ;");
    let code = [("User", USER), ("Keeper", &keeper), ("Helper", HELPER), ("Ticker", TICKER)];
    write_project(&folder, ("sums.camkes", &text), &code)
}

/// Runs it and asks for what must hold.
fn runs(protocol: &str, cores: usize, platform: &str, kernel: &str) {
    let path = written(protocol, cores);
    let out = path.with_file_name(format!("{platform}-{kernel}"));
    let (system, out) = (path.display().to_string(), out.display().to_string());
    let run = booted((&system, "900ms"), (platform, kernel), &out);
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{protocol}, {cores} cores, {platform}: {text}");
    let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let tasks = value["tasks"].as_array().expect("tasks");
    assert_eq!(tasks.len(), 3 * cores);
    for task in tasks {
        assert!(task["jobs"].as_u64().is_some_and(|jobs| jobs >= 8), "{task}");
        // Nothing is said of times.
        assert_eq!((&task["misses"], &task["response_max_ns"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(value["faults"], Value::Array(Vec::new()));
    let lines = value["console"].as_array().expect("a console");
    assert!(lines.iter().any(|line| line["text"] == "8 jobs"), "{lines:?}");
    let bad =
        |text: &str| text.contains("lost") || text.contains("two") || text.contains("changed");
    let bad: Vec<_> = lines.iter().filter(|line| line["text"].as_str().is_some_and(bad)).collect();
    assert!(bad.is_empty(), "{protocol}, {cores} cores, {platform}: {bad:?}");
}

#[test]
fn two_cores_pass_a_gate_under_each_protocol() {
    for protocol in ["msrp", "mrsp", "mpcp"] {
        runs(protocol, 2, "qemu-rv64", "checked");
        runs(protocol, 2, "qemu-rv32", "plain");
    }
}

/// `deadlines` stands for msrp where deadlines decide.
#[test]
fn cores_by_deadline_pass_a_gate() {
    runs("deadlines", 2, "qemu-rv64", "checked");
    runs("deadlines", 4, "qemu-rv32", "plain");
}

/// `differ` stands for msrp between a core by deadlines and others by priorities: each has a kernel
/// of its policy.
#[test]
fn cores_of_both_policies_pass_a_gate() {
    runs("differ", 2, "qemu-rv64", "checked");
    runs("differ", 3, "qemu-rv32", "plain");
    runs("differ", 2, "qemu-rv64", "traced");
}

#[test]
fn four_and_eight_cores_pass_it_as_well() {
    for (protocol, cores) in [("msrp", 4), ("mrsp", 4), ("mpcp", 4), ("mrsp", 8)] {
        runs(protocol, cores, "qemu-rv64", "plain");
    }
}

#[test]
fn more_cores_than_there_are_are_refused() {
    let path = written("msrp", 9);
    let system = path.display().to_string();
    let run = FUSEE.run(&["build", &system, "-o", &format!("{system}.out")]);
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{text}");
    assert!(text.contains("F1014") && text.contains("9 cores, and qemu-rv64 has 8"), "{text}");
}

#[test]
fn the_vehicle_of_the_book_boots_on_its_four_cores() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("vehicle");
    let out = out.display().to_string();
    let run =
        FUSEE.run(&["run", "examples/cores/good.camkes", "--for", "200ms", "--json", "-o", &out]);
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{text}");
    let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let jobs: Vec<_> = value["tasks"].as_array().expect("tasks").iter().collect();
    let jobs = |name: &str| {
        jobs.iter().find(|task| task["name"] == name).and_then(|task| task["jobs"].as_u64())
    };
    let names = ["motor", "shutter", "steering", "camera", "network", "planner"];
    assert_eq!(names.map(jobs), [200, 100, 10, 5, 4, 2].map(Some));
    assert_eq!(value["console"][0]["text"], "5 pictures");
}

/// A core that starts with another waits for it, whatever it has itself: the task that an event
/// releases lengthens the start of both, on whichever of them it is.
#[test]
fn all_cores_start_at_one_instant() {
    let text = |core: usize| {
        format!(
            "import <std_connector.camkes>;
            component Source {{ control; emits E e; }}
            component Sink {{ control; consumes E e; }}
            component Alone {{ control; }}
            assembly {{
                composition {{
                    component Source source; component Sink sink; component Alone alone;
                    connection seL4Notification n(from source.e, to sink.e);
                }}
                configuration {{
                    source.period = \"8 ms\"; source.calls = [\"emit e\"]; source.core = {core};
                    sink.arrival = \"event e\"; sink.core = {core};
                    alone.period = \"20 ms\"; alone.core = {};
                }}
            }}",
            1 - core
        )
    };
    let says = "#include <camkes.h>\n#include <stdio.h>\n";
    let job = format!("{says}int run(void) {{ printf(\"job\\n\"); return 0; }}\n");
    let code = [
        ("Source", "#include <camkes.h>\nint run(void) { e_emit(); return 0; }\n"),
        ("Sink", &job),
        ("Alone", &job),
    ];
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("one-instant");
    for (core, platform) in [(0, "qemu-rv64"), (1, "qemu-rv32")] {
        let path = write_project(&folder.join(platform), ("starts.camkes", &text(core)), &code);
        let (system, out) = (path.display().to_string(), format!("{}.out", path.display()));
        let run = booted((&system, "60ms"), (platform, "plain"), &out);
        let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
        let jobs = ["source", "sink", "alone"].map(|name| {
            let tasks = value["tasks"].as_array().expect("tasks");
            tasks.iter().find(|task| task["name"] == name).expect("a task")["jobs"].clone()
        });
        assert_eq!(jobs, [8, 8, 3].map(Value::from), "{platform}: {value:#}");
        let console = value["console"].as_array().expect("what was printed");
        let first = |name: &str| {
            let line = console.iter().find(|line| line["component"] == name);
            line.and_then(|line| line["time_ns"].as_i64()).expect("a time")
        };
        let most = 2_000_000;
        assert!((0..most).contains(&first("sink")), "{platform}: {console:#?}");
        assert!((0..most).contains(&first("alone")), "{platform}: {console:#?}");
    }
}

#[test]
fn each_signal_of_another_core_releases_one_job() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("signals");
    for (platform, kernel) in [("qemu-rv64", "checked"), ("qemu-rv32", "plain")] {
        let out = out.join(platform).display().to_string();
        let system = "examples/signals/signals.camkes";
        let run = booted((system, "200ms"), (platform, kernel), &out);
        let text = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(0), "{platform}: {text}");
        let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
        let jobs = |at: usize| value["tasks"][at]["jobs"].as_u64();
        assert_eq!([jobs(0), jobs(1), jobs(2)], [Some(20), Some(40), Some(40)], "{platform}");
        let lines = value["console"].as_array().expect("a console");
        let said: Vec<_> = lines.iter().filter_map(|line| line["text"].as_str()).collect();
        assert_eq!(said, ["8 results", "16 results", "24 results", "32 results", "40 results"]);
    }
}

/// Runs an example with some of its tasks on other cores, for 60 ms; what it printed and its tasks'
/// jobs.
fn moved(example: &str, settings: &[(&str, &str)]) -> (Vec<String>, Vec<(String, u64)>) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("moved-{example}"));
    let source = fusee_testing::workspace().join("examples").join(example);
    let file = format!("{example}.camkes");
    let mut text = std::fs::read_to_string(source.join(&file)).expect("the example");
    for (old, new) in settings {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    std::fs::create_dir_all(&folder).expect("a folder");
    let link = folder.join("components");
    if !link.exists() {
        std::os::unix::fs::symlink(source.join("components"), link).expect("a link");
    }
    let path = folder.join(file);
    std::fs::write(&path, text).expect("the description");
    let (system, out) = (path.display().to_string(), folder.join("out").display().to_string());
    let run =
        FUSEE.run(&["run", &system, "--for", "60ms", "--kernel", "checked", "--json", "-o", &out]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{example}: {errors}");
    let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let all = |name: &str| value[name].as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let said = all("console").iter().map(|line| text(&line["text"])).collect();
    let jobs = |task: &Value| (text(&task["name"]), task["jobs"].as_u64().expect("a number"));
    (said, all("tasks").iter().map(jobs).collect())
}

#[test]
fn callbacks_run_on_the_core_of_their_event() {
    let core = ("alarm.priority = 50;", "alarm.priority = 50; alarm.core = 1;");
    let (mut said, _) = moved("events", &[core]);
    said.sort_unstable();
    let measurement = |count| format!("measurement {count}");
    let expected = ["alarm 1", "alarm 2"].map(str::to_owned).into_iter();
    assert_eq!(said, expected.chain((1..=6).map(measurement)).collect::<Vec<_>>());
}

#[test]
fn threads_that_loop_begin_on_their_cores() {
    let filter = ("filter.arrival =", "filter.core = 1; filter.arrival =");
    let driver = ("driver.arrival =", "driver.core = 2; driver.arrival =");
    let (_, jobs) = moved("released", &[filter, driver]);
    let jobs = |name: &str| jobs.iter().find(|(task, _)| task == name).map(|(_, jobs)| *jobs);
    assert_eq!(["sampler", "filter", "display"].map(jobs), [Some(6); 3]);
    assert!(jobs("driver").is_some_and(|jobs| jobs >= 10), "its interrupts reach it");
}
