//! Modules stand where the compiler looks for them, and are used whole.
//!
//! A path in an attribute lets one file be compiled into several programs, each of
//! which leaves a part of it unused and so must allow dead code: nobody learns any
//! more what is used at all. What several tests share belongs to the crate `testing`.

use crate::text::code_only;
use crate::{Finding, Tree};

/// The attributes that no code has, each with the advice for its place.
const FORBIDDEN: &[(&str, &str)] = &[
    ("#[path", "let the module stand where its name says, or in the crate that shares it"),
    ("allow(dead_code", "take out what nothing uses; what only tests use belongs to `testing`"),
];

/// Looks for the attributes in every Rust file.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        for (number, line) in code_only(&file.text).lines().enumerate() {
            let line: String = line.split_whitespace().collect();
            let said = FORBIDDEN.iter().filter(|(attribute, _)| line.contains(attribute));
            findings.extend(said.map(|(attribute, instead)| {
                Finding::new(&file.path, number + 1, format!("no `{attribute}` here: {instead}"))
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    fn count(text: &str) -> usize {
        let file = File { path: "crates/model/tests/any.rs".to_owned(), text: text.to_owned() };
        check(&Tree { files: vec![file] }).len()
    }

    #[test]
    fn refuses_files_of_several_programs() {
        assert_eq!(count("#[path = \"other/mod.rs\"]\nmod other;\n"), 1);
        assert_eq!(count("# [ path = \"other/mod.rs\"]\nmod other;\n"), 1);
        assert_eq!(count("#![allow(dead_code, reason = \"others use it\")]\n"), 1);
        assert_eq!(count("#[allow( dead_code )]\nmod support;\n"), 1);
    }

    #[test]
    fn reads_code_and_nothing_else() {
        assert_eq!(
            count("// #[path = \"other.rs\"]\nconst TEXT: &str = \"allow(dead_code)\";\n"),
            0
        );
        assert_eq!(count("#[cfg_attr(not(feature = \"std\"), expect(dead_code))]\nfn f() {}\n"), 0);
    }
}
