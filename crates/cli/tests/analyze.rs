//! `check` and `analyze`: exit statuses, streams, shapes that tools rely on.

use fusee_platform::{KernelConfig, KernelPolicy, Platform, Records};
use std::path::PathBuf;

use fusee_testing::{Tool, descriptions};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// A file that goes away with the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fusee-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn has_keys(value: &Value, keys: &[&str]) {
    let object = value.as_object().expect("an object");
    for key in keys {
        assert!(object.contains_key(*key), "no `{key}` in {value}");
    }
}

const DIAGNOSTIC: &[&str] = &["code", "severity", "message", "spans"];
const GATE: &[&str] = &["name", "protocol", "ceiling", "stacks", "rpc_threads", "tasks"];
const TASK: &[&str] = &[
    "name",
    "priority",
    "period_ns",
    "deadline_ns",
    "wcet_ns",
    "blocking_ns",
    "kernel_ns",
    "response_bound_ns",
    "schedulable",
    "slack_ns",
    "theorem",
];

/// The kernel of the machine interrupts tasks that have a budget, and takes its time from that: the
/// least budgets that last are printed, and do.
#[test]
fn budgets_that_end_come_with_those_that_last() {
    let written = ["middle.budget = \"101 us\";", "slow.budget = \"2001 us\";"];
    let text = format!(
        "component Work {{ control; }}\nassembly {{\n\
         composition {{ component Work fast; component Work middle; component Work slow; }}\n\
         configuration {{\n\
         fast.period = \"1 ms\"; fast.wcet = \"20 us\"; fast.priority = 30;\n\
         middle.period = \"5 ms\"; middle.wcet = \"100 us\"; middle.priority = 20;\n\
         slow.period = \"10 ms\"; slow.wcet = \"2 ms\"; slow.priority = 10;\n\
         middle.overrun = \"suspend\"; slow.overrun = \"suspend\";\n{}\n}} }}\n",
        written.join("\n")
    );
    let analyzed = |text: &str, status| {
        let file = Scratch::new("lasting.camkes", text);
        FUSEE.json(&["analyze", file.path(), "--platform", "qemu-rv64"], status)
    };
    let bounds = |value: &Value| {
        let tasks = value["tasks"].as_array().expect("tasks").iter();
        tasks.filter(|task| task["response_bound_ns"].is_u64()).count()
    };
    let found = analyzed(&text, 1);
    assert_eq!(bounds(&found), 1, "{found:#}");
    let notes = found["diagnostics"].as_array().expect("a list").iter();
    let notes = notes.filter(|one| one["code"] == "F0606").flat_map(|one| one["notes"].as_array());
    let notes = notes.flatten().map(|note| note.as_str().expect("text"));
    let least: Vec<&str> =
        notes.filter(|note| note.contains("the least budget that lasts")).collect();
    let lines: Vec<&str> =
        least.iter().map(|note| note.split('`').nth(1).expect("a setting")).collect();
    assert_eq!(lines.len(), 2, "{found:#}");
    let raised = text.replace(written[0], lines[0]).replace(written[1], lines[1]);
    let lasting = analyzed(&raised, 0);
    assert_eq!(bounds(&lasting), 3, "{lasting:#}");
    // With one of them alone the other one still ends.
    let one = analyzed(&text.replace(written[0], lines[0]), 1);
    assert_eq!(bounds(&one), 2, "{one:#}");
}

