//! Appends to the model's objects what a booted system needs besides.

mod rows;

use crate::capabilities::{gate_index, notification_index};
use crate::levels::Levels;
use crate::machine::{Domain, GateRole, Interrupt, Machine, NotificationRole, ThreadRole};
use crate::memory::{Window, WindowKind};
use crate::needs::Needs;
use crate::rows::component_index;
use crate::{
    Callback, Capabilities, ComponentSlots, InterfaceSlots, LockSlots, Objects, TablesError,
};
use crate::{chain, device, memory, reach};
use fusee_kernel as kernel;
use fusee_model::derived::Derived;
use fusee_model::{
    ComponentId, Gate, GateId, InterfaceKind, LockKind, ReleaseKind, System, Task, TaskId,
};
use kernel::{Capability, ComponentIndex, GateIndex, GateKind, NotificationIndex, ThreadIndex};
use std::collections::BTreeSet;

impl Machine {
    /// Returns the objects of a system that boots on one core.
    pub(crate) fn of(system: &System, needs: &Needs) -> Result<Machine, TablesError> {
        let derived = Derived::of(system);
        let (callbacks, set_up) = (needs.callbacks.clone(), set_up(system, needs)?);
        let here = Here { core: 0, callbacks, set_up, whole: None };
        Extension::of(system, &derived, needs, here)?.finish(&derived)
    }
}

/// The objects of a core besides the tasks of its own.
pub(crate) struct Here<'a> {
    /// The number of the core: the first sets all components up.
    pub(crate) core: u32,
    /// Consumed interfaces whose callbacks it runs, as (component, position).
    pub(crate) callbacks: Vec<(ComponentId, usize)>,
    /// The events of all cores that the thread signals that sets up.
    pub(crate) set_up: Vec<NotificationIndex>,
    /// The system of all cores; `None`: this is the only one.
    pub(crate) whole: Option<&'a System>,
}

/// A machine under construction.
pub(crate) struct Extension<'a> {
    system: &'a System,
    needs: &'a Needs,
    levels: Levels,
    here: Here<'a>,
    machine: Machine,
}

impl<'a> Extension<'a> {
    /// Returns the model's own objects and its interrupts, of the system as a core has it.
    pub(crate) fn of(
        system: &'a System,
        derived: &Derived,
        needs: &'a Needs,
        here: Here<'a>,
    ) -> Result<Self, TablesError> {
        let startup = system.startup_time().ns();
        let interrupts = interrupts(system)?;
        let mut unsignalled = Vec::new();
        let mut releases = Vec::new();
        for (id, task) in system.task_ids() {
            let (release, outside) = release(system, task, startup, &interrupts);
            releases.push(release);
            unsignalled.extend(outside.then_some(id));
        }
        let mut objects = Objects::of(system, derived, Capabilities::of(system), &releases)?;
        objects.interrupts = interrupts.iter().map(|interrupt| interrupt.notification).collect();
        let machine = Machine {
            threads: (0..system.tasks.len())
                .map(|index| ThreadRole::Task(TaskId::from(index)))
                .collect(),
            gates: system.gate_ids().map(|(id, gate)| role(system, id, gate)).collect(),
            notifications: (0..system.notifications.len())
                .map(|index| NotificationRole::Event(index.into()))
                .collect(),
            components: Vec::new(),
            domains: Vec::new(),
            set_up: here.set_up.clone(),
            interrupts,
            startup,
            unsignalled,
            objects,
        };
        Ok(Extension { system, needs, levels: Levels::of(system)?, here, machine })
    }

    /// Appends everything, each kind in the order of components.
    pub(crate) fn finish(mut self, derived: &Derived) -> Result<Machine, TablesError> {
        // Slots name windows by their place in a domain, so these are laid out before.
        self.domains()?;
        let inits = self.init_gates();
        self.slots(&inits)?;
        // Its thread is as urgent as the most urgent of the others, so those are there before.
        self.boot(&inits)?;
        self.rows(derived);
        self.raise_limits(derived)?;
        self.machine.objects.check_counts()?;
        let objects = &mut self.machine.objects;
        objects.chain = chain::longest(&objects.gates, &objects.capabilities);
        Ok(self.machine)
    }

    /// The described domains, with the memory that each maps.
    fn domains(&mut self) -> Result<(), TablesError> {
        let system = self.system;
        let count = self.machine.objects.capabilities.domain_count();
        // The boot component has the place behind the described domains.
        let mut spare = memory::Spare::behind(count + 1);
        for domain in 0..count {
            let name = system.domains.get(domain).map_or("system", |domain| &domain.name);
            let members = memory::members(system, domain);
            self.machine.domains.push(Domain {
                name: name.to_owned(),
                base: memory::base(domain)?,
                components: members.iter().map(|&id| component_index(id)).collect(),
                windows: memory::windows(system, domain, self.needs, &mut spare)?,
            });
        }
        Ok(())
    }

