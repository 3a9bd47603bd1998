//! The program of a protection domain, with what is known of it.

use std::path::PathBuf;

use fusee_wcet::execute::Bound;
use fusee_wcet::facts::FactsFile;
use fusee_wcet::program::Program;

/// The program of a protection domain.
pub(super) struct Linked {
    pub(super) path: PathBuf,
    pub(super) program: Program,
    pub(super) facts: FactsFile,
    /// The bounds that were found in it.
    pub(super) bounds: Vec<Bound>,
}
