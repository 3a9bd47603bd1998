//! The time of the command line for a large description, as a user sees it.
//!
//! Each figure is of the whole command: start of the process, reading, checking,
//! analyzing, printing. Elapsed time is the median of several runs; processor time
//! is their mean, and does not grow when the machine is busy with other things.
//! Run by `make bench`.

#![expect(clippy::print_stdout, reason = "its output is the result")]

use fusee_testing::descriptions;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const RUNS: usize = 15;

fn main() {
    let folder = std::env::temp_dir().join(format!("fusee-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("large.camkes");
    let text = descriptions::large(1000, 200);
    std::fs::write(&path, &text).expect("a file");
    println!("description of 1000 components and 200 tasks: {} bytes", text.len());
    for command in ["check", "analyze"] {
        let before = processor_time_of_children();
        let median = measure(&[command, path.to_str().expect("UTF-8"), "--json"]);
        let processor = (processor_time_of_children() - before) / RUNS as u32;
        println!(
            "fusee {command}: {} ms, of them {} ms of processor time",
            median.as_millis(),
            processor.as_millis()
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
}

/// Returns the median of the elapsed times.
fn measure(arguments: &[&str]) -> Duration {
    let run = || {
        let start = Instant::now();
        let mut command = Command::new(env!("CARGO_BIN_EXE_fusee"));
        let status = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert_eq!(status.expect("it runs").code(), Some(0), "{arguments:?}");
        start.elapsed()
    };
    let mut times: Vec<Duration> = (0..RUNS).map(|_| run()).collect();
    times.sort();
    times[RUNS / 2]
}

/// Processor time of all commands run so far, in steps of 10 ms, as Linux counts it.
fn processor_time_of_children() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    // The name in parentheses may contain spaces; what follows does not. Fields 16 and 17 of the
    // line.
    let (_, rest) = text.rsplit_once(')').expect("a name");
    let ticks: u64 = rest
        .split_whitespace()
        .skip(13)
        .take(2)
        .map(|field| field.parse::<u64>().expect("a number"))
        .sum();
    Duration::from_millis(ticks * 10)
}
