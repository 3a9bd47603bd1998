//! All systems, completely, one for each core; prints how many states each has.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fusee_explorer::{Report, explore, systems};

const LIMIT: usize = 5_000_000;
const BOOK: &str = include_str!("../../../book/src/kernel.md");

fn main() -> ExitCode {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let work = || {
        while let Some(system) = systems::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = explore(system, LIMIT);
            reports.lock().expect("no search panics").push((system.name, report));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut reports = reports.into_inner().expect("no search panics");
    let place = |name: &str| systems::ALL.iter().position(|system| system.name == name);
    reports.sort_by_key(|(name, _)| place(name));
    if print(&reports) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the table and each violation's history; whether everything holds and the book says the
/// same.
fn print(reports: &[(&str, Report)]) -> bool {
    let mut holds = reports.len() == systems::ALL.len();
    let mut row = |row: String| {
        let known = BOOK.contains(&row);
        println!("{row}{}", if known { "" } else { "    <- not so in book/src/kernel.md" });
        holds &= known;
    };
    row(format!(
        "{:38} {:>9} {:>10} {:>10} {:>6}",
        "explored completely", "states", "steps", "refused", "depth"
    ));
    for (name, Report { states, steps, refused, depth, .. }) in reports {
        row(format!("{name:38} {states:>9} {steps:>10} {refused:>10} {depth:>6}"));
    }
    row(format!(
        "{:38} {:>9}",
        "together",
        reports.iter().map(|(_, report)| report.states).sum::<usize>()
    ));
    for (system, (_, report)) in systems::ALL.iter().zip(reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds
}
