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

pub use options::{Options, Templates};
pub use reading::{Reading, read, read_from};
pub use resolve::Origins;

use fusee_diagnostics::Rule;

/// The rules of reading and resolving, in the order of their codes but for subjects.
pub static RULES: &[Rule] = &{
    const TEXT: &[Rule] = rules::RULES;
    const MEANING: &[Rule] = resolve::RULES;
    let mut all = [TEXT[0]; TEXT.len() + MEANING.len()];
    let mut index = 0;
    while index < all.len() {
        all[index] = if index < TEXT.len() { TEXT[index] } else { MEANING[index - TEXT.len()] };
        index += 1;
    }
    all
};
