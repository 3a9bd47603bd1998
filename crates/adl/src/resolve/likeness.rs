//! The meaning of a connector that a description declares itself.
//!
//! On seL4 a connector's templates say what it does. They are C code for seL4's kernel
//! objects, which are not here, so one that does not come with the library is known only
//! where something says which of those it is like: an attribute of its own, or the
//! project's build, which makes it from that one's templates.

use super::codes;
use super::datum::{Datum, Located};
use super::names::Names;
use super::report::Report;
use super::value;
use crate::syntax::library;
use crate::tree::{ConnectorBody, ConnectorEnd};
use fusee_diagnostics::{Diagnostic, Span};

/// The attribute that names the connector that one is like.
const ATTRIBUTE: &str = "behaves_as";

/// A connector, and where it is named.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    /// Empty for one that is written in place.
    pub(super) name: &'a str,
    pub(super) at: Span,
    pub(super) body: &'a ConnectorBody,
}

/// Returns the connector of the library that one is, or is like. Where nothing says so, that is an
/// error, once for each.
pub(super) fn of(named: &Named<'_>, names: &Names<'_>, report: &mut Report) -> Option<String> {
    let Named { name, body, .. } = *named;
    if library::has_connector(name) {
        return Some(name.to_owned());
    }
    let attribute = body.attributes.iter().find(|attribute| attribute.name.text == ATTRIBUTE);
    if let Some(default) = attribute.and_then(|attribute| attribute.default.as_ref()) {
        let like = value::evaluate(default, report);
        return declared(named, &like, names, report);
    }
    if let Some(like) = built_from(name, names) {
        return Some(like);
    }
    let error = unknown(named, names);
    if !report
        .diagnostics
        .iter()
        .any(|said| said.code == error.code && said.message == error.message)
    {
        report.push(error);
    }
    None
}

/// Returns the connector that the attribute names, if it is one of the library for the same kinds
/// of ends.
fn declared(
    named: &Named<'_>,
    given: &Located,
    names: &Names<'_>,
    report: &mut Report,
) -> Option<String> {
    let (Named { name, body, .. }, at) = (*named, given.span);
    let Datum::Text(like) = &given.datum else {
        let message = format!(
            "`{ATTRIBUTE}` takes the name of a standard connector, this is {}",
            given.datum.kind()
        );
        report.push(Diagnostic::error(codes::UNLIKE_CONNECTOR, message).at(at, ""));
        return None;
    };
    let Some(other) = names.connectors.get(like).filter(|_| library::has_connector(like)) else {
        let error = Diagnostic::error(
            codes::UNLIKE_CONNECTOR,
            format!("there is no standard connector `{like}`"),
        );
        let known = names
            .connectors
            .in_order()
            .map(|(name, _)| name)
            .filter(|name| library::has_connector(name));
        let error = error
            .at(at, "")
            .with_note("the standard connectors come with `import <std_connector.camkes>;`");
        report.push(match fusee_diagnostics::closest(like, known) {
            Some(other) => {
                error.with_fix(format!("did you mean `{other}`?"), at, format!("\"{other}\""))
            }
            None => error,
        });
        return None;
    };
    for (word, own, its) in
        [("from", &body.from, &other.body.from), ("to", &body.to, &other.body.to)]
    {
        if let (Some(own), Some(its)) = (own, its)
            && kind(own) != kind(its)
        {
            let message =
                format!("{} cannot be like `{like}`: they have other `{word}` ends", title(name));
            let error = Diagnostic::error(codes::UNLIKE_CONNECTOR, message).at(at, "");
            report.push(error.because(own.span, "its end").because(its.span, "that one's end"));
            return None;
        }
    }
    Some(like.clone())
}

fn kind(end: &ConnectorEnd) -> (crate::tree::InterfaceSort, bool) {
    (end.sort, end.hardware.is_some())
}

fn title(name: &str) -> String {
    if name.is_empty() { "this connector".into() } else { format!("the connector `{name}`") }
}

/// Returns the connector of CAmkES's whose templates the project's build gives this one.
fn built_from(name: &str, names: &Names<'_>) -> Option<String> {
    let files = &names.templates.get(name)?.files;
    let [from, to] = ["-from.template.c", "-to.template.c"];
    let mut likes =
        files.iter().map(|file| file.strip_suffix(from).or_else(|| file.strip_suffix(to)));
    let first = likes.next()??;
    let same = likes.all(|like| like == Some(first));
    (same && library::has_connector(first)).then(|| first.to_owned())
}

fn unknown(named: &Named<'_>, names: &Names<'_>) -> Diagnostic {
    let Named { name, at, body } = *named;
    let message = format!("nothing says what {} does", title(name));
    let mut error = Diagnostic::error(codes::UNLIKE_CONNECTOR, message).at(at, "");
    if at != body.span {
        error = error.because(body.span, "it is declared here");
    }
    let old = body.from.iter().chain(&body.to).filter_map(|end| end.template.clone());
    let (files, place) = match names.templates.get(name) {
        Some(given) => (given.files.clone(), format!(" ({})", given.place)),
        None => (old.collect(), String::new()),
    };
    if !files.is_empty() {
        let files: Vec<String> = files.iter().map(|file| format!("`{file}`")).collect();
        let cause = "templates are C code for seL4's kernel objects, and cannot run here";
        error =
            error.with_note(format!("its code comes from {}{place}: {cause}", files.join(" and ")));
    }
    error.with_note(format!(
        "connect with a standard connector, or name the one that it is like among its attributes: \
         `attribute string {ATTRIBUTE} = \"seL4RPCCall\";`"
    ))
}
