//! Descriptions and the systems that they mean.

mod bodies;
mod camkes;
mod code;
mod connections;
mod hierarchy;
mod mutilated;
mod settings;
mod tasks;

use fusee_adl::Options;
use fusee_adl::resolve::{Resolution, resolve};
use fusee_adl::syntax::load_bytes;
use fusee_diagnostics::Severity;
use fusee_model::{Component, Gate, System, Task, Value};

/// Resolves a text that has no mistakes as text.
fn resolution(text: &str) -> Resolution {
    let loaded = load_bytes(text.as_bytes());
    assert!(loaded.diagnostics.is_empty(), "{:#?}", loaded.diagnostics);
    resolve(&loaded.tree, "test", &Options::default())
}

/// Returns the system behind a text without mistakes.
fn system(text: &str) -> System {
    let resolution = resolution(text);
    resolution.system.unwrap_or_else(|| panic!("{:#?}", resolution.diagnostics))
}

/// Returns the codes of all errors and warnings.
fn complaints(text: &str) -> Vec<&'static str> {
    let diagnostics = resolution(text).diagnostics;
    diagnostics.iter().filter(|d| d.severity > Severity::Note).map(|d| d.code.0).collect()
}

fn component<'s>(system: &'s System, name: &str) -> &'s Component {
    system
        .components
        .iter()
        .find(|component| component.name == name)
        .unwrap_or_else(|| panic!("no component {name}"))
}

fn task<'s>(system: &'s System, name: &str) -> &'s Task {
    system.tasks.iter().find(|task| task.name == name).unwrap_or_else(|| panic!("no task {name}"))
}

fn gate<'s>(system: &'s System, name: &str) -> &'s Gate {
    system.gates.iter().find(|gate| gate.name == name).unwrap_or_else(|| panic!("no gate {name}"))
}

fn attribute<'s>(component: &'s Component, name: &str) -> Option<&'s Value> {
    component
        .attributes
        .iter()
        .find(|attribute| attribute.name == name)
        .map(|attribute| &attribute.value)
}
