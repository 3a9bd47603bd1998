//! All systems of several cores, completely; prints how many states each has.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fusee_explorer::cores::{Report, explore, systems};

const LIMIT: usize = 5_000_000;
const BOOK: &str = include_str!("../../../book/src/cores.md");

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
        println!("{row}{}", if known { "" } else { "    <- not so in book/src/cores.md" });
        holds &= known;
    };
    row(format!(
        "{:38} {:>9} {:>10} {:>6} {:>9}",
        "explored completely", "states", "steps", "depth", "helped"
    ));
    for (place, Report { states, steps, depth, helped, .. }) in reports {
        let name = systems::ALL[*place].name;
        row(format!("{name:38} {states:>9} {steps:>10} {depth:>6} {helped:>9}"));
    }
    let states = reports.iter().map(|(_, report)| report.states).sum::<usize>();
    row(format!("{:38} {states:>9}", "together"));
    for (place, report) in reports {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(systems::ALL[*place]));
        }
        holds &= report.complete;
    }
    holds && states > 3_000_000
}
