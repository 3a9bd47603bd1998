//! Rules that a resolved description must keep.
//!
//! By the time a system gets here its text was well-formed and its names were
//! known; what is left are mistakes of meaning: an interface that leads nowhere,
//! gates that can deadlock, a ceiling that is too low, timing that contradicts
//! itself. Each rule is one file with its manual page and one function from the
//! system to findings; the registry lists them, and nothing else knows them all.
//!
//! An *error* is a description for which no result could be trusted. What merely
//! cannot meet its deadlines, or would misbehave on seL4 but not here, is a
//! warning, so that analysis and simulation can still show how bad it is.

mod demand;
mod finding;
mod registry;
mod rules;
mod view;
mod ways;

use fusee_diagnostics::{Diagnostic, Rule, Severity, Span};
use fusee_model::{Origin, System};

pub use registry::RULES;
use view::View;

/// Everything that is wrong or noteworthy, errors first, otherwise in the order of the rules.
///
/// `span` leads from an origin to its place in the description.
pub fn check(system: &System, span: &dyn Fn(Origin) -> Option<Span>) -> Vec<Diagnostic> {
    let view = View::of(system);
    let mut found: Vec<Diagnostic> =
        registry::CHECKS.iter().flat_map(|check| check(&view)).map(|f| f.resolve(span)).collect();
    found.sort_by_key(|d| std::cmp::Reverse(d.severity));
    found
}

/// Returns a note about components that all others trust and whose code nothing ends.
pub fn trusted(system: &System, span: &dyn Fn(Origin) -> Option<Span>) -> Option<Diagnostic> {
    rules::trust::endless_section::note(&View::of(system)).map(|note| note.resolve(span))
}

/// Returns `true` if a description with these messages may be analyzed and simulated.
pub fn is_usable(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|d| d.severity != Severity::Error)
}

/// Returns a rule's page, if there is one of that code here.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|r| r.code.0 == code)
}
