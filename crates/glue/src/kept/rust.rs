//! The kept results of the compiler of Rust.
//!
//! Only crates of nothing but their own sources are kept: what they depend on is the
//! runtime and the generated `camkes`, whose texts are in the key.

use super::{Compiler, Keeper, Reads};
use fusee_kept::{Files, Key, dependencies};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Words in a source that make what is compiled depend on more than on the files that are read.
const WORDS: [&str; 3] = ["env!", ".incbin", ".include"];

/// The call of a compiler whose result may be kept.
pub(crate) struct Crate<'a> {
    keeper: &'a Keeper,
    first: Key,
    called: SystemTime,
}

impl Compiler {
    /// The call that compiles a crate with a compiler, which the key tells, from texts by their
    /// names; among them must be all that is said to the compiler.
    pub(crate) fn of_crate(&self, mut first: Key, texts: &[(&str, &str)]) -> Crate<'_> {
        for (name, text) in texts {
            first.add(name, self.keeper.named(text));
        }
        Crate { keeper: &self.keeper, first, called: SystemTime::now() }
    }
}

impl Crate<'_> {
    /// Puts a kept object to its place with the list of what was read; `true` if there is one.
    pub(crate) fn restore(&self, object: &Path) -> bool {
        let put = || {
            let mut files = self.keeper.get("crate", &self.first)?;
            let read = String::from_utf8(files.remove("read")?).ok()?;
            std::fs::write(object, files.remove("object")?).ok()?;
            std::fs::write(object.with_extension("d"), self.keeper.placed(&read)).ok()
        };
        put().is_some()
    }

    /// Keeps an object that was made from a root file and these sources.
    pub(crate) fn keep(&self, object: &Path, (root, sources): (&Path, BTreeSet<PathBuf>)) {
        let Ok(bytes) = std::fs::read(object) else { return };
        // Where the root is not among them, nobody has said what was read.
        if !sources.contains(root) || sources.iter().any(|source| depends_on_more(source)) {
            return;
        }
        let read = self.keeper.named(&dependencies::rule(sources.iter())).into_bytes();
        let files = [("object", bytes), ("read", read)];
        let files: Files = files.map(|(name, bytes)| (name.to_owned(), bytes)).into();
        let reads = Reads { files: sources, ..Reads::default() };
        self.keeper.put("crate", &self.first, (files, &reads, self.called));
    }
}

/// Returns whether what a file is compiled to depends on more than on files that are read.
fn depends_on_more(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    WORDS.iter().any(|word| text.contains(word))
}
