//! The hash of what a result is made from.

use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of what a result is made from, one ingredient after the other.
#[derive(Debug, Clone)]
pub struct Key(Sha256);

impl Key {
    /// A key of results of one kind; the kind names the form of the result, too, and changes with
    /// it.
    pub fn of(kind: &str) -> Self {
        let mut key = Self(Sha256::new());
        key.add("kind", kind);
        key
    }

    /// Adds an ingredient by its name.
    pub fn add(&mut self, name: &str, value: impl AsRef<[u8]>) {
        // With their lengths, so that no two lists of ingredients read the same.
        for part in [name.as_bytes(), value.as_ref()] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// Adds a file by its path and contents; one that is not there differs from an empty one.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn add_file(&mut self, path: &Path) -> io::Result<()> {
        match std::fs::read(path) {
            Ok(bytes) => self.add(&path.to_string_lossy(), bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.add("not there", path.as_os_str().as_encoded_bytes());
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// The hash of all ingredients, in hexadecimal digits.
    pub fn hash(&self) -> String {
        hexadecimal(&self.0.clone().finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(ingredients: &[(&str, &str)]) -> String {
        let mut key = Key::of("test");
        ingredients.iter().for_each(|(name, value)| key.add(name, value));
        key.hash()
    }

    #[test]
    fn digests_are_those_of_the_standard() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest(b"abc"), abc);
    }

    #[test]
    fn ingredients_do_not_run_into_each_other() {
        assert_eq!(hash(&[("a", "b")]), hash(&[("a", "b")]));
        let different = [
            hash(&[("a", "b")]),
            hash(&[("ab", "")]),
            hash(&[("", "ab")]),
            hash(&[("a", "b"), ("", "")]),
            hash(&[("a", "c")]),
            Key::of("other").hash(),
        ];
        let unique: std::collections::BTreeSet<_> = different.iter().collect();
        assert_eq!(unique.len(), different.len());
    }

    #[test]
    fn a_file_that_is_not_there_differs_from_an_empty_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("header.h");
        let hash = || {
            let mut key = Key::of("test");
            key.add_file(&path).expect("it is readable or not there");
            key.hash()
        };
        let absent = hash();
        std::fs::write(&path, "").expect("it can be written");
        let empty = hash();
        std::fs::write(&path, "x").expect("it can be written");
        assert!(absent != empty && empty != hash() && absent != hash());
    }
}
