//! The inside of a gate: protocol, ceiling, methods.

use super::bodies::{BodyNames, Inside};
use super::codes;
use super::connect::{Joined, Place};
use super::context::Context;
use super::read::Attributes;
use super::report::Report;
use super::sections::Mutex;
use crate::tree::Procedure;
use fusee_diagnostics::Diagnostic;
use fusee_model::{
    Body, Component, ComponentId, Gate, LockKind, Method, Origin, Priority, Protocol, Sourced,
    System, TOP_PRIORITY,
};
use std::collections::HashMap;

/// Makes all gates, in the order of their numbers.
pub(super) fn build(context: &Context<'_, '_>, report: &mut Report) -> Vec<Gate> {
    let mut leading: HashMap<Place, Vec<&Joined>> = HashMap::new();
    for joined in &context.joints.connections {
        for end in &joined.to {
            leading.entry(end.place).or_default().push(joined);
        }
    }
    let mut gates = Vec::with_capacity(context.objects.gates.len());
    for &place in context.objects.gates.keys() {
        let Some(component) = context.objects.components[place.instance] else { continue };
        let connections = leading.get(&place).map_or(&[][..], Vec::as_slice);
        gates.push(one(context, place, component, connections, report));
    }
    gates
}

fn one(
    context: &Context<'_, '_>,
    place: Place,
    component: ComponentId,
    connections: &[&Joined],
    report: &mut Report,
) -> Gate {
    let flat = &context.flat.instances[place.instance];
    let port = &flat.shape.interfaces[place.port];
    let interface = &port.name.text;
    let attributes = context.attributes(place.instance);
    let device = flat.shape.hardware.is_some();
    let direct = device
        || (!connections.is_empty() && connections.iter().all(|joined| joined.connector.direct));
    let origin = report.origin(port.span);
    let protocol = protocol(&attributes, interface, direct, origin, report);
    let given_ceiling = ceiling(&attributes, interface, protocol.value, report);
    let threads = attributes.integer(&format!("{interface}_num_threads"), (1, 1_000_000), report);
    let named = connections.iter().find_map(|joined| {
        let value = joined.connector.threads?;
        Some((value, joined.span))
    });
    let given_threads = threads
        .or_else(|| named.map(|(value, span)| Sourced { value, origin: report.origin(span) }));
    Gate {
        name: format!("{}.{interface}", flat.name),
        component,
        interface: interface.clone(),
        protocol,
        given_ceiling,
        methods: context
            .names
            .procedures
            .get(&port.type_name)
            .map_or_else(Vec::new, |procedure| methods(context, place, procedure, report)),
        direct,
        given_threads,
        origin,
    }
}

/// Returns the gate that stands for a mutex with sections.
pub(super) fn mutex(
    context: &Context<'_, '_>,
    components: &[Component],
    (mutex, methods): (Mutex, Vec<Method>),
    report: &mut Report,
) -> Option<Gate> {
    let (instance, lock) = mutex;
    let component = context.objects.components[instance]?;
    let owner = &components[component.index()];
    let lock = owner.code.locks.get(lock)?;
    let (interface, origin) = (lock.name.clone(), lock.origin);
    let given = given_protocol(&context.attributes(instance), &interface, report);
    Some(Gate {
        name: format!("{}.{interface}", owner.name),
        component,
        interface,
        protocol: given.unwrap_or(Sourced { value: Protocol::Inherited, origin }),
        given_ceiling: None,
        methods,
        direct: false,
        given_threads: None,
        origin,
    })
}

/// Refuses a protocol of a mutex whose sections are not known.
pub(super) fn unlisted(context: &Context<'_, '_>, system: &System, report: &mut Report) {
    for (instance, component) in context.objects.components.iter().enumerate() {
        let Some(component) = *component else { continue };
        let locks = &system.component(component).code.locks;
        let mutexes = locks.iter().enumerate().filter(|(_, lock)| lock.kind == LockKind::Mutex);
        for (position, lock) in mutexes {
            if system.gate_of_mutex(component, position).is_some() {
                continue;
            }
            let given = given_protocol(&context.attributes(instance), &lock.name, report);
            let Some(span) = given.and_then(|given| report.origins.span(given.origin)) else {
                continue;
            };
            let name = &lock.name;
            let message = format!("no list of calls says where `{name}` is locked");
            let error = Diagnostic::error(codes::CONFLICTING_ATTRIBUTES, message);
            report.push(error.at(span, "this protocol is for nothing then").with_note(format!(
                "write it into the lists of calls that lock it: `\"lock {name}\", \"20 us\", \
                 \"unlock {name}\"`"
            )));
        }
    }
}

