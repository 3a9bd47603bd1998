//! Says a word about every setting that nothing has followed.
//!
//! Whatever reads an attribute settles it, and so does whatever has said what becomes of it. What
//! is left over at the end has no effect, and that is told here, whichever attribute it is: by the
//! catalogue's word on it, or as unknown.

use super::catalogue::{self, Fate, Known, Meaning, Place as Belongs, Reader};
use super::codes;
use super::context::Context;
use super::report::Report;
use super::settings::Given;
use fusee_diagnostics::{Diagnostic, Severity, Span};
use std::collections::HashSet;

/// Reports every attribute that has a value and that nothing has settled.
pub(super) fn check(context: &Context<'_, '_>, report: &mut Report) {
    let mut rest = Rest { said: said(report), groups: Vec::new() };
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        for (name, given) in context.settings.instance(instance) {
            if given.is_settled() {
                continue;
            }
            let declared = flat.shape.attributes.contains_key(name.as_str());
            match catalogue::meaning(flat, name, context.names) {
                // What the component declares, its own code has besides.
                Meaning::Known(known) if !declared || is_for_threads(known) => {
                    rest.add(known, format!("{}.{name}", flat.name), given);
                }
                Meaning::Unknown if !declared => {
                    let wanted = report.is_open(Severity::Warning);
                    let candidates = if wanted { catalogue::candidates(flat) } else { Vec::new() };
                    let candidates = candidates.iter().map(String::as_str);
                    unknown(name, given, ("its component does not declare it", candidates), report);
                }
                _ => {}
            }
        }
    }
    of_connections(context, &mut rest, report);
    of_system(context, &mut rest, report);
    // Behind an error much is not read that would be.
    let is_read = !report.has_errors();
    for (known, settings) in &rest.groups {
        if is_read || !matches!(known.fate, Fate::Followed | Fate::Judged) {
            report.push(untouched(known, settings));
        }
    }
}

/// Returns `true` if CAmkES reads an attribute of a component for its threads, wherever it is
/// declared.
fn is_for_threads(known: &Known) -> bool {
    known.place == Belongs::Component && matches!(known.fate, Fate::Judged | Fate::Apart)
}

fn of_connections(context: &Context<'_, '_>, rest: &mut Rest, report: &mut Report) {
    for (index, attributes) in context.settings.connections() {
        for (name, given) in attributes {
            if given.is_settled() {
                continue;
            }
            match catalogue::find(Belongs::Connection, name) {
                Some(known) => {
                    let owner = &context.flat.connections[*index].name;
                    rest.add(known, format!("{owner}.{name}"), given);
                }
                None => {
                    let known = of_place(Belongs::Connection);
                    unknown(name, given, ("it is no attribute of a connection", known), report);
                }
            }
        }
    }
}

fn of_system(context: &Context<'_, '_>, rest: &mut Rest, report: &mut Report) {
    let cores = ["core0_policy", "core1_policy"];
    for (name, given) in context.settings.system() {
        if given.is_settled() {
            continue;
        }
        let core = || catalogue::of_core(name).map(|(_, known)| known);
        match catalogue::find(Belongs::System, name).or_else(core) {
            Some(known) => rest.add(known, format!("system.{name}"), given),
            None => {
                let known = of_place(Belongs::System).chain(cores);
                unknown(name, given, ("it is no attribute of a system", known), report);
            }
        }
    }
}

fn of_place(place: Belongs) -> impl Iterator<Item = &'static str> {
    catalogue::ATTRIBUTES.iter().filter(move |known| known.place == place).map(|known| known.name)
}

/// The settings that are left over, by attribute of the catalogue.
struct Rest {
    /// Places that messages point at already.
    said: HashSet<Span>,
    groups: Vec<(&'static Known, Vec<(String, Span)>)>,
}

impl Rest {
    fn add(&mut self, known: &'static Known, setting: String, given: &Given) {
        let place = given.name_span;
        if self.said.contains(&place) || self.said.contains(&given.value.span) {
            return;
        }
        let group = self.groups.iter_mut().find(|(other, _)| std::ptr::eq(*other, known));
        match group {
            Some((_, settings)) => settings.push((setting, place)),
            None => self.groups.push((known, vec![(setting, place)])),
        }
    }
}

fn said(report: &Report) -> HashSet<Span> {
    let labels = report.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels);
    labels.map(|label| label.span).collect()
}

/// Returns the word on an attribute that is not followed; settings are those of it, one at least.
fn untouched(known: &Known, settings: &[(String, Span)]) -> Diagnostic {
    let (first, rest) =
        settings.split_first().map_or(("", &[][..]), |((name, _), rest)| (name.as_str(), rest));
    let mut diagnostic = match known.fate {
        Fate::Followed | Fate::Judged => {
            let reader = match known.reader {
                Reader::Fusee => "Fusee reads",
                Reader::PrioritisedRequests => "the library for prioritised requests reads",
                Reader::Camkes => "CAmkES reads",
            };
            let message = format!("`{first}` has no effect here");
            Diagnostic::note(codes::NO_EFFECT, message)
                .with_note(format!("{reader} it as: {}", known.meaning))
        }
        Fate::Needless => {
            let message = format!("`{first}` has no effect: {}", known.why);
            Diagnostic::note(codes::NO_EFFECT, message)
        }
        Fate::Apart => {
            let message = format!("`{first}` is not followed: {}", known.why);
            Diagnostic::warning(codes::NOT_FOLLOWED, message)
        }
    };
    if let Some((_, place)) = settings.first() {
        diagnostic = diagnostic.at(*place, "");
    }
    if rest.is_empty() {
        return diagnostic;
    }
    let names: Vec<String> = rest.iter().map(|(name, _)| format!("`{name}`")).collect();
    diagnostic.with_note(format!("nor has {}", names.join(", ")))
}

fn unknown<'n>(
    name: &str,
    given: &Given,
    (why, known): (&str, impl Iterator<Item = &'n str>),
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
            report.push(note.with_note(format!("{why}, and neither CAmkES nor Fusee knows it")));
        }
    }
}
