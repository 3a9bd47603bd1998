//! CAmkES descriptions: text to syntax tree to model.
//!
//! [`syntax::load`] turns text into a [`tree::Tree`], whatever the text may be.

mod options;
mod rules;
pub mod syntax;
pub mod tree;

pub use options::Options;
pub use rules::RULES;
