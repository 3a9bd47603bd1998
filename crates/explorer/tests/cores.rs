//! All systems of several cores, completely; prints how many states each has.
//!
//! The largest are left out where `LARGE_SYSTEMS` is not set, as `make soundness` does.
#![expect(clippy::print_stdout, reason = "the numbers are for people")]

use std::process::ExitCode;

use fusee_explorer::cores::systems::{self, deadlines};
use fusee_explorer::cores::{Report, System, explore};
use fusee_testing::book::{self, Page};
use rayon::prelude::*;

const LIMIT: usize = 5_000_000;
const PAGE: Page =
    Page { name: "book/src/cores.md", text: include_str!("../../../book/src/cores.md") };
const POLICIES: Page =
    Page { name: "book/src/policies.md", text: include_str!("../../../book/src/policies.md") };

fn main() -> ExitCode {
    let mut right = holds(PAGE, &systems::ALL, 2_000_000);
    // Where deadlines decide, on all cores or on some.
    right &= holds(POLICIES, &deadlines::ALL, 400_000);
    if fusee_testing::given("LARGE_SYSTEMS").is_some() {
        right &= holds(PAGE, &systems::LARGE, 2_000_000);
        right &= holds(POLICIES, &deadlines::LARGE, 700_000);
    }
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Explores systems, prints the table and each violation's history; whether everything holds, the
/// book says the same, and there are so many states.
fn holds(page: Page, systems: &[&System], least: usize) -> bool {
    let reports: Vec<Report> = systems.par_iter().map(|system| explore(system, LIMIT)).collect();
    let mut rows = vec![format!(
        "{:38} {:>9} {:>10} {:>6} {:>9}",
        "explored completely", "states", "steps", "depth", "helped"
    )];
    for (system, Report { states, steps, depth, helped, .. }) in systems.iter().zip(&reports) {
        let name = system.name;
        rows.push(format!("{name:38} {states:>9} {steps:>10} {depth:>6} {helped:>9}"));
    }
    let states = reports.iter().map(|report| report.states).sum::<usize>();
    rows.push(format!("{:38} {states:>9}", "together"));
    let mut holds = book::print(page, &rows);
    for (system, report) in systems.iter().zip(&reports) {
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    holds && states > least
}
