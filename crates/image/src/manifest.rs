//! The names behind an image's numbers, for the host's tools.
//!
//! It stands in a section that is not loaded: the machine does not need it. All
//! lists are in the kernel's numbering.

use crate::inputs::Inputs;
use crate::layout::Layout;
use crate::program::Program;
use crate::roles;
use crate::stacks::{Owner, Plan};
use fusee_image_format::Permissions;
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_kernel::cores::RequestSlot;
use fusee_kernel::{ComponentIndex, Overrun};
use fusee_model::{ComponentId, GateId, System};
use fusee_tables::{
    CoreMachine, GateRole, Global, NotificationRole, ThreadRole, Window, WindowKind,
};
use serde::Serialize;

/// The section's name.
pub(crate) const SECTION: &str = ".fusee.manifest";

#[derive(Serialize)]
struct Manifest<'a> {
    system: &'a str,
    platform: &'static str,
    kernel: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'a str>,
    tasks: usize,
    threads: Vec<Thread>,
    gates: Vec<Gate>,
    components: Vec<Component>,
    notifications: Vec<String>,
    notification_roles: Vec<Role>,
    domains: Vec<Domain<'a>>,
    /// Nothing where there is one core.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cores: Vec<Core>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    globals: Vec<GlobalGate>,
}

/// The meanings of the numbers of one of several cores.
#[derive(Serialize)]
struct Core {
    /// For each of its threads, which of the manifest's it is.
    threads: Vec<usize>,
    /// The number of its first thread among those of all cores.
    first_thread: u16,
    /// The priority of each of its levels; empty: itself.
    levels: Vec<u8>,
}

/// A gate between cores.
#[derive(Serialize)]
struct GlobalGate {
    /// The description's gate.
    gate: usize,
    /// Its number on each core.
    number: u16,
    protocol: &'static str,
    /// The thread of each seat.
    seats: Vec<usize>,
    /// The number of further gates that its activation passes.
    depth: u8,
}

/// The role of a notification without an event, and its owner.
#[derive(Serialize)]
struct Role {
    role: roles::NotificationRole,
    component: Option<u32>,
}

#[derive(Serialize)]
struct Thread {
    name: String,
    component: u16,
    core: u8,
    priority: u8,
    budget: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    overrun: Option<&'static str>,
    role: roles::ThreadRole,
    entry: u64,
    stack: Stack,
}

/// A stack: bytes that are mapped, and those that its users may need below the message area.
#[derive(Serialize)]
struct Stack {
    address: u64,
    bytes: u64,
    needed: u64,
}

#[derive(Serialize)]
struct Gate {
    name: String,
    component: u16,
    methods: Vec<String>,
    role: roles::GateRole,
    entry: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    word: Option<u64>,
    stacks: Vec<Stack>,
}

#[derive(Serialize)]
struct Component {
    name: String,
    domain: usize,
    console: Option<u64>,
    console_bytes: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stub: bool,
}

#[derive(Serialize)]
struct Domain<'a> {
    name: &'a str,
    elf: &'a str,
    /// Bytes of thread-local data on each stack.
    thread_local: u64,
    segments: Vec<Segment>,
    windows: Vec<WindowName>,
}

/// A part of a domain's program.
#[derive(Serialize)]
struct Segment {
    address: u64,
    /// The length as mapped.
    bytes: u64,
    /// The length as linked.
    size: u64,
    rights: &'static str,
}

/// Memory of a domain that is not its program or a stack.
#[derive(Serialize)]
struct WindowName {
    address: u64,
    bytes: u64,
    rights: &'static str,
    component: u32,
    /// The dataport; nothing for a console buffer.
    interface: Option<String>,
    /// The address of a device.
    device: Option<u64>,
}

/// The data that the manifest is written from.
pub(crate) struct Writer<'a> {
    pub(crate) inputs: &'a Inputs<'a>,
    pub(crate) programs: &'a [Option<Program>],
    pub(crate) plan: &'a Plan,
    pub(crate) layout: &'a Layout,
}

