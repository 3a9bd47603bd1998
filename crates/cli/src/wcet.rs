//! The tables of bounds on programs.

pub(crate) mod obstacles;
pub(crate) mod what_if;
