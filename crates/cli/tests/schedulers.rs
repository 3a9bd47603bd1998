//! Schedulers that are components, from the description to the machine.

use std::path::Path;

use fusee_measure::{Path as Measured, Setting, complete, schedulers};
use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const PARTITIONS: &str = "examples/schedulers/partitions.camkes";

const NESTED: &str = "examples/schedulers/nested.camkes";

/// A slot of 5 ms in every 8 ms is for who never ends, the next 3 ms for who has a job: that begins
/// within some microseconds of its slot, and is done in its time, with a task above both.
#[test]
fn each_partition_has_its_slot_on_machines() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    // The kernel that checks itself takes its time for that.
    let kernels = [
        ("qemu-rv64", "plain", 6_010_000),
        ("qemu-rv64", "checked", 6_200_000),
        ("qemu-rv32", "plain", 6_010_000),
    ];
    for (platform, kernel, most) in kernels {
        let built = folder.join(format!("{platform}-{kernel}")).display().to_string();
        let arguments = ["run", PARTITIONS, "--platform", platform, "--kernel", kernel];
        let more = ["-o", &built, "--for", "80ms"];
        // What the checks take is in no table.
        let is_measured = kernel == "plain";
        let status = i32::from(!is_measured);
        let value = FUSEE.json(&[&arguments[..], &more].concat(), status);
        let console = value["console"].as_array().expect("what was printed");
        assert_eq!(console.len(), 10, "{platform} {kernel}: {value:#}");
        for (period, line) in console.iter().enumerate() {
            let time = line["time_ns"].as_u64().expect("a time");
            let since = time - period as u64 * 8_000_000;
            assert!((5_900_000..most).contains(&since), "{platform} {kernel}: {line}");
        }
        let of = |name: &str| -> Value {
            let tasks = value["tasks"].as_array().expect("tasks");
            tasks.iter().find(|task| task["name"] == name).expect("it is there").clone()
        };
        for name in ["steady", "clock"] {
            let task = of(name);
            assert_eq!((&task["jobs"], &task["misses"]), (&10.into(), &0.into()), "{task}");
            let bound = task["response_bound_ns"].as_u64().expect("a bound");
            let seen = task["response_max_ns"].as_u64().filter(|_| is_measured);
            assert!(seen.is_none_or(|seen| bound >= seen), "{platform} {kernel}: {task}");
        }
    }
}

/// A partition's own partitions have their slots in it: what is printed comes 1 ms after the
/// beginnings of the slots at 2 ms and 5 ms, whoever else never ends.
#[test]
fn a_partition_is_partitioned_again_on_machines() {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    for platform in ["qemu-rv64", "qemu-rv32"] {
        let built = folder.join(platform).display().to_string();
        let arguments = ["run", NESTED, "--platform", platform, "-o", &built, "--for", "80ms"];
        let value = FUSEE.json(&arguments, 0);
        assert_eq!(value["bounds_held"], true, "{platform}: {value:#}");
        for (name, least) in [("inner", 2_900_000), ("outer", 5_900_000)] {
            let console = value["console"].as_array().expect("what was printed");
            let lines: Vec<_> = console.iter().filter(|line| line["component"] == name).collect();
            assert_eq!(lines.len(), 10, "{platform} {name}: {value:#}");
            for (period, line) in lines.iter().enumerate() {
                let time = line["time_ns"].as_u64().expect("a time");
                let since = time - period as u64 * 8_000_000;
                assert!((least..least + 200_000).contains(&since), "{platform}: {line}");
            }
        }
        let tasks = value["tasks"].as_array().expect("tasks");
        for name in ["inner", "outer", "clock"] {
            let task = tasks.iter().find(|task| task["name"] == name).expect("it is there");
            assert_eq!((&task["jobs"], &task["misses"]), (&10.into(), &0.into()), "{task}");
            assert!(task["response_bound_ns"].is_u64(), "{platform}: {task}");
        }
    }
}

