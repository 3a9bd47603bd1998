//! Arguments about a driver domain's time.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fusee_pipeline::virtualization::{Asked, Sweep};

/// Arguments of `virtual`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Virtualization {
    /// The folder with the three descriptions.
    #[arg(value_name = "FOLDER", default_value = "examples/virtual")]
    pub(crate) descriptions: PathBuf,
    /// Make this sweep only; may be given several times.
    #[arg(long = "sweep", value_name = "WHICH")]
    pub(crate) only: Vec<Which>,
    /// Ticks of the timer in each run, one every 10 ms.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 50,
        value_parser = clap::value_parser!(u64).range(1..=10_000),
    )]
    pub(crate) ticks: u64,
    /// Boot some of the points as well; images are built in this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) booted: Option<PathBuf>,
    /// Draw the figures into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) figures: Option<PathBuf>,
}

/// The sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Which {
    /// Deadlines by packet rate (Figure 7).
    Packets,
    /// Deadlines by the load of the processor-bound client (Figure 8).
    Load,
    /// Deadlines by the driver domain's budget, under a flood (Figure 9).
    Budget,
    /// Answers by the driver domain's budget, under a flood (Figure 10).
    Answers,
    /// Answers by packet rate (Figure 11).
    Throughput,
}

impl Which {
    fn sweep(self) -> Sweep {
        match self {
            Self::Packets => Sweep::Packets,
            Self::Load => Sweep::Load,
            Self::Budget => Sweep::Budget,
            Self::Answers => Sweep::Answers,
            Self::Throughput => Sweep::Throughput,
        }
    }
}

impl Virtualization {
    /// What is asked for, for the library.
    pub(crate) fn asked(&self) -> Asked {
        let Self { descriptions, ticks, booted, .. } = self.clone();
        Asked { descriptions, ticks, booted }
    }

    /// Those that are wanted; all, if nothing is said.
    pub(crate) fn sweeps(&self) -> Vec<Sweep> {
        let named = |sweep: &Sweep| self.only.iter().any(|which| which.sweep() == *sweep);
        let wanted = |sweep: &Sweep| self.only.is_empty() || named(sweep);
        Sweep::ALL.into_iter().filter(wanted).collect()
    }
}
