//! Arguments of the search for a choice.

use clap::{Args, ValueEnum};
use fusee_pipeline::solve;

use super::Analysis;

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The description.
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// The number of cores; without this as many as the description uses.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) cores: Option<u32>,
    /// The best of several choices.
    #[arg(long, value_name = "WHAT", default_value = "edits")]
    pub(crate) prefer: Prefer,
    /// Let values change that the description gives: kinds (`core`, `priority`, `protocol`,
    /// `budget`, `policy`) or names (`motor.priority`, `motor.*`). What it leaves out is free.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) change: Vec<String>,
    /// Leave values as they are, by the same names.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) keep: Vec<String>,
    /// The number of analyses of one task that each search may make.
    #[arg(long, value_name = "NUMBER", default_value_t = 100_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) effort: u64,
    /// Write the change into the description.
    #[arg(long)]
    pub(crate) apply: bool,
}

/// The best of several choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Prefer {
    /// The fewest changed values, then the largest least slack.
    Edits,
    /// The largest least slack, as a part of the deadline.
    Slack,
}

impl Solve {
    /// The same for the library.
    pub(crate) fn asked(&self) -> solve::Asked {
        solve::Asked {
            analysis: self.analysis.asked(false),
            cores: self.cores,
            prefer: match self.prefer {
                Prefer::Edits => solve::Prefer::Edits,
                Prefer::Slack => solve::Prefer::Slack,
            },
            names: solve::Names { change: self.change.clone(), keep: self.keep.clone() },
            effort: self.effort,
        }
    }
}
