//! Systems that boot: what they show, beside what was promised and simulated.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_testing::{Tool, copy, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

fn temporary() -> (snapbox::dir::DirRoot, PathBuf) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = root.path().expect("it has a path").to_owned();
    (root, path)
}

/// Returns the longest responses, task by task.
fn longest(run: &Value) -> Vec<(String, u64)> {
    let tasks = run["tasks"].as_array().expect("tasks").iter();
    tasks
        .map(|task| (task["name"].to_string(), task["response_max_ns"].as_u64().unwrap_or(0)))
        .collect()
}

/// Boots an example and holds it against its bounds and against the simulator, which charges every
/// path in full.
fn boots_within_its_bounds(name: &str, duration: &str, platform: &str) -> Value {
    let (_root, folder) = temporary();
    let system = example(name);
    let booted =
        document(&FUSEE.run_in(
            &folder,
            &["run", &system, "--platform", platform, "--for", duration, "--json"],
        ));
    assert_eq!(
        (&booted["bounds_held"], &booted["platform"]),
        (&true.into(), &platform.into()),
        "{booted:#}"
    );
    let as_booted = ["--platform", platform, "--releases", "drawn", "--for", duration, "--json"];
    let simulated =
        document(&FUSEE.run_in(&folder, &[&["simulate", &system], as_booted.as_slice()].concat()));
    for ((task, observed), (_, most)) in longest(&booted).into_iter().zip(longest(&simulated)) {
        assert!(
            observed <= most,
            "{name}: {task} took {observed} ns on the machine, {most} ns in simulation"
        );
    }
    booted
}

#[test]
fn the_inversion_happens_on_the_machine_and_its_repair_holds() {
    let flown = boots_within_its_bounds("pathfinder/fifo.camkes", "1s", "qemu-rv64");
    assert_eq!(flown["deadlines_held"], false);
    let repaired = boots_within_its_bounds("pathfinder/inherited.camkes", "1s", "qemu-rv64");
    assert_eq!(repaired["deadlines_held"], true);
}

#[test]
fn every_machine_keeps_the_bounds_of_its_own_costs() {
    for machine in fusee_platform::Platform::emulated() {
        let run = boots_within_its_bounds("pathfinder/inherited.camkes", "200ms", machine.name());
        assert!(run["tasks"][0]["jobs"].as_u64() > Some(0), "{run:#}");
        // Longer than the lower word of a 32-bit clock lasts.
        let long = boots_within_its_bounds("hello/hello.camkes", "5s", machine.name());
        assert!(long["tasks"][0]["jobs"].as_u64() > Some(0), "{long:#}");
    }
}

/// Reads the clock as often as it can while its lower word becomes full, and says so if it goes
/// back or leaps.
const WATCH: &str = r#"
#include <camkes.h>

int run(void)
{
    static uint64_t seen[200];
    while (fusee_now() < 0x100000000 - 500) {
    }
    for (int i = 0; i < 200; i++) {
        seen[i] = fusee_now();
    }
    for (int i = 1; i < 200; i++) {
        if (seen[i] - seen[i - 1] > 20) {
            printf("the clock leaps");
        }
    }
    printf("%s", seen[0] < 0x100000000 && seen[199] > 0x100000000 ? "past the word" : "elsewhere");
    return 0;
}
"#;

#[test]
fn the_clock_goes_on_where_its_lower_word_is_full() {
    let (_root, folder) = temporary();
    fs::create_dir_all(folder.join("components/Watch")).expect("a folder");
    fs::write(folder.join("components/Watch/watch.c"), WATCH).expect("it is written");
    let system = "component Watch { control; }\n\
        assembly { composition { component Watch watch; } configuration {\n\
        watch.priority = 10; watch.period = \"10 ms\"; watch.wcet = \"1 ms\"; system.startup = \
        \"4294960 us\"; } }\n";
    fs::write(folder.join("system.camkes"), system).expect("it is written");
    for machine in fusee_platform::Platform::emulated() {
        let built = FUSEE.run_in(
            &folder,
            &["build", "system.camkes", "--platform", machine.name(), "-o", machine.name()],
        );
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let image = format!("{}/image.elf", machine.name());
        let run = FUSEE.run_in(&folder, &["run", &image, "--for", "5ms"]);
        let text = String::from_utf8_lossy(&run.stdout);
        assert!(text.contains("past the word") && !text.contains("leaps"), "{machine}: {text}");
    }
}

#[test]
fn nested_gates_keep_their_bounds_and_every_run_is_the_same() {
    let (_root, folder) = temporary();
    let system = example("nested/config3.camkes");
    let files = ["--trace", "run.pftrace", "--report", "run.html"];
    let run = || {
        FUSEE.run_in(
            &folder,
            &[&["run", &system, "--stubs", "--for", "100ms", "--json"], files.as_slice()].concat(),
        )
    };
    let made = || {
        ["run.pftrace", "run.html"].map(|name| std::fs::read(folder.join(name)).expect("a file"))
    };
    let (first, files) = (run(), made());
    assert_eq!(document(&first)["bounds_held"], true);
    assert_eq!(first.stdout, run().stdout);
    assert!(files == made(), "another run makes other files");
    readable(&folder.join("run.html"));
}

/// A browser shows the page of a run, which knows how busy the processor was.
fn readable(page: &Path) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/check-report");
    let checked = Command::new("python3")
        .arg(script)
        .arg(page)
        .arg("Run on qemu-rv64: 100 ms of virtual time")
        .output();
    let said = String::from_utf8_lossy(&checked.expect("python3; `make setup` installs it").stdout)
        .into_owned();
    assert!(said.contains("5 passed, 0 failed"), "{said}");
    let text = std::fs::read_to_string(page).expect("the page");
    assert!(
        text.contains("% busy") && !text.contains(" 0.0 % busy"),
        "an idle processor meets no deadline"
    );
}

