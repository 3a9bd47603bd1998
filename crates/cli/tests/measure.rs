//! Measured costs, and task sets that are booted beside their bounds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use fusee_measure::{Experiment, TaskSet};
use fusee_model::costs::CostTable;
use fusee_pipeline::measure::setting;
use fusee_platform::{Cores, KernelConfig, MeasuredCosts, Platform, Records, Schedulers};
use fusee_testing::{Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

fn temporary() -> (snapbox::dir::DirRoot, PathBuf) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let path = root.path().expect("it has a path").to_owned();
    (root, path)
}

/// Returns the largest time of two tables' entries, as a share of the second's.
fn largest_growth(now: &Value, then: &Value) -> f64 {
    match (now, then) {
        (Value::Object(now), Value::Object(then)) => now
            .iter()
            .filter_map(|(name, now)| Some(largest_growth(now, then.get(name)?)))
            .fold(0.0, f64::max),
        (now, then) => {
            now.as_f64().zip(then.as_f64()).map_or(0.0, |(now, then)| now / then.max(1.0))
        }
    }
}

/// Measures into a table; answers it as text and as JSON.
fn measured(options: &[&str]) -> (String, Value) {
    let (_root, folder) = temporary();
    let arguments = ["measure", "--longest-queue", "30", "-o", "table.toml", "--json"];
    let measured = document(&FUSEE.run_in(&folder, &[&arguments[..], options].concat()));
    (fs::read_to_string(folder.join("table.toml")).expect("a table"), measured)
}

/// No cost that is measured now is larger than the committed one, or bounds could be exceeded.
/// Another compiler's kernel has other paths: then the table must at least not be far off, and says
/// itself whose it is.
fn covers(committed: &str, now: &str, measured: &Value) {
    let most = if now.lines().next() == committed.lines().next() { 1.0 } else { 1.5 };
    let then = CostTable::from_toml(committed).expect("a table");
    let growth = largest_growth(&measured["costs"], &serde_json::to_value(then).expect("JSON"));
    assert!(
        growth <= most,
        "{growth} times the committed costs: type `make costs`, and commit what it writes\n{now}"
    );
}

/// Returns the paths that a measuring system prints, and the compiler of its kernel.
fn shown(experiment: &Experiment) -> (Vec<fusee_measure::Path>, String) {
    let (_root, folder) = temporary();
    let system = experiment.write(&folder).expect("it is written");
    let description = system.to_str().expect("a name");
    let time = format!("{}ns", experiment.duration.ns());
    let ran = FUSEE.run_in(&folder, &["run", description, "-o", "built", "--for", &time]);
    let text = String::from_utf8_lossy(&ran.stdout);
    let paths = text
        .lines()
        .filter_map(|line| fusee_measure::Path::parse(line.split_once(": ")?.1))
        .collect();
    let kernel = fs::read(folder.join("built/kernel.elf")).expect("the kernel");
    (paths, fusee_measure::compiler(&kernel).expect("it names its compiler"))
}

/// Checks that a system's paths take no longer than their entries. Another compiler's kernel may
/// take half as much again, as in [`covers`].
fn cost_no_more(experiment: &Experiment, committed: &str, entries: &[String]) {
    let (paths, compiler) = shown(experiment);
    let same = committed.lines().next().is_some_and(|line| line.contains(&compiler));
    let most = if same { 1.0 } else { 1.5 };
    let costs =
        serde_json::to_value(CostTable::from_toml(committed).expect("a table")).expect("JSON");
    for name in entries {
        let path = paths
            .iter()
            .find(|path| path.name == *name)
            .unwrap_or_else(|| panic!("no {name} in {paths:#?}"));
        let cost = costs.pointer(&format!("/{}", name.replace('.', "/")));
        let cost = cost.and_then(Value::as_f64).expect("a number");
        assert!(path.runs == 10_000 && 0 < path.min, "{path:?}");
        assert!(
            path.max as f64 <= most * cost,
            "{name} of {} takes {}, not {cost}: type `make costs`",
            experiment.name,
            path.max
        );
    }
}

