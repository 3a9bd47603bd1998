//! All systems of several cores, completely; prints how many states each has.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;

use fusee_explorer::cores::{Report, explore, systems};
use fusee_testing::book::{self, Page};
use rayon::prelude::*;

const LIMIT: usize = 5_000_000;
const PAGE: Page =
    Page { name: "book/src/cores.md", text: include_str!("../../../book/src/cores.md") };

fn main() -> ExitCode {
    let reports: Vec<Report> =
        systems::ALL.par_iter().map(|system| explore(system, LIMIT)).collect();
    if print(&reports) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the table and each violation's history; whether everything holds and the book says the
/// same.
fn print(reports: &[Report]) -> bool {
    let mut rows = vec![format!(
        "{:38} {:>9} {:>10} {:>6} {:>9}",
        "explored completely", "states", "steps", "depth", "helped"
    )];
    for (system, Report { states, steps, depth, helped, .. }) in systems::ALL.iter().zip(reports) {
        let name = system.name;
        rows.push(format!("{name:38} {states:>9} {steps:>10} {depth:>6} {helped:>9}"));
    }
    let states = reports.iter().map(|report| report.states).sum::<usize>();
    rows.push(format!("{:38} {states:>9}", "together"));
    let mut holds = book::print(PAGE, &rows) && reports.len() == systems::ALL.len();
    for (system, report) in systems::ALL.iter().zip(reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds && states > 3_000_000
}
