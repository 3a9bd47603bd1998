//! Arguments about images.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use fusee_pipeline::{commands, options, verify};
use fusee_platform::{Platform, Records};

use super::Source;

/// The machine that an image is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target(pub(crate) Platform);

impl ValueEnum for Target {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: [Target; Platform::ALL.len()] = {
            let mut all = [Target(Platform::DEFAULT); Platform::ALL.len()];
            let mut index = 0;
            while index < all.len() {
                all[index] = Target(Platform::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let machine = self.0.descriptor();
        Some(PossibleValue::new(machine.name).help(machine.about))
    }
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

impl From<Kernel> for Records {
    fn from(kernel: Kernel) -> Records {
        match kernel {
            Kernel::Plain => Records::Plain,
            Kernel::Traced => Records::Traced,
            Kernel::Checked => Records::Checked,
        }
    }
}

/// How an image is made.
#[derive(Debug, Clone, Args)]
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
    /// Build components without sources from their description, with nothing but its times and
    /// calls.
    #[arg(long)]
    pub(crate) stubs: bool,
    /// Go on where a program contradicts a written time or list of calls; the verdict says so.
    #[arg(long)]
    pub(crate) trust_written: bool,
}

impl Making {
    /// The same for the library.
    pub(crate) fn chosen(&self) -> options::Making {
        let Making { folder, compiler, templates, stubs, trust_written } = self.clone();
        options::Making { folder, compiler, templates, stubs, trust_written }
    }
}

/// Arguments of `build`.
#[derive(Debug, Args)]
pub(crate) struct Build {
    /// The description.
    #[command(flatten)]
    pub(crate) source: Source,
    /// The machine.
    #[arg(long, value_name = "NAME", default_value = Platform::DEFAULT.name())]
    pub(crate) platform: Target,
    /// The kernel.
    #[arg(long, value_name = "WHICH", default_value = "plain")]
    pub(crate) kernel: Kernel,
    /// How.
    #[command(flatten)]
    pub(crate) making: Making,
}

impl Build {
    /// The same for the library.
    pub(crate) fn asked(&self) -> commands::build::Asked {
        commands::build::Asked {
            source: self.source.chosen(),
            platform: self.platform.0,
            variant: self.kernel.into(),
            making: self.making.chosen(),
        }
    }
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

impl Verify {
    /// The same for the library.
    pub(crate) fn asked(&self) -> verify::Asked {
        let source = self.system.as_ref().map(|system| options::Source {
            system: system.clone(),
            defines: self.defines.clone(),
            include_paths: self.include_paths.clone(),
            assign: self.assign.map(super::Assign::chosen),
        });
        verify::Asked { image: self.image.clone(), source }
    }
}
