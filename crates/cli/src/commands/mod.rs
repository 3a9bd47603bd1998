//! One file for each subcommand.

mod analyze;
mod build;
mod campaign;
mod check;
mod compare;
mod completions;
mod demo;
mod doctor;
mod explain;
mod locks;
mod lsp;
mod measure;
mod new;
mod paths;
mod place;
mod protocols;
mod refusal;
mod report;
mod run;
mod simulate;
mod solve;
mod sweep;
mod tcaps;
mod verify;
mod virtualization;
mod wcet;
mod wcet_kernel;

use fusee_pipeline::outputs;
use fusee_pipeline::status::Status;

use crate::args::{Command, Files};
use crate::output::Output;

/// Runs a subcommand.
pub(crate) fn run(command: Command, output: &mut Output) -> Status {
    let Files { inputs, outputs } = Files::of(&command);
    if let Some(wrong) = outputs::refused(&outputs, &inputs) {
        return output.diagnosed(wrong);
    }
    match command {
        Command::Check(arguments) => check::run(&arguments, output),
        Command::Analyze(arguments) => analyze::run(&arguments, output),
        Command::Place(arguments) => place::run(&arguments, output),
        Command::Solve(arguments) => solve::run(&arguments, output),
        Command::Simulate(arguments) => simulate::run(&arguments, output),
        Command::Build(arguments) => build::run(&arguments, output),
        Command::Verify(arguments) => verify::run(&arguments, output),
        Command::Report(arguments) => report::run(arguments, output),
        Command::Measure(arguments) => measure::run(&arguments, output),
        Command::Campaign(arguments) => campaign::run(&arguments, output),
        Command::Virtual(arguments) => virtualization::run(&arguments, output),
        Command::Run(arguments) => run::run(&arguments, output),
        Command::Wcet(arguments) if arguments.kernel => wcet_kernel::run(&arguments, output),
        Command::Wcet(arguments) => wcet::run(&arguments, output),
        Command::Sweep(arguments) => sweep::run(&arguments, output),
        Command::Demo => demo::run(output),
        Command::Explain(arguments) => explain::run(&arguments, output),
        Command::Doctor => doctor::run(output),
        Command::Lsp => lsp::run(output),
        Command::New(arguments) => new::run(&arguments, output),
        Command::Completions(arguments) => completions::run(&arguments, output),
    }
}