/// The paths that there is time for in every run of the tests: the way to a gate and back, of every
/// protocol, and the end of a time slice, on the kernels of one core and of several.
#[test]
fn gates_cost_no_more_than_the_committed_tables_say() {
    let machine = Platform::QemuRv64.descriptor();
    let [one, several] = [1, 2].map(|cores| {
        machine.costs_of(KernelConfig::PLAIN.on(cores), cores as u32).expect("measured")
    });
    let ways = ["invoke", "return"].into_iter().flat_map(|way| {
        let protocols = ["propagated", "fixed", "inherited", "fifo"];
        protocols.map(|protocol| format!("{way}.{protocol}"))
    });
    let ways: Vec<String> = ways.collect();
    for experiment in fusee_measure::experiments(setting(Platform::DEFAULT), 1) {
        let entries = match experiment.name.as_str() {
            "gates" => &ways[..],
            "slices" => &["time_slice".to_owned()],
            _ => continue,
        };
        cost_no_more(&experiment, one, entries);
        cost_no_more(&experiment.on_cores(2), several, entries);
    }
}

#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_committed_costs_cover_what_is_measured_now() {
    let (now, measured) = measured(&[]);
    covers(
        Platform::QemuRv64.descriptor().costs_of(KernelConfig::PLAIN, 1).expect("measured"),
        &now,
        &measured,
    );
    let path = |name: &str| {
        let paths = measured["paths"].as_array().expect("paths");
        paths
            .iter()
            .find(|path| path["name"] == name)
            .unwrap_or_else(|| panic!("no `{name}`"))
            .clone()
    };
    for name in [
        "round_trip.propagated",
        "round_trip.fixed",
        "round_trip.inherited",
        "round_trip.inherited_contended",
        "round_trip.nested_level",
        "round_trip.words10",
        "interrupt_to_handler",
        "signal_to_waiter",
        "longest_kernel_path",
        "queue.waits.1",
        "queue.served.30",
        "message.text.120",
    ] {
        let path = path(name);
        assert!(path["runs"].as_u64() >= Some(10_000), "{path}");
        let [min, mean, max] =
            ["min", "mean", "max"].map(|key| path[key].as_f64().expect("a number"));
        assert!(0.0 < min && min <= mean && mean <= max, "{path}");
    }
    assert_eq!(measured["unit"], "instructions");
}

/// Returns the options with which a committed table is measured.
fn options(machine: Platform, table: &MeasuredCosts) -> Vec<String> {
    let kernel = table.kernel;
    let limits = CostTable::from_toml(table.text).expect("a table").limits.expect("limits");
    let cores = if kernel.cores == Cores::Several { "2" } else { "1" };
    let (policy, threads) = (kernel.policy.to_string(), limits.threads.to_string());
    let queue = (limits.threads - 2).max(30).to_string();
    let named = ["--platform", machine.name(), "--cores", cores, "--policy", &policy];
    let large = ["--threads", &threads, "--longest-queue", &queue];
    let traced = (kernel.records == Records::Traced).then_some("--traced");
    let trees = (kernel.schedulers == Schedulers::Trees).then_some("--schedulers");
    named.into_iter().chain(large).chain(traced).chain(trees).map(str::to_owned).collect()
}

/// `make soundness`, which has the time: all tables, number by number.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_committed_costs_are_what_is_measured_now() {
    let tables = Platform::emulated()
        .flat_map(|machine| machine.descriptor().costs.iter().map(move |table| (machine, table)));
    for (machine, table) in tables {
        let (committed, options) = (table.text, options(machine, table));
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let (now, measured) = measured(&options);
        covers(committed, &now, &measured);
        // Between cores the longest of many orders was kept, not all of which a run has.
        let between = committed.contains("[cores]");
        if !between && now.lines().next() == committed.lines().next() {
            assert_eq!(
                now, committed,
                "the kernel's paths have changed: type `make costs`, and commit what it writes"
            );
        }
    }
}

/// Twenty times shorter than the article's, so that kernel costs weigh twenty times more.
const TWELVE: [&str; 6] = ["campaign", "results", "--sets", "12", "--scale", "20"];

