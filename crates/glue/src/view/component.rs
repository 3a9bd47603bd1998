//! A component as templates see it.

use super::attribute;
use super::buffers;
use super::ctype::Types;
use super::dispatches;
use super::found::Found;
use super::method::Method;
use super::senders;
use super::shape::{
    Buffer, Component, Consumed, Emitted, Mutex, Provided, Semaphore, Used, dataport,
};
use super::synthetic::{self, Body, Subject};
use fusee_kernel::Capability;
use fusee_model::derived::Derived;
use fusee_model::{
    self as model, ComponentId, GateId, Header, Interface, InterfaceKind, LockKind, Procedure,
    System,
};
use fusee_platform::CoreTraits;
use fusee_tables::{CoreMachine, InterfaceSlots, LockSlots, Machines, ThreadRole, symbol};
use std::collections::BTreeSet;

/// The maker of views.
pub(crate) struct Maker<'a> {
    pub(crate) system: &'a System,
    pub(crate) derived: &'a Derived,
    pub(crate) machines: &'a Machines,
    pub(crate) traits: CoreTraits,
    pub(crate) types: Types<'a>,
    /// Gates whose components ask which end of a connection calls.
    pub(crate) senders: &'a BTreeSet<GateId>,
}

impl Maker<'_> {
    /// The view of a component.
    pub(crate) fn component(&self, id: ComponentId, found: &Found) -> Component {
        let component = self.system.component(id);
        let task = self.system.tasks.iter().find(|task| task.component == id);
        let mut view = declared(self.system, self.types, id);
        view.phases = phases(component, found);
        if let Some(event) = awaited_release(self.system, id, found) {
            view.awaits = event.name.clone();
            view.next_job = symbol::next_job(self.system, id);
            view.first_job = symbol::first_job(self.system, id);
        }
        view.job = task
            .filter(|_| !found.sources)
            .map(|task| self.body(id, &task.body, synthetic::AROUND_JOB));
        let slots = &self.machines.first().components[id.index()];
        for (position, interface) in component.interfaces.iter().enumerate() {
            self.add(id, interface, (&slots.interfaces[position], found), &mut view);
        }
        if !found.sources && component.interfaces.is_empty() {
            self.add_gates(id, &mut view);
        }
        for (lock, slots) in component.code.locks.iter().zip(&slots.locks) {
            let name = lock.name.clone();
            match *slots {
                LockSlots::Mutex { slot } => {
                    let word = lock.is_word().then(|| symbol::word(self.system, id, &lock.name));
                    view.mutexes.push(Mutex { name, slot, held: None, word });
                }
                LockSlots::Semaphore { post, wait } if lock.kind == LockKind::Mutex => {
                    let held = Some([wait, post]);
                    view.mutexes.push(Mutex { name, slot: 0, held, word: None });
                }
                LockSlots::Semaphore { post: give, wait: take } => {
                    let binary = lock.kind == LockKind::BinarySemaphore;
                    view.semaphores.push(Semaphore { name, take, give, binary });
                }
            }
        }
        view.words = view.mutexes.iter().filter_map(|mutex| mutex.word.clone()).collect();
        let threads = self.threads(id);
        view.threads = threads.iter().map(|(slot, _)| slot.unwrap_or(u16::MAX)).collect();
        view.priorities = threads.into_iter().map(|(_, level)| level).collect();
        let services = self.system.lock_services().next().is_some();
        view.names_self = services || !view.words.is_empty();
        view.entries = self.entries(id, &view);
        view.handles_errors =
            found.wanted.iter().any(|name| name.ends_with("_register_error_handler"));
        view.error_interfaces = callers(&view);
        view.asks_heap =
            ["morecore_area", "morecore_size"].iter().any(|name| found.wanted.contains(*name));
        let wants_dma = ["camkes_dma_alloc", "camkes_dma_get_paddr"]
            .iter()
            .any(|name| found.wanted.contains(*name));
        view.dma_bytes = wants_dma.then(|| bytes(component, "dma_pool"));
        view
    }

    /// Returns, for each thread of the system where a component may let threads sleep, the slot
    /// that names it and its priority, core by core: a component is told its threads' numbers
    /// among those of all cores.
    fn threads(&self, id: ComponentId) -> Vec<(Option<u16>, u8)> {
        let on_core = |core: &CoreMachine| -> Vec<(Option<u16>, u8)> {
            let slots = core.machine.components[id.index()].threads.iter().copied();
            let level = |role: &ThreadRole| match *role {
                ThreadRole::Task(task) => self.system.level(task),
                ThreadRole::Boot | ThreadRole::Callback { .. } => 0,
            };
            slots.zip(core.machine.threads.iter().map(level)).collect()
        };
        self.machines.cores.iter().flat_map(on_core).collect()
    }

    fn add(
        &self,
        id: ComponentId,
        of: &Interface,
        (slots, found): (&InterfaceSlots, &Found),
        view: &mut Component,
    ) {
        match slots {
            InterfaceSlots::Provides { gate, .. } => {
                let gate = GateId(gate.0.into());
                view.provides.push(self.provided(
                    id,
                    gate,
                    methods(self.system, self.types, of, Some(gate)),
                    found,
                ));
            }
            InterfaceSlots::Uses { slot, .. } => {
                let mut used = self.used(of, Some(*slot), None);
                if let InterfaceKind::Uses(Some(gate)) = of.kind
                    && self.senders.contains(&gate)
                {
                    used.end = senders::end(self.system, gate, (id, &of.name));
                }
                used.buffer = buffers::of_use(self.types, (id, &of.name));
                unfix(&mut used.methods, used.buffer.is_some());
                view.uses.push(used);
            }
            InterfaceSlots::Calls { gate } => {
                view.uses.push(self.used(of, None, Some(GateId(gate.0.into()))))
            }
            InterfaceSlots::Emits { slots } => {
                view.emits.push(Emitted { name: of.name.clone(), slots: slots.clone() });
            }
            InterfaceSlots::Consumes { slot, acknowledge, callback, .. } => {
                view.consumes.push(Consumed {
                    slot: Some(*slot),
                    acknowledge: *acknowledge,
                    entry: symbol::event(self.system, id, &of.name),
                    registration: callback.map(|callback| [callback.register, callback.registered]),
                    handler: found.defined.contains(&format!("{}_handle", of.name)),
                    ..Consumed::unconnected(of)
                })
            }
            InterfaceSlots::Unconnected => match of.kind {
                InterfaceKind::Uses(_) => view.uses.push(self.used(of, None, None)),
                _ => view.consumes.push(Consumed::unconnected(of)),
            },
            InterfaceSlots::Dataport { window } => {
                let mut dataport = dataport(self.system, self.types, of);
                dataport.window =
                    window.map_or_else(String::new, |_| symbol::window(self.system, id, &of.name));
                view.dataports.push(dataport);
            }
        }
    }

    /// Gates of generated systems, whose components have no interfaces.
    fn add_gates(&self, id: ComponentId, view: &mut Component) {
        let own = self.system.gate_ids().filter(|(_, gate)| gate.component == id);
        for (gate, described) in own.filter(|(gate, _)| self.system.mutex(*gate).is_none()) {
            let methods = described.methods.iter().enumerate();
            let methods = methods
                .map(|(index, method)| Method::bare(&method.name, index, self.types))
                .collect();
            view.provides.push(self.provided(id, gate, methods, &Found::default()));
        }
    }

    fn provided(
        &self,
        id: ComponentId,
        gate: GateId,
        mut methods: Vec<Method>,
        found: &Found,
    ) -> Provided {
        let described = self.system.gate(gate);
        let name = described.interface.clone();
        let bodies = if found.sources { &[][..] } else { &described.methods };
        let direct_entries =
            methods.iter().map(|m| symbol::direct(self.system, id, &name, &m.name)).collect();
        let buffers = buffers::of_gate(self.types, gate);
        let wants_sender = self.senders.contains(&gate);
        let ways =
            if wants_sender { senders::ways(self.system, self.machines, gate) } else { Vec::new() };
        unfix(&mut methods, !buffers.is_empty());
        Provided {
            trait_name: trait_name(&name),
            entry: symbol::gate(self.system, id, &name),
            direct: described.direct,
            direct_entries,
            bodies: bodies
                .iter()
                .enumerate()
                .map(|(index, method)| self.body(id, &method.body, synthetic::around_method(index)))
                .collect(),
            wants_sender,
            badges: senders::badges(self.system, gate),
            first_ways: ways.iter().map(|ends| senders::first(ends)).collect(),
            ways,
            buffer_bytes: largest(&buffers),
            buffers,
            methods,
            name,
        }
    }

    fn body(&self, id: ComponentId, body: &model::Body, around: u64) -> Body {
        let capabilities = &self.machines.first().objects.capabilities;
        let slot = |wanted: Capability| capabilities.slot(id, wanted);
        let Maker { system, derived, traits, .. } = *self;
        let has_words = system.component(id).code.locks.iter().any(model::Lock::is_word);
        let around = around + if has_words { synthetic::NAMING } else { 0 };
        synthetic::body(Subject { system, derived, traits }, (body, around), &slot)
    }

    fn used(&self, of: &Interface, slot: Option<u16>, direct: Option<GateId>) -> Used {
        let methods = methods(self.system, self.types, of, None);
        let direct_entries = direct.map_or_else(Vec::new, |gate| {
            let gate = self.system.gate(gate);
            let entry = |method: &Method| {
                symbol::direct(self.system, gate.component, &gate.interface, &method.name)
            };
            methods.iter().map(entry).collect()
        });
        Used {
            name: of.name.clone(),
            slot,
            direct_entries,
            optional: of.optional,
            methods,
            ..Used::default()
        }
    }

    fn entries(&self, id: ComponentId, view: &Component) -> Vec<String> {
        let mut entries = vec![symbol::init(self.system, id)];
        entries.extend(view.words.iter().cloned());
        // Components of a domain share it.
        entries.extend(view.names_self.then(|| "fusee_self".to_owned()));
        if view.control {
            entries.push(symbol::job(self.system, id));
        }
        for provided in &view.provides {
            match provided.direct {
                true => entries.extend(provided.direct_entries.iter().cloned()),
                false => entries.push(provided.entry.clone()),
            }
        }
        entries.extend(
            view.consumes.iter().filter(|c| c.registration.is_some()).map(|c| c.entry.clone()),
        );
        entries
    }
}

