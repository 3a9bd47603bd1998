//! The `fusee` command line, the only crate that prints.
//!
//! Each subcommand has a file in `commands` and is a function from its arguments
//! and an [`Output`] to a [`Status`]. Standard output carries results and nothing
//! else, so that `--json` can be piped; everything else goes to standard error.

mod args;
mod chains;
mod commands;
mod gates;
mod output;
mod progress;
mod verdict;
mod wcet;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::output::Output;

/// Analyses keep many small things apart: a fifth of what they did was asking for memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    fusee_pipeline::progress::listen(&progress::Terminal);
    let mut output = Output::new(&arguments.common);
    let status = commands::run(arguments.command, &mut output);
    output.finish(status).into()
}
