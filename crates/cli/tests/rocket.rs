//! Systems on the Verilog of the Rocket cores.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fusee_platform::Platform;
use fusee_testing::verilog::{assert_committed_costs_cover, assert_inversion_keeps_its_bounds};
use fusee_testing::{Tool, document};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The name of the platform.
const ROCKET: &str = "rtl-rocket";

fn example() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples/rocket/inversion.camkes")
        .display()
        .to_string()
}

/// Returns an empty folder below the project's, where the Verilog of its `.venv` is found.
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

/// The kernel starts, looks at the machine, and finds all that it needs; address spaces, timer,
/// memory protection and clock work; and what was measured there holds.
#[test]
fn a_system_keeps_its_bounds_on_the_cores() {
    let folder = temporary("kept");
    let arguments = ["run", &example(), "--platform", ROCKET, "--for", "700us", "--json"];
    let run = document(&FUSEE.run_in(&folder, &arguments));
    assert_eq!(run["platform"], ROCKET, "{run:#}");
    assert_inversion_keeps_its_bounds(&run);
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
        // The default start is 1 ms, ten seconds of the Verilog.
        let text = text.replace("monitor.period", "system.startup = \"300 us\"; monitor.period");
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
    assert_committed_costs_cover(FUSEE, &folder, Platform::RtlRocket, 1);
}
