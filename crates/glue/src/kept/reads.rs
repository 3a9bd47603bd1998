//! The files that a compiler has read, and those that it has looked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files behind a result.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reads {
    /// Files that were read.
    pub(crate) files: BTreeSet<PathBuf>,
    /// Files that are not there, and would have been read instead.
    pub(crate) absent: BTreeSet<PathBuf>,
}

impl Reads {
    /// The files that a compiler of C has read, of the project and of its own, and what it may have
    /// looked for on the way. A header is found by a name in one of the folders, so under this name
    /// it must go on not to be in any other of the project.
    pub(crate) fn of_headers(
        own: BTreeSet<PathBuf>,
        system: BTreeSet<PathBuf>,
        folders: &[PathBuf],
    ) -> Self {
        let folders = folders.iter().map(PathBuf::as_path);
        let searched: BTreeSet<&Path> =
            folders.chain(own.iter().filter_map(|file| file.parent())).collect();
        let beside = system.iter().filter_map(|file| file.parent());
        let found_in: BTreeSet<&Path> = searched.iter().copied().chain(beside).collect();
        let names: BTreeSet<&Path> = own
            .iter()
            .chain(&system)
            .flat_map(|file| found_in.iter().filter_map(|folder| file.strip_prefix(folder).ok()))
            .collect();
        let looked = searched.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
        // A header that was compiled before lies beside it, and would be read first.
        let before = own.iter().map(|file| {
            let mut name = file.clone().into_os_string();
            name.push(".gch");
            PathBuf::from(name)
        });
        let absent = looked.chain(before).filter(|path| !path.exists()).collect();
        Self { files: own.iter().chain(&system).cloned().collect(), absent }
    }

    /// Returns the list as a text.
    pub(crate) fn text(&self) -> String {
        let line = |word: &str, path: &PathBuf| format!("{word} {}\n", path.to_string_lossy());
        let files = self.files.iter().map(|path| line("read", path));
        files.chain(self.absent.iter().map(|path| line("absent", path))).collect()
    }

    /// Returns the list that a text tells.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut reads = Self::default();
        for line in text.lines() {
            let (word, path) = line.split_once(' ')?;
            match word {
                "read" => reads.files.insert(path.into()),
                "absent" => reads.absent.insert(path.into()),
                _ => return None,
            };
        }
        Some(reads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_must_stay_away_from_all_folders() {
        let place = tempfile::tempdir().expect("a folder");
        let path = |name: &str| place.path().join(name);
        for name in ["own/sub/a.h", "later/sub/a.h", "own/m.c"] {
            std::fs::create_dir_all(path(name).parent().expect("a folder")).expect("made");
            std::fs::write(path(name), "").expect("written");
        }
        let own = ["own/sub/a.h", "own/m.c"].map(path).into();
        let system = [PathBuf::from("/system/include/string.h")].into();
        let reads = Reads::of_headers(own, system, &["glue", "own", "later"].map(path));
        for name in ["glue/sub/a.h", "glue/a.h", "own/a.h", "own/sub/a.h.gch", "own/string.h"] {
            assert!(reads.absent.contains(&path(name)), "{name}: {reads:?}");
        }
        assert!(!reads.absent.contains(&path("later/sub/a.h")), "it is there");
        assert_eq!(Reads::parse(&reads.text()), Some(reads));
    }
}
