//! Attributes that are read when an image is built, and what they take.
//!
//! Who builds finds them in the model by name. That there is somebody to read them, and that their
//! values fit, is seen here: a size that is no number would else be taken for none.

use super::connect::Place;
use super::context::Context;
use super::read::Attributes;
use super::report::Report;
use super::shape::Port;
use super::value::Datum;
use super::{codes, limit};
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;

/// Checks the values of what is read, and settles it.
pub(super) fn check(context: &Context<'_, '_>, report: &mut Report) {
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        if context.objects.components[instance].is_none() {
            continue;
        }
        let attributes = context.attributes(instance);
        if flat.shape.hardware.is_some() {
            flat.shape.interfaces.iter().for_each(|port| of_device(&attributes, port, report));
            continue;
        }
        bytes(&attributes, "_stack_size", report);
        bytes(&attributes, "dma_pool", report);
        limit::check(&attributes, "", report);
        limit::check(&attributes, "_", report);
        settle(&attributes, "stub");
        if attributes.get("environment").is_some_and(|given| is_c(&given.value.datum)) {
            settle(&attributes, "environment");
        }
        for (port, declared) in flat.shape.interfaces.iter().enumerate() {
            of_interface(&attributes, declared, report);
            let is_served = context.objects.consumed.contains_key(&Place { instance, port });
            if declared.kind == Kind::Consumes && is_served {
                attributes.priority(&format!("{}_priority", declared.name.text), report);
                // That of all threads, where the event has none.
                attributes.priority("priority", report);
            }
        }
    }
}

fn of_interface(attributes: &Attributes<'_, '_>, port: &Port<'_>, report: &mut Report) {
    let name = |suffix: &str| format!("{}_{suffix}", port.name.text);
    match port.kind {
        Kind::Provides | Kind::Consumes => {
            bytes(attributes, &name("stack_size"), report);
            limit::check(attributes, &name(""), report);
        }
        Kind::Uses => settle(attributes, &name("attributes")),
        Kind::Dataport => {
            if attributes.get(&name("access")).is_some() {
                attributes.text(&name("access"), report);
            }
        }
        Kind::Emits => {}
    }
}

/// A device's addresses, sizes and interrupts, as numbers or as texts such as `"0x1000"`.
fn of_device(attributes: &Attributes<'_, '_>, port: &Port<'_>, report: &mut Report) {
    let suffixes: &[&str] = match port.kind {
        Kind::Dataport => &["paddr", "size"],
        Kind::Emits => &["irq_number"],
        _ => &[],
    };
    for suffix in suffixes {
        let name = format!("{}_{suffix}", port.name.text);
        let Some(given) = attributes.get(&name) else { continue };
        given.settle();
        if given.value.datum == Datum::Unknown || given.value.datum.bytes().is_some() {
            continue;
        }
        let kind = given.value.datum.kind();
        let message = format!("`{name}` takes a whole number that is not negative, this is {kind}");
        report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(given.value.span, ""));
    }
}

fn bytes(attributes: &Attributes<'_, '_>, name: &str, report: &mut Report) {
    attributes.integer(name, (0, u32::MAX), report);
}

fn settle(attributes: &Attributes<'_, '_>, name: &str) {
    attributes.get(name).inspect(|given| given.settle());
}

/// Returns true for C's language environment, which components have without a setting.
fn is_c(datum: &Datum) -> bool {
    matches!(datum, Datum::Text(text) if text.eq_ignore_ascii_case("c"))
}
