//! Names that only generated code uses.
//!
//! Those that the image looks for are in `fusee_tables::symbol`.

use fusee_model::Component;
use fusee_tables::symbol::identifier;

/// A method that components of the same domain call directly.
pub(crate) fn direct(component: &Component, interface: &str, method: &str) -> String {
    format!("__fusee_direct_{}_{interface}_{method}", identifier(&component.name))
}
