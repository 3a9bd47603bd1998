//! Systems on the Verilog of the Rocket cores.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fusee_testing::{Tool, document};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The platform.
const ROCKET: &str = "rtl-rocket";

fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/rocket/inversion.camkes")
        .display()
        .to_string()
}

fn temporary() -> (snapbox::dir::DirRoot, PathBuf) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = root.path().expect("it has a path").to_owned();
    (root, path)
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

/// The kernel starts, looks at the machine, and finds all that it needs; two pages that are told
/// apart by nothing but their address space, the timer, the memory protection and the clock work.
#[test]
fn an_image_boots_on_the_cores_and_leaves_all_that_it_records() {
    let (_root, folder) = temporary();
    built(&folder, ROCKET);
    let run = document(&FUSEE.run_in(&folder, &["run", "image.elf", "--for", "700us", "--json"]));
    assert_eq!(run["platform"], ROCKET);
    let task = |name: &str| {
        let tasks = run["tasks"].as_array().expect("tasks");
        let found = tasks.iter().find(|task| task["name"] == name).expect("the task");
        let number = |key: &str| found[key].as_u64().expect("a number");
        (number("jobs"), number("response_max_ns"), number("misses"))
    };
    // Own code, and what must precede it; the time of a stub is at most what is described, and some
    // hundred cycles less where it does not find the caches as it left them.
    for (name, jobs, least, most) in [
        ("distribution", 3, 18_000, 80_000),
        ("downlink", 2, 78_000, 200_000),
        ("weather", 1, 130_000, 260_000),
        ("monitor", 1, 20_000, 300_000),
    ] {
        let (done, longest, misses) = task(name);
        assert!(done >= jobs && misses == 0, "{name}: {run:#}");
        assert!((least..most).contains(&longest), "{name} took {longest} ns: {run:#}");
    }
    let lines: Vec<_> = run["console"].as_array().expect("lines").iter().collect();
    assert_eq!((&lines[0]["component"], &lines[0]["text"]), (&"monitor".into(), &"job 1".into()));
    assert_eq!(run["faults"].as_array().map(Vec::len), Some(0), "{run:#}");
}

#[test]
fn what_is_missing_and_what_cannot_be_is_said() {
    let (_root, folder) = temporary();
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
