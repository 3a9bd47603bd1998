//! Ways to schedule and to share: what `check` lets pass keeps its bounds.
//!
//! `COMBINATIONS=boot` boots each on both emulated machines as well.

use std::path::{Path, PathBuf};

use fusee_pipeline::combinations::{SETTINGS, SHARINGS, Setting, Sharing, accepted, description};
use fusee_testing::Tool;
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The store's code where its lock has a word, which a stub does not try.
const WITH_WORD: &str = "#include <camkes.h>
#include <fusee/olock.h>
FUSEE_OPTIMISTIC(locks)
static uint32_t word;
static volatile unsigned done;
void data_go(void)
{
    locks_lock(&word, 0);
    for (unsigned i = 0; i < 500; i++) done = i;
    locks_unlock(&word, 0);
}
";

/// All combinations that `check` lets pass.
fn all_accepted() -> impl Iterator<Item = (&'static Setting, &'static Sharing)> {
    let all =
        SETTINGS.iter().flat_map(|setting| SHARINGS.iter().map(move |sharing| (setting, sharing)));
    all.filter(|(setting, sharing)| accepted(setting, sharing).is_ok())
}

/// Writes a combination's description into a folder of its own, for one test.
fn written(test: &str, (setting, sharing): (&Setting, &Sharing)) -> PathBuf {
    let name = format!("combinations/{test}/{}-{}", setting.name, sharing.name);
    let name = name.replace([' ', ','], "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("system.camkes");
    std::fs::write(&file, description(setting, sharing)).expect("a file");
    file
}

/// Returns `true` if both tasks that share the store must have bounds: a `fifo` gate promises none.
fn promises(both: (&Setting, &Sharing)) -> bool {
    both.1.name != "fifo"
}

/// The tasks that share the store have their bounds, and no response is above a bound.
fn holds(value: &Value, both: (&Setting, &Sharing)) {
    let name = format!("{} {}", both.0.name, both.1.name);
    for task in value["tasks"].as_array().expect("tasks") {
        let bound = task["response_bound_ns"].as_u64();
        let shares = ["one", "two"].contains(&task["name"].as_str().expect("a name"));
        assert!(bound.is_some() || !shares || !promises(both), "{name}: {value:#}");
        let longest = task["response_max_ns"].as_u64();
        assert!(longest.unwrap_or(0) <= bound.unwrap_or(u64::MAX), "{name}: {value:#}");
    }
}

/// Both tasks have done their jobs: several cores run one after the other on QEMU, so nothing is
/// said of bounds there.
fn runs_all(value: &Value, name: &str) {
    let tasks = value["tasks"].as_array().expect("tasks");
    for task in tasks.iter().filter(|task| task["name"] == "one" || task["name"] == "two") {
        assert!(task["jobs"].as_u64() >= Some(5), "{name}: {value:#}");
    }
}

#[test]
fn each_has_bounds_on_a_machine() {
    for both in all_accepted() {
        let file = written("bounds", both).display().to_string();
        let status = i32::from(!promises(both));
        let value = FUSEE.json(&["analyze", &file, "--platform", "qemu-rv64"], status);
        holds(&value, both);
    }
}

#[test]
fn each_keeps_its_bounds_in_simulation() {
    for both in all_accepted() {
        let file = written("simulated", both).display().to_string();
        let status = i32::from(!promises(both));
        let value = FUSEE.json(&["simulate", &file, "--for", "200ms"], status);
        assert!(value["bounds_held"] == true || !promises(both), "{both:?}: {value:#}");
        holds(&value, both);
    }
}

#[test]
fn each_keeps_its_bounds_when_it_boots() {
    if std::env::var("COMBINATIONS").as_deref() != Ok("boot") {
        return;
    }
    for both in all_accepted() {
        let file = written("booted", both);
        if both.1.name == "LockOptimistic" {
            let code = file.with_file_name("components/Store/store.c");
            std::fs::create_dir_all(code.parent().expect("a folder")).expect("a folder");
            std::fs::write(code, WITH_WORD).expect("a file");
        }
        for platform in ["qemu-rv64", "qemu-rv32"] {
            let built = file.with_extension(platform).display().to_string();
            let system = file.display().to_string();
            let arguments = ["run", &system, "--platform", platform, "--stubs", "-o", &built];
            let is_silent = both.0.name.contains("2 cores");
            let status = i32::from(!promises(both) && !is_silent);
            let value = FUSEE.json(&[&arguments[..], &["--for", "200ms"]].concat(), status);
            let name = format!("{platform} {both:?}");
            if is_silent {
                runs_all(&value, &name);
            } else {
                assert!(value["bounds_held"] == true || !promises(both), "{name}: {value:#}");
                holds(&value, both);
            }
            std::fs::remove_dir_all(&built).expect("it was built");
        }
    }
}
