//! The starter projects: what is written, and that it keeps its deadlines.

use std::path::{Path, PathBuf};

use fusee_testing::{Tool, document, printed};
use serde_json::Value;
use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

#[test]
fn writes_a_project_once() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = folder.path().expect("it has a path");
    let new = || Command::new(cargo_bin!("fusee")).current_dir(path).args(["new", "my drone"]);
    new().assert().code(0).stdout_eq(str![[r#"
next: fusee run 'my drone/system.camkes'
wrote my drone/system.camkes
wrote my drone/README.md
wrote my drone/.gitignore
wrote my drone/components/Gyro/gyro.c
wrote my drone/components/Attitude/attitude.c
wrote my drone/components/Telemetry/telemetry.c
wrote my drone/components/Radio/radio.c
wrote my drone/components/StateStore/state_store.c
wrote my drone/components/MotorDriver/motor_driver.c

"#]]);
    new().assert().code(2).stderr_eq(str![[r#"
error: `my drone` exists already

"#]]);
    let names: Vec<_> = std::fs::read_dir(path)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(names, ["my drone"], "nothing else is left behind");
}

#[test]
fn leaves_nothing_behind_where_it_cannot_write() {
    let run = Command::new(cargo_bin!("fusee")).args(["new", "/proc/thermostat"]).assert().code(3);
    run.stderr_eq(str![[r#"
error: cannot write `/proc/thermostat`: [..]

"#]]);
}

#[test]
fn what_there_is_no_starter_for_is_refused() {
    for (arguments, told) in [
        (["--template", "rocket"], "[possible values: drone, server]"),
        (["--cores", "5"], "5 is not in 1..=4"),
        (["--cores", "0"], "0 is not in 1..=4"),
    ] {
        let run = FUSEE.run(&[&["new", "/proc/x"][..], &arguments].concat());
        assert_eq!(run.status.code(), Some(2));
        let text = String::from_utf8_lossy(&run.stderr);
        assert!(text.contains(told), "{text}");
    }
}

/// Makes a starter in a folder of its own, and returns that.
fn starter(name: &str, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("starters").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let run = FUSEE.run_in(&folder, &[&["new", "it"], options].concat());
    assert!(run.status.success(), "{run:?}");
    folder
}

fn asked(folder: &Path, arguments: &[&str]) -> Value {
    let run = FUSEE.run_in(folder, &[arguments, &["--json"]].concat());
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{arguments:?}: {said}");
    document(&run)
}

/// Builds a starter and looks at its bounds: all of them are from programs alone, and hold.
fn is_bounded_by_its_programs(folder: &Path) {
    let system = "it/system.camkes";
    let checked = asked(folder, &["check", system]);
    assert!(checked["from_code"].as_array().expect("names").len() >= 7, "{checked:#}");
    let found = asked(folder, &["analyze", system]);
    asked(folder, &["verify", "build/system/image.elf", system]);
    assert_eq!(found["schedulable"], true, "{found:#}");
    let times = found["origins"]["times"].as_array().expect("times");
    let proved = |time: &Value| time["from"] == "proved" && time["facts"].is_null();
    assert!(times.len() >= 7 && times.iter().all(proved), "{times:#?}");
    let chains = found["chains"].as_array().expect("chains");
    assert!(chains.len() == 1 && chains[0]["guaranteed"] == true, "{chains:?}");
    let told = found["diagnostics"].as_array().expect("a list").iter();
    assert!(told.clone().all(|one| one["severity"] == "note"), "{told:?}");
}

#[test]
fn a_drone_in_c_boots_within_its_bounds() {
    let folder = starter("drone-c", &[]);
    is_bounded_by_its_programs(&folder);
    let run = asked(&folder, &["run", "it/system.camkes", "--for", "120ms"]);
    assert_eq!((&run["bounds_held"], &run["deadlines_held"]), (&true.into(), &true.into()));
    assert_eq!(printed(&run), ["rate -12", "rate -30", "rate 45"]);
    let serial = run["serial"].as_str().expect("what it has sent");
    assert!(serial.starts_with(".-") && serial.contains('+'), "{serial}");
}

#[test]
fn a_drone_in_rust_is_bounded_by_its_programs() {
    is_bounded_by_its_programs(&starter("drone-rust", &["--rust"]));
}

#[test]
fn a_server_in_c_is_bounded_by_its_programs() {
    is_bounded_by_its_programs(&starter("server-c", &["--template", "server"]));
}

#[test]
fn a_server_in_rust_boots_within_its_bounds() {
    let folder = starter("server-rust", &["--template=server", "--rust"]);
    is_bounded_by_its_programs(&folder);
    let run = asked(&folder, &["run", "it/system.camkes", "--for", "120ms"]);
    assert_eq!((&run["bounds_held"], &run["deadlines_held"]), (&true.into(), &true.into()));
    assert_eq!(printed(&run), ["jobs 3", "jobs 20", "jobs 38"]);
}

#[test]
fn a_starter_for_several_cores_is_bounded_by_its_programs() {
    for (template, cores, core) in [("drone", "2", 1), ("server", "4", 3)] {
        let name = format!("{template}-cores");
        let folder = starter(&name, &["--template", template, "--cores", cores]);
        is_bounded_by_its_programs(&folder);
        let description = std::fs::read_to_string(folder.join("it/system.camkes")).expect("it");
        assert!(description.contains(&format!(".core = {core};")), "{description}");
        assert!(!description.contains(&format!(".core = {};", core + 1)), "{description}");
        let page = std::fs::read_to_string(folder.join("it/README.md")).expect("a page");
        assert!(page.contains("spread over several cores"), "{page}");
    }
}
