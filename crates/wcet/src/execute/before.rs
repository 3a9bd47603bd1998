//! The known content of memory where an entry is called.

use crate::state::Memory;

/// The contents of memory at an entry that are known because of what was executed before.
#[derive(Debug, Clone)]
pub(super) struct Before {
    pub(super) memory: Memory,
    /// The assumption behind that, as a sentence.
    pub(super) why: String,
}