/// The event that releases a component's control thread.
pub(crate) fn release(system: &System, id: ComponentId) -> Option<&Interface> {
    let event = system.tasks.iter().find(|task| task.component == id)?.release_event()?;
    system
        .component(id)
        .interfaces
        .iter()
        .find(|of| of.kind == InterfaceKind::Consumes(Some(event)))
}

/// The same, where the component's code waits for it: then it loops, and a wait ends one job and
/// begins the next.
pub(crate) fn awaited_release<'a>(
    system: &'a System,
    id: ComponentId,
    found: &Found,
) -> Option<&'a Interface> {
    release(system, id).filter(|event| found.wanted.contains(&format!("{}_wait", event.name)))
}

/// Returns the view that a component's own code may see: everything but slots, which are not known
/// yet.
pub(crate) fn declared(system: &System, types: Types<'_>, id: ComponentId) -> Component {
    let component = system.component(id);
    let (attributes, structs) = attribute::all(component, types);
    Component {
        name: component.name.clone(),
        symbol: symbol::identifier(&component.name),
        kind: component.kind.clone(),
        core: system.tasks.iter().find(|task| task.component == id).map_or(0, |task| task.core),
        process: id.index() + 2,
        word: types.word,
        headers: headers(system, component),
        structs,
        attributes,
        control: component.control,
        dispatches: dispatches::of_component(system, id),
        dependencies: component.dependencies,
        ..Component::default()
    }
}

