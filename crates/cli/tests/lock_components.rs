//! Locks that are components: one thread at a time in every grouping.

use fusee_measure::locks::{GROUPINGS, KINDS, placed};
use fusee_testing::Tool;
use serde_json::Value;
use std::path::Path;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Returns a run of the system on the kernel that checks itself, with a lock of a kind in a
/// grouping.
fn run(kind: &str, grouping: &str, leaves: bool) -> Value {
    let name = format!("{kind}-{grouping}-{leaves}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lock-components-{name}"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/systems/lock_components");
    let place = placed(kind, grouping, "Shared shared");
    let (header, lock, unlock) = match kind {
        "optimistic" => (
            "#include <fusee/olock.h>\nFUSEE_OPTIMISTIC(locks)\nstatic uint32_t word;",
            "locks_lock(&word, 0)",
            "locks_unlock(&word, 0)",
        ),
        _ => ("", "locks_take(0)", "locks_release(0)"),
    };
    let interface = if kind == "optimistic" { "OptimisticLocking" } else { "Locking" };
    let words = [
        ("@client@", format!("uses {interface} locks;")),
        ("@placed@", place.text),
        ("@shared@", place.client),
        ("@leaves@", u8::from(leaves).to_string()),
        ("@header@", header.to_owned()),
        ("@lock@", lock.to_owned()),
        ("@unlock@", unlock.to_owned()),
    ];
    let files =
        ["lock_components.camkes", "components/Shared/shared.c", "components/Worker/worker.c"];
    for file in files {
        let text = std::fs::read_to_string(root.join(file)).expect("a source");
        let text = words.iter().fold(text, |text, (word, with)| text.replace(word, with));
        let to = folder.join(file);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        std::fs::write(to, text).expect("a file");
    }
    let system = folder.join("lock_components.camkes");
    let out = format!("{}/build", folder.display());
    let system = system.to_str().expect("a path");
    // Who leaves misuses the locks as no description says, and who tells asks for more.
    let run = ["run", system, "--for", "182ms", "--kernel", "checked", "--trust-written"];
    FUSEE.json(&[&run[..], &["-o", &out]].concat(), 1)
}

fn lines(run: &Value) -> Vec<&str> {
    let console = run["console"].as_array().expect("lines").iter();
    console.map(|line| line["text"].as_str().expect("text")).collect()
}

/// Returns the last counts: turns, overlaps, refusals, and owners that were gone.
fn seen(lines: &[&str]) -> Vec<u32> {
    let last = lines.iter().rfind(|line| line.contains("turns")).expect("it tells");
    last.split(' ').filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn one_thread_at_a_time_in_every_grouping() {
    for kind in KINDS {
        for (grouping, _) in GROUPINGS {
            let run = run(kind, grouping, false);
            let lines = lines(&run);
            let seen = seen(&lines);
            assert!(seen[0] > 150, "{kind} {grouping}: {lines:#?}");
            assert_eq!(seen[1..], [0, 0, 0], "{kind} {grouping}: {lines:#?}");
            assert_eq!(run["refused"], 0, "{kind} {grouping}: {run:#}");
        }
    }
}

/// Recursion and foreign unlocks are refused, and who ends its job with the lock leaves it to
/// others.
#[test]
fn misuse_is_refused_and_an_owner_that_is_gone_replaced() {
    for kind in KINDS {
        let run = run(kind, "c_ls", true);
        let lines = lines(&run);
        assert!(lines.contains(&"unlocking what is free: -1"), "{kind}: {lines:#?}");
        assert!(lines.contains(&"locking twice: -1"), "{kind}: {lines:#?}");
        let seen = seen(&lines);
        assert!(seen[0] > 150 && seen[1] == 0 && seen[3] > 1, "{kind}: {lines:#?}");
    }
}
