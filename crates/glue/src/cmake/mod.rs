//! What a project's CMake files say about its components.
//!
//! A CAmkES project names sources, include folders, flags and libraries of components,
//! import paths and the preprocessor's macros in `CMakeLists.txt`. The files are run here,
//! as far as such projects use the language: variables, lists, conditions, loops, functions,
//! macros, files found by patterns, folders that are added, files that are included. What is
//! not known is passed over, as are commands about tests and images. A word with a generator
//! expression in it is dropped.

mod commands;
mod condition;
mod files;
mod libraries;
mod options;
mod pattern;
mod run;
mod text;
mod values;

pub(crate) use libraries::{Part, Target};

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a project says, all paths joined with the folder where they were said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// Component types.
    pub(crate) components: BTreeMap<String, Target>,
    /// Instances, by type and name.
    pub(crate) instances: BTreeMap<(String, String), Target>,
    /// Libraries.
    pub(crate) libraries: BTreeMap<String, Target>,
    /// Connectors, with the templates that they are made from.
    pub(crate) connectors: BTreeMap<String, Connector>,
    /// Folders of templates.
    pub(crate) templates: Vec<PathBuf>,
    /// Folders in which descriptions find what they import.
    pub(crate) imports: Vec<PathBuf>,
    /// Folders in which descriptions find what they include.
    pub(crate) cpp_includes: Vec<PathBuf>,
    /// The systems, with the options that descriptions are preprocessed with.
    pub(crate) systems: Vec<(PathBuf, Vec<String>)>,
    /// Why the project refuses to be built here: the place and the text.
    pub(crate) refusal: Option<(String, String)>,
}

/// What is said about a connector: its templates, as they are named, and the place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Connector {
    pub(crate) files: Vec<String>,
    pub(crate) place: String,
}

/// Runs CMake files one after the other; what one said the next ones know.
#[derive(Debug)]
pub(crate) struct Files(run::Run);

impl Files {
    /// Nothing run; a build for a machine with words of so many bytes, with variables that the user
    /// gave.
    pub(crate) fn new(word: u32, defines: &[(String, String)]) -> Self {
        Self(run::Run::new(options::given(word, defines)))
    }

    /// Runs `CMakeLists.txt` in a folder, if it has not been run. What the description's `own`
    /// project declares, no other changes; whether another refuses to be built is of no interest.
    pub(crate) fn run(&mut self, folder: &Path, own: bool) {
        let known = self.0.said.clone();
        self.0.folder(folder, &folder.join("CMakeLists.txt"));
        if own {
            return;
        }
        let said = &mut self.0.said;
        said.components.extend(known.components);
        said.instances.extend(known.instances);
        said.libraries.extend(known.libraries);
        said.refusal = known.refusal;
    }

    /// What they said.
    pub(crate) fn said(&self) -> &Said {
        &self.0.said
    }
}

#[cfg(test)]
mod tests;
