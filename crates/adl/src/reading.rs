//! A description from its file to the model.

use crate::resolve::{self, Origins, Resolution};
use crate::syntax::files::{Disk, Files};
use crate::syntax::{self, Loaded};
use crate::{Options, rules, tree::Tree};
use fusee_diagnostics::{Diagnostic, Severity, SourceMap};
use fusee_model::System;
use std::path::Path;

/// The result of reading a description.
#[derive(Debug)]
pub struct Reading {
    /// All files that took part.
    pub sources: SourceMap,
    /// The system; `None` after an error.
    pub system: Option<System>,
    /// The places behind the system's origins.
    pub origins: Origins,
    /// Messages of all stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a description, everything that it imports, and what it means.
///
/// The system's name is the file's without its ending. Nothing is resolved after an error in
/// the text: what is missing from the tree would be reported a second time.
pub fn read(path: &Path, options: &Options) -> Reading {
    read_from(&Disk, path, options)
}

/// The same, from a place of your own.
pub fn read_from(files: &dyn Files, path: &Path, options: &Options) -> Reading {
    understand(syntax::load_from(files, path, options), path, options)
}

/// Resolves what was loaded from `path`.
pub(crate) fn understand(loaded: Loaded, path: &Path, options: &Options) -> Reading {
    let Loaded { sources, tree, mut diagnostics } = loaded;
    if let Some(at) =
        diagnostics.iter().position(|diagnostic| diagnostic.code == rules::FOREIGN_FILE)
    {
        // Everything else that is missing comes with the file.
        diagnostics = vec![diagnostics.swap_remove(at)];
    }
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Reading { sources, system: None, origins: Origins::default(), diagnostics };
    }
    let Resolution { system, origins, diagnostics: more } = resolved(&tree, path, options);
    diagnostics.extend(more);
    Reading { sources, system, origins, diagnostics }
}

fn resolved(tree: &Tree, path: &Path, options: &Options) -> Resolution {
    let name = path
        .file_stem()
        .map_or_else(|| "system".into(), |stem| stem.to_string_lossy().into_owned());
    resolve::resolve(tree, &name, options)
}
