//! Suggested repairs are taken at their word.
//!
//! Each machine-readable repair of each message about a wrong description is made in a
//! copy of the file, and the copy is read again. The message must be gone, and what now
//! stands in the place of the repair must not give another error or warning: advice
//! that leads from one message to the next is worse than none.

use std::path::{Path, PathBuf};

use fusee_adl::Options;
use fusee_diagnostics::{Diagnostic, FileId, Fix, Severity, Span};
use libtest_mimic::Failed;

use super::{FOLDER, Found, messages, stem};

/// Makes each suggested repair of a file.
pub(super) fn follow(file: &Path) -> Result<(), Failed> {
    let before = messages(file, &Options::default());
    let mut wrong = Vec::new();
    for diagnostic in &before.diagnostics {
        for fix in &diagnostic.fixes {
            if let Err(reason) = repaired(file, &before, diagnostic, fix) {
                let text = &fix.replacement;
                wrong.push(format!("{}: {} (`{text}`): {reason}", diagnostic.code.0, fix.title));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Checks that the message goes away and no other comes in its place.
fn repaired(file: &Path, before: &Found, diagnostic: &Diagnostic, fix: &Fix) -> Result<(), String> {
    if before.sources.file(fix.span.file).path != file {
        return Err("the repair is in another file".to_owned());
    }
    let text = &before.sources.file(fix.span.file).text;
    let mut changed = text.clone();
    changed.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.replacement);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("suggestions");
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let copy = folder.join(format!("{}.camkes", stem(file)));
    std::fs::write(&copy, &changed).map_err(|e| e.to_string())?;
    // Files that it imports stand beside the wrong description.
    let options = Options { include_paths: vec![FOLDER.into()], ..Options::default() };
    let after = messages(&copy, &options);
    let same = |d: &&Diagnostic| d.code == diagnostic.code && d.message == diagnostic.message;
    let here = |d: &&Diagnostic| d.labels.iter().any(|l| l.primary && touches(l.span, fix));
    let times = |found: &Found| found.diagnostics.iter().filter(same).count();
    if after.diagnostics.iter().filter(same).any(|d| here(&d)) || times(&after) > times(before) {
        return Err("the message is still there".to_owned());
    }
    // Warnings may only come once errors are mended.
    let least = if fusee_check::is_usable(&before.diagnostics) {
        Severity::Warning
    } else {
        Severity::Error
    };
    let known = |d: &&Diagnostic| {
        before.diagnostics.iter().any(|b| b.code == d.code && b.message == d.message)
    };
    let mut new = after.diagnostics.iter().filter(|d| d.severity >= least && here(d) && !known(d));
    match new.next() {
        Some(other) => Err(format!("now there is {}: {}", other.code.0, other.message)),
        None => Ok(()),
    }
}

/// Returns `true` if a place in the changed file is, in part, what the repair wrote.
fn touches(span: Span, fix: &Fix) -> bool {
    let end = fix.span.start as usize + fix.replacement.len();
    span.file == FileId(0) && span.start as usize <= end && span.end >= fix.span.start
}
