//! The `fusee` command line, the only crate that prints.
//!
//! Each subcommand has a file in `commands` and is a function from its arguments
//! and an [`Output`] to a [`Status`]. Standard output carries results and nothing
//! else, so that `--json` can be piped; everything else goes to standard error.

mod analysis;
mod args;
mod booted;
mod commands;
mod completed;
mod costs;
mod dask;
mod estimate;
mod files;
mod gates;
mod image;
mod kernel_paths;
mod kernel_runs;
mod limits;
mod load;
mod machine;
mod methods;
mod observe;
mod output;
mod progress;
mod rules;
mod simulation;
mod status;
mod sweep;
mod table;
mod time;
mod verdict;
mod wcet;

use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::output::Output;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut output = Output::new(&arguments.common);
    let status = commands::run(arguments.command, &mut output);
    output.finish(status).into()
}