/// `slow` comes when `fast` has been done for 1 ms; where offsets count, it never waits for it.
#[test]
fn bounds_rest_on_offsets_only_if_asked() {
    let text = "component Work { control; }\n\
                assembly {\n\
                composition { component Work fast; component Work slow; }\n\
                configuration {\n\
                fast.period = \"10 ms\"; fast.wcet = \"3 ms\"; fast.priority = 20;\n\
                slow.period = \"10 ms\"; slow.wcet = \"2 ms\"; slow.priority = 10;\n\
                slow.offset = \"4 ms\";\n\
                } }\n";
    let file = Scratch::new("offsets.camkes", text);
    let bound = |options: &[&str]| {
        let value = FUSEE.json(&[&["analyze", file.path()], options].concat(), 0);
        let tasks = value["tasks"].as_array().expect("tasks").clone();
        let slow = tasks.iter().find(|task| task["name"] == "slow").expect("the task").clone();
        (slow["response_bound_ns"].as_u64(), slow["theorem"].as_str().map(str::to_owned))
    };
    assert_eq!(bound(&[]).0, Some(5_000_000));
    let (time, theorem) = bound(&["--offsets"]);
    assert_eq!(time, Some(2_000_000));
    assert!(theorem.is_some_and(|theorem| theorem.contains("known offsets")));
    let says = |options: &[&str]| {
        let run = FUSEE.run(&[&["analyze", file.path()], options].concat());
        let text = String::from_utf8_lossy(&run.stdout).into_owned();
        let value = FUSEE.json(&[&["analyze", file.path()], options].concat(), 0);
        (text.contains("with the offsets of the description, every"), value["offsets"].clone())
    };
    assert_eq!(says(&["--offsets"]), (true, true.into()));
    assert_eq!(says(&[]), (false, Value::Null));
}

#[test]
fn analysis_has_the_agreed_shape() {
    let value = FUSEE.json(&["analyze", "examples/pathfinder/inherited.camkes"], 0);
    assert_eq!((&value["system"], &value["schedulable"]), (&"inherited".into(), &true.into()));
    value["tasks"].as_array().expect("tasks").iter().for_each(|task| has_keys(task, TASK));
    value["gates"].as_array().expect("gates").iter().for_each(|gate| has_keys(gate, GATE));
}

#[test]
fn a_deadline_without_guarantee_is_status_1() {
    let value = FUSEE.json(&["analyze", "examples/pathfinder/fifo.camkes"], 1);
    assert_eq!(value["schedulable"], false);
    let tasks = value["tasks"].as_array().expect("tasks");
    let task = tasks.iter().find(|task| task["name"] == "bc_dist").expect("the task");
    assert_eq!((&task["response_bound_ns"], &task["schedulable"]), (&Value::Null, &false.into()));
    let diagnostics = value["diagnostics"].as_array().expect("diagnostics");
    diagnostics.iter().for_each(|diagnostic| has_keys(diagnostic, DIAGNOSTIC));
    has_keys(&diagnostics[0]["spans"][0], &["file", "line", "column"]);
}

#[test]
fn nothing_is_said_to_hold_where_nothing_is_promised() {
    let describe = |timing: &str| {
        format!(
            "component A {{ control; }}\nassembly {{ composition {{ component A a; component A b; \
             }}\n\
             configuration {{ {timing} b.priority = 1; b.wcet = \"1 ms\"; }} }}\n"
        )
    };
    let none = Scratch::new("no-deadline.camkes", &describe("a.wcet = \"1 ms\";"));
    let value = FUSEE.json(&["analyze", none.path()], 0);
    assert_eq!(
        (&value["schedulable"], &value["tasks"][0]["schedulable"]),
        (&Value::Null, &Value::Null)
    );
    let text = String::from_utf8_lossy(&FUSEE.run(&["analyze", none.path()]).stdout).into_owned();
    assert!(
        text.contains("no task has a deadline, so nothing is promised") && !text.contains("holds"),
        "{text}"
    );
    let one =
        Scratch::new("one-deadline.camkes", &describe("a.period = \"10 ms\"; a.wcet = \"1 ms\";"));
    let text = String::from_utf8_lossy(&FUSEE.run(&["analyze", one.path()]).stdout).into_owned();
    assert!(
        text.contains("the only deadline holds; nothing is promised to 1 task without a deadline"),
        "{text}"
    );
}

#[test]
fn check_has_the_agreed_shape() {
    let value = FUSEE.json(&["check", "examples/nested/config1.camkes"], 0);
    value["gates"].as_array().expect("gates").iter().for_each(|gate| has_keys(gate, GATE));
    has_keys(&value, &["system", "diagnostics"]);
}

