//! The folder in which results are kept.

use crate::{Key, digest};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// The files of a result, by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The file of a result that lists the hashes of all others.
const SUMS: &str = "sums";

/// The file that tells when results were last swept.
const SWEPT: &str = "swept";

/// The time after which a result that nobody asks for is removed.
const UNUSED: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// The time between two sweeps.
const SWEEPS: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder of results.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The store in a folder, which is made with the first result.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Returns the folder in which the result of a key lies, or would lie.
    pub fn place(&self, label: &str, key: &Key) -> PathBuf {
        self.folder.join(format!("{label}-{}", &key.hash()[..32]))
    }

    /// Returns the files of a result; `None` if it is not kept, or damaged.
    pub fn get(&self, label: &str, key: &Key) -> Option<Files> {
        let place = self.place(label, key);
        let sums = File::options().append(true).open(place.join(SUMS)).ok()?;
        let text = fs::read_to_string(place.join(SUMS)).ok()?;
        // The first line holds the others: a list that was cut short is none.
        let (whole, rest) = text.split_once('\n')?;
        if whole != digest(rest.as_bytes()) {
            return None;
        }
        let mut files = Files::new();
        for line in rest.lines() {
            let (sum, name) = line.split_once(' ')?;
            let bytes = fs::read(place.join(name)).ok()?;
            if digest(&bytes) != sum {
                return None;
            }
            files.insert(name.to_owned(), bytes);
        }
        // For the sweeping. Nothing is lost where times cannot be set.
        let _ = sums.set_modified(SystemTime::now());
        Some(files)
    }

    /// Keeps the files of a result and returns the folder in which they lie.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn put(&self, label: &str, key: &Key, files: &Files) -> io::Result<PathBuf> {
        self.write(label, key, files, || self.get(label, key).is_some())
    }

    /// Keeps the files of a result in place of those that are there.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn renew(&self, label: &str, key: &Key, files: &Files) -> io::Result<PathBuf> {
        self.write(label, key, files, || self.get(label, key).as_ref() == Some(files))
    }

    /// Writes a result unless there is one that will do.
    fn write(
        &self,
        label: &str,
        key: &Key,
        files: &Files,
        will_do: impl Fn() -> bool,
    ) -> io::Result<PathBuf> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let place = self.place(label, key);
        let mine = self.folder.join(format!("new-{}-{number}", std::process::id()));
        // Of an earlier process with the same number, which was killed.
        let _ = fs::remove_dir_all(&mine);
        fs::create_dir_all(&mine)?;
        let mut sums = String::new();
        for (name, bytes) in files {
            fs::write(mine.join(name), bytes)?;
            sums.push_str(&format!("{} {name}\n", digest(bytes)));
        }
        fs::write(mine.join(SUMS), format!("{}\n{sums}", digest(sums.as_bytes())))?;
        let outcome = install(&mine, &place, will_do);
        let _ = fs::remove_dir_all(&mine);
        outcome?;
        self.sweep(SystemTime::now());
        Ok(place)
    }

    /// Removes results that nobody has asked for in a long time; looks once a day.
    fn sweep(&self, now: SystemTime) {
        let marker = self.folder.join(SWEPT);
        let age = |path: &Path| {
            let changed = fs::metadata(path).and_then(|about| about.modified()).ok()?;
            now.duration_since(changed).ok()
        };
        if age(&marker).is_some_and(|age| age < SWEEPS) || fs::write(&marker, "").is_err() {
            return;
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let unused = age(&path.join(SUMS)).or_else(|| age(&path));
            if path.is_dir() && unused.is_some_and(|unused| unused > UNUSED) {
                let _ = fs::remove_dir_all(path);
            }
        }
    }
}