/// Returns the protocol that a description gives an interface or a mutex.
fn given_protocol(
    attributes: &Attributes<'_, '_>,
    name: &str,
    report: &mut Report,
) -> Option<Sourced<Protocol>> {
    attributes.choice(&format!("{name}_priority_protocol"), Protocol::WORDS, report)
}

/// Returns the protocol; a plain RPC interface has one thread, hence is exclusive, and `inherited`
/// bounds the wait.
fn protocol(
    attributes: &Attributes<'_, '_>,
    interface: &str,
    direct: bool,
    origin: Origin,
    report: &mut Report,
) -> Sourced<Protocol> {
    let silent = if direct { Protocol::Propagated } else { Protocol::Inherited };
    let Some(given) = given_protocol(attributes, interface, report) else {
        return Sourced { value: silent, origin };
    };
    if direct && given.value != Protocol::Propagated {
        let message = "a direct call passes no gate, so it cannot have this protocol";
        let mut error = Diagnostic::error(codes::CONFLICTING_ATTRIBUTES, message);
        if let Some(span) = report.origins.span(given.origin) {
            error = error.at(span, "").with_fix(
                "connect with `seL4RPCCall`, or use",
                span,
                "\"propagated\"",
            );
        }
        if let Some(span) = report.origins.span(origin) {
            error = error.because(span, "reached by direct calls only");
        }
        report.push(error);
    }
    given
}

/// `interface_ceiling`; for fixed gates also the priority that CAmkES gives the interface's thread.
fn ceiling(
    attributes: &Attributes<'_, '_>,
    interface: &str,
    protocol: Protocol,
    report: &mut Report,
) -> Option<Sourced<Priority>> {
    let own = attributes.priority(&format!("{interface}_ceiling"), report);
    let name = format!("{interface}_priority");
    let of_thread = match protocol {
        Protocol::Fixed => {
            let thread = attributes.priority(&name, report);
            thread.or_else(|| attributes.priority("priority", report))
        }
        // It has no effect here, but is a priority all the same.
        _ => {
            attributes.looking().priority(&name, report);
            None
        }
    };
    if let (Some(own), Some(thread)) = (own, of_thread)
        && own.value != thread.value
        && thread.value != TOP_PRIORITY
    {
        let message = format!(
            "the ceiling is {} by one attribute and {} by another",
            own.value, thread.value
        );
        report.push(conflict(message, own.origin, thread.origin, report));
    }
    own.or(of_thread)
}

/// Two attributes that say different things.
pub(super) fn conflict(
    message: String,
    first: Origin,
    second: Origin,
    report: &Report,
) -> Diagnostic {
    let mut error = Diagnostic::error(codes::CONFLICTING_ATTRIBUTES, message);
    if let Some(span) = report.origins.span(first) {
        error = error.at(span, "one");
    }
    if let Some(span) = report.origins.span(second) {
        error = error.because(span, "the other");
    }
    error
}

fn methods(
    context: &Context<'_, '_>,
    place: Place,
    procedure: &Procedure,
    report: &mut Report,
) -> Vec<Method> {
    let flat = &context.flat.instances[place.instance];
    let interface = &flat.shape.interfaces[place.port].name.text;
    let inside = Inside {
        instance: place.instance,
        shape: &flat.shape,
        attributes: context.attributes(place.instance),
        objects: context.objects,
        sections: context.sections,
        methods: &|gate| context.methods(gate),
    };
    let mut methods = Vec::with_capacity(procedure.methods.len());
    for method in &procedure.methods {
        // A device's registers run no code of ours.
        let body = match flat.shape.hardware {
            Some(_) => Body::default(),
            None => inside.body(&BodyNames::of_method(interface, &method.name.text), report),
        };
        let origin = report.origin(method.name.span);
        methods.push(Method { name: method.name.text.clone(), body, origin });
    }
    methods
}
