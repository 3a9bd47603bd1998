//! Arguments about a program.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Arguments of `wcet`.
#[derive(Debug, Args)]
pub(crate) struct Wcet {
    /// The linked program.
    #[arg(value_name = "ELF")]
    pub(crate) program: PathBuf,
    /// A function to bound, by name or address; where the program starts without this.
    #[arg(long = "entry", value_name = "SYMBOL")]
    pub(crate) entries: Vec<String>,
    /// What to take for granted about the program.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) facts: Option<PathBuf>,
    /// The machine whose time is counted.
    #[arg(long, value_name = "NAME", default_value = "instructions")]
    pub(crate) machine: MachineName,
    /// Say where the time of the worst path goes.
    #[arg(long)]
    pub(crate) path: bool,
}

/// The machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MachineName {
    /// Every instruction counts as one, as QEMU counts them.
    Instructions,
}