#[test]
fn an_image_runs_without_its_description() {
    let (_root, folder) = temporary();
    let built = FUSEE
        .run_in(&folder, &["build", &example("nested/config1.camkes"), "--stubs", "-o", "out"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let run =
        document(&FUSEE.run_in(&folder, &["run", "out/image.elf", "--for", "50ms", "--json"]));
    assert_eq!((&run["system"], &run["platform"]), (&"config1".into(), &"qemu-rv64".into()));
    assert!(run["tasks"][0]["jobs"].as_u64() > Some(3), "{run:#}");
    assert_eq!(run["tasks"][0]["response_bound_ns"], Value::Null);
    let elsewhere = FUSEE.run_in(&folder, &["run", "out/image.elf", "--platform", "sim"]);
    let text = String::from_utf8_lossy(&elsewhere.stderr);
    assert_eq!(elsewhere.status.code(), Some(2), "{text}");
    assert!(text.contains("F1102") && text.contains("leave `--platform` out"), "{text}");
}

#[test]
fn what_is_no_image_is_refused_with_the_next_command() {
    let (_root, folder) = temporary();
    let run = FUSEE
        .run_in(&folder, &["run", snapbox::cmd::cargo_bin!("fusee").to_str().expect("a path")]);
    assert_eq!(run.status.code(), Some(2));
    let text = String::from_utf8_lossy(&run.stderr);
    assert!(text.contains("F1101") && text.contains("fusee build"), "{text}");
}

#[test]
fn without_qemu_the_package_is_named() {
    let (_root, folder) = temporary();
    let built = FUSEE
        .run_in(&folder, &["build", &example("nested/config1.camkes"), "--stubs", "-o", "out"]);
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let mut command = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    let run = command
        .current_dir(&folder)
        .env("PATH", "/nowhere")
        .args(["run", "out/image.elf"])
        .output();
    let run = run.expect("it runs");
    assert_eq!(run.status.code(), Some(3));
    let text = String::from_utf8_lossy(&run.stderr);
    assert!(
        text.contains("F1103")
            && text.contains("apt-get install")
            && text.contains("qemu-system-misc"),
        "{text}"
    );
}

#[test]
fn without_compilers_the_packages_are_named() {
    // Nothing at all, and everything but the C compiler that is asked for.
    for (name, value, code) in
        [("PATH", "/nowhere", "F1013"), ("FUSEE_CC", "riscv64-no-such-gcc", "F0901")]
    {
        let (_root, folder) = temporary();
        let mut command = Command::new(snapbox::cmd::cargo_bin!("fusee"));
        let built = command
            .current_dir(&folder)
            .env(name, value)
            .args(["build", &example("hello/hello.camkes")])
            .output();
        let built = built.expect("it runs");
        let text = String::from_utf8_lossy(&built.stderr);
        assert_eq!(built.status.code(), Some(3), "{text}");
        assert_eq!(text.matches("error[").count(), 1, "one message: {text}");
        assert!(text.contains(code) && text.contains("sudo apt-get install"), "{text}");
    }
}

#[test]
fn an_image_for_another_machine_is_refused_before_it_runs() {
    let (_root, folder) = temporary();
    let built = FUSEE.run_in(
        &folder,
        &["build", &example("hello/hello.camkes"), "--platform", "qemu-rv32", "-o", "out"],
    );
    assert_eq!(built.status.code(), Some(0), "{}", String::from_utf8_lossy(&built.stderr));
    let run = FUSEE.run_in(&folder, &["run", "out/image.elf", "--platform", "qemu-rv64"]);
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{text}");
    assert!(
        text.contains("F1102") && text.contains("`qemu-rv32`") && text.contains("build it again"),
        "{text}"
    );
}

/// Nobody knows how long a callback runs: with one above it, a task has no bound. A description
/// tells by its priority, and where it is silent the program does.
#[test]
fn below_a_callback_there_is_no_bound() {
    let (_root, folder) = temporary();
    copy(Path::new(&example("events")), &folder.join("events"));
    let path = folder.join("events/events.camkes");
    let text = fs::read_to_string(&path).expect("a description");
    let own = "alarm.priority = 50;\n        alarm.exceeded_priority = 60;";
    assert!(text.contains(own));
    let given = |priorities: &str| {
        fs::write(&path, text.replace(own, priorities)).expect("it is written");
        ["analyze", "run"].map(|command| {
            let run = FUSEE.run_in(&folder, &[command, "events/events.camkes", "--json"]);
            let said = document(&run);
            let tasks = said["tasks"].as_array().expect("tasks").clone();
            let sensor = tasks.iter().find(|task| task["name"] == "sensor").expect("it");
            let told = said["diagnostics"].as_array().expect("messages").iter().any(|one| {
                one["code"] == "F0602"
                    && one["message"].to_string().contains("callback of `alarm.exceeded`")
            });
            (sensor["response_bound_ns"].is_u64(), told)
        })
    };
    assert_eq!(given(own), [(true, false); 2]);
    assert_eq!(given(&own.replace("60", "100")), [(false, true), (false, false)]);
    assert_eq!(given("alarm.priority = 50;"), [(true, false); 2]);
    // More urgent than all, and only the program tells that it is there.
    assert_eq!(given("alarm._priority = 50;"), [(true, false), (false, true)]);
}
