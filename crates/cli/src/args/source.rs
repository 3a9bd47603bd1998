//! Arguments about a description.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fusee_pipeline::options;

/// A description and how to read it.
#[derive(Debug, Clone, Args)]
pub(crate) struct Source {
    /// The description, for example `system.camkes`.
    #[arg(value_name = "SYSTEM")]
    pub(crate) system: PathBuf,
    /// The options for reading it.
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// The options for reading descriptions.
#[derive(Debug, Clone, Args)]
pub(crate) struct Reading {
    /// Define a macro for the preprocessor; 1 without a value.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,
    /// Look for imported and included files in this folder, too.
    #[arg(short = 'I', value_name = "FOLDER")]
    pub(crate) include_paths: Vec<PathBuf>,
    /// How to choose priorities that the description leaves out; as it says itself without this.
    #[arg(long, value_name = "HOW")]
    pub(crate) assign: Option<Assign>,
}

impl Source {
    /// The same for the library.
    pub(crate) fn chosen(&self) -> options::Source {
        self.reading.of(self.system.clone())
    }
}

impl Reading {
    /// Returns a description with how it is read, for the library.
    pub(crate) fn of(&self, system: PathBuf) -> options::Source {
        let Reading { defines, include_paths, assign } = self.clone();
        options::Source { system, defines, include_paths, assign: assign.map(Assign::chosen) }
    }
}

/// How to choose priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Assign {
    /// The shorter the deadline, the higher the priority.
    DeadlineMonotonic,
    /// Audsley's search, which finds an order that holds if there is one.
    Audsley,
}

impl Assign {
    /// The same for the library.
    pub(crate) fn chosen(self) -> options::Assign {
        match self {
            Assign::DeadlineMonotonic => options::Assign::DeadlineMonotonic,
            Assign::Audsley => options::Assign::Audsley,
        }
    }
}
