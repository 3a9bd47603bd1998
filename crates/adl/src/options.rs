//! The options for reading a description, besides its text.

use fusee_model::Duration;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The options for reading a description, besides its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Folders in which imports and included files are looked for, in order (`-I`).
    pub include_paths: Vec<PathBuf>,
    /// Macros and their values (`-D NAME=VALUE`); without a value: 1.
    pub defines: Vec<(String, Option<String>)>,
    /// The length of a tick of the platform's clock, for times given in `ticks`.
    pub tick: Duration,
    /// The templates that the project's build names for connectors, by connector.
    pub templates: BTreeMap<String, Templates>,
}

/// The files that a connector's code is made from on seL4.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Templates {
    /// Those of its ends: a bare name for one of CAmkES's own.
    pub files: Vec<String>,
    /// The place that says so: `CMakeLists.txt:15`.
    pub place: String,
}

/// No folders, no macros, ticks of 1 ns (platforms `sim` and `qemu-rv64`).
impl Default for Options {
    fn default() -> Self {
        Self {
            include_paths: Vec::new(),
            defines: Vec::new(),
            tick: Duration(1),
            templates: BTreeMap::new(),
        }
    }
}
