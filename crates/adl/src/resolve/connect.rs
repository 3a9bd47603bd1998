//! Joins interfaces: connections with their ends looked up and checked.
//!
//! Ends at an interface that a compound component exports are moved to the
//! interface behind it, through any number of levels.

use super::codes;
use super::connector::{self, Connector, GivenEnds, Side};
use super::flatten::{Flattened, Scope};
use super::names::Names;
use super::report::Report;
use super::shape::Port;
use crate::tree::{ConnectionEnd, Export, Name, Reference};
use fusee_diagnostics::{Diagnostic, Span};
use std::collections::HashMap;

/// An interface of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) instance: usize,
    pub(super) port: usize,
}

/// One end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct JoinedEnd {
    pub(super) place: Place,
    pub(super) span: Span,
}

/// A connection whose ends are known.
#[derive(Debug)]
pub(super) struct Joined {
    /// Position among the description's connections.
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) connector: Connector,
    pub(super) from: Vec<JoinedEnd>,
    pub(super) to: Vec<JoinedEnd>,
    pub(super) span: Span,
}

/// All connections, and which interfaces only stand for inner ones.
#[derive(Debug, Default)]
pub(super) struct Joints {
    pub(super) connections: Vec<Joined>,
    exported: HashMap<Place, Place>,
}

impl Joints {
    /// Returns `true` if an interface stands for one further in.
    pub(super) fn is_virtual(&self, place: Place) -> bool {
        self.exported.contains_key(&place)
    }

    /// Returns the interface behind an exported one; each step leads further in, so it ends.
    fn real(&self, mut place: Place) -> Place {
        while let Some(inner) = self.exported.get(&place) {
            place = *inner;
        }
        place
    }
}

/// Joins all interfaces that connections name.
pub(super) fn join(flat: &Flattened<'_>, names: &Names<'_>, report: &mut Report) -> Joints {
    let mut joints = Joints::default();
    for (export, scope) in &flat.exports {
        export_interface(flat, export, *scope, &mut joints, report);
    }
    let mut joined = Vec::with_capacity(flat.connections.len());
    for (index, connection) in flat.connections.iter().enumerate() {
        let Some(connector) = connector::find(&connection.item.connector, names, report) else {
            continue;
        };
        let from_spans: Vec<Span> = connection.item.from.iter().map(|end| end.span).collect();
        let to_spans: Vec<Span> = connection.item.to.iter().map(|end| end.span).collect();
        let whole = connection.item.span;
        for (word, side, ends) in
            [("from", connector.from, &from_spans), ("to", connector.to, &to_spans)]
        {
            let given = GivenEnds { word, side, ends, whole };
            connector::check_count(&connector, &given, report);
        }
        let mut ends = |ends: &[ConnectionEnd]| -> Vec<JoinedEnd> {
            ends.iter()
                .filter_map(|end| find_end(flat, &end.interface, connection.scope, &joints, report))
                .collect()
        };
        let (from, to) = (ends(&connection.item.from), ends(&connection.item.to));
        let (name, span) = (connection.name.clone(), connection.item.name.span);
        let one = Joined { index, name, connector, from, to, span };
        check_ends(flat, &one, report);
        joined.push(one);
    }
    joints.connections = joined;
    joints
}

fn find_end(
    flat: &Flattened<'_>,
    reference: &Reference,
    scope: Scope,
    joints: &Joints,
    report: &mut Report,
) -> Option<JoinedEnd> {
    let place = find_interface(flat, reference, scope, report)?;
    Some(JoinedEnd { place: joints.real(place), span: reference.span })
}

/// Returns the interface that a reference means in a scope; an unknown one is reported.
fn find_interface(
    flat: &Flattened<'_>,
    reference: &Reference,
    scope: Scope,
    report: &mut Report,
) -> Option<Place> {
    let (interface, owner) = reference.names.split_last()?;
    let instance = match (owner, scope.owner) {
        ([], Some(around)) => around,
        ([], None) => {
            let message = format!("`{}` is an interface of which instance?", interface.text);
            report.push(
                Diagnostic::error(codes::UNKNOWN_INSTANCE, message)
                    .at(reference.span, "write instance.interface"),
            );
            return None;
        }
        (owner, _) => find_instance(flat, owner, scope, report)?,
    };
    let shape = &flat.instances[instance].shape;
    if let Some(port) = shape.port(&interface.text) {
        return Some(Place { instance, port });
    }
    let type_name = if shape.name.is_empty() {
        "component".into()
    } else {
        format!("component `{}`", shape.name)
    };
    let message = format!("the {type_name} has no interface `{}`", interface.text);
    let mut error = Diagnostic::error(codes::UNKNOWN_INTERFACE, message).at(interface.span, "");
    let all: Vec<String> =
        shape.interfaces.iter().map(|port| format!("`{}`", port.name.text)).collect();
    if !all.is_empty() && all.len() <= 12 {
        error = error.with_note(format!("its interfaces: {}", all.join(", ")));
    }
    let known = shape.interfaces.iter().map(|port| port.name.text.as_str());
    report.unknown(error, (&interface.text, interface.span), known);
    None
}

