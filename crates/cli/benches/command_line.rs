//! How long the command line takes for a large description, as a user sees it.
//!
//! Each figure is the median of several runs of the whole command: start of the
//! process, reading, checking, analysing, printing. Run by `make bench`.

#![expect(clippy::print_stdout, reason = "its output is the result")]

#[path = "../tests/large/mod.rs"]
mod large;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 15;

fn main() {
    let folder = std::env::temp_dir().join(format!("fusee-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("large.camkes");
    let text = large::description(1000, 200);
    std::fs::write(&path, &text).expect("a file");
    println!("description of 1000 components and 200 tasks: {} bytes", text.len());
    for command in ["check", "analyze"] {
        let (median, slowest) = measure(&[command, path.to_str().expect("UTF-8"), "--json"]);
        println!(
            "fusee {command}: median {} ms, slowest {} ms of {RUNS} runs",
            median.as_millis(),
            slowest.as_millis()
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}

fn measure(arguments: &[&str]) -> (Duration, Duration) {
    let run = || {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
        let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert_eq!(status.expect("it runs").code(), Some(0), "{arguments:?}");
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..RUNS).map(|_| run()).collect();
    times.sort();
    (times[RUNS / 2], times[RUNS - 1])
}
