//! The demonstration: what it finds, where it writes, and how little it needs.

use std::process::{Command, Output};

use serde_json::Value;

fn demo(folder: &std::path::Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(snapbox::cmd::cargo_bin!("fusee"));
    command.current_dir(folder).arg("demo").args(arguments).output().expect("it runs")
}

#[test]
fn ends_with_the_verdicts_and_the_files() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = folder.path().expect("it has a path");
    let run = demo(folder, &[]);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let verdicts = &text[text.find("\nfifo:      ").expect("the verdicts")..];
    let (verdicts, booted) = verdicts.split_once("\nBooted on qemu-rv64").expect("the booted half");
    assert!(booted.contains("bc_dist") && booted.contains("missed"), "{booted}");
    snapbox::assert_data_eq!(
        verdicts,
        snapbox::str![[r#"

fifo:      no bound for bc_dist; [..] in simulation
[..]priority inversion: `bc_dist` waits for `asi_met` at `information.bus` while `downlink` runs
           repair: `information.bus_priority_protocol = "inherited";`
inherited: every deadline holds; 0 misses in simulation

"#]]
    );
    for line in text.lines().filter_map(|line| line.strip_prefix("wrote ")) {
        assert!(folder.join(line).metadata().expect("a file").len() > 1000, "{line}");
    }
}

#[test]
fn gives_the_same_as_json() {
    let folder = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let run = demo(folder.path().expect("it has a path"), &["--json"]);
    let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    assert_eq!(value["fifo"]["without_bound"][0], "bc_dist");
    assert!(value["fifo"]["misses"].as_u64() > Some(0));
    assert_eq!(
        (&value["inherited"]["schedulable"], &value["inherited"]["misses"]),
        (&true.into(), &0.into())
    );
}
