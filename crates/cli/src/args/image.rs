//! Arguments about images.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Source;

/// The machines that images are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// QEMU's `virt` machine with a 64-bit RISC-V core.
    QemuRv64,
    /// QEMU's `virt` machine with a 32-bit RISC-V core.
    QemuRv32,
}

/// The kernels that an image can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kernel {
    /// The one that is measured: it records jobs and faults.
    Plain,
    /// It records every event.
    Traced,
    /// It checks its own state after each event and stops the machine when a rule does not hold.
    Checked,
}

/// How an image is made.
#[derive(Debug, Args)]
pub(crate) struct Making {
    /// Where everything that is made goes; `build/NAME` in the current folder without this.
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// The C compiler; `FUSEE_CC` of the environment, else Debian's cross GCC, without this.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) compiler: Option<String>,
    /// Take generated code's templates from this folder where it has them.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) templates: Option<PathBuf>,
    /// Build components without sources from their description, with nothing but its times and calls.
    #[arg(long)]
    pub(crate) stubs: bool,
}

/// Arguments of `build`.
#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The description.
    #[command(flatten)]
    pub(crate) source: Source,
    /// The machine.
    #[arg(long, value_name = "NAME", default_value = "qemu-rv64")]
    pub(crate) platform: Target,
    /// The kernel.
    #[arg(long, value_name = "WHICH", default_value = "plain")]
    pub(crate) kernel: Kernel,
    /// How.
    #[command(flatten)]
    pub(crate) making: Making,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// The image.
    #[arg(value_name = "IMAGE")]
    pub(crate) image: PathBuf,
    /// The description that it is held against; without this only its own soundness is looked at.
    #[arg(value_name = "SYSTEM")]
    pub(crate) system: Option<PathBuf>,
    /// Define a macro for the preprocessor; 1 without a value.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,
    /// Look for imported and included files in this folder, too.
    #[arg(short = 'I', value_name = "FOLDER")]
    pub(crate) include_paths: Vec<PathBuf>,
    /// How priorities that the description leaves out were chosen.
    #[arg(long, value_name = "HOW")]
    pub(crate) assign: Option<super::Assign>,
}
