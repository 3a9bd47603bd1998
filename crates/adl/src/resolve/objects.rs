//! From joined interfaces to components, gates, notifications and dataports.
//!
//! - Each provided procedure interface is a gate; one of a device is passed without
//!   the kernel, like a direct call, and nothing leads to it.
//! - Each consumed event is a notification: several emitters signal the same one, and
//!   an emitter with several consumers signals each. That is what CAmkES generates.
//! - Dataports that are connected to each other, however many connections it takes,
//!   are one dataport.
//! - A compound component with nothing of its own is no component of the model.

use super::codes;
use super::connect::{Joined, Joints, Place};
use super::flatten::Flattened;
use super::report::Report;
use super::settings::{Given, Settings};
use super::value::Datum;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;
use fusee_model::{
    Attribute, Component, ComponentId, Connection, ConnectionId, Dataport, DataportId, Domain,
    DomainId, End, GateId, Interface, InterfaceKind, Notification, NotificationId, OnFault, System,
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The places of the description's interfaces in the model.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// The component of each instance that is one.
    pub(super) components: Vec<Option<ComponentId>>,
    /// The gate of each provided interface.
    pub(super) gates: BTreeMap<Place, GateId>,
    /// The gate that each used interface leads to.
    pub(super) used: HashMap<Place, GateId>,
    /// The notification of each consumed event.
    pub(super) consumed: HashMap<Place, NotificationId>,
    /// The notifications that each emitted event signals.
    pub(super) emitted: HashMap<Place, Vec<NotificationId>>,
    dataports: HashMap<Place, DataportId>,
    ends: HashMap<Place, Vec<ConnectionId>>,
    interfaces: HashMap<Place, usize>,
}

impl Objects {
    /// Returns the place of an interface in the model: its component, and its position there.
    pub(super) fn interface(&self, place: Place) -> Option<(ComponentId, usize)> {
        Some((self.components[place.instance]?, *self.interfaces.get(&place)?))
    }
}

/// Makes everything of the model but tasks and the contents of gates.
pub(super) fn build(
    flat: &Flattened<'_>,
    settings: &Settings,
    joints: &Joints,
    system: &mut System,
    report: &mut Report,
) -> Objects {
    let mut builder =
        Builder { flat, settings, joints, system, report, objects: Objects::default() };
    builder.keep_components();
    builder.number_gates();
    builder.notifications();
    builder.dataports();
    builder.procedures();
    builder.connections();
    builder.components();
    builder.objects
}

struct Builder<'a, 't> {
    flat: &'a Flattened<'t>,
    settings: &'a Settings,
    joints: &'a Joints,
    system: &'a mut System,
    report: &'a mut Report,
    objects: Objects,
}

impl Builder<'_, '_> {
    fn keep_components(&mut self) {
        let mut next = 0usize;
        for (instance, flat) in self.flat.instances.iter().enumerate() {
            let shape = &flat.shape;
            let ports = 0..shape.interfaces.len();
            let hollow = !shape.compositions.is_empty()
                && shape.control.is_none()
                && ports.clone().all(|port| self.joints.is_virtual(Place { instance, port }));
            self.objects.components.push((!hollow).then(|| ComponentId::from(next)));
            if hollow {
                continue;
            }
            next += 1;
            let real = ports
                .map(|port| Place { instance, port })
                .filter(|&place| !self.joints.is_virtual(place));
            self.objects
                .interfaces
                .extend(real.enumerate().map(|(position, place)| (place, position)));
        }
    }

