//! The folders of the project for tests, to read and to write.

use std::fs;
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
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Writes a description into a folder, with a C file for each of these component types where it is
/// looked for; the description's path.
///
/// # Panics
/// When something cannot be written.
pub fn write_project(folder: &Path, (name, text): (&str, &str), code: &[(&str, &str)]) -> PathBuf {
    for (component, code) in code {
        let place = folder.join("components").join(component);
        fs::create_dir_all(&place).expect("a folder");
        fs::write(place.join(format!("{}.c", component.to_lowercase())), code).expect("code");
    }
    let path = folder.join(name);
    fs::write(&path, text).expect("the description");
    path
}

/// Copies a folder with all that is in it.
///
/// # Panics
/// When something cannot be read or written.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).map(drop).expect("it is copied");
        }
    }
}
