//! Targets: components and the libraries that they are linked with.

use super::Said;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A component or a library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// Files.
    pub(crate) sources: Vec<PathBuf>,
    /// Folders of headers.
    pub(crate) includes: Vec<PathBuf>,
    /// Options of the C compiler.
    pub(crate) flags: Vec<String>,
    /// Libraries.
    pub(crate) libraries: Vec<String>,
    /// Headers that the build makes: path and text.
    pub(crate) generated: Vec<(String, String)>,
    /// Options of the linker.
    pub(crate) link_flags: Vec<String>,
    /// Templates that code or headers are made from.
    pub(crate) templates: Vec<String>,
    /// Whether it is written in CakeML.
    pub(crate) cakeml: bool,
}

/// Sources that are compiled alike.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) sources: Vec<PathBuf>,
    pub(crate) includes: Vec<PathBuf>,
    pub(crate) flags: Vec<String>,
    pub(crate) generated: Vec<(String, String)>,
}

/// The part of a `DeclareCAmkESComponent` that a word belongs to.
const KEYWORDS: [&str; 15] = [
    "SOURCES",
    "INCLUDES",
    "CPP_INCLUDES",
    "C_FLAGS",
    "CXX_FLAGS",
    "LD_FLAGS",
    "LIBS",
    "CAKEML_HEAP_SIZE",
    "CAKEML_STACK_SIZE",
    "CAKEML_SOURCES",
    "CAKEML_DEPENDS",
    "CAKEML_INCLUDES",
    "LINKER_LANGUAGE",
    "TEMPLATE_SOURCES",
    "TEMPLATE_HEADERS",
];

impl Target {
    /// Adds what a declaration of a component says, in a file of the folder `here`.
    pub(super) fn declare(&mut self, words: &[String], here: &Path) {
        let mut part = "";
        for word in words {
            if KEYWORDS.contains(&word.as_str()) {
                part = word;
                continue;
            }
            match part {
                "SOURCES" => self.sources.push(here.join(word)),
                "INCLUDES" | "CPP_INCLUDES" => self.includes.push(here.join(word)),
                "C_FLAGS" => self.flag(word),
                "LD_FLAGS" => self.link_flags.push(word.clone()),
                "TEMPLATE_SOURCES" | "TEMPLATE_HEADERS" => self.templates.push(word.clone()),
                "LIBS" => self.libraries.push(word.clone()),
                "CAKEML_SOURCES" => self.cakeml = true,
                _ => {}
            }
        }
    }

    /// Adds an option of the compiler. What the compiler warns of is shown and stops nothing.
    pub(super) fn flag(&mut self, flag: &str) {
        let flag = flag.trim();
        if !flag.is_empty() && !flag.starts_with("-Werror") {
            self.flags.push(flag.to_owned());
        }
    }
}

impl Part {
    /// One file, compiled as it is.
    pub(crate) fn of(file: PathBuf) -> Self {
        Self { sources: vec![file], ..Self::default() }
    }
}

impl Said {
    /// A component's parts: its own, which comes first, and the libraries that it is linked with.
    pub(crate) fn parts(&self, kind: &str, instance: &str) -> Option<Vec<Part>> {
        let declared = self.components.get(kind);
        let extended = self.instances.get(&(kind.to_owned(), instance.to_owned()));
        let mut own = Target::default();
        // An instance's folders come first, its flags last.
        for target in extended.into_iter().chain(declared) {
            own.sources.extend(target.sources.iter().cloned());
            own.includes.extend(target.includes.iter().cloned());
            own.libraries.extend(target.libraries.iter().cloned());
        }
        for target in declared.into_iter().chain(extended) {
            own.flags.extend(target.flags.iter().cloned());
        }
        declared.or(extended)?;
        let libraries = self.linked(&own);
        let mut parts = vec![self.part(&own)];
        parts.extend(
            libraries
                .iter()
                .map(|library| self.part(library))
                .filter(|part| !part.sources.is_empty()),
        );
        Some(parts)
    }

    /// A target's sources with all that they see of the libraries behind it.
    fn part(&self, target: &Target) -> Part {
        let mut part = Part {
            sources: target.sources.clone(),
            includes: target.includes.clone(),
            flags: target.flags.clone(),
            generated: target.generated.clone(),
        };
        for library in self.linked(target) {
            part.includes.extend(library.includes.iter().cloned());
            part.generated.extend(library.generated.iter().cloned());
            let macros = library.flags.iter().filter(|flag| flag.starts_with("-D"));
            part.flags.extend(macros.cloned());
        }
        part
    }

    /// The libraries of the project behind a target, each once; those of others are not there.
    fn linked(&self, target: &Target) -> Vec<&Target> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut found = Vec::new();
        let mut open: Vec<&str> = target.libraries.iter().rev().map(String::as_str).collect();
        while let Some(name) = open.pop() {
            let Some(library) = self.libraries.get(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            found.push(library);
            open.extend(library.libraries.iter().rev().map(String::as_str));
        }
        found
    }
}
