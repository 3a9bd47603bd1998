//! The texts of files with the repairs that messages offer.

use crate::{Diagnostic, FileId, Fix, Severity, SourceMap};

/// A file's text with repairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The file as it was read.
    pub file: FileId,
    /// Its new text.
    pub text: String,
    /// The change of each repair, from the first line to the last.
    pub changes: Vec<String>,
}

/// Returns the files that change when each error and each warning gets its best repair, as far as
/// `may_change` says so of a file. Of two repairs of one place the first message's is taken.
pub fn edited(
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    may_change: impl Fn(FileId) -> bool,
) -> Vec<Edited> {
    let mut chosen: Vec<&Fix> = Vec::new();
    let worse = diagnostics.iter().filter(|found| found.severity != Severity::Note);
    for fix in worse.filter_map(|found| found.fixes.first()) {
        let collides = |other: &&Fix| meet(fix, other);
        if may_change(fix.span.file) && changes(fix, sources) && !chosen.iter().any(collides) {
            chosen.push(fix);
        }
    }
    chosen.sort_by_key(|fix| (fix.span.file, fix.span.start));
    let of_files = chosen.chunk_by(|one, other| one.span.file == other.span.file);
    of_files.map(|fixes| with(fixes, sources)).collect()
}

fn changes(fix: &Fix, sources: &SourceMap) -> bool {
    sources.text(fix.span) != fix.replacement
}

/// Returns whether two repairs are of one place: insertions at one are, too.
fn meet(one: &Fix, other: &Fix) -> bool {
    one.span.file == other.span.file
        && (one.span.start < other.span.end && other.span.start < one.span.end
            || one.span.start == other.span.start)
}

/// Returns one file's text with repairs that are in order and do not meet.
fn with(fixes: &[&Fix], sources: &SourceMap) -> Edited {
    let file = fixes[0].span.file;
    let mut text = sources.file(file).text.clone();
    for fix in fixes.iter().rev() {
        text.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    }
    Edited { file, text, changes: fixes.iter().map(|fix| change(fix, sources)).collect() }
}

/// Returns what a repair changes; its title where that is more than a word.
fn change(fix: &Fix, sources: &SourceMap) -> String {
    let (old, new) = (sources.text(fix.span), &fix.replacement);
    let is_word = |text: &str| !text.is_empty() && !text.contains('\n');
    match is_word(old) && is_word(new) {
        true => format!("`{old}` is now `{new}`"),
        false => fix.title.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Span};

    #[test]
    fn the_best_repairs_are_taken_once_for_each_place() {
        let mut sources = SourceMap::default();
        let file = sources.add("s.camkes", "period = 5; prio = 7;".to_owned());
        let library = sources.add("library.camkes", "x".to_owned());
        let span = |start, end| Span { file, start, end };
        let code = Code("F0001");
        let error = |start, end, text: &str| {
            Diagnostic::error(code, "").with_fix(format!("write {text}"), span(start, end), text)
        };
        let found = [
            error(19, 20, "8").with_fix("another", span(0, 1), "z"),
            error(9, 10, "\"5 ms\""),
            error(9, 10, "\"5 s\""),
            error(12, 16, "prio"),
            Diagnostic::note(code, "").with_fix("n", span(0, 6), "x"),
            Diagnostic::error(code, "").with_fix(
                "l",
                Span { file: library, start: 0, end: 1 },
                "y",
            ),
        ];
        let all = edited(&found, &sources, |one| one == file);
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!(one.text, "period = \"5 ms\"; prio = 8;");
        assert_eq!(one.changes, ["`5` is now `\"5 ms\"`", "`7` is now `8`"]);
        assert_eq!(edited(&found, &sources, |_| true).len(), 2);
    }
}
