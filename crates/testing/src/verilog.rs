//! Systems on Verilog: what runs say of tasks, and whether costs hold.

use std::path::Path;

use fusee_model::costs::CostTable;
use fusee_platform::{KernelConfig, Platform};
use serde_json::Value;

use crate::{Tool, document};

/// A task's completed jobs, longest response and bound in what `fusee run --json` writes.
///
/// # Panics
/// When the task or one of its numbers is not there.
pub fn task(run: &Value, name: &str) -> (u64, u64, u64) {
    let tasks = run["tasks"].as_array().expect("tasks");
    let found = tasks.iter().find(|task| task["name"] == name).expect("the task");
    let number = |key: &str| found[key].as_u64().unwrap_or_else(|| panic!("{key}: {run:#}"));
    (number("jobs"), number("response_max_ns"), number("response_bound_ns"))
}

/// Checks that the example `rocket/inversion` has run for 700 us, has kept its bounds, and has used
/// the time that its stubs say: they execute at most that, and some hundred cycles less where they
/// do not find the caches as they left them.
///
/// # Panics
/// When it is not so.
pub fn assert_inversion_keeps_its_bounds(run: &Value) {
    assert_eq!(run["bounds_held"], true, "{run:#}");
    for (name, jobs, least) in
        [("distribution", 3, 20_000), ("downlink", 2, 78_000), ("weather", 1, 130_000)]
    {
        let (done, longest, bound) = task(run, name);
        assert_eq!(done, jobs, "{name}: {run:#}");
        assert!(least <= longest && longest <= bound, "{name} took {longest} ns: {run:#}");
    }
    let lines: Vec<_> = run["console"].as_array().expect("lines").iter().collect();
    assert_eq!((&lines[0]["component"], &lines[0]["text"]), (&"monitor".into(), &"job 1".into()));
    assert_eq!(run["faults"].as_array().map(Vec::len), Some(0), "{run:#}");
}

/// Checks that nothing takes longer on so many cores of a platform, measured now in a folder, than
/// its committed table says.
///
/// # Panics
/// With all that takes longer.
pub fn assert_committed_costs_cover(fusee: Tool, folder: &Path, platform: Platform, cores: u32) {
    let (name, number) = (platform.name(), cores.to_string());
    let arguments = ["measure", "--platform", name, "--cores", &number, "--longest-queue", "30"];
    let measured = document(&fusee.run_in(folder, &[&arguments[..], &["--json"]].concat()));
    assert_eq!(measured["unit"], "cycles");
    let kernel = KernelConfig::PLAIN.on(cores as usize);
    let committed = platform.descriptor().costs_of(kernel, cores).expect("measured");
    let committed = CostTable::from_toml(committed).expect("a table");
    let committed = serde_json::to_value(committed).expect("JSON");
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
