//! Results of compilers, kept by the hash of what went into them.
//!
//! A result is right as long as nothing that it was made from has changed, so its name is the hash
//! of all of that: sources, options, the compiler itself. Whoever asks for it computes the hash
//! anew, so there is no moment at which a result is declared out of date, and a result that was
//! made from something else has another name.
//!
//! Processes may read and write the same folder at the same time. A result appears by one renaming,
//! whole or not at all. It carries the hashes of its own files: one that is damaged counts as one
//! that is not there, and the next writer replaces it.

pub mod dependencies;
mod key;
mod program;
mod store;

pub use key::{Key, digest};
pub use program::identity;
pub use store::{Files, Store};