/// The header's view: as [`declared`], with all interfaces and locks by name.
pub(crate) fn header(system: &System, types: Types<'_>, id: ComponentId) -> Component {
    let component = system.component(id);
    let mut view = declared(system, types, id);
    for of in &component.interfaces {
        let (name, methods) = (of.name.clone(), methods(system, types, of, None));
        match of.kind {
            InterfaceKind::Provides(_) => {
                let trait_name = trait_name(&name);
                view.provides.push(Provided { name, trait_name, methods, ..Provided::default() });
            }
            InterfaceKind::Uses(_) => {
                view.uses.push(Used { name, methods, optional: of.optional, ..Used::default() });
            }
            InterfaceKind::Emits(_) => view.emits.push(Emitted { name, slots: Vec::new() }),
            InterfaceKind::Consumes(_) => view.consumes.push(Consumed::unconnected(of)),
            InterfaceKind::Dataport(_) => view.dataports.push(dataport(system, types, of)),
        }
    }
    for lock in &component.code.locks {
        let (name, binary) = (lock.name.clone(), lock.kind == LockKind::BinarySemaphore);
        match lock.kind {
            LockKind::Mutex => {
                view.mutexes.push(Mutex { name, slot: 0, held: None, word: None });
            }
            _ => view.semaphores.push(Semaphore { name, take: 0, give: 0, binary }),
        }
    }
    view
}