/// Nothing is promised of a user's own code, and it is not simulated; nor of any whose decisions
/// have not been measured.
#[test]
fn nothing_is_promised_of_what_code_decides() {
    for asked in [
        &["analyze", "examples/schedulers/shares.camkes"][..],
        &["analyze", PARTITIONS, "--platform", "rtl-vexriscv"],
    ] {
        let value = FUSEE.json(asked, 1);
        let diagnostics = value["diagnostics"].as_array().expect("messages");
        let refused = diagnostics.iter().filter(|message| message["code"] == "F0622");
        assert_eq!(refused.count(), 1, "one for all: {diagnostics:#?}");
    }
    let own = ["simulate", "examples/schedulers/shares.camkes", "--for", "10ms"];
    let value = FUSEE.json(&own, 2);
    assert!(value.to_string().contains("F0709"), "{value:#}");
}

/// `steady` has 3 of every 8 ms, behind 5, and a task above both takes 0.1 ms: its job of 1 ms
/// needs 1.1 ms of its slots and begins when one has just ended. The hostile one has a slot, too.
#[test]
fn a_slot_is_a_promise_whoever_has_the_others() {
    let (least, most) = (5_900_000, 6_400_000);
    // Threads of the hostile one have no bound.
    for (system, status) in [(PARTITIONS, 0), ("examples/schedulers/hostile.camkes", 1)] {
        let value = FUSEE.json(&["analyze", system], status);
        let tasks = value["tasks"].as_array().expect("tasks");
        let steady = tasks.iter().find(|task| task["name"] == "steady").expect("it is there");
        let bound = steady["response_bound_ns"].as_u64().expect("a bound");
        assert!((least..=most).contains(&bound), "{system}: {steady:#}");
        let supplies = value["supplies"].as_array().expect("what is given");
        let its = supplies.iter().find(|own| own["task"] == "steady").expect("it is given time");
        let given =
            ["least_ns", "every_ns", "gap_ns", "interference_ns"].map(|key| its[key].as_u64());
        assert_eq!(given, [3_000_000, 8_000_000, 5_000_000, 3_000_000].map(Some), "{its}");
    }
}

/// The simulator runs them as they are booted.
#[test]
fn what_is_simulated_keeps_what_is_promised() {
    for (system, jobs) in [
        ("priorities", [("high", 8), ("middle", 4), ("low", 2)]),
        ("deadlines", [("fast", 8), ("slow", 5), ("rare", 3)]),
        ("turns", [("first", 4), ("second", 4), ("third", 4)]),
        ("below", [("fast", 20), ("slow", 5), ("other", 10)]),
    ] {
        let description = format!("examples/schedulers/{system}.camkes");
        let value = FUSEE.json(&["simulate", &description, "--for", "80ms"], 0);
        let tasks = value["tasks"].as_array().expect("tasks");
        for (name, count) in jobs {
            let task = tasks.iter().find(|task| task["name"] == name).expect("it is there");
            assert_eq!((&task["jobs"], &task["misses"]), (&count.into(), &0.into()), "{task}");
        }
    }
}

/// The longest time of each call, below few schedulers and below many, on a kernel that is compiled
/// for size.
const LONGEST: [(&str, [u64; 2]); 8] = [
    ("dispatch", [1_225, 1_225]),
    ("dispatch_timer", [1_225, 1_225]),
    ("send_receive", [1_580, 1_875]),
    ("scheduler_activation", [1_495, 1_575]),
    ("timer_activation", [1_635, 2_050]),
    ("delegate", [1_610, 2_230]),
    ("preemption_test", [85, 300]),
    ("transfer", [1_295, 1_700]),
];

/// On this machine an instruction is a tick.
#[test]
fn calls_of_schedulers_take_no_longer_than_they_did() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schedulers-measured");
    let setting = Setting::instructions(100);
    let mut paths = Vec::new();
    for system in schedulers(setting) {
        let description = system.write(&folder).expect("a folder");
        let description = description.to_str().expect("a path");
        let built = folder.join(&system.name).join("build").display().to_string();
        let run = FUSEE.json(&["run", description, "--for", "20ms", "-o", &built], 0);
        let console = run["console"].as_array().expect("lines").iter();
        paths.extend(console.filter_map(|line| Measured::parse(line["text"].as_str()?)));
    }
    complete(&paths).expect("each call, below few and below many");
    for (call, longest) in LONGEST {
        for (more, most) in ["", ".14"].into_iter().zip(longest) {
            let name = format!("tcap.{call}{more}");
            let path = paths.iter().find(|path| path.name == name).expect("it was measured");
            assert!(path.max <= most, "{name} takes {} instructions", path.max);
        }
    }
}