#[test]
fn bad_input_is_status_2_everywhere() {
    let broken = Scratch::new("broken.camkes", "assembly { composition { component Missing m; } }");
    for command in ["check", "analyze"] {
        for path in ["no-such-file.camkes", ".", broken.path()] {
            let value = FUSEE.json(&[command, path], 2);
            has_keys(&value["diagnostics"][0], DIAGNOSTIC);
            let run = FUSEE.run(&[command, path]);
            assert_eq!((run.status.code(), run.stdout.len()), (Some(2), 0), "{command} {path}");
            assert!(String::from_utf8_lossy(&run.stderr).contains("error[F"), "{command} {path}");
        }
    }
}

#[test]
fn costs_come_from_a_file_that_names_them_all() {
    let system = "examples/pathfinder/inherited.camkes";
    let table = fusee_model::costs::CostTable::zero("board").to_toml().expect("TOML");
    let costly = Scratch::new("costs.toml", &table.replace("release = 0", "release = 100000"));
    let value = FUSEE.json(&["analyze", system, "--costs", costly.path()], 0);
    assert!(value["tasks"][0]["kernel_ns"].as_u64() >= Some(100_000));
    let short = Scratch::new("short.toml", "platform = \"board\"\n");
    for path in [short.path(), "no-such-file.toml"] {
        let value = FUSEE.json(&["analyze", system, "--costs", path], 2);
        assert!(
            value["diagnostics"][0]["code"].as_str().is_some_and(|code| code.starts_with("F000"))
        );
    }
}

