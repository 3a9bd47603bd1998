//! Names that differ in a description and are the same in generated Rust.
//!
//! `text_sink` and `textSink` are both the trait `TextSink`; an attribute `name` is the
//! constant `NAME`, which tells the instance. C has each as it is written.

use crate::rules;
use crate::view;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Component, InterfaceKind};
use std::collections::BTreeMap;

/// The first name that the generated crate of a component would have twice.
pub(crate) fn twice(component: &Component) -> Option<Diagnostic> {
    let attributes = component.code.attributes.iter().map(|attribute| &attribute.name);
    let constants = attributes.map(|name| (name.to_uppercase(), format!("the attribute `{name}`")));
    let own = [("NAME".to_owned(), "the instance's name".to_owned())];
    let provides = component
        .interfaces
        .iter()
        .filter(|interface| matches!(interface.kind, InterfaceKind::Provides(_)));
    let traits =
        provides.map(|of| (view::trait_name(&of.name), format!("the interface `{}`", of.name)));
    let control =
        component.control.then(|| ("Control".to_owned(), "the control thread".to_owned()));
    first(constants.chain(own), component).or_else(|| first(traits.chain(control), component))
}

fn first(
    names: impl Iterator<Item = (String, String)>,
    component: &Component,
) -> Option<Diagnostic> {
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for (name, what) in names {
        if let Some(other) = known.get(&name) {
            let message =
                format!("in Rust {other} and {what} of `{}` are both `{name}`", component.name);
            let error = Diagnostic::error(rules::SAME_IN_RUST, message);
            return Some(error.with_note("rename one of them, or write the component in C"));
        }
        known.insert(name, what);
    }
    None
}
