//! Explores all systems and prints how many states each has.
#![expect(clippy::print_stdout, reason = "a program for people to run")]

use std::process::ExitCode;
use std::time::Instant;

use fusee_explorer::{explore, systems};

const LIMIT: usize = 5_000_000;

fn main() -> ExitCode {
    let mut holds = true;
    println!("{:40} {:>9} {:>10} {:>10} {:>6}", "system", "states", "steps", "refused", "depth");
    for system in systems::ALL {
        let start = Instant::now();
        let report = explore(system, LIMIT);
        let (states, steps, refused, depth) = (report.states, report.steps, report.refused, report.depth);
        println!("{:40} {states:>9} {steps:>10} {refused:>10} {depth:>6}", system.name);
        if std::env::args().any(|argument| argument == "--time") {
            println!("    {:.1} s", start.elapsed().as_secs_f64());
        }
        if let Some(violation) = &report.violation {
            println!("{}", violation.history(system));
        }
        holds &= report.complete;
    }
    if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