#[test]
fn macros_and_folders_reach_the_preprocessor() {
    let text = "#ifdef WITH\nimport \"part.camkes\";\n#endif\nassembly { composition { component \
                PART p; } }\n";
    let system = Scratch::new("macros.camkes", text);
    let folder = std::env::temp_dir().join(format!("fusee-include-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("part.camkes"), "component Part { }\n").expect("a file");
    let include = folder.to_str().expect("UTF-8");
    assert_eq!(FUSEE.run(&["check", system.path()]).status.code(), Some(2));
    let run = FUSEE.run(&["check", system.path(), "-D", "WITH", "-DPART=Part", "-I", include]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::remove_dir_all(folder).expect("the folder goes away");
}

#[test]
fn audsley_is_available_by_option() {
    let text = "component A { control; } component B { control; }\nassembly {\n composition { \
                component A a; component B b; }\n\
                configuration {\n a.period = \"20 ms\"; a.deadline = \"10 ms\"; a.wcet = \"4 \
                ms\";\n b.period = \"20 ms\"; b.deadline = \"11 ms\"; b.wcet = \"3 ms\"; b.jitter \
                = \"8 ms\";\n }\n}\n";
    let system = Scratch::new("audsley.camkes", text);
    FUSEE.json(&["analyze", system.path()], 1);
    FUSEE.json(&["analyze", system.path(), "--assign", "deadline-monotonic"], 1);
    FUSEE.json(&["analyze", system.path(), "--assign", "audsley"], 0);
}

#[test]
fn a_large_description_is_clean() {
    let system = Scratch::new("large.camkes", &descriptions::large(1000, 200));
    let value = FUSEE.json(&["analyze", system.path()], 0);
    assert_eq!(value["diagnostics"], Value::Array(Vec::new()));
    assert_eq!(
        (value["tasks"].as_array().map(Vec::len), value["gates"].as_array().map(Vec::len)),
        (Some(200), Some(800))
    );
}

/// The codes of all messages about a system's bounds.
fn codes(system: &str, platform: &[&str], status: i32) -> Vec<String> {
    let found = FUSEE.json(&[&["analyze", system], platform].concat(), status);
    let all = found["diagnostics"].as_array().expect("diagnostics").iter();
    all.map(|diagnostic| diagnostic["code"].as_str().unwrap_or_default().to_owned()).collect()
}

const MEASURED: [&str; 2] = ["--platform", "qemu-rv64"];

#[test]
fn messages_cost_what_the_table_says_and_without_that_have_no_bound() {
    let hello = "examples/hello/hello.camkes";
    let bound = |platform: &[&str]| {
        let found = FUSEE.json(&[&["analyze", hello], platform].concat(), 0);
        found["tasks"][0]["response_bound_ns"].as_u64().expect("a bound")
    };
    let committed =
        Platform::QemuRv64.descriptor().costs_of(KernelConfig::PLAIN, 1).expect("measured");
    let table = fusee_model::costs::CostTable::from_toml(committed).expect("a table");
    let message = table.message.expect("what messages cost");
    // A text in, of 120 words at most, and a number back.
    let most = message.of(121).expect("some time").ns();
    assert!(bound(&MEASURED) >= bound(&[]) + most);
    let without = fusee_model::costs::CostTable { message: None, ..table };
    let scratch = Scratch::new("without-messages.toml", &without.to_toml().expect("TOML"));
    assert!(codes(hello, &["--costs", scratch.path()], 1).contains(&"F0614".to_owned()));
    // What comes back as a text is on a heap, whose cost no table knows.
    let text = std::fs::read_to_string(format!("{}/../../{hello}", env!("CARGO_MANIFEST_DIR")))
        .expect("an example");
    let back =
        Scratch::new("back.camkes", &text.replace("in string visitor", "out string visitor"));
    assert!(codes(back.path(), &MEASURED, 1).contains(&"F0614".to_owned()));
    assert!(!codes(back.path(), &[], 0).contains(&"F0614".to_owned()));
}

/// A driver whose device interrupts once for each job, and once more than that.
const DRIVER: &str = r#"
import <std_connector.camkes>;
component Chip { hardware; emits Ready ready; }
component Driver { control; consumes Ready ready; }
assembly {
    composition {
        component Chip chip;
        component Driver driver;
        connection seL4HardwareInterrupt line(from chip.ready, to driver.ready);
    }
    configuration {
        chip.ready_irq_number = 2;
        driver.arrival = "event ready";
        driver.period = "1 ms";
        driver.wcet = "100 us";
        driver.calls = [];
    }
}
"#;

/// By hand: 100 us of the job; two interrupts with their acknowledgements, 18 us; and one that is
/// under way when the window begins, 7 us.
#[test]
fn a_devices_interrupts_cost_what_the_table_says() {
    use fusee_model::Duration;
    use fusee_model::costs::{CostTable, DeviceCosts};

    let system = Scratch::new("driver.camkes", DRIVER);
    let device = DeviceCosts { interrupt: Duration(7000), acknowledge: Duration(2000) };
    let table = CostTable { device: Some(device), ..CostTable::zero("board") };
    let costs = Scratch::new("device.toml", &table.to_toml().expect("TOML"));
    let found = FUSEE.json(&["analyze", system.path(), "--costs", costs.path()], 0);
    assert_eq!(found["tasks"][0]["response_bound_ns"], 125_000, "{found:#}");
}

/// So many tasks, and one more that goes through so many gates.
fn large(tasks: usize, gates: usize) -> String {
    let mut text = "import <std_connector.camkes>;\nprocedure P { void go(); };\n".to_owned();
    text += "component Task { control; }\ncomponent User { control; uses P down; }\n";
    text += "component Gate { provides P up; uses P down; }\ncomponent End { provides P up; \
             }\nassembly { composition {\n";
    let all =
        |line: &dyn Fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    text += &all(&|i| format!("component Task t{i};\n"), tasks);
    text += "component User user;\n";
    let kind = |i: usize| if i + 1 < gates { "Gate" } else { "End" };
    text += &all(&|i| format!("component {} g{i};\n", kind(i)), gates);
    text += &all(
        &|i| {
            let from = if i == 0 { "user.down".to_owned() } else { format!("g{}.down", i - 1) };
            format!("connection seL4RPCCall c{i}(from {from}, to g{i}.up);\n")
        },
        gates,
    );
    text += "} configuration {\nuser.period = \"1 s\"; user.wcet = \"1 us\"; user.calls = \
             [\"down\"];\n";
    text += &all(
        &|i| format!("t{i}.period = \"1 s\"; t{i}.wcet = \"1 us\"; t{i}.calls = [];\n"),
        tasks,
    );
    let calls = |i: usize| if i + 1 < gates { "[\"down\"]" } else { "[]" };
    text += &all(&|i| format!("g{i}.up_wcet = \"1 us\"; g{i}.up_calls = {};\n", calls(i)), gates);
    text + "} }\n"
}

#[test]
fn systems_larger_than_what_was_measured_have_no_bound() {
    let plain = Platform::QemuRv64.descriptor().costs.iter();
    let plain = plain.filter(|table| table.kernel == KernelConfig::PLAIN);
    let limits = plain.map(|table| {
        let table = fusee_model::costs::CostTable::from_toml(table.text).expect("a table");
        table.limits.expect("limits of what was measured")
    });
    let limits = limits.max_by_key(|limits| limits.threads).expect("a table of the plain kernel");
    assert_eq!(limits.threads, 64);
    let (threads, nesting) = (limits.threads as usize, limits.nesting as usize);
    for (tasks, gates, fits) in
        [(threads - 1, 1, true), (threads, 1, false), (1, nesting, true), (1, nesting + 1, false)]
    {
        let scratch = Scratch::new(&format!("large-{tasks}-{gates}.camkes"), &large(tasks, gates));
        let found = codes(scratch.path(), &MEASURED, i32::from(!fits));
        assert_eq!(
            found.contains(&"F0615".to_owned()),
            !fits,
            "{tasks} tasks, {gates} gates: {found:?}"
        );
        assert!(!codes(scratch.path(), &[], 0).contains(&"F0615".to_owned()));
    }
}

/// Cores that order threads in different ways count with a table of each kernel.
#[test]
fn each_policy_may_have_a_table_of_its_own() {
    let of_policy = |policy| {
        let kernel = Records::Plain.under(policy).on(2);
        Platform::QemuRv64.descriptor().costs_of(kernel, 2).expect("measured")
    };
    let priorities = Scratch::new("priorities.toml", of_policy(KernelPolicy::FIXED_PRIORITY));
    let deadlines = Scratch::new("deadlines.toml", of_policy(KernelPolicy::EARLIEST_DEADLINE));
    let mixed = "examples/edf/mixed.camkes";
    let bounds = |options: &[&str]| {
        let found = FUSEE.json(&[&["analyze", mixed], options].concat(), 0);
        let tasks = found["tasks"].as_array().expect("tasks").clone();
        tasks.iter().map(|task| task["response_bound_ns"].as_u64()).collect::<Vec<_>>()
    };
    let own = bounds(&MEASURED);
    assert!(own.len() == 5 && own.iter().all(Option::is_some), "{own:?}");
    let (one, other) = (["--costs", priorities.path()], ["--costs", deadlines.path()]);
    assert_eq!(bounds(&[one, other].concat()), own);
    assert_eq!(bounds(&[other, one].concat()), own);
    // One of them says nothing of the other cores.
    assert!(codes(mixed, &one, 1).contains(&"F0616".to_owned()));
    let twice = [one, one].concat();
    let refused = FUSEE.run(&[&["analyze", mixed], &twice[..]].concat());
    let text = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{text}");
    assert!(text.contains("two cost tables are of the same policy"), "{text}");
}

/// By priorities the kernel has these gates as `fixed`, and so does the table.
#[test]
fn gates_that_are_fixed_to_the_kernel_cost_what_those_do() {
    let text = |protocol: &str| {
        format!(
            "import <std_connector.camkes>;\nprocedure P {{ void go(); }};\ncomponent User {{ \
             control; uses P down; }}\ncomponent End {{ provides P up; }}\nassembly {{ \
             composition {{ component User a; component User b; component End e; connection \
             seL4RPCCall c(from a.down, from b.down, to e.up); }} configuration {{ a.period = \
             \"1 ms\"; a.wcet = \"9 us\"; b.period = \"2 ms\"; b.wcet = \"9 us\"; a.priority = \
             20; b.priority = 10; a.calls = [\"down\"]; b.calls = [\"down\"]; e.up_wcet = \"5 \
             us\"; e.up_priority_protocol = \"{protocol}\"; }} }}\n"
        )
    };
    let bounds = |protocol: &str| {
        let scratch = Scratch::new(&format!("{protocol}.camkes"), &text(protocol));
        let found = FUSEE.json(&[&["analyze", scratch.path()], &MEASURED[..]].concat(), 0);
        let bound = |task: &serde_json::Value| task["response_bound_ns"].as_u64().expect("one");
        found["tasks"].as_array().expect("tasks").iter().map(bound).collect::<Vec<_>>()
    };
    let fixed = bounds("fixed");
    assert_eq!((bounds("srp"), bounds("non_preemptive")), (fixed.clone(), fixed));
}

/// A kernel that costs nothing, three users of a lock: by hand, in microseconds. The scheduler's
/// code takes 2 for each call; the lock's as long for both, or longer to take than to release.
#[test]
fn sections_of_a_lock_component_are_bounded() {
    let system = "tests/systems/lock_sections/lock_sections.camkes";
    sections_are_bounded(system, [3, 3], None);
    let text = std::fs::read_to_string(fusee_testing::workspace().join(system)).expect("a system");
    let apart = "keeper.locks_take_wcet = \"7 us\";\n        keeper.locks_release_wcet = \"1 us\";";
    let asked = text.replace("keeper.locks_wcet = \"3 us\";", apart);
    sections_are_bounded(Scratch::new("apart.camkes", &asked).path(), [7, 1], None);
    let apart = format!("keeper.locks_pretake_wcet = \"5 us\";\n        {apart}");
    let words = text
        .replace("keeper.locks_wcet = \"3 us\";", &apart)
        .replace("uses Locking", "uses OptimisticLocking")
        .replace("LockPessimistic", "LockOptimistic");
    sections_are_bounded(Scratch::new("words.camkes", &words).path(), [7, 1], Some(5));
}

/// An optimistic lock between equals: what the other one does with it is its own job.
#[test]
fn equals_with_an_optimistic_lock_have_bounds() {
    let system = "tests/systems/lock_sections/lock_sections.camkes";
    let text = std::fs::read_to_string(fusee_testing::workspace().join(system)).expect("a system");
    let words = text
        .replace("uses Locking", "uses OptimisticLocking")
        .replace("LockPessimistic", "LockOptimistic")
        .replace(
            "alarm.period",
            "alarm.priority = 9; sampler.priority = 9; display.priority = 3;\n        alarm.period",
        );
    let value = FUSEE.json(&["analyze", Scratch::new("equals.camkes", &words).path()], 0);
    let tasks = value["tasks"].as_array().expect("tasks");
    assert!(tasks.iter().all(|task| task["response_bound_ns"].is_u64()), "{value:#}");
}

fn sections_are_bounded(system: &str, [own_take, own_release]: [u64; 2], own_epoch: Option<u64>) {
    // Each time that the section is left the two others may be woken, and try to enter once more.
    let left = 2 + 2 * 2;
    // An optimistic lock tells an epoch first.
    let epoch = own_epoch.map_or(0, |own| own + 2 + left);
    // Woken without the lock: the component's code, entering and sleeping, leaving.
    let round = epoch + own_take + 2 + 2 + left;
    let take = epoch + own_take + 2 + left;
    let release = own_release + 2 + left + 2 * (2 + round);
    let section = |inside: u64| take + inside + release + 2 * round;
    let alarm = 100 + 10 + take + 50 + release + 10;
    let sampler = 200 + alarm - 100 + 200;
    let display = 500 + 10 + take + 200 + release + 2_000;

    let (tasks, micro) = (FUSEE.json(&["analyze", system], 0)["tasks"].clone(), 1_000);
    let bound = |name: &str| {
        let found = tasks.as_array().expect("tasks").iter().find(|task| task["name"] == name);
        found.expect("the task")["response_bound_ns"].as_u64().expect("a bound")
    };
    // Whoever is less urgent can have the lock, both at once: one waits for the other.
    assert_eq!(bound("alarm"), (alarm + section(50) + section(200)) * micro);
    assert_eq!(bound("sampler"), (sampler + section(200) + alarm) * micro);
    assert_eq!(bound("display"), (display + 2 * alarm + sampler) * micro);
}