#[test]
fn twelve_task_sets_keep_their_promises_and_an_interrupted_campaign_goes_on() {
    let (_root, folder) = temporary();
    let mut interrupted = Command::new(snapbox::cmd::cargo_bin!("fusee"))
        .current_dir(&folder)
        .args(TWELVE)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let file = folder.join("results/results.jsonl");
    let lines = || fs::read_to_string(&file).unwrap_or_default().lines().count();
    // What they are made with, and two results.
    while lines() < 3 && interrupted.try_wait().expect("a child").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // It may have come further meanwhile; that changes nothing.
    let _ = interrupted.kill();
    interrupted.wait().expect("it ended");
    let before = fs::read_to_string(&file).expect("results");
    // As if it had been cut off in the middle of a line.
    fs::write(&file, format!("{before}{{\"set\":\"conf")).expect("it can be written");

    let output = FUSEE.run_in(&folder, &[&TWELVE[..], &["--json"]].concat());
    let campaign = document(&output);
    assert_eq!(
        (&campaign["held"], output.status.code()),
        (&Value::Bool(true), Some(0)),
        "{campaign:#}"
    );
    let after = fs::read_to_string(&file).expect("results");
    assert!(after.starts_with(&before), "{after}");
    let names: Vec<String> = TaskSet::all(20)[..12].iter().map(TaskSet::name).collect();
    let ran: Vec<&str> = campaign["sets"]
        .as_array()
        .expect("sets")
        .iter()
        .filter_map(|s| s["set"].as_str())
        .collect();
    assert_eq!(ran, names);
    // Some are promised, and something was seen of each task.
    assert!(campaign["schedulable"].as_u64() >= Some(4), "{campaign:#}");
    assert!(!after.contains("\"jobs\":0"), "{after}");

    // Nothing is left to run, and what the third set showed shows again.
    let again = FUSEE.run_in(&folder, &[&TWELVE[..], &["--json"]].concat());
    assert_eq!(
        (again.stdout, fs::read_to_string(&file).expect("results")),
        (output.stdout, after.clone())
    );
    let third: usize = after.lines().take(4).map(|line| line.len() + 1).sum();
    fs::write(&file, &after[..third - 1]).expect("it can be written");
    let one = FUSEE.run_in(&folder, &["campaign", "results", "--sets", "3", "--scale", "20"]);
    assert_eq!(one.status.code(), Some(0), "{}", String::from_utf8_lossy(&one.stderr));
    assert_eq!(fs::read_to_string(&file).expect("results"), after[..third]);
}

/// Refused, with the file as it was; what is said.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let file = folder.join("results/results.jsonl");
    let before = fs::read_to_string(&file).expect("results");
    let output = FUSEE.run_in(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()),
        (Some(2), ""),
        "{text}"
    );
    assert_eq!(fs::read_to_string(&file).expect("results"), before);
    assert!(
        text.contains("F1113")
            && text.contains("another folder")
            && text.contains("rm -r 'results'"),
        "{text}"
    );
    text
}

#[test]
fn the_results_of_another_campaign_are_left_alone() {
    let (_root, folder) = temporary();
    fs::create_dir(folder.join("results")).expect("a folder");
    fs::write(folder.join("results/results.jsonl"), "{\"set\":\"of another kind\"}\n")
        .expect("it can be written");
    let text = refused(&folder, &TWELVE);
    assert!(text.contains("another campaign") && text.contains("does not say what"), "{text}");
}

#[test]
fn results_of_another_kernel_are_neither_continued_nor_shown() {
    let (_root, folder) = temporary();
    let one = ["campaign", "results", "--sets", "1", "--scale", "20"];
    let two = ["campaign", "results", "--sets", "2", "--scale", "20"];
    let first = FUSEE.run_in(&folder, &one);
    assert_eq!(first.status.code(), Some(0), "{}", String::from_utf8_lossy(&first.stderr));
    let file = folder.join("results/results.jsonl");
    let right = fs::read_to_string(&file).expect("results");
    let (head, row) = right.split_once('\n').expect("two lines");
    let origin: Value = serde_json::from_str(head).expect("JSON");
    for (part, what) in [
        ("image", "another kernel"),
        ("costs", "other kernel costs"),
        ("fusee", "another version of Fusee"),
    ] {
        let mut other = origin.clone();
        other[part] = Value::from("0.0.1");
        fs::write(&file, format!("{other}\n{row}")).expect("it can be written");
        // Neither a finished campaign nor one that is under way.
        for arguments in [one, two] {
            let text = refused(&folder, &arguments);
            assert!(
                text.contains(&format!("made with {what}")) && text.contains("0.0.1"),
                "{part}: {text}"
            );
        }
    }
    // Results without what they were made with are as old as this rule.
    fs::write(&file, row).expect("it can be written");
    refused(&folder, &one);
    // The same kernel goes on, in another folder, too.
    fs::create_dir(folder.join("moved")).expect("a folder");
    fs::write(folder.join("moved/results.jsonl"), &right).expect("it can be written");
    let moved = FUSEE.run_in(&folder, &["campaign", "moved", "--sets", "2", "--scale", "20"]);
    assert_eq!(moved.status.code(), Some(0), "{}", String::from_utf8_lossy(&moved.stderr));
    assert!(
        fs::read_to_string(folder.join("moved/results.jsonl"))
            .expect("results")
            .starts_with(&right)
    );
}

