//! What a description is read with, besides its text.

use fusee_model::Duration;
use std::path::PathBuf;

/// What a description is read with, besides its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Folders in which imports and included files are looked for, in order (`-I`).
    pub include_paths: Vec<PathBuf>,
    /// Macros and their values (`-D NAME=VALUE`); without a value: 1.
    pub defines: Vec<(String, Option<String>)>,
    /// The length of a tick of the platform's clock, for times given in `ticks`.
    pub tick: Duration,
}

/// No folders, no macros, ticks of 1 ns (platforms `sim` and `qemu-rv64`).
impl Default for Options {
    fn default() -> Self {
        Self { include_paths: Vec::new(), defines: Vec::new(), tick: Duration(1) }
    }
}
