//! Results of compilers that need not be made again.
//!
//! Which files a compiler reads is known only when it has read them, so a result is found in two
//! steps. The first key holds what is known before: the compiler, the options, the source. Under it
//! lies the list of files that the compiler read when it was last called like this, and of files
//! that it would have read instead if they had been there. The second key holds the first, and the
//! contents of these files as they are now. Under it lies the result.
//!
//! Paths below the description's folder and below the build's are kept as names of these folders,
//! so that the same system that is built somewhere else compiles nothing either: the compilers get
//! options that keep these paths out of what they make.

mod c;
mod reads;
mod rust;

pub(crate) use c::Compiler;
pub(crate) use reads::Reads;
pub(crate) use rust::Crate;

use fusee_kept::{Files, Key, Store, digest};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The names of a build's folders in kept texts.
const NAMES: [&str; 2] = ["<build>", "<description>"];

/// Results of compilers for one build.
#[derive(Debug)]
pub(crate) struct Keeper {
    store: Store,
    /// The build's folder and the description's; the one within the other comes first.
    folders: Vec<(String, &'static str)>,
    /// The folder into which the build writes generated files.
    out: PathBuf,
    /// Hashes of files outside of the build, which are the same for all sources.
    known: RefCell<BTreeMap<PathBuf, Option<String>>>,
}

impl Keeper {
    /// Keeps results in a store for a build from a folder into another.
    pub(crate) fn new(store: Store, folder: &Path, out: &Path) -> Self {
        let plain = |path: &str| path.len() > 1 && path.bytes().all(is_plain);
        let mut folders: Vec<(String, &str)> = [out, folder]
            .into_iter()
            .map(|path| path.to_string_lossy().into_owned())
            .zip(NAMES)
            .filter(|(path, _)| plain(path))
            .collect();
        folders.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self { store, folders, out: out.to_owned(), known: RefCell::default() }
    }

    /// Returns a text with names in place of the build's folders.
    pub(crate) fn named(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (path, name)| text.replace(path, name))
    }

    /// Returns a text with the build's folders in place of names.
    pub(crate) fn placed(&self, text: &str) -> String {
        self.folders.iter().fold(text.to_owned(), |text, (path, name)| text.replace(name, path))
    }

    /// Returns the files of the result that a compiler would make now, if they are kept.
    pub(crate) fn get(&self, kind: &str, first: &Key) -> Option<Files> {
        let list = self.store.get(&format!("{kind}-reads"), first)?;
        let list = String::from_utf8(list.get("reads")?.clone()).ok()?;
        let reads = Reads::parse(&self.placed(&list))?;
        self.store.get(kind, &self.second(first, &reads)?)
    }

    /// Keeps what a compiler has made that was called at a time. Nothing is kept where a file may
    /// have changed since: nobody knows then what was compiled. Where the store cannot be written
    /// nothing is kept either, and nothing is wrong.
    pub(crate) fn put(&self, kind: &str, first: &Key, made: (Files, &Reads, SystemTime)) {
        let (files, reads, called) = made;
        self.known.borrow_mut().clear();
        let Some(second) = self.second(first, reads) else { return };
        let unchanged = |file: &PathBuf| file.starts_with(&self.out) || is_older(file, called);
        if !reads.files.iter().all(unchanged) {
            return;
        }
        let list = self.named(&reads.text()).into_bytes();
        let list = Files::from([("reads".to_owned(), list)]);
        if self.store.put(kind, &second, &files).is_ok() {
            let _ = self.store.renew(&format!("{kind}-reads"), first, &list);
        }
    }

    /// Returns the key of a result by the contents of the files that it is made from; `None` if one
    /// of them is not there, or another is there that would be read instead.
    fn second(&self, first: &Key, reads: &Reads) -> Option<Key> {
        if reads.absent.iter().any(|path| path.exists()) {
            return None;
        }
        let mut key = Key::of("files");
        key.add("first", first.hash());
        for path in &reads.files {
            key.add(&self.named(&path.to_string_lossy()), self.hash(path)?);
        }
        Some(key)
    }

    /// Returns the hash of a file; `None` if it cannot be read.
    fn hash(&self, path: &Path) -> Option<String> {
        let hash = || std::fs::read(path).ok().map(|bytes| digest(&bytes));
        if path.starts_with(&self.out) {
            return hash();
        }
        self.known.borrow_mut().entry(path.to_owned()).or_insert_with(hash).clone()
    }
}

/// Returns `true` if a byte of a path stands for itself in all files that name paths.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"/._-+@,=".contains(&byte)
}

/// Returns whether a file was last changed well before a moment. The time of the change of its
/// entry counts, which no program can set back.
fn is_older(path: &Path, than: SystemTime) -> bool {
    use std::os::unix::fs::MetadataExt;
    /// Nanoseconds by which clocks of files may lag behind.
    const LAG: i128 = 20_000_000;
    let (Ok(about), Ok(than)) = (path.metadata(), than.duration_since(SystemTime::UNIX_EPOCH))
    else {
        return false;
    };
    let changed = i128::from(about.ctime()) * 1_000_000_000 + i128::from(about.ctime_nsec());
    changed + LAG < than.as_nanos() as i128
}
