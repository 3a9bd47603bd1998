//! The tables that the last stages look things up in.

use super::connect::{Joints, Place};
use super::flatten::Flattened;
use super::names::{Methods, Names};
use super::objects::Objects;
use super::read::Attributes;
use super::sections::Sections;
use super::settings::Settings;
use fusee_model::{Duration, GateId};
use std::cell::RefCell;

/// Everything that is known once interfaces are joined.
pub(super) struct Context<'a, 't> {
    pub(super) flat: &'a Flattened<'t>,
    pub(super) names: &'a Names<'t>,
    pub(super) settings: &'a Settings,
    pub(super) joints: &'a Joints,
    pub(super) objects: &'a Objects,
    pub(super) gate_places: &'a [Place],
    /// Every body that is read adds its critical sections.
    pub(super) sections: &'a RefCell<Sections>,
    pub(super) tick: Duration,
}

impl<'a, 't> Context<'a, 't> {
    /// Returns the attributes of an instance.
    pub(super) fn attributes(&self, instance: usize) -> Attributes<'a, 't> {
        Attributes {
            given: self.settings.instance(instance),
            declared: Some(&self.flat.instances[instance].shape.attributes),
            tick: self.tick,
            looks: false,
        }
    }

    /// Returns the methods behind a gate.
    pub(super) fn methods(&self, gate: GateId) -> Option<&'a Methods<'t>> {
        let place = self.gate_places[gate.index()];
        let port = &self.flat.instances[place.instance].shape.interfaces[place.port];
        self.names.methods(&port.type_name)
    }
}
