//! The words never committed: notes, private citations, paths and hosts.
//!
//! Where packages come from is the business of the machine that builds, so no
//! file names a registry. The words are put together from parts here, so that
//! this file does not find itself.

use crate::{Finding, Tree};

/// Words for work that is not finished.
const NOTES: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("unimple", "mented!")];

/// Citations that nobody outside can follow, in any case of their letters.
const CITATIONS: &[&str] = &[concat!("paper ", "0"), concat!("papers", "/0")];

/// Paths and hosts of particular machines.
const PLACES: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("npmjs", ".org"),
    concat!("static.rust-", "lang.org"),
    concat!("deb.", "debian.org"),
];

/// The file that cargo writes, which names where packages come from.
const GENERATED: &str = "Cargo.lock";

/// Looks for the words in all files.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.path.ends_with(GENERATED)) {
        for (number, line) in file.text.lines().enumerate() {
            let small = line.to_lowercase();
            let words = NOTES.iter().chain(PLACES).filter(|word| line.contains(**word));
            let words = words.chain(CITATIONS.iter().filter(|word| small.contains(**word)));
            findings.extend(words.map(|word| {
                Finding::new(&file.path, number + 1, format!("`{word}` does not belong here"))
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    #[test]
    fn finds_citations_in_any_case() {
        for text in
            [concat!("Paper", " 000 says"), concat!("PAPER", " 003"), concat!("Papers", "/001")]
        {
            let file = File { path: "README.md".to_owned(), text: text.to_owned() };
            assert_eq!(check(&Tree { files: vec![file] }).len(), 1, "{text}");
        }
    }

    #[test]
    fn finds_each_word_once() {
        for word in NOTES.iter().chain(CITATIONS).chain(PLACES) {
            let text = format!("fine\nsee {word}x\n");
            let tree = |path: &str| Tree {
                files: vec![File { path: path.to_owned(), text: text.clone() }],
            };
            assert_eq!(
                check(&tree("README.md")).iter().map(|f| f.line).collect::<Vec<_>>(),
                [2],
                "{word}"
            );
            assert_eq!(check(&tree("Cargo.lock")), []);
        }
    }
}
