//! All systems of temporal capabilities, completely; prints their states.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;

use fusee_explorer::tcaps::{Report, explore, systems};
use rayon::prelude::*;

const LIMIT: usize = 5_000_000;
const BOOK: &str = include_str!("../../../book/src/time.md");

fn main() -> ExitCode {
    let reports: Vec<Report> =
        systems::ALL.par_iter().map(|system| explore(system, LIMIT)).collect();
    if print(&reports) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the table and each violation's history; whether everything holds and the book says the
/// same.
fn print(reports: &[Report]) -> bool {
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
    for (system, report) in systems::ALL.iter().zip(reports) {
        let Report { states, steps, refused, depth, activated, .. } = report;
        let name = system.name;
        row(format!("{name:34} {states:>8} {steps:>9} {refused:>9} {depth:>6} {activated:>10}"));
    }
    let states = reports.iter().map(|report| report.states).sum::<usize>();
    row(format!("{:34} {states:>8}", "together"));
    for (system, report) in systems::ALL.iter().zip(reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds
}
