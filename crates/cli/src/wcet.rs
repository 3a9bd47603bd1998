//! What is shown of bounds on programs.

pub(crate) mod path;
pub(crate) mod what_if;
