//! `fusee sweep`: the same bytes with any number of workers and interruptions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

/// Long enough to be interrupted often, short enough for a test.
const EXPERIMENT: &str = r#"
title = "Interrupted"
sets = 300
chunk = 5
tests = ["fp-rta", "fp-hyperbolic"]
[recipe]
utilizations = { method = "uunifast", tasks = 20, total = 0.5 }
periods = { kind = "log-uniform", min = "1 ms", max = "1 s" }
[grid]
load = { path = "utilizations.total", from = 0.6, to = 1.0, step = 0.02 }
tasks = { path = "utilizations.tasks", values = [20, 40] }
[[figures]]
name = "figure"
x = "load"
"#;

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sweep-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    command.current_dir(folder).args(["sweep", "experiment.toml"]).args(arguments);
    command
}

fn sweep(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("it runs")
}

fn write(folder: &Path, text: &str) {
    fs::write(folder.join("experiment.toml"), text).expect("a file");
}

/// Names and contents of what a run leaves, the log apart, whose order is of no meaning.
fn products(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("experiment"))
        .expect("the results")
        .map(|entry| entry.expect("a file"));
    let named =
        entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    let mut products: Vec<_> = named
        .filter(|(name, _)| name != "sweep.log")
        .map(|(name, path)| (name, fs::read(path).expect("a file")))
        .collect();
    products.sort();
    products
}

/// Kills a run once its log has reached a length; whether it was still at work.
fn kill_at(folder: &Path, length: u64) -> bool {
    let mut child = command(folder, &["--workers", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut working = true;
    while working && records(folder) < length {
        sleep(Duration::from_micros(100));
        working = child.try_wait().expect("its state").is_none();
    }
    let _ = child.kill();
    // What a signal ended has no status of its own.
    child.wait().expect("its end").code().is_none()
}

fn records(folder: &Path) -> u64 {
    fs::metadata(folder.join("experiment/sweep.log")).map_or(0, |log| log.len())
}

#[test]
fn killed_at_twenty_moments_it_resumes_to_the_same_bytes() {
    let undisturbed = scratch("undisturbed");
    write(&undisturbed, EXPERIMENT);
    let run = sweep(&undisturbed, &["--workers", "1"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));

    let killed = scratch("killed");
    write(&killed, EXPERIMENT);
    let (mut random, mut kills) = (7_u64, 0);
    for _ in 0..200 {
        // Any sequence will do, as long as it is always the same.
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let length = records(&killed) + (random >> 33) % (records(&undisturbed) / 16);
        if kill_at(&killed, length) {
            kills += 1;
        } else {
            // It came to its end before it was killed; so begin again.
            assert_eq!(products(&killed), products(&undisturbed));
            fs::remove_dir_all(killed.join("experiment")).expect("the results are gone");
        }
        if kills == 20 {
            break;
        }
    }
    assert_eq!(kills, 20, "nearly every run is over before it can be killed");
    let before = records(&killed);
    let run = sweep(&killed, &["--json"]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let document: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let resumed = document["resumed"].as_u64().expect("a number");
    assert!(
        resumed > 0 || before < records(&undisturbed) / 16,
        "{before} bytes and nothing of them is used"
    );
    assert_eq!(records(&killed), records(&undisturbed), "no chunk is done twice");
    assert_eq!(products(&killed), products(&undisturbed));
    let names: Vec<String> = products(&killed).into_iter().map(|(name, _)| name).collect();
    let pictures = [
        "figure-tasks-20.png",
        "figure-tasks-20.svg",
        "figure-tasks-40.png",
        "figure-tasks-40.svg",
    ];
    assert_eq!(names[..4], pictures);
    assert_eq!(names[4..], ["results.csv", "results.parquet"]);
}

#[test]
fn a_wrong_experiment_is_explained() {
    let folder = scratch("wrong");
    write(
        &folder,
        &EXPERIMENT.replace("\"fp-rta\"", "\"fp-rat\"").replace("sets = 300", "sets = 0"),
    );
    let run = sweep(&folder, &["--json"]);
    assert_eq!(run.status.code(), Some(2));
    let document: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let codes: Vec<&str> = document["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|diagnostic| diagnostic["code"].as_str().expect("a code"))
        .collect();
    assert_eq!(codes, ["F1202", "F1204"]);
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        text.contains("experiment.toml:3:8") && text.contains("did you mean `fp-rta`?"),
        "{text}"
    );
    assert!(!folder.join("experiment").exists(), "nothing is written for a wrong experiment");
}

#[test]
fn results_of_two_experiments_do_not_mix() {
    let folder = scratch("mixed");
    write(&folder, EXPERIMENT);
    assert_eq!(sweep(&folder, &["--sample", "1%"]).status.code(), Some(0));
    let run = sweep(&folder, &["--sample", "2%"]);
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("F1206"));
    assert_eq!(sweep(&folder, &["--sample", "2%", "--restart"]).status.code(), Some(0));
}

#[test]
fn sets_outside_a_test_s_assumptions_are_counted_apart() {
    let folder = scratch("outside");
    let recipe = "[recipe]\ndeadlines = { kind = \"constrained\", low = 0.5, high = 0.9 }";
    write(&folder, &EXPERIMENT.replace("[recipe]", recipe));
    let run = sweep(&folder, &["--sample", "0.01", "--json"]);
    let document: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    assert_eq!(document["diagnostics"][0]["code"], "F1207");
    for row in document["rows"].as_array().expect("rows") {
        let hyperbolic = row["test"] == "fp-hyperbolic";
        assert_eq!(row["outside"], if hyperbolic { 3 } else { 0 });
        assert_eq!(row["ratio"].is_null(), hyperbolic);
    }
}

#[test]
fn the_time_is_estimated_beforehand() {
    let folder = scratch("estimate");
    write(&folder, EXPERIMENT);
    let run = sweep(&folder, &["--estimate", "--json", "--workers", "3"]);
    let document: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    assert_eq!((document["sets"].as_u64(), document["workers"].as_u64()), (Some(12_600), Some(3)));
    assert!(document["seconds"].as_f64().expect("a time") > 0.0);
    assert!(!folder.join("experiment").exists());
}
