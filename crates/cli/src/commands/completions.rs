//! Completion scripts for shells.

use clap::CommandFactory;
use fusee_pipeline::status::Status;

use crate::args::{Arguments, Completions};
use crate::output::Output;

/// Prints the script.
pub(crate) fn run(arguments: &Completions, output: &mut Output) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "fusee", &mut script);
    output.text(String::from_utf8_lossy(&script));
    Status::Fine
}