    /// A gate through which each component of software is set up.
    fn init_gates(&mut self) -> Vec<(ComponentId, GateIndex)> {
        let software = |id: &ComponentId| !self.system.component(*id).hardware;
        let all = (0..self.system.components.len()).map(ComponentId::from);
        let entered: Vec<ComponentId> = all.filter(software).collect();
        entered.into_iter().map(|id| (id, self.init_gate(id))).collect()
    }

    /// Fills the slots of each component.
    fn slots(&mut self, inits: &[(ComponentId, GateIndex)]) -> Result<(), TablesError> {
        for id in (0..self.system.components.len()).map(ComponentId::from) {
            let init = inits.iter().find(|(component, _)| *component == id).map(|(_, gate)| *gate);
            let slots = self.component(id, init)?;
            self.machine.components.push(slots);
        }
        Ok(())
    }

    fn init_gate(&mut self, id: ComponentId) -> GateIndex {
        let protocol = kernel::Protocol::Propagated;
        self.push_gate(
            GateRole::Init(id),
            kernel::GateConfig {
                component: component_index(id),
                protocol,
                // Only the first core sets components up.
                stacks: u16::from(self.here.core == 0),
                kind: GateKind::Interface,
            },
        )
    }

    fn push_gate(&mut self, role: GateRole, config: kernel::GateConfig) -> GateIndex {
        self.machine.gates.push(role);
        self.machine.objects.gates.push(config);
        GateIndex((self.machine.gates.len() - 1) as u16)
    }

    fn push_notification(
        &mut self,
        role: NotificationRole,
        kind: kernel::NotificationKind,
        initial: u32,
    ) -> NotificationIndex {
        self.machine.notifications.push(role);
        let config = kernel::NotificationConfig { kind, releases: ThreadIndex::NONE, initial };
        self.machine.objects.notifications.push(config);
        NotificationIndex((self.machine.notifications.len() - 1) as u16)
    }

    fn add(&mut self, component: ComponentId, capability: Capability) -> u16 {
        self.machine.objects.capabilities.add(component, capability)
    }

    fn component(
        &mut self,
        id: ComponentId,
        init: Option<GateIndex>,
    ) -> Result<ComponentSlots, TablesError> {
        let described = self.system.component(id);
        let interfaces =
            (0..described.interfaces.len()).map(|position| self.interface(id, position));
        let interfaces = interfaces.collect::<Result<_, _>>()?;
        let locks = (0..described.code.locks.len()).map(|lock| self.lock(id, lock)).collect();
        let console = self.window(id, |window| window.kind == WindowKind::Console);
        Ok(ComponentSlots { interfaces, locks, threads: Vec::new(), init, console })
    }

    fn window(&self, id: ComponentId, wanted: impl Fn(&Window) -> bool) -> Option<usize> {
        let domain = self.machine.objects.capabilities.domain(id);
        self.machine.domains[domain]
            .windows
            .iter()
            .position(|window| window.component == id && wanted(window))
    }

    fn interface(
        &mut self,
        id: ComponentId,
        position: usize,
    ) -> Result<InterfaceSlots, TablesError> {
        let system = self.system;
        Ok(match system.component(id).interfaces[position].kind {
            InterfaceKind::Provides(gate) => InterfaceSlots::Provides {
                gate: gate_index(gate),
                direct: system.gate(gate).direct,
            },
            InterfaceKind::Uses(None) => InterfaceSlots::Unconnected,
            InterfaceKind::Uses(Some(gate)) if system.gate(gate).direct => {
                InterfaceSlots::Calls { gate: gate_index(gate) }
            }
            InterfaceKind::Uses(Some(gate)) => {
                let gate = gate_index(gate);
                InterfaceSlots::Uses { gate, slot: self.add(id, Capability::Gate(gate)) }
            }
            InterfaceKind::Emits(_) => {
                let signalled = reach::emitted(system, id, position);
                let capability =
                    |notification| Capability::Signal(notification_index(notification), 1);
                InterfaceSlots::Emits {
                    slots: signalled.into_iter().map(|n| self.add(id, capability(n))).collect(),
                }
            }
            InterfaceKind::Consumes(None) => InterfaceSlots::Unconnected,
            InterfaceKind::Consumes(Some(notification)) => {
                let notification = notification_index(notification);
                let line = |interrupt: &Interrupt| interrupt.notification == notification;
                let line = self.machine.interrupts.iter().position(line).map(|index| index as u16);
                InterfaceSlots::Consumes {
                    notification,
                    slot: self.add(id, Capability::Wait(notification)),
                    acknowledge: line.map(|line| self.add(id, Capability::Acknowledge(line))),
                    callback: self.callback(id, position)?,
                }
            }
            InterfaceKind::Dataport(_) => {
                let of_interface = |window: &Window| match window.kind {
                    WindowKind::Console => false,
                    WindowKind::Shared { interface, .. } | WindowKind::Device { interface, .. } => {
                        interface == position
                    }
                };
                InterfaceSlots::Dataport { window: self.window(id, of_interface) }
            }
        })
    }

