//! Task sets a second for tests of several cores, on one core of this machine.
//!
//! The workload is drawn from a recipe, before anything is timed. Each test goes
//! over all sets seven times and the fastest pass counts: the others were disturbed. Time is
//! the processor's, as Linux accounts it to the thread; elsewhere it is the
//! clock's. Each figure is also appended to `target/bench.jsonl`.
//! For the `lp_` figures one unit is one bound, of one task in one window.

#![expect(clippy::print_stdout, reason = "a program's output")]

use std::io::Write;
use std::time::{Duration, Instant};

use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::placement::{Placement, by_utilization};
use fusee_analysis::{SchedulabilityTest, TaskSet, partitioned};

const RECIPE: &str = r#"
    cores = 8
    utilizations = { method = "uunifast-discard", tasks = 40, total = 3.2, max = 0.8 }
    periods = { kind = "log-uniform", min = "1 ms", max = "1000 ms" }
    resources = { kind = "random", count = 8, access = 0.25, length = ["1 us", "25 us"] }
"#;
const WORKLOAD: &str = "m = 8, n = 40, 8 resources, access 0.25, one request each of 1 to 25 us, \
                        T log-uniform 1 to 1000 ms, U = 3.2, worst fit, rate monotonic";
const SETS: u64 = 2000;
const PASSES: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let generator = Generator::new(toml::from_str::<Recipe>(RECIPE)?)?;
    let placed = |index| Placement::default().place(&generator.set(1, index).ok()?, &by_utilization);
    let sets: Vec<TaskSet> = (0..SETS).filter_map(placed).collect();
    println!("{} sets: {WORKLOAD}", sets.len());
    println!("{:<18} {:>10} {:>10} {:>14}", "test", "accepted", "us each", "sets/s");
    measure("mpcp", &partitioned::mpcp::Mpcp, &sets)?;
    measure("msrp_holistic", &partitioned::msrp::MsrpHolistic, &sets)?;
    measure_bounds("lp_fifo_spin", &sets[..sets.len().min(100)], |set, task, reach| {
        partitioned::msrp::fifo_spin_program(set, task, reach[task], reach)?.bound()
    })?;
    measure_bounds("fifo_spin_optimum", &sets, |set, task, reach| {
        partitioned::msrp::fifo_spin_delay(set, task, reach[task], reach)
    })?;
    measure_bounds("lp_mpcp", &sets[..sets.len().min(20)], |set, task, reach| {
        partitioned::mpcp::MpcpLinear::delay(set, task, reach[task])
    })?;
    Ok(())
}

fn measure(name: &str, test: &dyn SchedulabilityTest, sets: &[TaskSet]) -> std::io::Result<()> {
    let mut accepted = 0;
    let pass = |_| {
        let clock = Clock::start();
        accepted = sets.iter().filter(|set| test.decide(set).is_schedulable()).count();
        clock.elapsed()
    };
    let fastest = (0..PASSES).map(pass).min().unwrap_or_default();
    report(name, accepted, sets.len(), fastest)
}

/// One bound for each task of each set, in the window of its deadline.
fn measure_bounds(
    name: &str,
    sets: &[TaskSet],
    bound: impl Fn(&TaskSet, usize, &[u64]) -> Option<u64>,
) -> std::io::Result<()> {
    let deadlines = |set: &TaskSet| set.tasks().iter().map(|t| t.deadline).collect::<Vec<_>>();
    let cases: Vec<(&TaskSet, Vec<u64>)> = sets.iter().map(|set| (set, deadlines(set))).collect();
    let mut found = 0;
    let pass = |_| {
        let clock = Clock::start();
        let bounds = cases.iter().flat_map(|(set, reach)| (0..reach.len()).map(|i| bound(set, i, reach)));
        found = bounds.flatten().count();
        clock.elapsed()
    };
    let fastest = (0..PASSES).map(pass).min().unwrap_or_default();
    report(name, found, cases.iter().map(|(_, reach)| reach.len()).sum(), fastest)
}

fn report(name: &str, accepted: usize, count: usize, time: Duration) -> std::io::Result<()> {
    let rate = count as f64 / time.as_secs_f64();
    println!("{name:<18} {accepted:>10} {:>10.1} {rate:>14.0}", 1e6 / rate);
    let target = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target");
    std::fs::create_dir_all(target)?;
    let path = std::path::Path::new(target).join("bench.jsonl");
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{{\"name\":\"{name}\",\"workload\":\"{WORKLOAD}\",\"sets_per_s\":{rate:.0}}}")
}

/// Time that this thread has had on a processor, or on the wall.
struct Clock(Option<Duration>, Instant);

impl Clock {
    fn start() -> Self {
        Self(processor_time(), Instant::now())
    }

    fn elapsed(&self) -> Duration {
        let used = self.0.zip(processor_time()).map(|(start, end)| end.saturating_sub(start));
        used.unwrap_or_else(|| self.1.elapsed())
    }
}

fn processor_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(statistics.split_whitespace().next()?.parse().ok()?))
}
