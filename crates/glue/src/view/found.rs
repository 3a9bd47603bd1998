//! The names that a component's own compiled code has and asks for.

use std::collections::{BTreeMap, BTreeSet};

/// The names that the component's own compiled code has and asks for; empty for one without
/// sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// `true` if there are any sources.
    pub(crate) sources: bool,
    /// `true` if some of it is in Rust.
    pub(crate) in_rust: bool,
    /// Functions and variables that it defines.
    pub(crate) defined: BTreeSet<String>,
    /// Names that it refers to.
    pub(crate) wanted: BTreeSet<String>,
    /// The names that each of its functions refers to.
    pub(crate) references: BTreeMap<String, BTreeSet<String>>,
}
