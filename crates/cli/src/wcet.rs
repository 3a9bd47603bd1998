//! What is shown of bounds on programs.

pub(crate) mod what_if;
