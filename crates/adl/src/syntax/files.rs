//! The source of files: a disk, or memory.
//!
//! Everything that reads goes through [`Files`], so that tests and fuzzers need no
//! disk, and an editor can show its unsaved buffers.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A place that holds files.
pub trait Files {
    /// Returns a file's bytes.
    ///
    /// # Errors
    /// When there is no such file, or it can't be read.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns `true` if there is such a file.
    fn is_file(&self, path: &Path) -> bool;

    /// Returns a name that is the same for all paths that lead to the same file.
    fn identity(&self, path: &Path) -> PathBuf;

    /// The names in a folder, sorted; empty if there is no such folder.
    fn names(&self, folder: &Path) -> Vec<String>;
}

/// The file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| clean(path))
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .take(1000)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .collect();
        names.sort();
        names
    }
}

/// Files in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    /// Adds a file, or replaces it.
    #[must_use]
    pub fn with(mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(clean(path.as_ref()), bytes.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(&clean(path)).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(&clean(path))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        clean(path)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let folder = clean(folder);
        let inside = self.files.keys().filter(|path| path.parent() == Some(&folder));
        inside.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    }
}

/// The file system, but for texts that are not saved yet.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// By their identity on the disk.
    texts: BTreeMap<PathBuf, Vec<u8>>,
}

impl Overlay {
    /// From now on a file has this text.
    pub fn insert(&mut self, path: &Path, text: impl Into<Vec<u8>>) {
        self.texts.insert(Disk.identity(path), text.into());
    }

    /// From now on a file has the text that is on the disk.
    pub fn remove(&mut self, path: &Path) {
        self.texts.remove(&Disk.identity(path));
    }
}

impl Files for Overlay {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.texts
            .get(&Disk.identity(path))
            .map_or_else(|| Disk.read(path), |text| Ok(text.clone()))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.texts.contains_key(&Disk.identity(path)) || Disk.is_file(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        Disk.identity(path)
    }

    fn names(&self, folder: &Path) -> Vec<String> {
        let mut names = Disk.names(folder);
        let inside = Disk.identity(folder);
        let own = self.texts.keys().filter(|path| path.parent() == Some(&inside));
        names.extend(own.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())));
        names.sort();
        names.dedup();
        names
    }
}

/// Returns the path without `.` and without folders that `..` leaves again.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.iter().collect()
}
