//! Interfaces and the connections that end at them.

pub(crate) mod connected_twice;
pub(crate) mod consumes_unconnected;
pub(crate) mod dataport_one_user;
pub(crate) mod dataport_unconnected;
pub(crate) mod emits_unconnected;
pub(crate) mod own_interface;
pub(crate) mod provides_unconnected;
pub(crate) mod several_to_ends;
pub(crate) mod uses_unconnected;

use fusee_diagnostics::Rule;
use fusee_model::InterfaceKind;

use crate::finding::Finding;
use crate::view::View;

/// One finding for each interface of a kind that has no connection and needs one.
fn unconnected(
    view: &View<'_>,
    rule: &'static Rule,
    kind: fn(InterfaceKind) -> bool,
    what: &str,
    instead: &str,
) -> Vec<Finding> {
    (view.interfaces())
        .filter(|(c, i)| kind(i.kind) && i.connections.is_empty() && !i.optional && !c.hardware)
        .map(|(component, interface)| {
            let name = format!("{}.{}", component.name, interface.name);
            Finding::of(rule, format!("{what} `{name}` is not connected"))
                .at(component.origin, "this instance leaves it open")
                .because(interface.origin, "declared here")
                .note(instead)
        })
        .collect()
}
