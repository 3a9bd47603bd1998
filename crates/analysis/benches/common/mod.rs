//! Measuring how many sets a second a test decides, and writing it down.
//!
//! As an experiment does, a block of sets is drawn and then tested, while it is still
//! in the processor's cache; only the test is timed. Every block is drawn and timed
//! five times and the fastest counts: the others were disturbed by other programs. Each
//! result is a line on the terminal and a line of JSON in `target/bench.jsonl`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Times a block is drawn and timed.
const TIMES: usize = 5;

/// Sets that are drawn one block after the other.
pub(crate) struct Blocks<'a, T> {
    /// The number of blocks.
    pub(crate) count: u64,
    /// Draws one block.
    pub(crate) draw: &'a dyn Fn(u64) -> Vec<T>,
}

/// Times `handle`, which says how many units it handled, over all blocks; prints and records the
/// rate.
pub(crate) fn measure<T>(
    name: &str,
    workload: &str,
    blocks: &Blocks<'_, T>,
    handle: impl Fn(&T) -> u64,
) {
    let (mut units, mut time) = (0, Duration::ZERO);
    for block in 0..blocks.count {
        let pass = || {
            let sets = (blocks.draw)(block);
            let start = Instant::now();
            let handled: u64 = sets.iter().map(&handle).sum();
            (start.elapsed(), handled)
        };
        let (fastest, handled) = (0..TIMES).map(|_| pass()).min().unwrap_or_default();
        units += handled;
        time += fastest;
    }
    record(name, workload, units as f64 / time.as_secs_f64());
}

fn record(name: &str, workload: &str, rate: f64) {
    println!("{name:<17} {rate:>12.0} a second   {workload}");
    let line =
        format!("{{\"name\":\"{name}\",\"workload\":\"{workload}\",\"sets_per_s\":{rate:.0}}}\n");
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let path = target.join("bench.jsonl");
    let written = std::fs::create_dir_all(&target)
        .and_then(|()| OpenOptions::new().create(true).append(true).open(&path))
        .and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        println!("{}: {error}", path.display());
    }
}
