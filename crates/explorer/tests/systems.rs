//! All systems, completely, one for each core; prints how many states each has.
//!
//! The largest are left out where `LARGE_SYSTEMS` is not set, as `make soundness` does.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;

use fusee_explorer::{Report, System, explore, systems};
use fusee_testing::book::{self, Page};
use rayon::prelude::*;

const LIMIT: usize = 5_000_000;
const PAGE: Page =
    Page { name: "book/src/kernel.md", text: include_str!("../../../book/src/kernel.md") };

/// Each table of the book: its systems.
fn tables() -> Vec<Vec<&'static System>> {
    let by_policy = [systems::deadlines::ALL, systems::ceilings::ALL].concat();
    let large = fusee_testing::given("LARGE_SYSTEMS").map(|_| systems::LARGE.to_vec());
    [systems::ALL.to_vec(), by_policy].into_iter().chain(large).collect()
}

fn main() -> ExitCode {
    let tables = tables();
    let all = tables.concat();
    let reports: Vec<Report> = all.par_iter().map(|system| explore(system, LIMIT)).collect();
    let mut rest = &reports[..];
    let mut holds = reports.len() == all.len();
    for systems in tables {
        let (own, others) = rest.split_at(systems.len());
        holds &= print(&systems, own);
        rest = others;
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a table and each violation's history; whether everything holds and the book says the
/// same.
fn print(systems: &[&System], reports: &[Report]) -> bool {
    let mut rows = vec![format!(
        "{:38} {:>9} {:>10} {:>10} {:>6}",
        "explored completely", "states", "steps", "refused", "depth"
    )];
    for (system, Report { states, steps, refused, depth, .. }) in systems.iter().zip(reports) {
        let name = system.name;
        rows.push(format!("{name:38} {states:>9} {steps:>10} {refused:>10} {depth:>6}"));
    }
    let states = reports.iter().map(|report| report.states).sum::<usize>();
    rows.push(format!("{:38} {states:>9}", "together"));
    let mut holds = book::print(PAGE, &rows);
    for (system, report) in systems.iter().zip(reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds
}