fn find_instance(
    flat: &Flattened<'_>,
    owner: &[Name],
    scope: Scope,
    report: &mut Report,
) -> Option<usize> {
    let words: Vec<&str> = owner.iter().map(|name| name.text.as_str()).collect();
    let name = words.join(".");
    let found = flat.instance(&flat.path(scope, &name));
    if found.is_none()
        && !flat.is_typeless(scope, &name)
        && let (Some(first), Some(last)) = (owner.first(), owner.last())
    {
        let span = first.span.to(last.span);
        let error =
            Diagnostic::error(codes::UNKNOWN_INSTANCE, format!("there is no instance `{name}`"))
                .at(span, "");
        report.unknown(error, (&name, span), flat.names_in(scope));
    }
    found
}

fn export_interface(
    flat: &Flattened<'_>,
    export: &Export,
    scope: Scope,
    joints: &mut Joints,
    report: &mut Report,
) {
    let Some(owner) = scope.owner else {
        let message = "an assembly has no interfaces to export to";
        report.push(Diagnostic::error(codes::BAD_EXPORT, message).at(export.span, ""));
        return;
    };
    if export.inner.names.len() < 2 || export.outer.names.len() != 1 {
        report_export_form(export, report);
        return;
    }
    let Some(inner) = find_interface(flat, &export.inner, scope, report) else { return };
    let Some(outer) = find_interface(flat, &export.outer, scope, report) else { return };
    if inner.instance == owner || outer.instance != owner {
        report_export_form(export, report);
        return;
    }
    let (inside, outside) = (port(flat, inner), port(flat, outer));
    if (inside.kind, &inside.type_name) != (outside.kind, &outside.type_name) {
        let message = "an interface is exported as one of another kind or type";
        let error = Diagnostic::error(codes::BAD_EXPORT, message).at(export.span, "");
        let error = error.because(inside.span, "the inner interface");
        report.push(error.because(outside.span, "the outer interface"));
        return;
    }
    if joints.exported.insert(outer, inner).is_some() {
        let message = format!("two interfaces are exported as `{}`", outside.name.text);
        report.push(Diagnostic::error(codes::BAD_EXPORT, message).at(export.span, "the second"));
    }
}

fn report_export_form(export: &Export, report: &mut Report) {
    let message =
        "an export leads from an inner instance's interface to one of the component itself";
    let mut error = Diagnostic::error(codes::BAD_EXPORT, message)
        .at(export.span, "write export instance.interface -> interface");
    if export.inner.names.len() == 1 && export.outer.names.len() > 1 {
        let turned = format!("export {} -> {}", export.outer.text(), export.inner.text());
        error = error.with_fix("turn it round", export.span, turned);
    }
    report.push(error);
}

fn port<'a, 't>(flat: &'a Flattened<'t>, place: Place) -> &'a Port<'t> {
    &flat.instances[place.instance].shape.interfaces[place.port]
}

fn check_ends(flat: &Flattened<'_>, joined: &Joined, report: &mut Report) {
    if are_swapped(flat, joined) {
        report_swapped(flat, joined, report);
        return;
    }
    let before = report.diagnostics.len();
    for (word, side, ends) in
        [("from", joined.connector.from, &joined.from), ("to", joined.connector.to, &joined.to)]
    {
        for end in ends {
            let wrong = wrong_kind(flat, joined, (word, side), end);
            wrong.into_iter().for_each(|error| report.push(error));
        }
    }
    if report.diagnostics.len() > before {
        return;
    }
    if joined.connector.same_type {
        check_types(flat, joined, report);
    }
    if joined.connector.direct {
        check_domains(flat, joined, report);
    }
}