impl Writer<'_> {
    /// Returns the manifest as JSON.
    pub(crate) fn write(&self) -> Vec<u8> {
        let (system, machine) = (self.inputs.system, self.inputs.machine());
        let order = self.order();
        let manifest = Manifest {
            system: &system.name,
            platform: self.inputs.platform.name(),
            kernel: self.inputs.variant.name(),
            record: self.inputs.record,
            tasks: system.tasks.len(),
            threads: order.iter().map(|&place| self.thread(place)).collect(),
            gates: (0..machine.gates.len()).map(|index| self.gate(index)).collect(),
            components: (0..machine.objects.on_fault.len())
                .map(|i| component(self.inputs, self.layout, i))
                .collect(),
            notifications: machine
                .notifications
                .iter()
                .map(|role| notification(system, *role))
                .collect(),
            notification_roles: machine
                .notifications
                .iter()
                .map(|role| notification_role(*role))
                .collect(),
            domains: (0..machine.domains.len()).map(|index| self.domain(index)).collect(),
            cores: self.cores(&order),
            globals: self.globals(&order),
        };
        let mut text = serde_json::to_vec(&manifest).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// Returns all threads by core and number there: tasks in the description's order, then the
    /// others.
    fn order(&self) -> Vec<(usize, usize)> {
        let mut all: Vec<_> = self.inputs.machines.threads().collect();
        all.sort_by_key(|(_, _, role)| match role {
            ThreadRole::Task(task) => task.index(),
            ThreadRole::Callback { .. } | ThreadRole::Boot => usize::MAX,
        });
        all.into_iter().map(|(core, thread, _)| (core, thread)).collect()
    }

    fn cores(&self, order: &[(usize, usize)]) -> Vec<Core> {
        let cores = &self.inputs.machines.cores;
        if cores.len() == 1 {
            return Vec::new();
        }
        let number = |place: (usize, usize)| order.iter().position(|one| *one == place);
        let core = |(core, machine): (usize, &CoreMachine)| Core {
            threads: (0..machine.machine.threads.len())
                .filter_map(|thread| number((core, thread)))
                .collect(),
            first_thread: machine.first_thread,
            levels: machine.levels.clone(),
        };
        cores.iter().enumerate().map(core).collect()
    }

    fn globals(&self, order: &[(usize, usize)]) -> Vec<GlobalGate> {
        let machines = self.inputs.machines;
        let first = machines.first_gate().0;
        let number = |seat: &RequestSlot| {
            let place = (usize::from(seat.core), seat.thread.at());
            order.iter().position(|one| *one == place)
        };
        let gate = |(index, global): (usize, &Global)| GlobalGate {
            gate: global.gate.index(),
            number: first + index as u16,
            protocol: self.inputs.system.gate(global.gate).protocol.value.name(),
            seats: global.seats.iter().filter_map(number).collect(),
            depth: global.depth,
        };
        machines.globals.iter().enumerate().map(gate).collect()
    }

    fn stacks(&self, owner: impl Fn(Owner) -> bool) -> Vec<Stack> {
        let domains = self.plan.domains.iter().zip(&self.layout.domains);
        let all = domains.flat_map(|(stacks, placed)| stacks.iter().zip(&placed.stacks));
        let own = all.filter(|(stack, _)| owner(stack.owner));
        own.map(|(stack, placed)| Stack {
            address: placed.address,
            bytes: placed.bytes,
            needed: stack.bytes,
        })
        .collect()
    }

    fn thread(&self, (core, index): (usize, usize)) -> Thread {
        let (system, machine) = (self.inputs.system, &self.inputs.machines.cores[core].machine);
        let config = machine.objects.threads[index];
        let (name, role) = match machine.threads[index] {
            ThreadRole::Task(task) => (system.task(task).name.clone(), roles::ThreadRole::Task),
            ThreadRole::Callback { component, interface: position } => {
                (interface(system, component, position), roles::ThreadRole::Callback)
            }
            ThreadRole::Boot => ("boot".to_owned(), roles::ThreadRole::Boot),
        };
        let overrun = config.budget.map(|budget| match budget.overrun {
            Overrun::Suspend => "suspend",
            Overrun::Notify(_) => "notify",
            Overrun::Continue => "continue",
        });
        Thread {
            name,
            component: config.component.0,
            core: config.core,
            priority: config.priority,
            budget: config.budget.map(|budget| budget.amount),
            overrun,
            role,
            entry: self.plan.cores[core].threads[index],
            stack: self.stacks(|owner| owner == Owner::Home(core, index)).pop().unwrap_or(Stack {
                address: 0,
                bytes: 0,
                needed: 0,
            }),
        }
    }

    fn gate(&self, index: usize) -> Gate {
        let (system, machine) = (self.inputs.system, self.inputs.machine());
        let component = machine.objects.gates[index].component.0;
        let (name, methods, role) = match machine.gates[index] {
            GateRole::Interface(gate) => {
                let described = system.gate(GateId::from(gate.index()));
                let methods = described.methods.iter().map(|method| method.name.clone()).collect();
                (described.name.clone(), methods, roles::GateRole::Interface)
            }
            GateRole::Between(gate) => {
                let described = system.gate(GateId::from(gate.index()));
                let methods = described.methods.iter().map(|method| method.name.clone()).collect();
                (described.name.clone(), methods, roles::GateRole::Between)
            }
            GateRole::Init(id) => {
                let phases = ["pre_init", "init", "post_init"].map(str::to_owned).to_vec();
                (format!("{}:init", name(system, id)), phases, roles::GateRole::Init)
            }
            GateRole::Mutex { component: id, lock } => {
                let lock = &system.component(id).code.locks[lock].name;
                (format!("{}.{lock}", name(system, id)), Vec::new(), roles::GateRole::Mutex)
            }
            GateRole::Thread { component: id, thread } => {
                let text = format!("{}:thread{}", name(system, id), thread.0);
                (text, Vec::new(), roles::GateRole::Thread)
            }
        };
        let entry = self.plan.cores.iter().map(|core| core.gates[index]).max().unwrap_or(0);
        let below = self.plan.below.iter().find(|below| below.gate == index);
        let entry = entry.max(below.map_or(0, |below| below.entry));
        let word = self.plan.cores.iter().find_map(|core| core.words[index]);
        let stacks = self.stacks(|owner| match owner {
            Owner::Gate(_, gate) | Owner::Below(_, gate) => gate == index,
            Owner::Home(..) => false,
        });
        Gate { name, component, methods, role, entry, word, stacks }
    }

    fn domain(&self, index: usize) -> Domain<'_> {
        let domain = &self.inputs.machine().domains[index];
        let elf = self
            .inputs
            .domains
            .get(index)
            .and_then(Option::as_ref)
            .map_or("", |program| program.path);
        let segments = self.programs[index].iter().flat_map(|program| &program.segments);
        let segment = |segment: &crate::program::Segment| Segment {
            address: segment.address,
            bytes: segment.size.next_multiple_of(PAGE_BYTES),
            size: segment.size,
            rights: rights(segment.permissions),
        };
        let windows = domain.windows.iter().map(|window| self.window(window)).collect();
        let thread_local =
            self.programs[index].as_ref().map_or(0, |program| program.thread_local.size);
        Domain {
            name: &domain.name,
            elf,
            thread_local,
            segments: segments.map(segment).collect(),
            windows,
        }
    }

    fn window(&self, window: &Window) -> WindowName {
        let interfaces = &self.inputs.system.component(window.component).interfaces;
        let (interface, device) = match window.kind {
            WindowKind::Console => (None, None),
            WindowKind::Shared { interface, .. } => (Some(interface), None),
            WindowKind::Device { interface, physical } => (Some(interface), Some(physical)),
        };
        WindowName {
            address: window.address,
            bytes: window.size,
            rights: if window.write { "rw-" } else { "r--" },
            component: window.component.0,
            interface: interface.map(|position| interfaces[position].name.clone()),
            device,
        }
    }
}

