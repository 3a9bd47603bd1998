//! All that is known of a system, on one page.

use std::path::PathBuf;

use fusee_pipeline::status::Status;

use crate::args::{Report, Simulate};
use crate::commands::simulate;
use crate::output::Output;

/// Analyses, simulates, and writes the page.
pub(crate) fn run(arguments: Report, output: &mut Output) -> Status {
    let name = arguments.source.system.file_stem().unwrap_or("system".as_ref());
    let default = || PathBuf::from(name).with_extension("html");
    let simulate = Simulate {
        report: Some(arguments.report.unwrap_or_else(default)),
        source: arguments.source,
        platform: arguments.platform,
        run: arguments.run,
        sensitivity: arguments.sensitivity,
        programs: arguments.programs,
        trace: None,
    };
    simulate::run(&simulate, output)
}
