//! The arguments: names, meanings and defaults.
//!
//! Options that several commands share are groups of their own, so that the same
//! word means the same everywhere.

mod files;
mod image;
mod new;
mod solve;
mod source;
mod sweep;
mod system;
mod virtualization;
mod wcet;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use files::*;
pub(crate) use image::*;
pub(crate) use new::*;
pub(crate) use solve::*;
pub(crate) use source::*;
pub(crate) use sweep::*;
pub(crate) use system::*;
pub(crate) use virtualization::*;
pub(crate) use wcet::*;

/// Component-based real-time systems whose timing is known before they run.
#[derive(Debug, Parser)]
#[command(name = "fusee", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 fine; 1 not schedulable, or a bound or deadline missed; \
                        2 bad input; 3 a tool is missing or failed.")]
pub(crate) struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Options of every command; in each command's help they stand behind its own.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Write the result as one JSON document to standard output, text to standard error.
    #[arg(long, global = true, display_order = 900)]
    pub(crate) json: bool,
    /// The form of messages, for tools that show them beside the text.
    #[arg(long, global = true, display_order = 902, value_name = "FORM", default_value = "text")]
    #[arg(conflicts_with = "json")]
    pub(crate) messages: Messages,
    /// When to use colours.
    #[arg(long, global = true, display_order = 901, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
}

/// The form of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Messages {
    /// For people, to standard error.
    Text,
    /// As annotations of GitHub's workflows, to standard output.
    Github,
    /// As one SARIF document, to standard output; all else goes to standard error.
    Sarif,
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check a description.
    Check(Check),
    /// Bound every response time, and say why a deadline does not hold.
    Analyze(Analyze),
    /// Find a core for each task, judged by the bounds.
    Place(PlaceTasks),
    /// Choose priorities, protocols, cores and budgets so that every deadline and chain holds.
    Solve(Solve),
    /// Run a system on the kernel's own decisions under virtual time.
    Simulate(Simulate),
    /// Build a bootable image: components compiled, linked, protected from each other.
    Build(Build),
    /// Work out from a finished image alone who can reach what, and compare that with the
    /// description.
    Verify(Verify),
    /// Write one page with everything about a system.
    Report(Report),
    /// Build a system, boot it, and hold what it shows against what is promised.
    Run(RunSystem),
    /// Measure what the kernel's paths cost on a platform.
    Measure(Measure),
    /// Boot the random task sets of Sudvarg et al. 2024, and hold each run against bounds and
    /// simulation.
    Campaign(Campaign),
    /// Sweep the experiments of Gadepalli et al. 2017: a driver domain's time, given in three ways.
    Virtual(Virtualization),
    /// Bound the execution time of functions of a linked program, without running it.
    Wcet(Wcet),
    /// Run an experiment: many task sets, many tests, over a grid of parameters.
    Sweep(Sweep),
    /// Show the Mars Pathfinder's priority inversion, found and repaired.
    Demo,
    /// Explain a rule by code or name, or list all rules.
    Explain(Explain),
    /// Look for the tools that Fusee uses and say what to type next.
    Doctor,
    /// Write a system to start from: a description and components that boot.
    New(New),
    /// Speak with an editor in the Language Server Protocol, over standard input and output.
    Lsp,
    /// Print a completion script for a shell.
    Completions(Completions),
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A code such as `F0101`, a rule's name, a word of the glossary, or `wcet` for a first bound;
    /// all rules are listed without it.
    #[arg(value_name = "RULE")]
    pub(crate) rule: Option<String>,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}
