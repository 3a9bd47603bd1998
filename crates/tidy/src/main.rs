//! Checks on the project's own source tree; `make lint` runs it.
//!
//! What the compiler and clippy can't see is checked here: which crate may depend
//! on which, who may say `unsafe`, whether files open with their essay, and what
//! must never be committed. Each check is a function from the tree to findings,
//! and each has a test in which it fails.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool of its own, not part of the command line"
)]

use std::path::Path;
use std::process::ExitCode;

use fusee_tidy::{Tree, findings};

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let tree = match Tree::read(&root) {
        Ok(tree) => tree,
        Err(error) => {
            eprintln!("tidy: cannot read the source tree: {error}");
            return ExitCode::from(3);
        }
    };
    let findings = findings(&tree);
    for finding in &findings {
        eprintln!("{finding}");
    }
    if findings.is_empty() {
        println!("tidy: {} files, nothing to say", tree.files.len());
        return ExitCode::SUCCESS;
    }
    eprintln!("tidy: {} findings", findings.len());
    ExitCode::FAILURE
}
