//! Arguments about an experiment.

use std::path::PathBuf;

use clap::Args;
use fusee_pipeline::experiment::Asked;
use fusee_pipeline::experiment::work::Way;

/// Arguments of `sweep`.
#[derive(Debug, Clone, Args)]
pub(crate) struct Sweep {
    /// The experiment.
    #[arg(value_name = "EXPERIMENT.toml")]
    pub(crate) experiment: PathBuf,
    /// The folder for the log, the results and the figures; named after the experiment without
    /// this.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// How many threads work; as many as there are cores without this.
    #[arg(long, value_name = "COUNT")]
    pub(crate) workers: Option<usize>,
    /// Draw only a share of the sets, as in 0.01 or 1%.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) sample: Option<u64>,
    /// Say how long it will take, and do nothing else.
    #[arg(long)]
    pub(crate) estimate: bool,
    /// Throw away what an earlier run has left in the folder.
    #[arg(long)]
    pub(crate) restart: bool,
    /// Let a Dask cluster work: the address of its scheduler, or `local`.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) dask: Option<String>,
}

impl Sweep {
    /// How it is worked on, for the library.
    pub(crate) fn way(&self) -> Way {
        Way { restart: self.restart, dask: self.dask.clone() }
    }

    /// What is asked for, for the library.
    pub(crate) fn asked(&self) -> Asked {
        Asked {
            experiment: self.experiment.clone(),
            output: self.output.clone(),
            workers: self.workers,
            sample: self.sample,
        }
    }
}

/// A share in millionths.
fn share(text: &str) -> Result<u64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 1e4),
        None => (text, 1e6),
    };
    let millionths = number.parse::<f64>().map(|share| (share * scale).round()).unwrap_or(f64::NAN);
    let possible = (1.0..=1e6).contains(&millionths);
    if possible {
        Ok(millionths as u64)
    } else {
        Err("a share is above 0 and at most 1, or 100%".to_owned())
    }
}
