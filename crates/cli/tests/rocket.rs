//! Systems on the Verilog of the Rocket cores.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fusee_model::costs::CostTable;
use fusee_platform::Platform;
use fusee_testing::{Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The platform.
const ROCKET: &str = "rtl-rocket";

fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/rocket/inversion.camkes")
        .display()
        .to_string()
}

/// An empty folder below the project's, where the Verilog of its `.venv` is found.
fn temporary(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rocket-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Makes the image of the example, for a platform, in a folder.
fn built(folder: &Path, platform: &str) {
    let build = ["build", &example(), "--platform", platform, "-o", "."];
    let output = FUSEE.run_in(folder, &build);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs the image in a folder, with the Verilog somewhere else.
fn without_verilog(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
    command.env("FUSEE_ROCKET", folder.join("nowhere")).current_dir(folder);
    command.args([&["run", "image.elf"], arguments].concat()).output().expect("it runs")
}

/// A task's completed jobs, longest response and bound.
fn task(run: &Value, name: &str) -> (u64, u64, u64) {
    let tasks = run["tasks"].as_array().expect("tasks");
    let found = tasks.iter().find(|task| task["name"] == name).expect("the task");
    let number = |key: &str| found[key].as_u64().unwrap_or_else(|| panic!("{key}: {run:#}"));
    (number("jobs"), number("response_max_ns"), number("response_bound_ns"))
}

/// The kernel starts, looks at the machine, and finds all that it needs; address spaces, timer,
/// memory protection and clock work; and what was measured there holds.
#[test]
fn a_system_keeps_its_bounds_on_the_cores() {
    let folder = temporary("kept");
    let arguments = ["run", &example(), "--platform", ROCKET, "--for", "700us", "--json"];
    let run = document(&FUSEE.run_in(&folder, &arguments));
    assert_eq!((&run["platform"], &run["bounds_held"]), (&ROCKET.into(), &true.into()), "{run:#}");
    // A stub executes at most its time, and some hundred cycles less where it does not find the
    // caches as it left them.
    for (name, jobs, least) in
        [("distribution", 3, 20_000), ("downlink", 2, 78_000), ("weather", 1, 130_000)]
    {
        let (done, longest, bound) = task(&run, name);
        assert_eq!(done, jobs, "{name}: {run:#}");
        assert!(least <= longest && longest <= bound, "{name} took {longest} ns: {run:#}");
    }
    let lines: Vec<_> = run["console"].as_array().expect("lines").iter().collect();
    assert_eq!((&lines[0]["component"], &lines[0]["text"]), (&"monitor".into(), &"job 1".into()));
    assert_eq!(run["faults"].as_array().map(Vec::len), Some(0), "{run:#}");
}

/// A description that says less than its code takes, and a system that takes its times from its
/// programs: they count instructions.
#[test]
fn a_time_that_is_too_short_is_found_and_a_program_is_no_time() {
    let folder = temporary("short");
    let text = std::fs::read_to_string(example()).expect("the example");
    let sources = folder.join("components/Monitor");
    std::fs::create_dir_all(&sources).expect("a folder");
    let code = "#include <camkes.h>\n\nint run(void) { fusee_compute(60000); return 0; }\n";
    std::fs::write(sources.join("monitor.c"), code).expect("it is written");
    let run = |what: &str| {
        let text =
            text.replace("monitor.priority = 20;", "").replace("monitor.wcet = \"60 us\";", what);
        std::fs::write(folder.join("system.camkes"), text).expect("it is written");
        let arguments = ["run", "system.camkes", "--platform", ROCKET, "--for", "200us"];
        let output = FUSEE.run_in(&folder, &arguments);
        let both = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&both).into_owned())
    };
    let (status, text) = run("monitor.wcet = \"1 us\"; monitor.priority = 250;");
    assert!(status == Some(1) && text.contains("exceeded"), "{status:?}\n{text}");
    let (_, text) = run("monitor.priority = 20;");
    assert!(text.contains("programs tell no execution times on `rtl-rocket`"), "{text}");
}

#[test]
fn what_is_missing_and_what_cannot_be_is_said() {
    let folder = temporary("missing");
    built(&folder, ROCKET);
    for (arguments, code, what) in [
        (&["--for", "1us"][..], "F1103", "pip install pythondata-cpu-rocket=="),
        (&["--gdb"], "F1125", "`rtl-rocket` is not emulated"),
    ] {
        let output = without_verilog(&folder, arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(code) && text.contains(what), "{text}");
    }
}

/// `make soundness`, which has the time: nothing takes longer now than the committed table says.
#[test]
#[ignore = "takes a quarter of an hour; `make soundness` runs it"]
fn the_committed_costs_cover_what_is_measured_now() {
    let folder = temporary("costs");
    let arguments = ["measure", "--platform", ROCKET, "--longest-queue", "30", "--json"];
    let measured = document(&FUSEE.run_in(&folder, &arguments));
    assert_eq!(measured["unit"], "cycles");
    let platform = Platform::from_name(ROCKET).expect("a platform");
    let committed = CostTable::from_toml(platform.descriptor().costs.expect("measured").plain);
    let committed = serde_json::to_value(committed.expect("a table")).expect("JSON");
    let longer = longer("costs", &measured["costs"], &committed);
    assert!(longer.is_empty(), "type `make costs`: {}", longer.join(", "));
}

/// The entries of a table that are larger than in another one.
fn longer(name: &str, now: &Value, then: &Value) -> Vec<String> {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => {
            let both = now.iter().filter_map(|(key, now)| Some((key, now, then.get(key)?)));
            both.flat_map(|(key, now, then)| longer(&format!("{name}.{key}"), now, then)).collect()
        }
        (now, then) if now.as_u64() > then.as_u64() => vec![format!("{name}: {now}, not {then}")],
        _ => Vec::new(),
    }
}
