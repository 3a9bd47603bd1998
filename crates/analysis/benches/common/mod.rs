//! Measuring how many sets a second a test decides, and writing it down.
//!
//! Sets are drawn before; then the test runs over all of them again and again for a
//! second of this thread's processor time, three times, and the fastest counts: the
//! others were disturbed. Each result is a line on the terminal and a line of JSON in
//! `target/bench.jsonl`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs `pass`, which handles `count` items, for a second three times; prints and records the best rate.
pub(crate) fn measure(name: &str, workload: &str, count: u64, mut pass: impl FnMut()) {
    let best = (0..3).map(|_| rate(count, &mut pass)).fold(0.0, f64::max);
    println!("{name:<17} {best:>12.0} a second   {workload}");
    let line = format!("{{\"name\":\"{name}\",\"workload\":\"{workload}\",\"sets_per_s\":{best:.0}}}\n");
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let path = target.join("bench.jsonl");
    let written = std::fs::create_dir_all(&target)
        .and_then(|()| OpenOptions::new().create(true).append(true).open(&path))
        .and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        println!("{}: {error}", path.display());
    }
}

/// Items in a second of processor time, or on the wall where that is not known.
fn rate(count: u64, pass: &mut impl FnMut()) -> f64 {
    let (start, clock) = (processor_time(), Instant::now());
    let (mut items, mut looked) = (0, clock);
    loop {
        pass();
        items += count;
        // Asking for the time takes time.
        if looked.elapsed() < Duration::from_millis(20) {
            continue;
        }
        looked = Instant::now();
        let used = start.zip(processor_time()).map(|(start, end)| end.saturating_sub(start));
        let used = used.unwrap_or_else(|| clock.elapsed());
        if used >= Duration::from_secs(1) {
            return items as f64 / used.as_secs_f64();
        }
    }
}

/// Time that this thread has had on a processor, as Linux accounts it.
fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
