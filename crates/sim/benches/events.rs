//! The number of kernel events a second that the simulator makes.
//!
//! Each workload runs three times and the fastest run counts: the other two were
//! disturbed. Time is the processor's, as Linux accounts it to the thread, so that
//! a busy machine does not look slow; elsewhere it is the clock's. An event is a
//! release, a completion, an invocation, a return, a signal, a wait, the end of a
//! budget or of a time slice.

#![expect(clippy::print_stdout, reason = "a program's output")]

use fusee_generate::{Mix, case};
use fusee_model::{Duration, System};
use fusee_sim::{Options, Recording, simulate};
use std::time::Instant;

const EVENTS: u64 = 3_000_000;

fn main() {
    println!("{:<44} {:>9} {:>8} {:>12}", "workload", "events", "seconds", "events/s");
    let plain = Mix { gates: (0, 0), ..quiet((8, 8)) };
    measure("8 tasks, no gates", &case(&plain, 1, 3).system, Recording::Off);
    let nested = Mix { gates: (6, 6), ..quiet((8, 8)) };
    let system = case(&nested, 1, 7).system;
    measure("8 tasks, 6 gates of all protocols, nested", &system, Recording::Off);
    let window = Recording::Window { from: Duration::ZERO, to: Duration(u64::MAX) };
    measure("the same, with every record kept", &system, window);
    let large = Mix { gates: (100, 100), ..quiet((200, 200)) };
    measure("200 tasks, 100 gates", &case(&large, 1, 2).system, Recording::Off);
}

/// Nothing that ends jobs early or makes them wait for ever, and some idle time.
fn quiet(tasks: (u64, u64)) -> Mix {
    Mix { tasks, budget: 0, wait: 0, costs: 0, utilisation: (60, 60), ..Mix::default() }
}

fn measure(name: &str, system: &System, recording: Recording) {
    let options = Options {
        duration: Duration(u64::MAX / 4),
        most_events: EVENTS,
        recording,
        ..Options::default()
    };
    let runs = (0..3).filter_map(|_| {
        let (start, started) = (processor_time(), Instant::now());
        let outcome = simulate(system, &options).ok()?;
        let used = start.zip(processor_time()).map(|(start, end)| end - start);
        Some((used.unwrap_or_else(|| started.elapsed()), outcome.events))
    });
    let Some((time, events)) = runs.min() else {
        println!("{name:<44} cannot be run");
        return;
    };
    let rate = events as f64 / time.as_secs_f64();
    println!("{name:<44} {events:>9} {:>8.3} {rate:>12.0}", time.as_secs_f64());
}

/// Time that this thread has had on a processor.
fn processor_time() -> Option<std::time::Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split_whitespace().next()?.parse().ok()?;
    Some(std::time::Duration::from_nanos(nanoseconds))
}
