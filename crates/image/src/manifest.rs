//! The names behind an image's numbers, for the host's tools.
//!
//! It stands in a section that is not loaded: the machine does not need it. All
//! lists are in the kernel's numbering.

use crate::build::{Inputs, KernelVariant};
use crate::layout::Layout;
use fusee_kernel::{ComponentIndex, Overrun};
use fusee_model::{ComponentId, GateId, System};
use fusee_tables::{GateRole, Machine, NotificationRole, ThreadRole, WindowKind};
use serde::Serialize;

/// The section's name.
pub(crate) const SECTION: &str = ".fusee.manifest";

#[derive(Serialize)]
struct Manifest<'a> {
    system: &'a str,
    platform: &'static str,
    kernel: &'static str,
    tasks: usize,
    threads: Vec<Thread>,
    gates: Vec<Gate>,
    components: Vec<Component>,
    notifications: Vec<String>,
    domains: Vec<Domain<'a>>,
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
}

#[derive(Serialize)]
struct Gate {
    name: String,
    component: u16,
    methods: Vec<String>,
}

#[derive(Serialize)]
struct Component {
    name: String,
    domain: usize,
    console: Option<u64>,
    console_bytes: u64,
}

#[derive(Serialize)]
struct Domain<'a> {
    name: &'a str,
    elf: &'a str,
}

/// The manifest as JSON.
pub(crate) fn write(inputs: &Inputs<'_>, layout: &Layout) -> Vec<u8> {
    let (system, machine) = (inputs.system, inputs.machine);
    let kernel = match inputs.variant {
        KernelVariant::Plain => "plain",
        KernelVariant::Traced => "traced",
    };
    let manifest = Manifest {
        system: &system.name,
        platform: inputs.platform.name(),
        kernel,
        tasks: system.tasks.len(),
        threads: (0..machine.threads.len()).map(|index| thread(system, machine, index)).collect(),
        gates: (0..machine.gates.len()).map(|index| gate(system, machine, index)).collect(),
        components: (0..machine.objects.on_fault.len()).map(|index| component(inputs, layout, index)).collect(),
        notifications: machine.notifications.iter().map(|role| notification(system, *role)).collect(),
        domains: domains(inputs),
    };
    let mut text = serde_json::to_vec(&manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

fn domains<'a>(inputs: &Inputs<'a>) -> Vec<Domain<'a>> {
    let all = inputs.machine.domains.iter().zip(inputs.domains);
    all.map(|(domain, program)| Domain { name: &domain.name, elf: program.as_ref().map_or("", |p| p.path) }).collect()
}

fn name(system: &System, component: ComponentId) -> &str {
    system.components.get(component.index()).map_or("boot", |component| &component.name)
}

fn interface(system: &System, component: ComponentId, position: usize) -> String {
    format!("{}.{}", name(system, component), system.component(component).interfaces[position].name)
}

fn thread(system: &System, machine: &Machine, index: usize) -> Thread {
    let config = machine.objects.threads[index];
    let name = match machine.threads[index] {
        ThreadRole::Task(task) => system.task(task).name.clone(),
        ThreadRole::Callback { component, interface: position } => interface(system, component, position),
        ThreadRole::Boot => "boot".to_owned(),
    };
    let overrun = config.budget.map(|budget| match budget.overrun {
        Overrun::Suspend => "suspend",
        Overrun::Notify(_) => "notify",
        Overrun::Continue => "continue",
    });
    let budget = config.budget.map(|budget| budget.amount);
    Thread { name, component: config.component.0, core: config.core, priority: config.priority, budget, overrun }
}

fn gate(system: &System, machine: &Machine, index: usize) -> Gate {
    let component = machine.objects.gates[index].component.0;
    let lock = |component: ComponentId, lock: usize| system.component(component).code.locks[lock].name.clone();
    let (name, methods) = match machine.gates[index] {
        GateRole::Interface(gate) => {
            let described = system.gate(GateId::from(gate.index()));
            (described.name.clone(), described.methods.iter().map(|method| method.name.clone()).collect())
        }
        GateRole::Init(id) => {
            let phases = ["pre_init", "init", "post_init"].map(str::to_owned).to_vec();
            (format!("{}:init", name(system, id)), phases)
        }
        GateRole::Mutex { component: id, lock: position } => {
            (format!("{}.{}", name(system, id), lock(id, position)), Vec::new())
        }
    };
    Gate { name, component, methods }
}

fn notification(system: &System, role: NotificationRole) -> String {
    match role {
        NotificationRole::Event(id) => system.notifications[id.index()].name.clone(),
        NotificationRole::Semaphore { component, lock, .. } => {
            format!("{}.{}", name(system, component), system.component(component).code.locks[lock].name)
        }
        NotificationRole::Registration { component, interface: position } => {
            format!("{}:registered", interface(system, component, position))
        }
    }
}

fn component(inputs: &Inputs<'_>, layout: &Layout, index: usize) -> Component {
    let (system, machine) = (inputs.system, inputs.machine);
    let id = ComponentId::from(index);
    let domain = machine.domain_of(ComponentIndex(index as u16));
    let console = domain.and_then(|domain| {
        let windows = machine.domains[domain].windows.iter().zip(&layout.domains[domain].windows);
        let mut own = windows.filter(|(window, _)| window.kind == WindowKind::Console && window.component == id);
        own.next().map(|(window, &physical)| (physical, window.size))
    });
    let domain = domain.unwrap_or_else(|| machine.objects.capabilities.domain(id));
    let (console, console_bytes) = console.map_or((None, 0), |(physical, bytes)| (Some(physical), bytes));
    Component { name: name(system, id).to_owned(), domain, console, console_bytes }
}
