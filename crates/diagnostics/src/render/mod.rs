//! From diagnostics to something a person or a program reads.
//!
//! There are four renderings: [`text`] in the manner of rustc, [`json`], and those of
//! tools that show messages beside a text, [`github`] and [`Sarif`]. All
//! are pure functions of the messages and their files: they know no terminal, no
//! width of a window and no clock, so that the same input gives the same bytes
//! and golden files can hold them. Who prints decides about color.

mod github;
mod json;
mod manual;
mod sarif;
mod snippet;
mod text;

pub use github::github;
pub use json::json;
pub use manual::{manual, manual_json, word};
pub use sarif::Sarif;
pub use text::{Style, closing, text};
