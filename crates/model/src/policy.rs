//! The scheduling policies of cores.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// The scheduling policy of a core.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        PartialOrd,
        Ord,
        Hash,
        Default,
        Serialize,
        Deserialize,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Policy {
        /// The highest priority.
        #[default]
        FixedPriority = "fixed_priority",
        /// The earliest absolute deadline.
        EarliestDeadline = "earliest_deadline",
    }
}

impl Policy {
    /// Returns `true` if it is what decides where a description is silent.
    pub fn is_default(&self) -> bool {
        *self == Policy::default()
    }
}