    fn callback(
        &mut self,
        id: ComponentId,
        interface: usize,
    ) -> Result<Option<Callback>, TablesError> {
        if !self.needs.callbacks.contains(&(id, interface)) {
            return Ok(None);
        }
        let priority = device::callback_priority(self.system, id, interface)?;
        let role = NotificationRole::Registration { component: id, interface };
        let registration = self.push_notification(role, kernel::NotificationKind::Merging, 0);
        let role = ThreadRole::Callback { component: id, interface };
        let thread = match self.here.callbacks.contains(&(id, interface)) {
            true => self.push_thread(role, component_index(id), priority),
            false => ThreadIndex::NONE,
        };
        let register = self.add(id, Capability::Signal(registration, 1));
        let registered = self.add(id, Capability::Wait(registration));
        Ok(Some(Callback { thread, register, registered }))
    }

    fn push_thread(
        &mut self,
        role: ThreadRole,
        component: ComponentIndex,
        priority: u8,
    ) -> ThreadIndex {
        let offset = if role == ThreadRole::Boot { 0 } else { self.machine.startup };
        self.machine.threads.push(role);
        self.machine.objects.threads.push(kernel::ThreadConfig {
            component,
            priority: self.levels.besides(priority),
            core: 0,
            release: kernel::Release::Once { offset },
            deadline: kernel::NEVER,
            budget: None,
        });
        ThreadIndex((self.machine.threads.len() - 1) as u16)
    }

    fn lock(&mut self, id: ComponentId, lock: usize) -> LockSlots {
        let described = &self.system.component(id).code.locks[lock];
        let (kind, initial) = (described.kind, described.initial);
        if let Some(gate) = self.system.gate_of_mutex(id, lock) {
            return LockSlots::Mutex { slot: self.add(id, Capability::Mutex(gate_index(gate))) };
        }
        if kind == LockKind::Mutex && self.needs.held.contains(&(id, lock)) {
            return self.semaphore(id, NotificationRole::Held { component: id, lock }, (1, 1));
        }
        if kind == LockKind::Mutex {
            let protocol = kernel::Protocol::Inherited;
            let config = kernel::GateConfig {
                component: component_index(id),
                protocol,
                stacks: 1,
                kind: GateKind::Mutex,
            };
            let gate = self.push_gate(GateRole::Mutex { component: id, lock }, config);
            return LockSlots::Mutex { slot: self.add(id, Capability::Mutex(gate)) };
        }
        let limit = if kind == LockKind::BinarySemaphore { 1 } else { u32::MAX };
        let role = NotificationRole::Semaphore { component: id, lock, initial };
        self.semaphore(id, role, (limit, initial))
    }

    fn semaphore(
        &mut self,
        id: ComponentId,
        role: NotificationRole,
        (limit, initial): (u32, u32),
    ) -> LockSlots {
        let semaphore =
            self.push_notification(role, kernel::NotificationKind::Counting { limit }, initial);
        let post = self.add(id, Capability::Signal(semaphore, 1));
        LockSlots::Semaphore { post, wait: self.add(id, Capability::Wait(semaphore)) }
    }

    /// The boot component, alone in the last domain, with the init gates and then the events of
    /// [`Machine::set_up`] as its slots; and its thread.
    fn boot(&mut self, inits: &[(ComponentId, GateIndex)]) -> Result<(), TablesError> {
        let index = self.machine.domains.len();
        let component = ComponentId::from(self.system.components.len());
        let components = vec![component_index(component)];
        let base = memory::base(index)?;
        self.machine.domains.push(Domain {
            name: "boot".to_owned(),
            base,
            components,
            windows: Vec::new(),
        });
        self.machine.objects.on_fault.push(kernel::OnFault::Dead);
        self.machine.objects.capabilities.add_domain();
        for &(_, gate) in inits {
            self.add(component, Capability::Gate(gate));
        }
        for event in self.machine.set_up.clone() {
            self.add(component, Capability::Signal(event, 1));
        }
        let highest =
            self.machine.objects.threads.iter().map(|thread| thread.priority).max().unwrap_or(0);
        if self.here.core == 0 {
            self.push_thread(ThreadRole::Boot, component_index(component), highest);
        }
        Ok(())
    }

