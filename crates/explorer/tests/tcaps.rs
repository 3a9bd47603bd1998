//! All systems of temporal capabilities, completely; prints their states.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fusee_explorer::tcaps::{Report, explore, systems};

const LIMIT: usize = 5_000_000;
const BOOK: &str = include_str!("../../../book/src/time.md");

fn main() -> ExitCode {
    let next = AtomicUsize::new(0);
    let reports = Mutex::new(Vec::new());
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(system) = systems::ALL.get(place) else { break };
            let report = explore(system, LIMIT);
            reports.lock().expect("no search panics").push((place, report));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut reports = reports.into_inner().expect("no search panics");
    reports.sort_by_key(|(place, _)| *place);
    if print(&reports) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the table and each violation's history; whether everything holds and the book says the
/// same.
fn print(reports: &[(usize, Report)]) -> bool {
    let mut holds = reports.len() == systems::ALL.len();
    let mut row = |row: String| {
        let known = BOOK.contains(&row);
        println!("{row}{}", if known { "" } else { "    <- not so in book/src/time.md" });
        holds &= known;
    };
    row(format!(
        "{:34} {:>8} {:>9} {:>9} {:>6} {:>10}",
        "explored completely", "states", "steps", "refused", "depth", "activated"
    ));
    for (place, report) in reports {
        let Report { states, steps, refused, depth, activated, .. } = report;
        let name = systems::ALL[*place].name;
        row(format!("{name:34} {states:>8} {steps:>9} {refused:>9} {depth:>6} {activated:>10}"));
    }
    let states = reports.iter().map(|(_, report)| report.states).sum::<usize>();
    row(format!("{:34} {states:>8}", "together"));
    for (place, report) in reports {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(systems::ALL[*place]));
        }
        holds &= report.complete;
    }
    holds
}
