//! Components that one thread serves.
//!
//! On seL4 a component with `single_threaded` has one thread for all its interfaces and events: no
//! two of them are ever at work at once, and its code relies on it. Here each interface is a gate
//! of its own. One gate that lets one in at a time does the same; more than one do not.

use super::codes;
use super::connect::Place;
use super::context::Context;
use super::report::Report;
use super::threads::is_true;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Protocol, System};

/// Refuses those in which two could be at work at once.
pub(super) fn check(context: &Context<'_, '_>, system: &System, report: &mut Report) {
    for instance in 0..context.flat.instances.len() {
        let Some(given) = context.settings.instance(instance).get("single_threaded") else {
            continue;
        };
        given.settle();
        if !is_true(&given.value.datum) || context.objects.components[instance].is_none() {
            continue;
        }
        let inside = at_work(context, system, instance);
        let Some(problem) = problem(&inside) else { continue };
        let flat = &context.flat.instances[instance];
        let message = format!("`{}` is to be single-threaded, and {problem}", flat.name);
        let error = Diagnostic::error(codes::SINGLE_THREADED, message);
        let error = error.at(given.value.span, "on seL4 one thread serves them, one by one");
        let error = if flat.shape.attributes.contains_key("single_threaded") {
            error.because(flat.span, "this instance")
        } else {
            error
        };
        report.push(error.with_note(
            "take it out, and let each of them lock one mutex of the component, in its code and in \
             its `calls`: `\"lock m\", \"20 us\", \"unlock m\"`",
        ));
    }
}

/// Something of a component that threads are at work in.
struct AtWork {
    name: String,
    /// True if at most one thread is there at a time.
    exclusive: bool,
}

fn at_work(context: &Context<'_, '_>, system: &System, instance: usize) -> Vec<AtWork> {
    let flat = &context.flat.instances[instance];
    let mut all = Vec::new();
    if flat.shape.control.is_some() {
        all.push(AtWork { name: "its control thread".into(), exclusive: true });
    }
    for (port, declared) in flat.shape.interfaces.iter().enumerate() {
        let place = Place { instance, port };
        let name = format!("`{}`", declared.name.text);
        match declared.kind {
            Kind::Provides => {
                let Some(gate) = context.objects.gates.get(&place) else { continue };
                let is_called = context.objects.used.values().any(|used| used == gate);
                let protocol = system.gate(*gate).protocol.value;
                if is_called {
                    all.push(AtWork { name, exclusive: protocol != Protocol::Propagated });
                }
            }
            // A control thread waits for its events itself.
            Kind::Consumes
                if flat.shape.control.is_none()
                    && context.objects.consumed.contains_key(&place) =>
            {
                all.push(AtWork { name, exclusive: true });
            }
            _ => {}
        }
    }
    all
}

fn problem(inside: &[AtWork]) -> Option<String> {
    if let [one] = inside {
        return (!one.exclusive).then(|| format!("{} lets in all that call", one.name));
    }
    let names: Vec<&str> = inside.iter().map(|one| one.name.as_str()).collect();
    let (last, most) = names.split_last()?;
    Some(format!("two threads could be in {} and {last} at once", most.join(", ")))
}
