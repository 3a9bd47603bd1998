//! Canonical text is read as the tree that it was made from.

use super::{print, read};
use fusee_adl::{Options, syntax::load, tree::Item};
use std::path::{Path, PathBuf};

/// Returns all descriptions in the examples.
pub(crate) fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = std::fs::read_dir(root)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| {
        std::fs::read_dir(folder)
            .expect("a readable folder")
            .map(|entry| entry.expect("a readable folder").path())
    });
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|it| it == "camkes")).collect();
    found.sort();
    assert!(found.len() >= 8, "{found:?}");
    found
}

#[test]
fn examples_are_read_back_from_their_canonical_text() {
    for path in examples() {
        let mut loaded = load(&path, &Options::default());
        assert_eq!(super::messages(&loaded), Vec::<String>::new(), "{}", path.display());
        loaded.tree.items.retain(|item| !matches!(item, Item::Import(_)));
        let text = print::tree(&loaded.tree);
        let again = read(&text);
        assert_eq!(super::messages(&again), Vec::<String>::new(), "{}", path.display());
        assert_eq!(print::tree(&again.tree), text, "{}", path.display());
    }
}
