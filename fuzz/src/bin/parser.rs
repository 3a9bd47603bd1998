//! Any bytes as a description: preprocessor, lexer, parser and renderers.
//!
//! Whatever comes in, there must be an answer without a panic, and every message
//! must have a code and be printable.

#![no_main]

use fusee_diagnostics::render::{self, Style};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let loaded = fusee_adl::syntax::load_bytes(bytes);
    let text = render::text(&loaded.diagnostics, &loaded.sources, Style::Plain);
    assert!(loaded.diagnostics.iter().all(|diagnostic| text.contains(diagnostic.code.0)));
    let json = render::json(&loaded.diagnostics, &loaded.sources);
    assert_eq!(json.as_array().map(Vec::len), Some(loaded.diagnostics.len()));
});
