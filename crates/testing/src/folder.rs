//! Where tests find the project, and where they may write.

use std::path::{Path, PathBuf};

/// The project's root.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder in which tests and benchmarks may leave files.
///
/// It is the one that cargo names `CARGO_TARGET_TMPDIR` while it compiles a test; a library
/// is not told, so it is found from where the running test stands: two levels below the
/// profile's folder, beside which it is.
///
/// # Panics
/// When the running program does not stand where cargo puts tests, or the folder cannot
/// be made.
pub fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("a running program");
    let folder = program.ancestors().nth(3).expect("a test that cargo built").join("tmp");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