/// Moves a finished folder to its place, unless what is there will do. What is there and will not
/// do makes room.
fn install(mine: &Path, place: &Path, will_do: impl Fn() -> bool) -> io::Result<()> {
    if fs::rename(mine, place).is_ok() || will_do() {
        return Ok(());
    }
    let aside = mine.with_extension("aside");
    // Where two processes do this at once, one finds nothing to move away.
    let _ = fs::rename(place, &aside);
    let _ = fs::remove_dir_all(&aside).or_else(|_| fs::remove_file(&aside));
    match fs::rename(mine, place) {
        // Another process was faster, and what it has written is of the same key.
        Err(_) if place.join(SUMS).is_file() => Ok(()),
        outcome => outcome,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn store() -> (TempDir, Store) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path().join("kept"));
        (folder, store)
    }

    fn key(source: &str) -> Key {
        let mut key = Key::of("test");
        key.add("source", source);
        key
    }

    fn files(text: &str) -> Files {
        [("a.o", text), ("a.txt", "")]
            .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
            .into()
    }

    #[test]
    fn a_result_comes_back_for_its_own_key_alone() {
        let (_folder, store) = store();
        assert_eq!(store.get("a", &key("x")), None);
        let place = store.put("a", &key("x"), &files("made of x")).expect("it is kept");
        assert_eq!(store.get("a", &key("x")), Some(files("made of x")));
        assert_eq!(fs::read(place.join("a.o")).expect("the file"), b"made of x");
        assert_eq!(store.get("a", &key("y")), None);
        assert_eq!(store.get("b", &key("x")), None);
    }

    #[test]
    fn each_way_to_damage_a_result_is_noticed_and_mended() {
        let (_folder, store) = store();
        let place = store.place("a", &key("x"));
        let sums = || fs::read_to_string(place.join(SUMS)).expect("the sums");
        let ways: [(&str, &dyn Fn()); 7] = [
            ("another byte", &|| fs::write(place.join("a.o"), "made of X").expect("written")),
            ("cut short", &|| fs::write(place.join("a.o"), "made").expect("written")),
            ("a file is gone", &|| fs::remove_file(place.join("a.txt")).expect("removed")),
            ("no sums", &|| fs::remove_file(place.join(SUMS)).expect("removed")),
            ("empty sums", &|| fs::write(place.join(SUMS), "").expect("written")),
            ("the last sum is gone", &|| {
                let text = sums();
                let cut = text.trim_end().rfind('\n').expect("more than one line");
                fs::write(place.join(SUMS), &text[..=cut]).expect("written");
            }),
            ("no folder", &|| {
                fs::remove_dir_all(&place).expect("removed");
                fs::write(&place, "a file").expect("written");
            }),
        ];
        for (way, damage) in ways {
            store.put("a", &key("x"), &files("made of x")).expect("it is kept");
            damage();
            assert_eq!(store.get("a", &key("x")), None, "{way}");
            store.put("a", &key("x"), &files("made of x")).expect("it is kept");
            assert_eq!(store.get("a", &key("x")), Some(files("made of x")), "{way}");
        }
    }

    #[test]
    fn a_result_can_be_replaced() {
        let (_folder, store) = store();
        for text in ["first", "second", "second", "first"] {
            store.renew("a", &key("x"), &files(text)).expect("it is kept");
            assert_eq!(store.get("a", &key("x")), Some(files(text)));
        }
        // What is whole is not written again.
        store.put("a", &key("x"), &files("third")).expect("it is kept");
        assert_eq!(store.get("a", &key("x")), Some(files("first")));
    }

    #[test]
    fn nobody_sees_half_a_result() {
        let (_folder, store) = store();
        let text = "x".repeat(100_000);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        store.put("a", &key("x"), &files(&text)).expect("it is kept");
                        assert_eq!(store.get("a", &key("x")), Some(files(&text)));
                    }
                });
            }
        });
        let left: Vec<_> = fs::read_dir(store.place("", &key("")).parent().expect("a folder"))
            .expect("the folder")
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with("new-"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }

    #[test]
    fn what_nobody_asks_for_goes_after_two_weeks() {
        let (_folder, store) = store();
        let old = store.put("a", &key("old"), &files("old")).expect("it is kept");
        let new = store.put("a", &key("new"), &files("new")).expect("it is kept");
        let now = SystemTime::now();
        let sums = File::options().append(true).open(old.join(SUMS)).expect("the sums");
        sums.set_modified(now - UNUSED - SWEEPS).expect("the time can be set");
        // It was looked at less than a day ago.
        store.sweep(now);
        assert!(old.is_dir() && new.is_dir());
        store.sweep(now + SWEEPS);
        assert!(!old.exists() && new.is_dir());
    }
}
