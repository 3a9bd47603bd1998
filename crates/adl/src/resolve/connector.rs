//! The demands of a connector on its ends.

use super::likeness::Named;
use super::names::Names;
use super::report::Report;
use super::value::{self, Datum};
use super::{codes, likeness};
use crate::tree::{ConnectorBody, ConnectorEnd, Definition, InterfaceKind, InterfaceSort};
use fusee_diagnostics::{Diagnostic, Span};

/// A connector type.
#[derive(Debug, Clone)]
pub(super) struct Connector {
    pub(super) name: String,
    /// The standard connector that it is, or is like.
    pub(super) like: String,
    pub(super) from: Side,
    pub(super) to: Side,
    /// Its calls are plain function calls inside one protection domain.
    pub(super) direct: bool,
    /// Its signals count.
    pub(super) counting: bool,
    /// `true` if interfaces must be of one type.
    pub(super) same_type: bool,
    /// The pool's size, where the connector's name says it.
    pub(super) threads: Option<u32>,
}

/// One side of a connector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) kind: InterfaceKind,
    pub(super) many: bool,
    pub(super) hardware: bool,
    /// The place at which the connector says so; `None` for a connector that is built in.
    pub(super) span: Option<Span>,
}

/// The family of connectors of the library for prioritized requests: the number is the pool's size.
const PRIORITISED: &str = "seL4RPCCallPrioritized";

/// Returns the connector that a connection names; an unknown one is reported.
pub(super) fn find(
    definition: &Definition<Box<ConnectorBody>>,
    names: &Names<'_>,
    report: &mut Report,
) -> Option<Connector> {
    match definition {
        Definition::Here(body) => of_body(&Named { name: "", at: body.span, body }, names, report),
        Definition::Named(reference) => {
            let name = reference.text();
            match names.connectors.get(&name) {
                Some(connector) => {
                    let named = Named { name: &name, at: reference.span, body: &connector.body };
                    of_body(&named, names, report)
                }
                None => prioritised(&name).or_else(|| {
                    unknown(reference, names, report);
                    None
                }),
            }
        }
    }
}

fn unknown(reference: &crate::tree::Reference, names: &Names<'_>, report: &mut Report) {
    names.connectors.find(reference, report);
    if reference.text().starts_with("seL4")
        && let Some(error) = report.diagnostics.last_mut()
        && error.code == codes::UNKNOWN_CONNECTOR
        && error.fixes.is_empty()
        && error.notes.is_empty()
    {
        error
            .notes
            .push("the standard connectors come with `import <std_connector.camkes>;`".into());
    }
}

/// Returns the pool size in `seL4RPCCallPrioritized4`; `None` for other names.
fn pool_size(name: &str) -> Option<u32> {
    let digits = name.strip_prefix(PRIORITISED)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if is_number { digits.parse().ok().filter(|&threads| threads > 0) } else { None }
}

fn prioritised(name: &str) -> Option<Connector> {
    let threads = pool_size(name);
    if threads.is_none() && name != PRIORITISED {
        return None;
    }
    let side = |kind, many| Side { kind, many, hardware: false, span: None };
    let (from, to) = (side(InterfaceKind::Uses, true), side(InterfaceKind::Provides, false));
    let (name, like) = (name.to_owned(), name.to_owned());
    Some(Connector {
        name,
        like,
        from,
        to,
        direct: false,
        counting: false,
        same_type: true,
        threads,
    })
}

fn of_body(named: &Named<'_>, names: &Names<'_>, report: &mut Report) -> Option<Connector> {
    let like = likeness::of(named, names, report)?;
    let body = named.body;
    let from = side(body.from.as_ref()?, InterfaceKind::Uses, InterfaceKind::Emits);
    let to = side(body.to.as_ref()?, InterfaceKind::Provides, InterfaceKind::Consumes);
    let unchecked =
        body.attributes.iter().filter(|a| a.name.text == "disable_interface_type_checking");
    let unchecked = unchecked.filter_map(|a| a.default.as_ref()).any(|default| {
        let value = value::evaluate(default, report);
        matches!(value.datum, Datum::Boolean(true))
            || matches!(value.datum, Datum::Integer(n) if n != 0)
    });
    Some(Connector {
        direct: like == "seL4DirectCall",
        counting: like == "seL4NotificationQueue",
        threads: pool_size(&like),
        name: named.name.to_owned(),
        like,
        from,
        to,
        same_type: !unchecked,
    })
}

fn side(end: &ConnectorEnd, procedure: InterfaceKind, event: InterfaceKind) -> Side {
    let kind = match end.sort {
        InterfaceSort::Procedure => procedure,
        InterfaceSort::Event => event,
        InterfaceSort::Dataport => InterfaceKind::Dataport,
    };
    Side { kind, many: end.many, hardware: end.hardware.is_some(), span: Some(end.span) }
}

impl Connector {
    /// Returns a complaint about this connector, with the place where it says so.
    pub(super) fn because(&self, side: Side, diagnostic: Diagnostic, text: &str) -> Diagnostic {
        match side.span {
            Some(span) => diagnostic.because(span, text),
            None => diagnostic,
        }
    }

    /// Returns the connector's name in messages.
    pub(super) fn title(&self) -> String {
        if self.name.is_empty() {
            "this connector".into()
        } else {
            format!("the connector `{}`", self.name)
        }
    }
}

/// The ends that a connection has on one side.
pub(super) struct GivenEnds<'a> {
    /// `from` or `to`.
    pub(super) word: &'a str,
    pub(super) side: Side,
    pub(super) ends: &'a [Span],
    /// The place of the connection.
    pub(super) whole: Span,
}

/// Reports that a connection has no end, or too many, on a side.
pub(super) fn check_count(connector: &Connector, given: &GivenEnds<'_>, report: &mut Report) {
    let GivenEnds { word, side, ends, whole } = *given;
    if ends.is_empty() {
        let message = format!("the connection has no `{word}` end");
        let error = Diagnostic::error(codes::MISSING_END, message).at(whole, "");
        report.push(
            error.with_note(format!("write `{word} INSTANCE.INTERFACE` within its parentheses")),
        );
    }
    if let ([first, second, ..], false) = (ends, side.many) {
        let message =
            format!("{} takes one `{word}` end, here are {}", connector.title(), ends.len());
        let error = Diagnostic::error(codes::ONE_END_ONLY, message)
            .at(*second, "one too many")
            .because(*first, "the first");
        report.push(connector.because(side, error, "the connector takes one"));
    }
}
