//! Arguments of `new`.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use fusee_pipeline::starter::{Language, MOST_CORES, Starter, Template};

/// Arguments of `new`.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// The folder to make.
    pub(crate) folder: PathBuf,
    /// Write the components in Rust; in C without this.
    #[arg(long)]
    pub(crate) rust: bool,
    /// The template that the system is made from.
    #[arg(long, value_name = "NAME", default_value = Template::ALL[0].name())]
    pub(crate) template: Chosen,
    /// Spread its tasks over so many cores, up to 4.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_CORES)))]
    pub(crate) cores: u32,
}

impl New {
    /// The same for the library.
    pub(crate) fn starter(&self) -> Starter {
        let language = if self.rust { Language::Rust } else { Language::C };
        Starter { template: self.template.0, language, cores: self.cores }
    }
}

/// A template, by its word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen(Template);

impl ValueEnum for Chosen {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<[Chosen; Template::ALL.len()]> =
            LazyLock::new(|| Template::ALL.map(Chosen));
        &*ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.about()))
    }
}
