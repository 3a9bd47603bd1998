//! How the same sets are analysed: the `[analysis]` table of an experiment.

use fusee_analysis::TaskSet;
use serde::Deserialize;

/// What happens to a set between its making and the tests.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {}

impl Options {
    /// The set as the tests see it; `None` if its tasks fit on no core.
    pub fn applied(&self, set: &TaskSet) -> Option<TaskSet> {
        Some(set.clone())
    }
}
