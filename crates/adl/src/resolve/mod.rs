//! Syntax tree to model: what a description means.
//!
//! Resolving goes in stages, each with a result of its own, and every stage goes on after
//! errors so that one run reports them all:
//!
//! 1. declarations by name (`names`), component types sorted (`shape`);
//! 2. hierarchy taken apart into one list of instances (`flatten`);
//! 3. settings, defaults and copies to values (`settings`, `value`, `types`);
//! 4. ends of connections looked up and checked (`connect`, `connector`);
//! 5. what code generation needs (`code`), components, notifications, dataports (`objects`), gates
//!    and bodies (`gates`, `bodies`), tasks (`tasks`);
//! 6. priorities that were left out ([`fusee_model::priorities`]);
//! 7. what is read later (`built`), what is refused (`single`, `domains`) or done otherwise
//!    (`threads`), and every setting that nothing has settled by then (`unsettled`).
//!
//! A system comes out only if there was no error: half a system would have bounds
//! that mean nothing. The work is linear in the size of the description but for
//! suggestions, whose number is limited.

mod arithmetic;
mod bodies;
mod buffers;
mod built;
mod catalogue;
mod chain_text;
mod chains;
mod code;
mod codes;
mod connect;
mod connector;
mod context;
mod contradictions;
mod datum;
mod domains;
mod edges;
mod flatten;
mod gates;
mod likeness;
mod limit;
mod names;
mod objects;
mod parameters;
mod priorities;
mod read;
mod releases;
mod report;
mod rules;
mod schedulers;
mod sections;
mod settings;
mod shape;
mod single;
mod symbols;
mod tasks;
mod threads;
mod types;
mod unsettled;
mod value;

pub use catalogue::{ATTRIBUTES, Fate, Known, Place, Reader};
pub use report::Origins;
pub use rules::RULES;

use crate::Options;
use crate::tree::Tree;
use connect::Place as At;
use context::Context;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Component, LockComponent, System};
use read::{Attributes, Zero};
use report::Report;
use sections::Sections;
use std::cell::RefCell;

/// The result of resolving a tree.
#[derive(Debug)]
pub struct Resolution {
    /// The system; `None` after an error.
    pub system: Option<System>,
    /// The places behind the system's origins.
    pub origins: Origins,
    /// Messages, in the order of the stages.
    pub diagnostics: Vec<Diagnostic>,
}

/// Resolves a tree into a system of that name.
pub fn resolve(tree: &Tree, name: &str, options: &Options) -> Resolution {
    let mut report = Report::default();
    let names = names::Names::collect(tree, options, &mut report);
    let flat = flatten::flatten(tree, &names, &mut report);
    let settings = settings::settle(&flat, &names, &mut report);
    symbols::check(&flat, &names, &mut report);
    parameters::check(&names, &mut report);
    let joints = connect::join(&flat, &names, &mut report);
    let mut system = System { name: name.into(), ..System::default() };
    system.procedures = code::procedures(&names, &mut report);
    system.structs = code::structs(&names);
    let objects = objects::build(&flat, &settings, &joints, &mut system, &mut report);
    let adder = buffers::Adder {
        flat: &flat,
        settings: &settings,
        joints: &joints,
        objects: &objects,
        system: &mut system,
    };
    buffers::add(adder, &mut report);
    let gate_places: Vec<At> = objects.gates.keys().copied().collect();
    let sections = RefCell::new(Sections::behind(gate_places.len()));
    let context = Context {
        flat: &flat,
        names: &names,
        settings: &settings,
        joints: &joints,
        objects: &objects,
        gate_places: &gate_places,
        sections: &sections,
        tick: options.tick,
    };
    system.gates = gates::build(&context, &mut report);
    system.tasks = tasks::build(&context, &mut report);
    let mutexes = sections.take().mutexes();
    system.gates.extend(
        mutexes.filter_map(|mutex| gates::mutex(&context, &system.components, mutex, &mut report)),
    );
    gates::unlisted(&context, &system, &mut report);
    releases::derive_periods(&mut system, &mut report);
    of_components(&context, &mut system.components, &mut report);
    whole_system(&context, &mut system, &mut report);
    built::check(&context, &mut report);
    single::check(&context, &system, &mut report);
    domains::check(tree, &context, &mut report);
    threads::check(&context, &system, &mut report);
    unsettled::check(&context, &mut report);
    let system = (!report.has_errors()).then_some(system);
    let (diagnostics, origins) = report.finish();
    Resolution { system, origins, diagnostics }
}

fn of_components(context: &Context<'_, '_>, components: &mut [Component], report: &mut Report) {
    for (instance, component) in context.objects.components.iter().enumerate() {
        if let Some(component) = component {
            let attributes = context.attributes(instance);
            let component = &mut components[component.index()];
            component.on_fault = tasks::on_fault(&attributes, report);
            component.startup = attributes.duration("startup", Zero::Refused, report);
            let given = tasks::dependencies(&attributes, report);
            // The one that comes with Fusee is for nothing else.
            component.dependencies = given.unwrap_or(component.kind == "LockScheduler");
            component.trusted = tasks::trusted(&attributes, report).unwrap_or(true);
            component.lock_component = lock_component(context, instance);
            code::locking(&attributes, &mut component.code, report);
            // Whoever builds reads it as a number of bytes.
            attributes.integer("heap_size", (0, u32::MAX), report);
        }
    }
}

/// Returns the kind of lock component that an instance is, if its type is one of those that come
/// with Fusee.
fn lock_component(context: &Context<'_, '_>, instance: usize) -> Option<LockComponent> {
    let shape = &context.flat.instances[instance].shape;
    let shipped = |port: &shape::Port<'_>| context.names.library.contains(&port.span.file);
    let is_it = |known: &LockComponent| known.component() == shape.name.as_str();
    let ours = !shape.interfaces.is_empty() && shape.interfaces.iter().all(shipped);
    LockComponent::ALL.into_iter().find(is_it).filter(|_| ours)
}

fn whole_system(context: &Context<'_, '_>, system: &mut System, report: &mut Report) {
    let attributes = Attributes {
        given: context.settings.system(),
        declared: None,
        tick: context.tick,
        looks: false,
    };
    system.settings.time_slice = attributes.duration("time_slice", Zero::Refused, report);
    system.settings.startup = attributes.duration("startup", Zero::Refused, report);
    system.settings.stack_size = attributes.integer("stack_size", (256, 1 << 20), report);
    priorities::assign(&attributes, system, report);
    schedulers::build(context, system, report);
    system.chains = chains::read(context, &attributes, system, report);
}