/// The interfaces through which something can fail.
fn callers(view: &Component) -> Vec<String> {
    let (provided, used) =
        (view.provides.iter().map(|i| &i.name), view.uses.iter().map(|i| &i.name));
    provided.chain(used).chain(view.emits.iter().map(|i| &i.name)).cloned().collect()
}

/// An attribute that is a number of bytes; 0 without it.
fn bytes(component: &model::Component, name: &str) -> u64 {
    match component.attribute(name) {
        Some(model::Value::Integer(bytes)) => u64::try_from(*bytes).unwrap_or(0),
        _ => 0,
    }
}

/// `text_sink` as `TextSink`.
pub(crate) fn trait_name(interface: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().collect::<String>() + letters.as_str()
        })
    };
    interface.split('_').map(capital).collect()
}

fn headers(system: &System, component: &model::Component) -> Vec<String> {
    let of_types =
        component.interfaces.iter().filter_map(|i| system.procedure_of(i)).flat_map(|p| &p.headers);
    let mut headers: Vec<String> = Vec::new();
    for Header { path, system, .. } in component.code.headers.iter().chain(of_types) {
        let written = if *system { format!("<{path}>") } else { format!("\"{path}\"") };
        if !headers.contains(&written) {
            headers.push(written);
        }
    }
    headers
}

/// The methods of an interface; those of a generated system's gate have no signatures.
fn methods(system: &System, types: Types<'_>, of: &Interface, gate: Option<GateId>) -> Vec<Method> {
    if let Some(Procedure { methods, .. }) = system.procedure_of(of) {
        return methods
            .iter()
            .enumerate()
            .map(|(index, method)| Method::of(method, index, types))
            .collect();
    }
    let methods = gate.map_or(&[][..], |gate| &system.gate(gate).methods);
    methods
        .iter()
        .enumerate()
        .map(|(index, method)| Method::bare(&method.name, index, types))
        .collect()
}

/// Takes the register of each value away where arguments go through memory.
fn unfix(methods: &mut [Method], buffered: bool) {
    methods.iter_mut().for_each(|method| method.fixed &= !buffered);
}

/// The size of the largest of a gate's buffers. Several are made by connectors, so that their sizes
/// are numbers.
fn largest(buffers: &[Buffer]) -> String {
    let numbers = buffers.iter().filter_map(|buffer| buffer.bytes.parse::<u64>().ok());
    numbers.max().map_or_else(
        || buffers.first().map_or("0".into(), |one| one.bytes.clone()),
        |most| most.to_string(),
    )
}

/// `pre_init`; the interfaces' `__init`; `post_init`: those that there are.
fn phases(component: &model::Component, found: &Found) -> Vec<Vec<String>> {
    let existing = |names: Vec<String>| -> Vec<String> {
        names.into_iter().filter(|name| found.defined.contains(name)).collect()
    };
    let interfaces =
        component.interfaces.iter().map(|interface| format!("{}__init", interface.name)).collect();
    vec![
        existing(vec!["pre_init".into()]),
        existing(interfaces),
        existing(vec!["post_init".into()]),
    ]
}