fn rights(permissions: Permissions) -> &'static str {
    match (permissions.write, permissions.execute) {
        (false, false) => "r--",
        (true, false) => "rw-",
        (false, true) => "r-x",
        (true, true) => "rwx",
    }
}

fn notification_role(role: NotificationRole) -> Role {
    let (role, component) = match role {
        NotificationRole::Event(_) => (roles::NotificationRole::Event, None),
        NotificationRole::Semaphore { component, .. } => {
            (roles::NotificationRole::Semaphore, Some(component.0))
        }
        NotificationRole::Held { component, .. } => {
            (roles::NotificationRole::Held, Some(component.0))
        }
        NotificationRole::Registration { component, .. } => {
            (roles::NotificationRole::Registration, Some(component.0))
        }
        NotificationRole::Turn(_) => (roles::NotificationRole::Turn, None),
    };
    Role { role, component }
}

fn name(system: &System, component: ComponentId) -> &str {
    system.components.get(component.index()).map_or("boot", |component| &component.name)
}

fn interface(system: &System, component: ComponentId, position: usize) -> String {
    format!("{}.{}", name(system, component), system.component(component).interfaces[position].name)
}

fn notification(system: &System, role: NotificationRole) -> String {
    match role {
        NotificationRole::Event(id) => system.notifications[id.index()].name.clone(),
        NotificationRole::Semaphore { component, lock, .. }
        | NotificationRole::Held { component, lock } => {
            format!(
                "{}.{}",
                name(system, component),
                system.component(component).code.locks[lock].name
            )
        }
        NotificationRole::Registration { component, interface: position } => {
            format!("{}:registered", interface(system, component, position))
        }
        NotificationRole::Turn(gate) => format!("{}:turn", system.gate(gate).name),
    }
}

fn component(inputs: &Inputs<'_>, layout: &Layout, index: usize) -> Component {
    let (system, machine) = (inputs.system, inputs.machine());
    let id = ComponentId::from(index);
    let domain = machine.domain_of(ComponentIndex(index as u16));
    let console = domain.and_then(|domain| {
        let windows = machine.domains[domain].windows.iter().zip(&layout.domains[domain].windows);
        let mut own = windows
            .filter(|(window, _)| window.kind == WindowKind::Console && window.component == id);
        own.next().map(|(window, &physical)| (physical, window.size))
    });
    let domain = domain.unwrap_or_else(|| machine.objects.capabilities.domain(id));
    let (console, console_bytes) =
        console.map_or((None, 0), |(physical, bytes)| (Some(physical), bytes));
    let stub = inputs.stubs.contains(&id);
    Component { name: name(system, id).to_owned(), domain, console, console_bytes, stub }
}
