//! Calls whose arguments go through shared memory.
//!
//! A message of the kernel's has 120 words. Connectors such as `seL4RPCDataport` say that
//! more than that is to go through memory that caller and callee share; the attribute
//! `buffer` of a connection names such memory that is there already. In the model the memory
//! is a dataport like any other, with an interface at each end, so that nobody behind it has
//! to know of calls. The caller's component gets the attribute `IFACE_buffer`, which names
//! the interface that its calls go through.

use super::connect::{Joined, JoinedEnd, Joints, Place};
use super::flatten::Flattened;
use super::objects::{self, Objects};
use super::report::Report;
use super::settings::Settings;
use super::value::Datum;
use crate::tree::InterfaceKind as Kind;
use fusee_model::{
    Attribute, ComponentId, ConnectionId, Dataport, DataportId, Interface, InterfaceKind, Origin,
    System, Value,
};

/// Connectors whose calls go through shared memory of their own.
const BUFFERED: [&str; 4] = [
    "seL4RPCDataport",
    "seL4RPCDataportNoThreads",
    "seL4RPCDataportSignal",
    "seL4RPCOverMultiSharedData",
];

/// Bytes of that memory where nothing says another size, as with CAmkES.
const BYTES: u64 = 4096;

/// Adds the memory of all connections that want some.
pub(super) fn add(mut adder: Adder<'_, '_>, report: &mut Report) {
    for (index, joined) in adder.joints.connections.iter().enumerate() {
        let origin = report.origin(joined.span);
        match adder.given(joined) {
            Some((from, buffer)) => adder.note(from, buffer, origin),
            None if BUFFERED.contains(&joined.connector.like.as_str()) => {
                adder.make(joined, index.into(), origin, report)
            }
            None => {}
        }
    }
}

/// A system that gets the memory of its connections, and what is known of its description.
pub(super) struct Adder<'a, 't> {
    pub(super) flat: &'a Flattened<'t>,
    pub(super) settings: &'a Settings,
    pub(super) joints: &'a Joints,
    pub(super) objects: &'a Objects,
    pub(super) system: &'a mut System,
}

/// Memory that a caller's arguments go through.
struct Memory {
    dataport: DataportId,
    size: u64,
    connection: ConnectionId,
    origin: Origin,
}

impl Adder<'_, '_> {
    fn kind(&self, place: Place) -> Kind {
        self.flat.instances[place.instance].shape.interfaces[place.port].kind
    }

    fn name(&self, place: Place) -> String {
        self.flat.instances[place.instance].shape.interfaces[place.port].name.text.clone()
    }

    /// Returns the caller of a connection with the attribute `buffer`, and its dataport that is
    /// meant. With several callers the memory would belong to all of them, so there is none then.
    fn given(&self, joined: &Joined) -> Option<(Place, String)> {
        let given = self.settings.connection(joined.index, "buffer")?;
        let Datum::Text(wanted) = &given.value.datum else { return None };
        let ([from], [to]) = (&joined.from[..], &joined.to[..]) else { return None };
        if self.kind(from.place) != Kind::Uses {
            return None;
        }
        let memory = self.joints.connections.iter().find(|other| other.name == *wanted)?;
        let ends: Vec<&JoinedEnd> = memory.from.iter().chain(&memory.to).collect();
        let of = |instance| {
            ends.iter().find(|end| {
                end.place.instance == instance && self.kind(end.place) == Kind::Dataport
            })
        };
        of(to.place.instance)?;
        let memory = self.name(of(from.place.instance)?.place);
        given.settle();
        Some((from.place, memory))
    }

    /// Memory for each caller of a connection.
    fn make(&mut self, joined: &Joined, id: ConnectionId, origin: Origin, report: &mut Report) {
        let Some(to) = joined.to.first().and_then(|end| self.objects.interface(end.place)) else {
            return;
        };
        let callee = joined.to[0].place;
        for from in &joined.from {
            let Some((component, _)) = self.objects.interface(from.place) else { continue };
            let interface = self.name(from.place);
            let size = self.size(joined, (from.place.instance, &interface), report);
            let memory = DataportId::from(self.system.dataports.len());
            self.system.dataports.push(Dataport {
                name: joined.name.clone(),
                size: Some(size),
                origin,
            });
            let memory = Memory { dataport: memory, size, connection: id, origin };
            let own = self.interface(component, &interface, &memory);
            self.interface(to.0, &self.name(callee), &memory);
            self.note(from.place, own, origin);
        }
    }

    fn size(
        &self,
        joined: &Joined,
        (instance, interface): (usize, &str),
        report: &mut Report,
    ) -> u64 {
        let name = format!("{interface}_shmem_size");
        let of_connection = self.settings.connection(joined.index, "size");
        let given = match of_connection {
            Some(given) => objects::bytes("size", given, report),
            None => {
                let of_caller = self.settings.instance(instance).get(&name);
                of_caller.and_then(|given| objects::bytes(&name, given, report))
            }
        };
        given.unwrap_or(BYTES)
    }

    /// Adds a dataport to a component; returns its name, which no other interface has.
    fn interface(&mut self, component: ComponentId, of: &str, memory: &Memory) -> String {
        let Memory { dataport, size, connection, origin } = *memory;
        let interfaces = &mut self.system.components[component.index()].interfaces;
        let mut name = format!("{of}_message");
        while interfaces.iter().any(|known| known.name == name) {
            name.push('_');
        }
        interfaces.push(Interface {
            name: name.clone(),
            kind: InterfaceKind::Dataport(Some(dataport)),
            type_name: format!("Buf({size})"),
            optional: false,
            connections: vec![connection],
            origin,
        });
        name
    }

    fn note(&mut self, from: Place, buffer: String, origin: Origin) {
        let Some((component, _)) = self.objects.interface(from) else { return };
        let name = format!("{}_buffer", self.name(from));
        let attributes = &mut self.system.components[component.index()].attributes;
        attributes.push(Attribute { name, value: Value::Text(buffer), origin });
    }
}
