//! The sources that `--facts-from` names.

use std::io::Error;
use std::path::{Path, PathBuf};

/// Endings of files with C in them.
const ENDINGS: [&str; 2] = ["c", "h"];

/// Returns all files: those that are named, and the C files in folders that are, in the order of
/// their names.
///
/// # Errors
/// What could not be read, and why.
pub(super) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, (PathBuf, Error)> {
    let mut found = Vec::new();
    for path in named {
        match path.is_dir() {
            true => within(path, &mut found).map_err(|error| (path.clone(), error))?,
            false => found.push(path.clone()),
        }
    }
    Ok(found)
}

fn within(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Error> {
    let entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_c =
            path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known));
        // A link may lead around in a circle.
        match path.is_dir() && !path.is_symlink() {
            true => within(&path, found)?,
            false if is_c && path.is_file() => found.push(path),
            false => {}
        }
    }
    Ok(())
}
