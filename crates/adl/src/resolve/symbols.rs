//! Names as C has them, in the code that is generated around a component.
//!
//! Most names become parts of longer ones: `default` and `open` of an interface the
//! function `default_open`. A name stands alone where CAmkES has it so too: that of an
//! attribute, a dataport, a parameter, a field. There it may be none of C's own words, and
//! nothing that the C library or the runtime declares. What is put together may come out
//! the same twice: `a.b_c` and `a_b.c` are one function to C. All this depends on the
//! description only, not on the language of a component or on whether it has code at all.

mod reserved;

use super::codes;
use super::flatten::Flattened;
use super::names::Names;
use super::report::Report;
use super::shape::{Port, Shape};
use crate::tree::{Attribute, InterfaceKind as Kind, LockKind, Method, Name, Procedure, TypeKind};
use fusee_diagnostics::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Reports every name that C cannot have, and every one that it would have twice.
pub(super) fn check(flat: &Flattened<'_>, names: &Names<'_>, report: &mut Report) {
    let mut shapes = HashSet::new();
    let mut procedures = HashSet::new();
    // A device has no code.
    for instance in flat.instances.iter().filter(|flat| flat.shape.hardware.is_none()) {
        if !shapes.insert(Rc::as_ptr(&instance.shape)) {
            continue;
        }
        component(&instance.shape, names, report);
        let types = instance
            .shape
            .interfaces
            .iter()
            .filter_map(|port| names.procedures.get(&port.type_name));
        for procedure in types {
            if procedures.insert(std::ptr::from_ref(procedure)) {
                procedure.methods.iter().for_each(|method| parameters(method, report));
            }
        }
    }
}

/// A C name that is made from the description.
struct Symbol {
    text: String,
    /// The name that it is made of.
    from: String,
    span: Span,
}

fn component(shape: &Shape<'_>, names: &Names<'_>, report: &mut Report) {
    let mut symbols = Vec::new();
    let mut attributes: Vec<&Attribute> = shape.attributes.values().copied().collect();
    attributes.sort_by_key(|attribute| attribute.name.span);
    for attribute in attributes {
        alone(&attribute.name, "an attribute", report);
        fields(attribute, names, report);
        let Name { text, span } = attribute.name.clone();
        symbols.push(Symbol { from: format!("attribute `{text}`"), text, span });
    }
    for port in &shape.interfaces {
        if port.kind == Kind::Dataport {
            alone(port.name, "a dataport", report);
        }
        interface(port, names.procedures.get(&port.type_name), &mut symbols);
    }
    let mut locks: Vec<_> = shape.locks.values().collect();
    locks.sort_by_key(|lock| lock.span);
    for lock in locks {
        let ends: &[&str] = if lock.kind == LockKind::Mutex {
            &["lock", "unlock"]
        } else {
            &["wait", "trywait", "post"]
        };
        let Name { text, span } = &lock.name;
        symbols.extend(ends.iter().map(|end| Symbol {
            text: format!("{text}_{end}"),
            from: format!("lock `{text}`"),
            span: *span,
        }));
    }
    collisions(shape, symbols, report);
}

/// The functions and variables of an interface.
fn interface(port: &Port<'_>, procedure: Option<&Procedure>, symbols: &mut Vec<Symbol>) {
    let name = &port.name.text;
    let mut add =
        |text: String, from: String| symbols.push(Symbol { text, from, span: port.name.span });
    add(format!("{name}__init"), format!("interface `{name}`"));
    let ends: &[&str] = match port.kind {
        Kind::Provides => &["get_sender_id"],
        Kind::Uses => &[],
        Kind::Emits => &["emit"],
        Kind::Consumes => &["wait", "poll", "reg_callback", "acknowledge", "handle"],
        Kind::Dataport => &["get_size", "acquire", "release"],
    };
    for end in ends {
        add(format!("{name}_{end}"), format!("interface `{name}`"));
    }
    if port.kind == Kind::Dataport {
        add(name.clone(), format!("dataport `{name}`"));
    }
    for method in procedure.iter().flat_map(|procedure| &procedure.methods) {
        let method = &method.name.text;
        add(format!("{name}_{method}"), format!("`{name}.{method}`"));
    }
}

