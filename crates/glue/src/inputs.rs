//! The files that programs may be made from, told without building.
//!
//! Compilers find headers and modules by themselves. So what they may read is every file of their
//! kinds in the folders in which they look.

use crate::paths::absolute;
use crate::sources::Project;
use fusee_model::System;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Endings of files that compilers, and what calls them, read.
const ENDINGS: [&str; 18] = [
    "c", "h", "S", "s", "inc", "rs", "cpp", "cc", "cxx", "hpp", "hh", "cmake", "camkes", "idl4",
    "idl", "lds", "ld", "in",
];

/// Names of files that say how something is built.
const NAMES: [&str; 6] = [
    "CMakeLists.txt",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "rust-toolchain",
    "Makefile",
];

/// Folders within folders that are looked into.
const DEPTH: usize = 8;

impl Project {
    /// The files around a description in a folder that the programs of its system are made from.
    pub fn files(&self, folder: &Path, system: &System) -> Vec<PathBuf> {
        let mut files = BTreeSet::new();
        for folder in absolute(folder).ancestors().take(3) {
            files.extend(NAMES.map(|name| folder.join(name)).into_iter().filter(|f| f.is_file()));
        }
        let mut folders = BTreeSet::new();
        for component in &system.components {
            let sources = self.sources(&component.kind, &component.name);
            for part in &sources.parts {
                files.extend(part.sources.iter().cloned());
                folders.extend(part.includes.iter().map(|include| include.folder.clone()));
            }
            files.extend(sources.rust.iter().chain(&sources.foreign).cloned());
            folders.insert(self.place(&component.kind));
            if let Some(root) = &sources.rust {
                folders.extend(root.parent().map(Path::to_owned));
                // The manifest may stand above `src`.
                let above = root.parent().and_then(Path::parent);
                let manifest = above.map(|above| above.join("Cargo.toml"));
                files.extend(manifest.filter(|manifest| manifest.is_file()));
            }
        }
        // Beside a source are headers, and facts about it.
        let beside: Vec<PathBuf> =
            files.iter().filter_map(|file| file.parent().map(Path::to_owned)).collect();
        beside.iter().for_each(|folder| look(folder, 0, &mut files));
        folders.iter().for_each(|folder| look(folder, DEPTH, &mut files));
        files.into_iter().collect()
    }
}

/// Adds what compilers may read in a folder, and so deep below it. A folder that a build has made
/// is no source of anything.
fn look(folder: &Path, depth: usize, files: &mut BTreeSet<PathBuf>) {
    if folder.join("image.elf").is_file() || folder.join("CACHEDIR.TAG").is_file() {
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if path.is_dir() && !hidden && depth > 0 {
            look(&path, depth - 1, files);
        } else if path.is_file() && is_read(&path) {
            files.insert(path);
        }
    }
}

fn is_read(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    NAMES.contains(&&*name) || name.ends_with(".facts.toml") || ENDINGS.contains(&&*ending)
}
