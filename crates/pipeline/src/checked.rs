//! Everything that there is to say about a description alone.

use fusee_diagnostics::render;
use fusee_model::System;
use fusee_model::derived::Derived;
use serde_json::{Value, json};

use crate::costs::Costs;
use crate::load::{Loaded, load};
use crate::options::Source;
use crate::{gates, limits};

/// A description that was checked.
pub struct Checked {
    /// It, with all that is to be said about it.
    pub loaded: Loaded,
}

/// Reads and checks a description, also for what no machine could run.
pub fn run(source: &Source) -> Checked {
    let mut loaded = load(source, &Costs::nothing()).demanding_a_machine();
    loaded.diagnostics.extend(limits::exceeded(&loaded));
    Checked { loaded }
}

impl Checked {
    /// The system, if results about it can be trusted.
    pub fn usable(&self) -> Option<&(System, Derived)> {
        self.loaded.usable()
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let of = |(system, derived): &(System, Derived)| gates::json(system, derived);
        json!({
            "system": self.loaded.system.as_ref().map(|(system, _)| &system.name),
            "usable": self.usable().is_some(),
            "gates": self.loaded.system.as_ref().map_or(json!([]), of),
            "diagnostics": render::json(&self.loaded.diagnostics, &self.loaded.sources),
        })
    }
}
