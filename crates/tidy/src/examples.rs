//! Examples in documentation run; where there are none, rustdoc isn't started.
//!
//! rustdoc compiles a whole crate to find its examples, which takes longer than most
//! crates' tests. So a library without any says `doctest = false`, and one that says
//! so must have none, or an example would be written that never runs. What could be
//! an example counts as one: rustdoc's own rules are followed where they are simple,
//! and where they are not (indented text, `#[doc = ...]`), more is taken for one.

use crate::{File, Finding, Tree};

/// The words that may stand behind the marks of an example in Rust.
const RUST: &[&str] =
    &["rust", "should_panic", "no_run", "ignore", "compile_fail", "test_harness", "custom"];

/// As [`RUST`], with more behind it: an edition, the number of an error, what it is not for.
const RUST_PREFIXES: &[&str] = &["edition", "ignore-", "standalone", "E0", "{", "."];

/// Checks the library of every crate for the host.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.manifests().filter(|(_, manifest)| manifest.path.starts_with("crates/"));
    manifests.flat_map(|(name, manifest)| of_crate(tree, name, manifest)).collect()
}

fn of_crate(tree: &Tree, name: &str, manifest: &File) -> Vec<Finding> {
    let source = format!("crates/{name}/src/");
    let library = format!("{source}lib.rs");
    if !tree.files.iter().any(|file| file.path == library) {
        return Vec::new();
    }
    let files = tree.files.iter().filter(|file| file.is_rust() && file.path.starts_with(&source));
    let examples: Vec<(&File, usize)> =
        files.filter_map(|file| Some((file, first_example(&file.text)?))).collect();
    match (runs_examples(&manifest.text), examples.is_empty()) {
        (true, true) => {
            let message = "no example stands in the library's documentation: write `doctest = \
                           false` below `[lib]`";
            vec![Finding::new(&manifest.path, 0, message)]
        }
        (false, false) => {
            let message = "this example never runs: take `doctest = false` out of the manifest, or \
                           name its language";
            examples
                .into_iter()
                .map(|(file, line)| Finding::new(&file.path, line, message))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns `true` if a manifest runs examples; another check reports a text that is no manifest.
fn runs_examples(manifest: &str) -> bool {
    let table = manifest.parse::<toml::Table>().unwrap_or_default();
    table.get("lib").and_then(|library| library.get("doctest"))
        != Some(&toml::Value::Boolean(false))
}

/// The line from 1 of the first thing that could be an example.
fn first_example(text: &str) -> Option<usize> {
    let mut fence = None;
    let mut after_blank = true;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let Some(prose) = documentation(line) else {
            (fence, after_blank) = (None, true);
            if is_odd_documentation(line) {
                return Some(number + 1);
            }
            continue;
        };
        let content = prose.trim_start();
        let marks = ["```", "~~~"].into_iter().find(|marks| content.starts_with(marks));
        match (fence, marks) {
            (None, Some(_)) if is_rust(content) => return Some(number + 1),
            (None, Some(marks)) => fence = Some(marks),
            (None, None) if after_blank && is_indented(prose) => return Some(number + 1),
            (Some(open), Some(marks)) if open == marks => fence = None,
            _ => {}
        }
        after_blank = content.is_empty();
    }
    None
}

/// Returns the text of a line of documentation.
fn documentation(line: &str) -> Option<&str> {
    let prose = line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))?;
    // Four slashes are a comment.
    (!line.starts_with("////")).then_some(prose)
}

/// Documentation that isn't looked into: of several lines, or in an attribute.
fn is_odd_documentation(line: &str) -> bool {
    let attribute =
        line.strip_prefix("#[").or_else(|| line.strip_prefix("#![")).map(str::trim_start);
    let attribute = attribute.and_then(|inner| inner.strip_prefix("doc")).map(str::trim_start);
    attribute.is_some_and(|rest| rest.starts_with('='))
        || line.starts_with("/**")
        || line.starts_with("/*!")
}

/// Returns `true` if rustdoc may take a block for Rust; behind its marks stand words.
fn is_rust(opening: &str) -> bool {
    let words = opening
        .trim_start_matches(['`', '~'])
        .split([',', ' ', '\t'])
        .filter(|word| !word.is_empty());
    let known = |word: &str| {
        RUST.contains(&word) || RUST_PREFIXES.iter().any(|prefix| word.starts_with(prefix))
    };
    let words: Vec<&str> = words.collect();
    words.contains(&"rust") || words.into_iter().all(known)
}

/// Returns `true` if a line is so far to the right that Markdown takes it for code: five places,
/// one of which is usual.
fn is_indented(prose: &str) -> bool {
    let spaces = prose.len() - prose.trim_start().len();
    !prose.trim().is_empty() && (spaces > 4 || prose.starts_with('\t') || prose.starts_with(" \t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(library: &str, source: &str) -> Vec<String> {
        let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
        let files = vec![
            file("crates/model/Cargo.toml", &format!("[lib]\n{library}")),
            file("crates/model/src/lib.rs", "//! A library.\n"),
            file("crates/model/src/part.rs", source),
        ];
        check(&Tree { files }).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_example_must_run() {
        for example in [
            "//! ```\n//! f();\n//! ```",
            "    /// ~~~ rust\n    /// f();",
            "/// ```no_run\n/// f();",
            "/// ```edition2024, should_panic\n/// f();",
            "/// ```E0001\n/// f();",
            "/// ```text\n/// no\n/// ```\n///\n/// ```\n/// f();",
            "/// Indented:\n///\n///     f();",
            "///\tf();",
            "/**\n```\nf();\n```\n*/",
            "#![doc = include_str!(\"page.md\")]",
            "#[doc= \"```\nf();\n```\"]",
        ] {
            assert!(findings("", example).is_empty(), "{example}");
            let found = findings("doctest = false", example);
            assert_eq!(found.len(), 1, "{example}");
            assert!(
                found[0].starts_with("crates/model/src/part.rs:")
                    && found[0].contains("never runs"),
                "{found:?}"
            );
        }
    }

    #[test]
    fn the_place_of_an_example_is_told() {
        let found = findings(
            "doctest = false",
            "//! Part.\n\n/// ```toml\n/// a = 1\n/// ```\n/// ```rust\n/// f();",
        );
        assert!(found[0].starts_with("crates/model/src/part.rs:6: "), "{found:?}");
    }

    #[test]
    fn nothing_is_started_for_nothing() {
        for none in [
            "//! Plain.",
            "//! ```toml\n//! a = 1\n//!\n//!     b = 2\n//! ```",
            "/// ```text,ignore\n/// a\n/// ```",
            "//// ```\n//// f();",
            "// ```\n// f();",
            "#[doc(hidden)]\nfn f() {}",
            "/// A list:\n///\n/// - one that is long\n///   and goes on",
        ] {
            assert!(findings("doctest = false", none).is_empty(), "{none}");
            let found = findings("", none);
            assert!(
                found.len() == 1 && found[0].starts_with("crates/model/Cargo.toml: "),
                "{none}: {found:?}"
            );
        }
    }

    #[test]
    fn a_program_has_no_examples() {
        let file = |path: &str| File { path: path.to_owned(), text: String::new() };
        assert!(
            check(&Tree {
                files: vec![file("crates/cli/Cargo.toml"), file("crates/cli/src/main.rs")]
            })
            .is_empty()
        );
    }
}
