//! The `fusee` command line, the only crate that prints.
//!
//! Each subcommand has a file in `commands` and is a function from its arguments
//! and an [`Output`] to a [`Status`]. Standard output carries results and nothing
//! else, so that `--json` can be piped; everything else goes to standard error.

mod args;
mod chains;
mod commands;
mod difference;
mod gates;
mod junit;
mod output;
mod progress;
mod verdict;
mod wcet;

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use fusee_pipeline::status::Status;

use crate::args::Arguments;
use crate::output::Output;

/// Analyses keep many small things apart: a fifth of what they did was asking for memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let words = || std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    fusee_pipeline::provenance::called(words());
    fusee_pipeline::progress::listen(&progress::Terminal);
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error, words().any(|word| word == "--json")),
    };
    let mut output = Output::new(&arguments.common);
    let status = commands::run(arguments.command, &mut output);
    output.finish(status).into()
}

/// Wrong arguments, or help. Who asks for a document gets one about wrong arguments, too.
fn usage(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        let text = error.to_string();
        let sentence = match error.kind() {
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "no command is given",
            _ => text.lines().next().unwrap_or_default(),
        };
        Output::refusal(sentence.strip_prefix("error: ").unwrap_or(sentence));
    }
    // Who does not read the text is told by the status.
    let _ = error.print();
    (if error.use_stderr() { Status::BadInput } else { Status::Fine }).into()
}
