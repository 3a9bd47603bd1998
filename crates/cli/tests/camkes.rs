//! Programs as they are written for CAmkES on seL4 build and run as they are.
//!
//! They stand in `tests/systems/camkes`, with their own `CMakeLists.txt`, and name nothing of
//! Fusee.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A program, what its components print, each of them in order, and what it sends through the
/// serial port.
struct Program {
    name: &'static str,
    prints: &'static [&'static str],
    sends: &'static str,
}

const PROGRAMS: [Program; 4] = [
    Program {
        name: "library",
        prints: &[
            "ada: ada, reader 1: Read on",
            "ada: Emma is number 0 (E), 0 left",
            "ada: 1 of 2 taken back",
            "ada: no such title: -1",
            "ben: ben, reader 2: Read on",
            "ben: Walden is number 2 (W), 2 left",
            "ben: 1 of 2 taken back",
            "ben: no such title: -1",
        ],
        sends: "",
    },
    Program {
        name: "pipeline",
        prints: &["sink: the sum of 20 squares is 2870", "source: 20 sent", "watcher: 4 batches"],
        sends: "",
    },
    Program {
        name: "console",
        prints: &["first: 10 bytes by now", "second: 24 bytes by now"],
        sends: "one line\nanother line\n",
    },
    Program {
        name: "beacon",
        prints: &[
            "keeper: changed before: 0",
            "keeper: shown: 300",
            "keeper: changed after: 1, and then: 0",
            "keeper: brightness: 100",
        ],
        sends: "",
    },
];

fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("the root")
}

fn programs() -> PathBuf {
    root().join("tests/systems/camkes")
}

/// Returns all files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// Programs of one feature each, with what they print in `expected.txt`.
fn small() -> Vec<String> {
    let folders = fs::read_dir(programs()).expect("a folder").map(|entry| entry.expect("an entry"));
    let named = folders.filter(|entry| entry.path().join("expected.txt").is_file());
    let mut names: Vec<String> =
        named.map(|entry| entry.file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

/// Those in which a component faults on purpose.
const FAULTING: [&str; 2] = ["errors", "faulting"];

/// Builds and boots a program, and compares all that it prints.
fn runs(program: &Program) {
    let name = program.name;
    let (lines, run) = booted(name);
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    assert_eq!(lines, program.prints, "{name}");
    assert_eq!(text(&run["serial"]).replace("\\n", "\n"), program.sends, "{name}");
    assert_eq!(run["faults"], Value::Array(Vec::new()), "{name}");
}

/// Builds and boots a program in a folder of its own; each component's lines in order, and all that
/// was said.
fn booted(name: &str) -> (Vec<String>, Value) {
    booted_from(&programs().join(name), name)
}

fn booted_from(program: &Path, name: &str) -> (Vec<String>, Value) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("camkes-{name}"));
    let description = program.join(format!("{name}.camkes"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
    command
        .current_dir(root())
        .arg("run")
        .arg(description)
        .args(["--for", "5ms", "--json", "-o"])
        .arg(folder);
    let run = command.output().expect("fusee starts");
    let said = String::from_utf8_lossy(&run.stderr);
    let run: Value = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{name}: {error}\n{said}"));
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    let lines = run["console"].as_array().expect("console lines").iter();
    let mut lines: Vec<String> = lines
        .map(|line| format!("{}: {}", text(&line["component"]), text(&line["text"])))
        .collect();
    // Who comes first is the priorities' to say; each component's own lines stay in order.
    lines.sort_by(|one, other| one.split(':').next().cmp(&other.split(':').next()));
    (lines, run)
}

#[test]
fn procedures_compound_components_and_attributes() {
    runs(&PROGRAMS[0]);
}

#[test]
fn events_callbacks_dataports_and_locks() {
    runs(&PROGRAMS[1]);
}

#[test]
fn registers_and_interrupts_of_a_device() {
    runs(&PROGRAMS[2]);
}

#[test]
fn old_connectors_groups_and_pointers_into_dataports() {
    runs(&PROGRAMS[3]);
}

#[test]
fn each_feature_has_a_program_that_prints_what_it_should() {
    let names = small();
    assert!(names.len() >= 25, "{} programs", names.len());
    let next = AtomicUsize::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::new(Vec::new());
    // Building is mostly waiting for compilers.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let expected = fs::read_to_string(programs().join(name).join("expected.txt"))
                        .expect("a text");
                    let (lines, run) = booted(name);
                    let faults = run["faults"].as_array().map_or(0, Vec::len);
                    // Two calls fail there, and each is told to one handler.
                    let counted = name != "errors" || run["refused"] == 2;
                    let faulted = (faults > 0) == FAULTING.contains(&&**name);
                    if lines != expected.lines().collect::<Vec<_>>() || !faulted || !counted {
                        let refused = &run["refused"];
                        let seen = format!(
                            "{name}, {faults} faults, {refused} refused: {lines:#?}\n{:#}",
                            run["faults"]
                        );
                        wrong.lock().expect("a list").push(seen);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("a list");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_client_that_claims_to_be_another_is_not_believed() {
    let (lines, run) = booted_from(&root().join("tests/systems/impostor"), "impostor");
    assert_eq!(lines, ["ada: called 7", "mallory: as it is 8, as the other 8, as nobody 8"]);
    assert_eq!(run["faults"], Value::Array(Vec::new()));
}

#[test]
fn they_name_nothing_of_fusee_and_all_are_run() {
    let mut folders: Vec<PathBuf> = fs::read_dir(programs())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    folders.retain(|path| path.is_dir());
    assert_eq!(folders.len(), PROGRAMS.len() + small().len());
    for folder in &folders {
        let files = files(folder);
        assert!(files.iter().any(|file| file.ends_with("CMakeLists.txt")), "{}", folder.display());
        for file in files {
            let text = fs::read_to_string(&file).expect("a text").to_lowercase();
            assert!(!text.contains("fusee") && !text.contains("_wcet"), "{}", file.display());
        }
    }
}