fn collisions(shape: &Shape<'_>, symbols: Vec<Symbol>, report: &mut Report) {
    let mut known: HashMap<String, (String, Span)> = HashMap::new();
    let mut refused = HashSet::new();
    for Symbol { text, from, span } in symbols {
        let own = text == "run" && shape.control.is_some();
        if own || reserved::is_taken(&text) {
            if refused.insert(span) {
                let message = format!(
                    "{from} becomes `{text}` in C, which the runtime or the C library has already"
                );
                let error = Diagnostic::error(codes::RESERVED_NAME, message).at(span, "");
                report.push(error.with_note("rename it, in the component's code too"));
            }
            continue;
        }
        if let Some((other, first)) = known.get(&text) {
            let message = format!("{other} and {from} both become `{text}` in C");
            let error = Diagnostic::error(codes::SAME_SYMBOL, message).at(span, "the second");
            report.push(
                error
                    .because(*first, "the first")
                    .with_note("rename one of them, in the component's code too"),
            );
            continue;
        }
        known.insert(text, (from, span));
    }
}

/// A name that stands alone in C.
fn alone(name: &Name, what: &str, report: &mut Report) {
    if let Some(error) = word(name, what) {
        let note = format!("choose another name, such as `{}_`, wherever it is used", name.text);
        report.push(error.with_note(note));
    }
}

fn word(name: &Name, what: &str) -> Option<Diagnostic> {
    let reserved = reserved::is_word(&name.text);
    let message = format!("`{}` is a word of C and cannot be the name of {what}", name.text);
    reserved.then(|| Diagnostic::error(codes::RESERVED_NAME, message).at(name.span, ""))
}

/// The fields of a struct, wherever it is declared; structs may be nested, but not in themselves.
fn fields(attribute: &Attribute, names: &Names<'_>, report: &mut Report) {
    let mut seen = HashSet::new();
    let mut ahead = vec![&attribute.type_.kind];
    while let Some(kind) = ahead.pop() {
        let body = match kind {
            TypeKind::Inline(body) => body,
            TypeKind::Struct(name) => match names.structs.get(&name.text) {
                Some(declared) => &declared.body,
                None => continue,
            },
            TypeKind::Named(reference) => match names.structs.get(&reference.text()) {
                Some(declared) => &declared.body,
                None => continue,
            },
            _ => continue,
        };
        if seen.insert(std::ptr::from_ref(body)) {
            body.fields.iter().for_each(|field| alone(&field.name, "a field", report));
            ahead.extend(body.fields.iter().map(|field| &field.type_.kind));
        }
    }
}

/// A method's parameters: C has each by name, and an array's length beside it.
fn parameters(method: &Method, report: &mut Report) {
    let lengths = method
        .parameters
        .iter()
        .filter(|p| p.array)
        .map(|p| (format!("{}_sz", p.name.text), p.name.span));
    let lengths: HashMap<String, Span> = lengths.collect();
    for parameter in &method.parameters {
        let Name { text, span } = &parameter.name;
        if let Some(error) = word(&parameter.name, "a parameter") {
            let other = format!("{text}_");
            report.push(error.with_fix(format!("write `{other}`"), *span, other));
        } else if let Some(array) = lengths.get(text) {
            let message = format!("`{text}` is also the length of an array in C");
            let error = Diagnostic::error(codes::SAME_SYMBOL, message).at(*span, "this parameter");
            report.push(error.because(*array, format!("the length of this array is `{text}`")));
        } else if reserved::is_local(text) {
            let message = format!(
                "`{text}` is a name of the generated code and cannot be the name of a parameter"
            );
            let other = format!("{}_value", text.trim_end_matches('_'));
            let error = Diagnostic::error(codes::RESERVED_NAME, message).at(*span, "");
            report.push(error.with_fix(format!("write `{other}`"), *span, other));
        }
    }
}
