//! All that is known of a system, on one page.

use std::path::PathBuf;

use fusee_pipeline::status::Status;

use crate::args::{Report, Simulate};
use crate::commands::simulate;
use crate::output::Output;

/// Analyses, simulates, and writes the page.
pub(crate) fn run(arguments: Report, output: &mut Output) -> Status {
    let Report { analysis, run, sensitivity, report } = arguments;
    let name = analysis.source.system.file_stem().unwrap_or("system".as_ref());
    let report = Some(report.unwrap_or_else(|| PathBuf::from(name).with_extension("html")));
    simulate::run(&Simulate { analysis, run, sensitivity, trace: None, report }, output)
}
