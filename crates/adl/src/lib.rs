//! CAmkES descriptions: text to syntax tree to model.
//!
//! [`read`] does all of it. Underneath, [`syntax::load`] turns text into a
//! [`tree::Tree`], whatever the text may be, and [`resolve::resolve`] turns a tree into a
//! system, if it means one.

mod options;
mod reading;
pub mod resolve;
mod rules;
pub mod syntax;
pub mod tree;

pub use options::Options;
pub use reading::{Reading, read};
pub use resolve::Origins;
pub use rules::RULES;
