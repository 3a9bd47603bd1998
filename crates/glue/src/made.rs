//! The sources that programs are made from.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The sources that programs are made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The compilation of each component, by its name: sources with their arguments.
    pub components: BTreeMap<String, Vec<String>>,
    /// SHA-256 of the files that compilers have read, by path.
    pub files: BTreeMap<String, String>,
    /// The compilers and libraries, with what they say of themselves.
    pub tools: BTreeMap<String, String>,
}
