//! What a description is read with, besides its text.

use std::path::PathBuf;

/// What a description is read with, besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Folders in which imports and included files are looked for, in order (`-I`).
    pub include_paths: Vec<PathBuf>,
    /// Macros and their values (`-D NAME=VALUE`); without a value: 1.
    pub defines: Vec<(String, Option<String>)>,
}
