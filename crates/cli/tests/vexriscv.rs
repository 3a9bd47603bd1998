//! Systems on the Verilog of the VexRiscv core.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_platform::Platform;
use fusee_testing::verilog::{
    assert_committed_costs_cover, assert_inversion_keeps_its_bounds, task,
};
use fusee_testing::{Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The name of the platform.
const VEXRISCV: &str = "rtl-vexriscv";
/// The same core behind a slow memory.
const SLOW: &str = "rtl-vexriscv-10";

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(name).with_extension("camkes").display().to_string()
}

/// Returns an empty folder below the project's, where the Verilog of its `.venv` is found.
fn temporary(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("vexriscv-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// Returns the output of `fusee run` for an example on the core.
fn run(name: &str, duration: &str) -> Value {
    let folder = temporary(&name.replace('/', "-"));
    let example = example(name);
    let arguments = ["run", &example, "--platform", VEXRISCV, "--for", duration, "--json"];
    let run = document(&FUSEE.run_in(&folder, &arguments));
    assert_eq!(run["platform"], VEXRISCV, "{run:#}");
    run
}

/// Address spaces, the one place for all traps, the clock that is the timer's: it all works, and
/// what was measured there holds.
#[test]
fn a_system_keeps_its_bounds_on_the_core() {
    let run = run("rocket/inversion", "700us");
    assert_inversion_keeps_its_bounds(&run);
}

/// No memory protection is below the page tables: they alone contain an attacker, who reads and
/// writes the kernel's memory, others' and none. All six of the first accesses fail, and the honest
/// ones keep time.
#[test]
fn page_tables_alone_contain_an_attacker() {
    let run = run("attack/c", "12ms");
    let faults = run["faults"].as_array().expect("faults");
    assert_eq!(faults.len(), 6, "{run:#}");
    assert!(faults.iter().all(|fault| fault["component"] == "attacker"), "{run:#}");
    for (name, jobs) in [("watch", 12), ("log", 2)] {
        let (done, longest, bound) = task(&run, name);
        assert!(done == jobs && longest <= bound, "{name}: {run:#}");
    }
}

#[test]
fn the_verilog_that_is_missing_is_named() {
    let folder = temporary("missing");
    let build = ["build", &example("rocket/inversion"), "--platform", VEXRISCV, "-o", "."];
    let output = FUSEE.run_in(&folder, &build);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
    command.env("FUSEE_VEXRISCV", folder.join("nowhere")).current_dir(&folder);
    let output = command.args(["run", "image.elf", "--for", "1us"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("F1103"), "{text}");
    assert!(text.contains("pip install pythondata-cpu-vexriscv=="), "{text}");
}

/// `make soundness`, which has the time: nothing takes longer now than the committed table says.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_committed_costs_cover_what_is_measured_now() {
    let folder = temporary("costs");
    assert_committed_costs_cover(FUSEE, &folder, Platform::RtlVexriscv, 1);
}

/// The observations of the kernel on the core.
struct Kernel {
    paths: u64,
    /// By name: the bound in cycles, and the longest path; nothing: it was not taken.
    entries: Vec<(String, u64, Option<u64>)>,
}

/// Returns the kernel below one of `tests/systems`, bounded and watched for some time: no path is
/// unexplained or above its bound.
fn kernel(platform: &str, (system, defines): (&str, &str), time: &str) -> Kernel {
    let folder = temporary(&format!("kernel-{platform}-{system}-{time}"));
    let file = format!("../../tests/systems/{system}/{system}.camkes");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file).display().to_string();
    let macros: Vec<&str> = defines.split(' ').flat_map(|define| ["-D", define]).collect();
    let build = ["build", &file, "--platform", platform, "-o", "."];
    let built = FUSEE.run_in(&folder, &[&build[..], &macros].concat());
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let watch = ["wcet", "--kernel", "image.elf", "--machine", "vexriscv", "--json"];
    let observe = ["--observe", platform, "--for", time];
    let watched = FUSEE.run_in(&folder, &[&watch[..], &observe].concat());
    let document = document(&watched);
    let paths = &document["paths"];
    assert_eq!(paths["unexplained"], 0, "{system}, {defines}: {document:#}");
    let entry = |entry: &Value| {
        let name = entry["name"].as_str().expect("a name").to_owned();
        let bound = entry["bound"].as_u64().expect("a bound");
        let seen = entry["observed"].as_u64();
        assert!(seen.is_none_or(|seen| seen <= bound), "{system}, {defines}: {entry:#}");
        (name, bound, seen)
    };
    let entries = document["entries"].as_array().expect("a list").iter().map(entry).collect();
    Kernel { paths: paths["observed"].as_u64().expect("a number"), entries }
}

/// Returns the bound of each entry that was seen, by name, in hundredths of its longest path, where
/// it is nearest to that.
fn nearest(entries: impl Iterator<Item = (String, u64, Option<u64>)>) -> BTreeMap<String, u64> {
    let mut nearest = BTreeMap::new();
    for (name, bound, seen) in entries {
        // Those of one protocol are parts of an entry.
        let Some(seen) = seen.filter(|_| !name.contains('.')) else { continue };
        let percent = 100 * bound / seen;
        let best = nearest.entry(name).or_insert(percent);
        *best = percent.min(*best);
    }
    nearest
}

/// `make soundness`, which has the time: with caches that hold nothing of the kernel's, each entry
/// comes near its bound in the system that takes its longest way.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn each_entry_of_the_kernel_comes_near_its_bound() {
    assert_near(VEXRISCV, 165);
}

