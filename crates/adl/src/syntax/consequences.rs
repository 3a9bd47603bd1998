//! Errors that follow from a file that is not there.

use crate::rules;
use fusee_diagnostics::{Diagnostic, Severity};

/// Takes out the errors that a missing included file may be the cause of: what follows it uses its
/// macros. Missing files stay, and so does what stands in front of it.
pub(super) fn take_out(diagnostics: &mut Vec<Diagnostic>) {
    let place = |diagnostic: &Diagnostic| diagnostic.labels.first().map(|label| label.span);
    let missing = |diagnostic: &Diagnostic| {
        [rules::MISSING_INCLUDE, rules::MISSING_IMPORT, rules::FOREIGN_FILE]
            .contains(&diagnostic.code)
    };
    let included = diagnostics.iter().filter(|one| one.code == rules::MISSING_INCLUDE);
    let Some(first) = included.filter_map(place).min_by_key(|span| (span.file, span.start)) else {
        return;
    };
    let before = |diagnostic: &Diagnostic| {
        place(diagnostic).is_some_and(|span| span.file == first.file && span.end <= first.start)
    };
    diagnostics.retain(|one| one.severity != Severity::Error || missing(one) || before(one));
}