/// Returns the numbers of each task of a document under a key.
fn numbers(document: &Value, key: &str) -> Vec<u64> {
    let tasks = document["tasks"].as_array().expect("tasks").iter();
    tasks.map(|task| task[key].as_u64().unwrap_or_else(|| panic!("no `{key}` in {task}"))).collect()
}

#[test]
fn the_nested_examples_differ_from_their_simulation_by_kernel_time_only() {
    let (_root, folder) = temporary();
    for configuration in 1..=4 {
        let name = format!("../../examples/nested/config{configuration}.camkes");
        let system = Path::new(env!("CARGO_MANIFEST_DIR")).join(name).display().to_string();
        let run = |command: &str, options: &[&str]| {
            document(
                &FUSEE.run_in(&folder, &[&[command, system.as_str(), "--json"], options].concat()),
            )
        };
        let booted = run("run", &["--stubs", "--for", "1s"]);
        assert_eq!(
            (&booted["bounds_held"], &booted["deadlines_held"]),
            (&Value::Bool(true), &Value::Bool(true))
        );
        let simulated = |platform: &str| {
            let options = ["--for", "1s", "--releases", "drawn", "--platform", platform];
            numbers(&run("simulate", &options), "response_max_ns")
        };
        let (ideal, charged) = (simulated("sim"), simulated("qemu-rv64"));
        let kernel = numbers(&run("analyze", &["--platform", "qemu-rv64"]), "kernel_ns");
        for (task, seen) in numbers(&booted, "response_max_ns").into_iter().enumerate() {
            let (least, most) = (ideal[task].min(charged[task]), ideal[task].max(charged[task]));
            let outside = seen.saturating_sub(most).max(least.saturating_sub(seen));
            assert!(
                outside <= kernel[task],
                "config{configuration}, task {task}: {seen} ns, simulated {least} to {most}"
            );
        }
    }
}

#[test]
#[ignore = "builds eight systems; `make soundness` runs it"]
fn what_schedulers_ask_for_grows_along_straight_lines() {
    let (_root, folder) = temporary();
    let measured = document(&FUSEE.run_in(&folder, &["measure", "--json", "--tcaps", "figures"]));
    let growth = measured["growth"].as_array().cloned().unwrap_or_default();
    assert_eq!(growth.len(), 8, "{measured}");
    for call in growth {
        let points = call["points"].as_array().cloned().unwrap_or_default();
        let mean = |point: &Value| point["path"]["mean"].as_f64().unwrap_or(0.0);
        let (first, last) = (mean(&points[1]), mean(&points[points.len() - 1]));
        // What the ends say without any line: from 2 to 14 schedulers.
        let slope = call["slope"].as_f64().unwrap_or(f64::NAN);
        assert!((slope - (last - first) / 12.0).abs() <= 0.02 * first, "{call}");
        assert!(call["off"].as_f64().is_some_and(|off| off <= 0.02 * first), "{call}");
    }
    let drawn = fs::read_to_string(folder.join("figures/tcaps-6.svg")).expect("a figure");
    assert!(drawn.contains("preemption test"), "{drawn}");
}

/// A measurement that fails says why in its document, too.
#[test]
fn what_fails_is_in_the_document() {
    for more in [&[][..], &["--protocols"]] {
        let arguments = ["measure", "--in", "Cargo.toml/systems"];
        let value = FUSEE.json(&[&arguments[..], more].concat(), 3);
        let diagnostics = value["diagnostics"].as_array().expect("diagnostics");
        assert!(diagnostics.iter().any(|one| one["severity"] == "error"), "{value:#}");
    }
}
