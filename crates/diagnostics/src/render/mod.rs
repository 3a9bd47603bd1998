//! From diagnostics to something a person or a program reads.
//!
//! There are two renderings: [`text`] in the manner of rustc, and [`json`]. Both
//! are pure functions of the messages and their files: they know no terminal, no
//! width of a window and no clock, so that the same input gives the same bytes
//! and golden files can hold them. Who prints decides about color.

mod json;
mod manual;
mod snippet;
mod text;

pub use json::json;
pub use manual::{manual, manual_json, word};
pub use text::{Style, closing, text};
