//! A kernel of foreign making: what is listed is what is needed.
//!
//! What is needed is found out by trial: facts for all that is listed give a
//! bound, and each is taken away again.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use fusee_testing::programs::{Target, build_with};
use serde_json::Value;

use super::{facts, json, wcet};

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const ENTRIES: [&str; 4] = ["list_insert", "tick", "delay", "send"];

fn kernel(target: Target, flags: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wcet/foreign.c");
    let flags = [&["-g"], flags].concat();
    let name = format!("foreign-{target:?}{}", flags.len());
    build_with(&[&source], &name, target, "-O2", &flags)
}

fn entry(elf: &Path, arguments: &[&str]) -> Value {
    json(&wcet(elf, &[arguments, &["--json"]].concat()))["entries"][0].clone()
}

fn obstacles(entry: &Value) -> &[Value] {
    entry["obstacles"].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the result for an entry with these facts.
fn with(elf: &Path, function: &str, given: &BTreeSet<String>) -> Value {
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let test = elf.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let file = facts(&format!("{test}-{function}"), &given.join("\n"));
    entry(elf, &["--entry", function, "--facts", file.to_str().expect("a path")])
}

/// Facts for all that is listed, filled in; nothing is listed behind them.
fn settling(elf: &Path, function: &str) -> BTreeSet<String> {
    let refused = entry(elf, &["--entry", function]);
    let fact = |obstacle: &Value| {
        let fact = obstacle["fact"].as_str().expect("a fact");
        assert!(!fact.is_empty(), "{function}: {obstacle}");
        fact.replace("= N", "= 9").replace("[\"A\", \"B\"]", "[\"idle\"]")
    };
    obstacles(&refused).iter().map(fact).collect()
}

#[test]
fn what_is_listed_of_a_foreign_kernel_is_needed() {
    for target in TARGETS {
        let elf = kernel(target, &["-DSILENT"]);
        for function in ENTRIES {
            let case = format!("{target:?} {function}");
            let all = settling(&elf, function);
            let settled = with(&elf, function, &all);
            assert!(settled["bound"].is_number(), "{case}: {settled:#}");
            let is_needed = |fact: &&String| {
                let mut others = all.clone();
                others.remove(*fact);
                with(&elf, function, &others)["bound"].is_null()
            };
            let needed = all.iter().filter(is_needed).count();
            assert!(all.len() <= 2 * needed, "{case}: {needed} of {all:#?}");
        }
    }
}

#[test]
fn what_has_one_cause_is_one_obstacle_and_stores_are_none() {
    let mut stores_seen = 0;
    for target in TARGETS {
        let (elf, silent) = (kernel(target, &[]), kernel(target, &["-DSILENT"]));
        let function = "send";
        let (calls, none) = (entry(&elf, &[function]), entry(&silent, &[function]));
        let case = format!("{target:?}: {calls:#}");
        let is_call = |one: &&Value| one["what"] == "a system call's time is not in this binary";
        let system_calls: Vec<_> = obstacles(&calls).iter().filter(is_call).collect();
        assert!(!system_calls.is_empty(), "{case}");
        assert_eq!(obstacles(&calls).len(), obstacles(&none).len() + system_calls.len(), "{case}");
        // Each system call may take a time of its own.
        let facts: HashSet<_> = system_calls.iter().map(|one| one["fact"].to_string()).collect();
        assert_eq!(facts.len(), system_calls.len(), "{case}");
        assert!(facts.iter().all(|fact| fact.starts_with("\"times.")), "{case}");
        let ways = |one: &&Value| one["fact"].as_str().is_some_and(|f| f.starts_with("unreach"));
        let ways: Vec<_> = obstacles(&calls).iter().filter(ways).collect();
        assert_eq!(ways.len(), 1, "{case}");
        let stores = calls["may_not_matter"].as_array().expect("a list");
        let is_store = |one: &Value| one["fact"].as_str().is_some_and(|f| f.starts_with("tables."));
        assert!(stores.iter().all(is_store), "{case}");
        stores_seen += stores.len();
        assert!(!obstacles(&calls).iter().any(is_store), "{case}");
        let text = wcet(&elf, &[function]);
        let text = String::from_utf8_lossy(&text.stdout);
        let counted = format!("no bound ({} obstacles)", obstacles(&calls).len());
        let [head, tail] = ["a system call's time", "may not matter"].map(|part| text.find(part));
        let is_last = stores.is_empty() || head < tail;
        assert!(text.contains(&counted) && head.is_some() && is_last, "{text}");
    }
    assert!(stores_seen > 0);
}

/// A function that never comes back has no bound, and that is all that is to be said.
#[test]
fn of_a_task_that_never_ends_nothing_is_asked() {
    for target in TARGETS {
        for function in ["task", "finish"] {
            let task = entry(&kernel(target, &[]), &[function]);
            let [only] = obstacles(&task) else { panic!("{target:?}: {task:#}") };
            assert_eq!(only["fact"], "", "{target:?}: {task:#}");
            assert!(only["what"].as_str().is_some_and(|what| what.contains("no way leads out")));
        }
    }
}
