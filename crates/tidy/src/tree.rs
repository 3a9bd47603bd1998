//! The source tree as text in memory, so that tests can make one up.

use std::fs;
use std::io;
use std::path::Path;

/// The folders without sources.
const SKIPPED: &[&str] = &[".git", ".venv", "target", "node_modules", "__pycache__", "corpus"];

/// The files that commands leave at the root.
const MADE: &[&str] = &["build", "fusee-demo"];

/// The folders of crates: for the host, and for the machines that Fusee boots on.
const CRATES: [&str; 2] = ["crates/", "os/"];

/// A file of text.
#[derive(Debug, Clone)]
pub struct File {
    /// Its path relative to the root, with `/`.
    pub path: String,
    /// The text of the file.
    pub text: String,
}

impl File {
    /// The crate's folder name, for a file below `crates/` or `os/`.
    pub(crate) fn crate_name(&self) -> Option<&str> {
        CRATES.iter().find_map(|folder| self.path.strip_prefix(folder))?.split('/').next()
    }

    /// Returns `true` if it is Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }
}

/// All files of text, sorted by path.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// The files of the tree.
    pub files: Vec<File>,
}

impl Tree {
    /// Reads everything below a folder; what is not UTF-8 is left out.
    ///
    /// # Errors
    /// When a folder or a file can't be read.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let mut tree = Tree::default();
        tree.read_folder(root, "")?;
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if SKIPPED.contains(&name.as_str())
                || (prefix.is_empty() && MADE.contains(&name.as_str()))
            {
                continue;
            }
            if kind.is_dir() {
                self.read_folder(&entry.path(), &format!("{prefix}{name}/"))?;
            } else if kind.is_file()
                && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
            {
                self.files.push(File { path: format!("{prefix}{name}"), text });
            }
        }
        Ok(())
    }

    /// The manifests of the crates: folder name and text.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().filter_map(|file| {
            let name = file.crate_name()?;
            let own = CRATES.iter().any(|folder| file.path == format!("{folder}{name}/Cargo.toml"));
            own.then_some((name, file))
        })
    }
}