    /// Adds frames for threads that set up and lock, and stacks and ceilings for callbacks, of
    /// which the model knows nothing.
    fn raise_limits(&mut self, derived: &Derived) -> Result<(), TablesError> {
        let deepest = derived.gates.iter().map(|gate| gate.depth).max().unwrap_or(0);
        let locks =
            self.machine.gates.iter().filter(|role| matches!(role, GateRole::Mutex { .. })).count();
        // Who sets a component up is in its init gate, and goes from there as deep as a gate does;
        // a mutex may be held in each frame.
        let depth = derived.longest_nesting.max(1 + deepest) as usize + locks;
        self.machine.objects.depth = u8::try_from(depth).map_err(|_| TablesError::TooDeep)?;
        for &(component, interface) in &self.here.callbacks {
            let priority = device::callback_priority(self.system, component, interface)?;
            for gate in self.reachable(component, derived) {
                if self.system.gate(gate).direct {
                    continue;
                }
                let given = self.system.gate(gate).given_ceiling.is_some();
                let config = &mut self.machine.objects.gates[gate.index()];
                match &mut config.protocol {
                    kernel::Protocol::Propagated => config.stacks = config.stacks.saturating_add(1),
                    kernel::Protocol::Fixed { ceiling } if !given => {
                        *ceiling = (*ceiling).max(priority)
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Returns the gates that a callback of a component may get to.
    fn reachable(&self, component: ComponentId, derived: &Derived) -> BTreeSet<GateId> {
        let used = self.system.component(component).interfaces.iter().filter_map(|interface| {
            match interface.kind {
                InterfaceKind::Uses(gate) => gate,
                _ => None,
            }
        });
        let mut todo: Vec<GateId> = used.collect();
        let mut found = BTreeSet::new();
        while let Some(gate) = todo.pop() {
            if found.insert(gate) {
                todo.extend(&derived.gate(gate).callees);
            }
        }
        found
    }
}

/// Returns the role of a gate of the model.
fn role(system: &System, id: GateId, gate: &Gate) -> GateRole {
    let mutex = system.mutex(id).map(|lock| GateRole::Mutex { component: gate.component, lock });
    mutex.unwrap_or(GateRole::Interface(id))
}

/// Returns the events that release threads that loop, where events do release them.
pub(crate) fn set_up(
    system: &System,
    needs: &Needs,
) -> Result<Vec<NotificationIndex>, TablesError> {
    let interrupts = interrupts(system)?;
    let by_event = |task: &&Task| {
        let (release, _) = release(system, task, 0, &interrupts);
        matches!(release, kernel::Release::Sporadic { .. })
    };
    let looping = system.tasks.iter().filter(|task| needs.loops.contains(&task.component));
    let events = looping.filter(by_event).filter_map(Task::release_event);
    Ok(events.map(notification_index).collect())
}

fn interrupts(system: &System) -> Result<Vec<Interrupt>, TablesError> {
    let mut all: Vec<Interrupt> = Vec::new();
    for index in 0..system.notifications.len() {
        if let Some((line, origin)) = device::interrupt(system, index.into())? {
            if all.iter().any(|interrupt| interrupt.line == line) {
                return Err(TablesError::SharedInterrupt { line, origin });
            }
            all.push(Interrupt { line, notification: NotificationIndex(index as u16) });
        }
    }
    Ok(all)
}

/// Returns the release of a task, and `true` if that is in place of an event outside of the system.
fn release(
    system: &System,
    task: &Task,
    startup: u64,
    interrupts: &[Interrupt],
) -> (kernel::Release, bool) {
    let Some(release) = &task.release else {
        return (kernel::Release::Once { offset: startup }, false);
    };
    let period = release.period.value.ns();
    let offset = startup.saturating_add(release.offset.ns());
    let dense = kernel::Release::Periodic { period, offset };
    match release.kind {
        ReleaseKind::Periodic => (dense, false),
        ReleaseKind::Sporadic => (dense, true),
        ReleaseKind::Notification(id) => {
            let by_device =
                interrupts.iter().any(|interrupt| interrupt.notification == notification_index(id));
            let emitters = reach::emitters(system, id);
            let by_software =
                emitters.iter().any(|&(component, _)| !system.component(component).hardware);
            match by_device || by_software || reach::is_signalled(system, id) {
                true => (kernel::Release::Sporadic { separation: period, jitter: 0 }, false),
                false => (dense, true),
            }
        }
    }
}
