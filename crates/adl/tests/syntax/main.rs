//! The way from text to the tree, in the input's own language.
//!
//! The tests compare canonical text (see `print`), in which every expression is
//! bracketed, so that they show how a description was understood and not only that
//! it was.

mod constructs;
mod files;
mod pages;
mod positions;
mod preprocessor;
mod print;
mod recovery;
mod robustness;
mod round_trip;

use fusee_adl::Options;
use fusee_adl::syntax::{Loaded, files::Memory, load_from};
use std::path::Path;

/// Reads a text that imports nothing.
fn read(text: &str) -> Loaded {
    read_with(Memory::default().with("main.camkes", text), &Options::default())
}

/// Reads `main.camkes` from memory.
fn read_with(files: Memory, options: &Options) -> Loaded {
    load_from(&files, Path::new("main.camkes"), options)
}

/// Each message as `CODE line:column message`.
fn messages(loaded: &Loaded) -> Vec<String> {
    let place = |diagnostic: &fusee_diagnostics::Diagnostic| {
        let span = diagnostic.labels.first()?.span;
        let position = loaded.sources.file(span.file).position(span.start);
        Some(format!("{}:{} ", position.line, position.column))
    };
    let one = |diagnostic| {
        format!(
            "{} {}{}",
            code(diagnostic),
            place(diagnostic).unwrap_or_default(),
            diagnostic.message
        )
    };
    loaded.diagnostics.iter().map(one).collect()
}

fn code(diagnostic: &fusee_diagnostics::Diagnostic) -> &'static str {
    diagnostic.code.0
}

/// Asserts that a text is read without a message, and how it is understood.
#[track_caller]
fn assert_reads(text: &str, canonical: &str) {
    let loaded = read(text);
    assert_eq!(messages(&loaded), Vec::<String>::new());
    assert_eq!(squeezed(&print::tree(&loaded.tree)), squeezed(canonical));
}

/// Asserts the messages of a text.
#[track_caller]
fn assert_messages(text: &str, expected: &[&str]) {
    assert_eq!(messages(&read(text)), expected);
}

/// Returns the text with single spaces.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
