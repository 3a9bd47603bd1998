//! Files open with their essay, stay small and narrow.

use crate::{File, Finding, Tree};

/// The longest tagline, with its `//! `.
const TAGLINE: usize = 80;

/// The longest line.
const COLUMNS: usize = 100;

/// The longest file of code.
const LINES: usize = 500;

/// Checks every Rust file below `crates` and `fuzz`.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let rust = tree.files.iter().filter(|file| file.is_rust());
    rust.flat_map(|file| tagline(file).into_iter().chain(length(file)).chain(wide(file))).collect()
}

fn tagline(file: &File) -> Option<Finding> {
    let first = file.text.lines().next().unwrap_or("");
    let message = match first.strip_prefix("//! ") {
        None => "open the file with a tagline: `//! What it is.`".to_owned(),
        Some(_) if first.chars().count() > TAGLINE => {
            format!("the tagline has {} characters, {TAGLINE} are allowed", first.chars().count())
        }
        Some(_) => return None,
    };
    Some(Finding::new(&file.path, 1, message))
}

fn length(file: &File) -> Option<Finding> {
    let lines = file.text.lines().count();
    let message =
        || format!("the file has {lines} lines, {LINES} are allowed; divide it by subject");
    (lines > LINES).then(|| Finding::new(&file.path, 0, message()))
}

/// Lines that rustfmt leaves alone: in comments, strings and macros.
fn wide(file: &File) -> impl Iterator<Item = Finding> + '_ {
    let wide = file.text.lines().map(|line| line.chars().count()).enumerate();
    wide.filter(|(_, columns)| *columns > COLUMNS).map(|(number, columns)| {
        let message = format!("the line has {columns} columns, {COLUMNS} are allowed");
        Finding::new(&file.path, number + 1, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        check(&Tree {
            files: vec![File { path: "crates/model/src/lib.rs".to_owned(), text: text.to_owned() }],
        })
        .len()
    }

    #[test]
    fn wants_a_short_tagline() {
        assert_eq!(count("//! Times in whole nanoseconds.\n"), 0);
        assert_eq!(count("use std::fmt;\n"), 1);
        assert_eq!(count(""), 1);
        assert_eq!(count(&format!("//! {}\n", "é".repeat(76))), 0);
        assert_eq!(count(&format!("//! {}\n", "é".repeat(77))), 1);
    }

    #[test]
    fn wants_small_files() {
        assert_eq!(count(&format!("//! Long.\n{}", "\n".repeat(499))), 0);
        assert_eq!(count(&format!("//! Long.\n{}", "\n".repeat(500))), 1);
    }
}
