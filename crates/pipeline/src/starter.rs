//! A starter project: a folder with a description that holds its deadlines.
//!
//! The folder is made under another name first and renamed when it is complete,
//! so that an interrupted run leaves nothing that looks finished.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files;

const FILES: &[(&str, &str)] = &[
    ("system.camkes", include_str!("../starter/system.camkes")),
    ("README.md", include_str!("../starter/README.md")),
];

/// Writes the project into a folder that does not exist yet; the paths, the description first.
///
/// # Errors
/// It can't be written.
pub fn write(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let part = files::beside(folder)?;
    let written = fill(&part).and_then(|()| fs::rename(&part, folder));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&part);
    }
    written.map(|()| FILES.iter().map(|(name, _)| folder.join(name)).collect())
}

fn fill(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    FILES.iter().try_for_each(|(name, text)| files::write(&folder.join(name), text.as_bytes()))
}