    /// Returns the interfaces that the model has, in order.
    fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = self.objects.interfaces.keys().copied().collect();
        places.sort_unstable();
        places
    }

    fn kind(&self, place: Place) -> Kind {
        self.flat.instances[place.instance].shape.interfaces[place.port].kind
    }

    fn is_device(&self, place: Place) -> bool {
        self.flat.instances[place.instance].shape.hardware.is_some()
    }

    fn number_gates(&mut self) {
        let provided =
            self.places().into_iter().filter(|&place| self.kind(place) == Kind::Provides);
        let gates =
            provided.enumerate().map(|(index, place)| (place, GateId::from(index))).collect();
        self.objects.gates = gates;
    }

    fn notifications(&mut self) {
        let joints = self.joints;
        let mut pairs = HashSet::new();
        for joined in &joints.connections {
            for end in &joined.to {
                if self.kind(end.place) != Kind::Consumes {
                    continue;
                }
                let known = self.objects.consumed.get(&end.place).copied();
                let id = known.unwrap_or_else(|| self.notification(joined, end.place));
                for emitter in &joined.from {
                    if pairs.insert((emitter.place, id)) {
                        self.objects.emitted.entry(emitter.place).or_default().push(id);
                    }
                }
            }
        }
    }

    fn notification(&mut self, joined: &Joined, consumer: Place) -> NotificationId {
        let flat = &self.flat.instances[consumer.instance];
        let name = match joined.to.len() {
            1 => joined.name.clone(),
            _ => format!(
                "{}:{}.{}",
                joined.name, flat.name, flat.shape.interfaces[consumer.port].name.text
            ),
        };
        let origin = self.report.origin(joined.span);
        let id = NotificationId::from(self.system.notifications.len());
        self.system.notifications.push(Notification {
            name,
            counting: joined.connector.counting,
            origin,
        });
        self.objects.consumed.insert(consumer, id);
        id
    }

    fn dataports(&mut self) {
        let mut merged: Vec<usize> = Vec::new();
        let mut of_place: HashMap<Place, usize> = HashMap::new();
        let mut connections: Vec<(usize, usize)> = Vec::new();
        for (index, joined) in self.joints.connections.iter().enumerate() {
            let ends: Vec<Place> =
                joined.from.iter().chain(&joined.to).map(|end| end.place).collect();
            if ends.is_empty() || ends.iter().any(|&place| self.kind(place) != Kind::Dataport) {
                continue;
            }
            let own = merged.len();
            merged.push(own);
            connections.push((own, index));
            for place in ends {
                let other = root(&mut merged, *of_place.entry(place).or_insert(own));
                let own = root(&mut merged, own);
                let (low, high) = (other.min(own), other.max(own));
                merged[high] = low;
            }
        }
        let mut ids: HashMap<usize, DataportId> = HashMap::new();
        for (own, index) in connections {
            let root = root(&mut merged, own);
            let id = *ids.entry(root).or_insert_with(|| {
                let id = DataportId::from(self.system.dataports.len());
                let joined = &self.joints.connections[index];
                let origin = self.report.origin(joined.span);
                self.system.dataports.push(Dataport {
                    name: joined.name.clone(),
                    size: None,
                    origin,
                });
                id
            });
            self.join_dataport(index, id);
        }
    }

    fn join_dataport(&mut self, index: usize, id: DataportId) {
        let joined = &self.joints.connections[index];
        let given = self.settings.connection(joined.index, "size");
        let given = given.and_then(|given| bytes("size", given, self.report));
        let (mut own, mut of_type) = (None, None);
        for end in joined.from.iter().chain(&joined.to) {
            let instance = end.place.instance;
            let port = &self.flat.instances[instance].shape.interfaces[end.place.port];
            // A size of the connection holds for all ends; without one the largest of them does.
            let name = format!("{}_size", port.name.text);
            let attribute = self.settings.instance(instance).get(&name);
            let attribute = attribute.filter(|_| given.is_none());
            own = own.max(attribute.and_then(|given| bytes(&name, given, self.report)));
            of_type = of_type.or(port.size);
            self.objects.dataports.insert(end.place, id);
        }
        let known = &mut self.system.dataports[id.index()].size;
        *known = (*known).max(given.or(own).or(of_type));
    }

    fn procedures(&mut self) {
        for joined in &self.joints.connections {
            let Some(to) = joined.to.first().filter(|end| self.kind(end.place) == Kind::Provides)
            else {
                continue;
            };
            if self.is_device(to.place) {
                continue;
            }
            let Some(&gate) = self.objects.gates.get(&to.place) else { continue };
            for from in &joined.from {
                self.objects.used.entry(from.place).or_insert(gate);
            }
        }
    }

    fn connections(&mut self) {
        for joined in &self.joints.connections {
            let id = ConnectionId::from(self.system.connections.len());
            let (mut from, mut to) = (Vec::new(), Vec::new());
            for (list, ends) in [(&mut from, &joined.from), (&mut to, &joined.to)] {
                for end in ends {
                    let component = self.objects.components[end.place.instance];
                    let position = self.objects.interfaces.get(&end.place);
                    if let (Some(component), Some(&interface)) = (component, position) {
                        let origin = self.report.origin(end.span);
                        list.push(End { component, interface, origin });
                        self.objects.ends.entry(end.place).or_default().push(id);
                    }
                }
            }
            let origin = self.report.origin(joined.span);
            let (name, connector) = (joined.name.clone(), joined.connector.name.clone());
            self.system.connections.push(Connection { name, connector, from, to, origin });
        }
    }

    fn components(&mut self) {
        let mut domains: HashMap<&str, DomainId> = HashMap::new();
        for (instance, flat) in self.flat.instances.iter().enumerate() {
            let Some(id) = self.objects.components[instance] else { continue };
            let next = DomainId::from(self.system.domains.len());
            let domain = *domains.entry(&flat.domain).or_insert(next);
            if domain == next {
                self.system
                    .domains
                    .push(Domain { name: flat.domain.clone(), components: Vec::new() });
            }
            self.system.domains[domain.index()].components.push(id);
            let interfaces = self.interfaces(instance);
            let component = Component {
                name: flat.name.clone(),
                kind: flat.shape.name.clone(),
                control: flat.shape.control.is_some(),
                hardware: flat.shape.hardware.is_some(),
                domain,
                on_fault: OnFault::default(),
                startup: None,
                dependencies: false,
                trusted: true,
                lock_component: None,
                interfaces,
                attributes: self.attributes(instance),
                code: super::code::of_instance(
                    &flat.shape,
                    self.settings.instance(instance),
                    self.report,
                ),
                origin: self.report.origin(flat.span),
            };
            self.system.components.push(component);
        }
    }

    fn interfaces(&mut self, instance: usize) -> Vec<Interface> {
        let mut interfaces = Vec::new();
        for (port, declared) in self.flat.instances[instance].shape.interfaces.iter().enumerate() {
            let place = Place { instance, port };
            if self.joints.is_virtual(place) {
                continue;
            }
            let kind = match declared.kind {
                Kind::Provides => match self.objects.gates.get(&place) {
                    Some(gate) => InterfaceKind::Provides(*gate),
                    None => continue,
                },
                Kind::Uses => InterfaceKind::Uses(self.objects.used.get(&place).copied()),
                Kind::Emits => InterfaceKind::Emits(
                    self.objects.emitted.get(&place).and_then(|e| e.first()).copied(),
                ),
                Kind::Consumes => {
                    InterfaceKind::Consumes(self.objects.consumed.get(&place).copied())
                }
                Kind::Dataport => {
                    InterfaceKind::Dataport(self.objects.dataports.get(&place).copied())
                }
            };
            interfaces.push(Interface {
                name: declared.name.text.clone(),
                kind,
                type_name: declared.type_name.clone(),
                optional: declared.optional,
                connections: self.objects.ends.get(&place).cloned().unwrap_or_default(),
                origin: self.report.origin(declared.span),
            });
        }
        interfaces
    }

    fn attributes(&mut self, instance: usize) -> Vec<Attribute> {
        let mut attributes = Vec::new();
        for (name, given) in self.settings.instance(instance) {
            if let Some(value) = given.value.datum.to_value() {
                let origin = self.report.origin(given.value.span);
                attributes.push(Attribute { name: name.clone(), value, origin });
            }
        }
        attributes
    }
}

fn root(merged: &mut [usize], mut index: usize) -> usize {
    while merged[index] != index {
        merged[index] = merged[merged[index]];
        index = merged[index];
    }
    index
}

/// Returns a number of bytes, as a number or as a text such as `"0x1000"`; what is none is
/// reported.
pub(super) fn bytes(name: &str, given: &Given, report: &mut Report) -> Option<u64> {
    given.settle();
    let (datum, span) = (&given.value.datum, given.value.span);
    let bytes = datum.bytes();
    if bytes.is_none() && *datum != Datum::Unknown {
        let message = format!("`{name}` takes a whole number of bytes, this is {}", datum.kind());
        report.push(Diagnostic::error(codes::WRONG_VALUE, message).at(span, ""));
    }
    bytes
}
