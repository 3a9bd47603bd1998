//! Events: who emits, who waits, how often.

pub(crate) mod awaits_itself;
pub(crate) mod faster_than_declared;
pub(crate) mod never_emitted;