/// As above, with a slow memory.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn each_entry_comes_near_its_bound_with_wait_states() {
    assert_near(SLOW, 174);
}

/// Checks that no entry's bound is more than twice its longest path, and half of them no more than
/// so many hundredths of that.
fn assert_near(platform: &str, median: u64) {
    let systems = [("general", "80ms"), ("mutexes", "18ms"), ("chains", "18ms")];
    let entries = systems
        .iter()
        .flat_map(|(system, time)| kernel(platform, (system, "VEXRISCV"), time).entries);
    let nearest = nearest(entries);
    // Nothing does no operation.
    assert_eq!(nearest.len(), 16, "{nearest:?}");
    assert!(nearest.values().all(|&percent| percent <= 200), "{nearest:?}");
    let mut percents: Vec<u64> = nearest.into_values().collect();
    percents.sort_unstable();
    assert!(percents[percents.len() / 2] <= median, "{percents:?}");
}

/// `make soundness`, which has the time: budgets that end where it takes longest, at gates and at a
/// mutex.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn budgets_end_where_it_takes_longest() {
    let systems = [("VEXRISCV", "170ms"), ("VEXRISCV MUTEX", "90ms")];
    let entries = systems
        .iter()
        .flat_map(|(macros, time)| kernel(VEXRISCV, ("budgets", macros), time).entries);
    let nearest = nearest(entries);
    assert_eq!(nearest.len(), 16, "{nearest:?}");
    assert!(nearest.values().all(|&percent| percent <= 320), "{nearest:?}");
}

/// `make soundness`, which has the time: random calls, faults and budgets that end anywhere, one
/// round of them after the other.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn no_random_path_takes_more_cycles_than_its_bound() {
    assert_random_paths(VEXRISCV, fusee_testing::given_or("VEXRISCV_PATHS", 10_000));
}

/// As above, with a slow memory, behind which a fifth as many paths take as long.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn no_random_path_takes_more_cycles_with_wait_states() {
    assert_random_paths(SLOW, fusee_testing::given_or("VEXRISCV_PATHS", 10_000) / 5);
}

/// Checks that of so many random paths none is above its bound, or unexplained.
#[expect(clippy::print_stdout, reason = "what was seen is for people")]
fn assert_random_paths(platform: &str, wanted: u64) {
    let (mut paths, mut round) = (0, 0);
    while paths < wanted {
        paths += kernel(platform, ("storm", &format!("ROUND={round}")), "25ms").paths;
        round += 1;
        println!("{paths} of {wanted} random paths on {platform}, none above its bound");
    }
}
