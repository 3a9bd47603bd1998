//! All systems of a kernel with schedulers, completely; prints their states.
//!
//! The largest are left out where `LARGE_SYSTEMS` is not set, as `make soundness` does.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;

use fusee_explorer::trees::{Report, System, explore, systems};
use fusee_testing::book::{self, Page};
use rayon::prelude::*;

const LIMIT: usize = 1_000_000;
const PAGE: Page =
    Page { name: "book/src/time.md", text: include_str!("../../../book/src/time.md") };

fn main() -> ExitCode {
    let large = fusee_testing::given("LARGE_SYSTEMS").map(|_| &systems::LARGE[..]);
    let mut tables = [Some(&systems::ALL[..]), large].into_iter().flatten();
    if tables.all(holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Explores some systems and prints a table of them and each violation's history; whether
/// everything holds and the book says the same.
fn holds(systems: &[&System]) -> bool {
    let reports: Vec<Report> = systems.par_iter().map(|system| explore(system, LIMIT)).collect();
    let mut rows = vec![format!(
        "{:40} {:>8} {:>9} {:>9} {:>6} {:>8}",
        "explored completely", "states", "steps", "refused", "depth", "lent"
    )];
    for (system, report) in systems.iter().zip(&reports) {
        let Report { states, steps, refused, depth, lent, .. } = report;
        let name = system.name;
        rows.push(format!("{name:40} {states:>8} {steps:>9} {refused:>9} {depth:>6} {lent:>8}"));
    }
    let states = reports.iter().map(|report| report.states).sum::<usize>();
    rows.push(format!("{:40} {states:>8}", "together"));
    let mut holds = book::print(PAGE, &rows) && reports.len() == systems.len();
    for (system, report) in systems.iter().zip(&reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds
}
