//! All that is known of a system, on one page.

use fusee_pipeline::status::Status;

use crate::args::{Report, Simulate};
use crate::commands::simulate;
use crate::output::Output;

/// Analyses, simulates, and writes the page.
pub(crate) fn run(arguments: Report, output: &mut Output) -> Status {
    let report = Some(arguments.page());
    let Report { analysis, run, sensitivity, .. } = arguments;
    simulate::run(&Simulate { analysis, run, sensitivity, trace: None, report }, output)
}
