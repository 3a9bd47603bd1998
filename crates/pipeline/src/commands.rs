//! Commands from what was asked to what is shown.

pub mod build;
pub mod simulate;
