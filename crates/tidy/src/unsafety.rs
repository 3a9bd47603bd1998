//! The crates that may say `unsafe`, and the arguments that it needs.
//!
//! The workspace forbids it by a lint; a crate that needs it must override the
//! lint *and* be listed here. In a listed crate every block and every `unsafe
//! impl` carries a numbered argument right above it, and every unsafe function
//! says in its documentation what it asks of the caller; so does a function with
//! an unsafe attribute.

use crate::text::{code_only, word_places};
use crate::{File, Finding, Tree};

/// Crates that may contain `unsafe`: the kernel's machine, and the way from components to the
/// kernel.
const ALLOWED: &[&str] = &["arch-riscv", "runtime"];

/// Components that are no part of the project: one whose business it is to try what nobody may, and
/// a program as it is written for CAmkES, where every function of C's is called so.
const OUTSIDE: [&str; 2] = ["examples/attack/", "tests/systems/camkes/rust/"];

/// Looks for `unsafe` in all Rust files.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    tree.files
        .iter()
        .filter(|file| file.is_rust())
        .flat_map(|file| check_file(file, ALLOWED))
        .collect()
}

fn check_file(file: &File, allowed: &[&str]) -> Vec<Finding> {
    let code = code_only(&file.text);
    let lines: Vec<&str> = file.text.lines().collect();
    let may = OUTSIDE.iter().any(|folder| file.path.starts_with(folder))
        || file.crate_name().is_some_and(|name| allowed.contains(&name));
    let mut findings = Vec::new();
    for (line, at) in word_places(&code, "unsafe") {
        let above = comments_above(&lines, line);
        let rest = code[at + "unsafe".len()..].trim_start();
        let message = if !may {
            Some("`unsafe` is not allowed in this crate; the list is in crates/tidy")
        } else if rest.starts_with("fn") || rest.starts_with("extern") || rest.starts_with('(') {
            (!above.contains("# Safety"))
                .then_some("an unsafe function or attribute needs a `# Safety` section")
        } else {
            let argued = above.contains("SAFETY:") && above.contains("1.");
            (!argued).then_some("write the argument above it: `// SAFETY:` and numbered steps")
        };
        findings.extend(message.map(|message| Finding::new(&file.path, line, message)));
    }
    findings
}

/// The comment lines right above a line, attributes skipped.
fn comments_above(lines: &[&str], line: usize) -> String {
    let above = lines[..line - 1].iter().rev().map(|text| text.trim());
    above
        .take_while(|text| text.starts_with("//") || text.starts_with("#["))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str, allowed: &[&str]) -> usize {
        check_file(
            &File { path: "crates/arch/src/lib.rs".to_owned(), text: text.to_owned() },
            allowed,
        )
        .len()
    }

    #[test]
    fn refuses_it_outside_the_list() {
        assert_eq!(count("fn f() { unsafe { g() } }", &[]), 1);
        assert_eq!(count("// unsafe\nconst WORD: &str = \"unsafe\";", &[]), 0);
    }

    #[test]
    fn wants_numbered_arguments() {
        let arch = &["arch"];
        assert_eq!(count("// SAFETY:\n// 1. `p` is aligned.\nunsafe { *p }", arch), 0);
        assert_eq!(count("// SAFETY: it works\nunsafe { *p }", arch), 1);
        assert_eq!(count("unsafe impl Send for X {}", arch), 1);
        assert_eq!(count("/// # Safety\n/// `p` is valid.\n#[inline]\nunsafe fn f() {}", arch), 0);
        assert_eq!(count("/// Reads.\nunsafe fn f() {}", arch), 1);
    }
}
