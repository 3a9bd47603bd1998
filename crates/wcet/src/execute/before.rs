//! What is known of memory where an entry is called.

use crate::state::Memory;

/// What is known of memory at an entry, because of what was executed before.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) memory: Memory,
    /// What is assumed with that, as a sentence.
    pub(super) why: String,
}