/// Returns what is wrong with an end of a connection on a side that the connector calls `word`.
fn wrong_kind(
    flat: &Flattened<'_>,
    joined: &Joined,
    (word, side): (&str, Side),
    end: &JoinedEnd,
) -> Option<Diagnostic> {
    let interface = port(flat, end.place);
    let title = joined.connector.title();
    if interface.kind != side.kind {
        let (wanted, found) = (side.kind.keyword(), interface.kind.keyword());
        let message = format!(
            "{title} takes `{wanted}` as its `{word}` end, `{}` is `{found}`",
            interface.name.text
        );
        let mut error = Diagnostic::error(codes::WRONG_END, message)
            .at(end.span, format!("a `{found}` interface"));
        error = error.because(interface.span, "declared here");
        return Some(joined.connector.because(side, error, "the connector asks for it"));
    }
    let hardware = flat.instances[end.place.instance].shape.hardware.is_some();
    if hardware != side.hardware {
        let what = if side.hardware { "a device" } else { "software" };
        let found = if hardware { "a device" } else { "software" };
        let message = format!("{title} takes {what} as its `{word}` end, this is {found}");
        let error = Diagnostic::error(codes::HARDWARE_END, message).at(end.span, "");
        return Some(joined.connector.because(side, error, "the connector asks for it"));
    }
    None
}

/// Returns `true` if the one `from` end and the one `to` end would fit the other way round.
fn are_swapped(flat: &Flattened<'_>, joined: &Joined) -> bool {
    let ([from], [to]) = (&joined.from[..], &joined.to[..]) else { return false };
    let (from, to) = (port(flat, from.place).kind, port(flat, to.place).kind);
    from != to && (from, to) == (joined.connector.to.kind, joined.connector.from.kind)
}

fn report_swapped(flat: &Flattened<'_>, joined: &Joined, report: &mut Report) {
    let (from, to) = (&joined.from[0], &joined.to[0]);
    let (source, sink) = (joined.connector.from.kind.keyword(), joined.connector.to.kind.keyword());
    let message = format!("the connection leads from `{sink}` to `{source}`, the wrong way round");
    let error = Diagnostic::error(codes::WRONG_END, message).at(from.span.to(to.span), "");
    let error = error.because(port(flat, from.place).span, "its `from` end");
    let error = error.because(port(flat, to.place).span, "its `to` end");
    let error =
        error.with_note("`from` leads from who uses or emits, `to` to who provides or consumes");
    let item = flat.connections[joined.index].item;
    let turned = match (item.from.first(), item.to.first()) {
        (Some(first), Some(second)) => {
            format!("{}, to {}", second.interface.text(), first.interface.text())
        }
        _ => return report.push(error),
    };
    report.push(error.with_fix("turn it round", from.span.to(to.span), turned));
}

fn check_types(flat: &Flattened<'_>, joined: &Joined, report: &mut Report) {
    let mut ends = joined.from.iter().chain(&joined.to);
    let Some(first) = ends.next() else { return };
    let wanted = port(flat, first.place);
    for end in ends {
        let found = port(flat, end.place);
        if found.type_name != wanted.type_name {
            let message = format!(
                "`{}` is of type `{}`, but `{}` of type `{}`",
                found.name.text, found.type_name, wanted.name.text, wanted.type_name
            );
            let error = Diagnostic::error(codes::TYPES_DIFFER, message).at(end.span, "");
            let error = error
                .because(found.type_span, "one type")
                .because(wanted.type_span, "the other type");
            report.push(error.with_note("all interfaces of a connection have one type"));
        }
    }
}

fn check_domains(flat: &Flattened<'_>, joined: &Joined, report: &mut Report) {
    let domain = |end: &JoinedEnd| &flat.instances[end.place.instance].domain;
    let (Some(from), Some(to)) = (joined.from.first(), joined.to.first()) else { return };
    if domain(from) != domain(to) {
        let message = "a direct call needs both components in one group";
        let error = Diagnostic::error(codes::DIRECT_ACROSS_DOMAINS, message).at(joined.span, "");
        let error =
            error.because(from.span, format!("in the protection domain `{}`", domain(from)));
        let error = error.because(to.span, format!("in the protection domain `{}`", domain(to)));
        report.push(
            error.with_note(
                "put both instances into one `group`, or connect them with `seL4RPCCall`",
            ),
        );
    }
}
