//! From a file to a checked system.

use fusee_adl::Reading;
use fusee_diagnostics::{Diagnostic, Severity, SourceMap};
use fusee_model::System;
use fusee_model::derived::Derived;

use crate::args::Source;

/// A description, as far as it could be understood.
pub(crate) struct Loaded {
    /// The files.
    pub(crate) sources: SourceMap,
    /// All that is to be said about it.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// The system with what follows from it; `None` after an error that leaves none.
    pub(crate) system: Option<(System, Derived)>,
    /// Where things stand in the files.
    pub(crate) origins: fusee_adl::Origins,
}

impl Loaded {
    /// The system with what follows from it, if results about it can be trusted.
    pub(crate) fn usable(&self) -> Option<&(System, Derived)> {
        let fine = self.diagnostics.iter().all(|d| d.severity != Severity::Error);
        self.system.as_ref().filter(|_| fine)
    }
}

/// Reads and checks a description.
pub(crate) fn load(source: &Source) -> Loaded {
    let options = fusee_adl::Options {
        include_paths: source.include_paths.clone(),
        defines: source.defines.iter().map(|text| define(text)).collect(),
        ..Default::default()
    };
    let Reading { sources, system, origins, mut diagnostics } = fusee_adl::read(&source.system, &options);
    let system = system.map(|system| {
        diagnostics.extend(fusee_check::check(&system, &|origin| origins.span(origin)));
        let derived = Derived::of(&system);
        (system, derived)
    });
    Loaded { sources, diagnostics, system, origins }
}

fn define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.to_owned(), None),
    }
}
