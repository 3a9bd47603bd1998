//! Random systems, booted: nothing refused, no fault, no bound exceeded.
//!
//! The systems are those of `fusee-soundness`, written as descriptions and built from them alone,
//! each component a stub that executes its times. `BOOTED_SYSTEMS` says how many; then the seed is
//! a fresh one, unless `BOOTED_SEED` gives it. `BOOTED_FIRST` is the first one's number, so that a
//! single one can be run again.

#![expect(clippy::print_stdout, reason = "a campaign tells its seed and how far it is")]

use std::path::Path;
use std::process::Command;

use fusee_generate::{Mix, case};
use fusee_model::{Duration, System};
use fusee_soundness::description;
use fusee_testing::Campaign;
use serde_json::Value;

/// In `make test`.
const FEW: u64 = 6;
/// The seed of the systems.
const SEED: u64 = 20_260_811;
/// The shortest period of a booted system in nanoseconds: some hundred times what the kernel needs
/// for a job.
const SHORTEST: u64 = 1_000_000;
/// Longest run in nanoseconds.
const LONGEST_RUN: u64 = 150_000_000;

/// Shortest and longest period.
fn periods(system: &System) -> (u64, u64) {
    let periods = || {
        system
            .tasks
            .iter()
            .filter_map(|task| task.release.as_ref())
            .map(|r| r.period.value.ns().max(1))
    };
    (periods().min().unwrap_or(1), periods().max().unwrap_or(1))
}

/// Boots a system; what the command says of it.
fn boot(system: &System, folder: &Path) -> Result<Value, String> {
    let (shortest, longest) = periods(system);
    let scale = SHORTEST.div_ceil(shortest);
    let time = Duration(longest.saturating_mul(scale).saturating_mul(4).min(LONGEST_RUN));
    let file = folder.join("drawn.camkes");
    std::fs::create_dir_all(folder).expect("a scratch folder");
    std::fs::write(&file, description(system, scale)).expect("a scratch file");
    let run = Command::new(env!("CARGO_BIN_EXE_fusee"))
        .arg("run")
        .arg(&file)
        .args(["--stubs", "--json", "--for", &format!("{}ns", time.ns()), "-o"])
        .arg(folder.join("build"))
        .output()
        .expect("fusee starts");
    let said = || String::from_utf8_lossy(&run.stderr).into_owned();
    let json: Value =
        serde_json::from_slice(&run.stdout).map_err(|error| format!("{error}\n{}", said()))?;
    if json["tasks"].as_array().is_some_and(|tasks| tasks.len() == system.tasks.len() + 1) {
        return Ok(json);
    }
    Err(format!("it did not run:\n{}", said()))
}

/// Returns `true` if signals release a task: what comes faster than its period allows waits, and
/// may be lost.
fn by_event(system: &System, name: &Value) -> bool {
    system.tasks.iter().any(|task| name == task.name.as_str() && task.release_event().is_some())
}

/// Returns the defects of a run, and the number of tasks compared with a bound.
fn judge(system: &System, run: &Value) -> (Vec<String>, usize) {
    let tasks = run["tasks"].as_array().expect("tasks");
    let bounds = || tasks.iter().filter(|task| task["response_bound_ns"].is_u64());
    let (mut wrong, mut flooded) = (Vec::new(), false);
    for task in bounds() {
        let (bound, seen) = (task["response_bound_ns"].as_u64(), task["response_max_ns"].as_u64());
        if seen > bound {
            wrong.push(format!("{} took {seen:?} ns, its bound is {bound:?}", task["name"]));
        }
        match task["lost"].as_u64() {
            Some(0) => {}
            // The verdict counts these as misses and their bound as not held, and is right.
            Some(_) if by_event(system, &task["name"]) => flooded = true,
            lost => wrong.push(format!("{} lost {lost:?} releases", task["name"])),
        }
    }
    if run["refused"] != 0 {
        wrong.push(format!("{} calls were refused", run["refused"]));
    }
    if run["faults"].as_array().is_none_or(|faults| !faults.is_empty()) {
        wrong.push(format!("faults: {}", run["faults"]));
    }
    if bounds().count() > 0 && !flooded && run["bounds_held"] != true {
        wrong.push(format!("the verdict: {}", run["verdict"]));
    }
    (wrong, bounds().count())
}

#[test]
fn drawn_systems_keep_their_bounds_when_booted() {
    all_keep_their_bounds(&Mix::default(), "priorities");
}

/// The same where deadlines decide.
#[test]
fn systems_drawn_by_deadline_keep_their_bounds_when_booted() {
    all_keep_their_bounds(&Mix { by_deadline: 100, ..Mix::default() }, "deadlines");
}

fn all_keep_their_bounds(mix: &Mix, name: &str) {
    let campaign = Campaign::asked("BOOTED_SYSTEMS", "BOOTED", (FEW, SEED));
    let Campaign { seed, first, count } = campaign;
    println!("{name}: {campaign:?}");
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("drawn-{name}-{seed}-{first}"));
    let (mut broken, mut held) = (Vec::new(), 0);
    for index in campaign.systems() {
        let system = case(mix, seed, index).system;
        let (wrong, bounds) =
            boot(&system, &folder).map_or_else(|why| (vec![why], 0), |run| judge(&system, &run));
        held += bounds;
        if !wrong.is_empty() {
            println!("system {index} of seed {seed}: {}", wrong.join("\n  "));
            broken.push(index);
        }
        if (index + 1 - first).is_multiple_of(25) {
            println!("{} of {count} systems, {held} bounds", index + 1 - first);
        }
    }
    assert!(
        broken.is_empty(),
        "of seed {seed}, systems {broken:?}: again by BOOTED_SEED, BOOTED_FIRST, BOOTED_SYSTEMS"
    );
    assert!(held as u64 >= count, "only {held} tasks of {count} systems had a bound");
}
