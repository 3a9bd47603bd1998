//! Says a word about attributes that nothing reads.

use super::catalogue::{self, Meaning, Place as Belongs};
use super::codes;
use super::context::Context;
use super::report::Report;
use super::settings::Given;
use fusee_diagnostics::{Diagnostic, Severity};

/// Reports every set attribute that is neither declared nor known.
pub(super) fn check(context: &Context<'_, '_>, report: &mut Report) {
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        for (name, given) in context.settings.instance(instance) {
            let declared = flat.shape.attributes.contains_key(name.as_str());
            if !given.set || declared || name.contains('.') || catalogue::is_pool(name) {
                continue;
            }
            let meaning = catalogue::meaning(flat, name, context.names);
            if meaning == Meaning::Unknown {
                let wanted = report.is_open(Severity::Warning);
                let candidates = if wanted { catalogue::candidates(flat) } else { Vec::new() };
                unknown(name, given, candidates.iter().map(String::as_str), report);
            }
        }
    }
    for (name, given) in context.settings.system() {
        if catalogue::find(Belongs::System, name).is_none() && catalogue::of_core(name).is_none() {
            let known = catalogue::ATTRIBUTES.iter().filter(|known| known.place == Belongs::System);
            let cores = ["core0_policy", "core1_policy"];
            unknown(name, given, known.map(|known| known.name).chain(cores), report);
        }
    }
}

fn unknown<'n>(
    name: &str,
    given: &Given,
    known: impl Iterator<Item = &'n str>,
    report: &mut Report,
) {
    let message = format!("nothing reads the attribute `{name}`");
    match fusee_diagnostics::closest(name, known) {
        Some(other) => {
            // CAmkES takes any name, so only what results would depend on is worth a warning.
            let serious = catalogue::is_timing(other) || other.ends_with("priority");
            let severity = if serious { Severity::Warning } else { Severity::Note };
            let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, severity, message)
                .at(given.name_span, "");
            report.push(diagnostic.with_fix(
                format!("did you mean `{other}`?"),
                given.name_span,
                other,
            ));
        }
        None => {
            let note = Diagnostic::note(codes::UNKNOWN_ATTRIBUTE, message).at(given.name_span, "");
            report.push(note.with_note(
                "its component does not declare it, and neither CAmkES nor Fusee knows it",
            ));
        }
    }
}
