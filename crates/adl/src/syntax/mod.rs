//! From text to the syntax tree: files, preprocessor, lexer, parser.
//!
//! Each file that is imported is read once, by itself: macros do not cross an
//! `import`, just as CAmkES runs `cpp` on one file at a time. The parser pulls tokens
//! from the preprocessor, which pulls them from the lexer, so that no more than two
//! tokens of a file are held at any time and messages come in the order of the text.

mod consequences;
pub mod files;
mod foreign;
mod lexer;
pub(crate) mod library;
mod loader;
mod number;
mod parser;
mod preprocess;
mod report;
mod session;
mod token;

use crate::{Options, tree::Tree};
use files::{Disk, Files, Memory};
use fusee_diagnostics::{Diagnostic, SourceMap};
use std::path::Path;

/// A description with everything that it imports.
#[derive(Debug, Clone, Default)]
pub struct Loaded {
    /// All files that were read, the description first.
    pub sources: SourceMap,
    /// The tree of all declarations.
    pub tree: Tree,
    /// The messages about errors. Whatever the tree lacks has an error here.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a description and everything that it imports.
pub fn load(path: &Path, options: &Options) -> Loaded {
    load_from(&Disk, path, options)
}

/// Reads a description and everything that it imports from a place of your own.
pub fn load_from(files: &dyn Files, path: &Path, options: &Options) -> Loaded {
    let mut loaded = loader::load(files, path, options);
    consequences::take_out(&mut loaded.diagnostics);
    loaded
}

/// Reads bytes as a description, for fuzzers and tests: nothing is read from the disk.
///
/// The bytes may import or include themselves as `main.camkes`.
pub fn load_bytes(bytes: &[u8]) -> Loaded {
    let options = Options { defines: vec![("FUZZ".to_owned(), None)], ..Options::default() };
    load_from(&Memory::default().with("main.camkes", bytes), Path::new("main.camkes"), &options)
}
