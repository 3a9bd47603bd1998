//! How the same sets are analysed: the `[analysis]` table of an experiment.

use fusee_analysis::TaskSet;
use fusee_analysis::placement::{Placement, by_utilization};
use serde::Deserialize;

/// What happens to a set between its making and the tests.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// How tasks are placed on cores, which must not be loaded above 1; left as they are without this.
    #[serde(default)]
    pub placement: Option<Placement>,
}

impl Options {
    /// The set as the tests see it; `None` if its tasks fit on no core.
    pub fn applied(&self, set: &TaskSet) -> Option<TaskSet> {
        match &self.placement {
            Some(placement) => placement.place(set, &by_utilization),
            None => Some(set.clone()),
        }
    }
}
