//! The kernel's objects of each core, and the gates between cores.
//!
//! A system for several cores is as many systems for one core and a short list of what they
//! share. All have the same components, gates, notifications and slots, and each its own
//! threads. A gate between cores is on each of them one more gate, its stand-in, behind
//! those of the description, and its turn one more notification: there the kernel looks for
//! it, and there the capabilities lead.
//!
//! Where there are such gates, levels are numbered anew, because some urgencies are above
//! all priorities that a description can give: first what the description says, then the
//! boosts of `mpcp`, then what nobody preempts.

use crate::capabilities::gate_index;
use crate::limits::{self, Who};
use crate::{Capabilities, Objects, TablesError, between_cores, mail, restarts, shared};
use fusee_kernel as kernel;
use fusee_model::derived::{Derived, Urgency};
use fusee_model::{
    GateId, Origin, Policy, Priority, Protocol, Sourced, System, TOP_PRIORITY, TaskId,
};
use kernel::cores::{CoreTables, GlobalConfig, GlobalProtocol, MailboxConfig, PostLimit};
use kernel::cores::{RequestSlot, RestartConfig};
use kernel::{ComponentConfig, GateConfig, GateIndex, GateKind, NotificationIndex, PRIORITIES};
use kernel::{NotificationConfig, NotificationKind, RestartIndex, SeatIndex, Tables, ThreadIndex};
use std::collections::BTreeSet;

/// The most cores: the kernel names one by a byte, and means none by the last.
pub(crate) const MOST_CORES: u32 = u8::MAX as u32;

/// The objects of all cores of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores {
    /// Each core's own.
    pub cores: Vec<CoreObjects>,
    /// The gates between them.
    pub globals: Vec<Global>,
    /// The notifications that are signalled from other cores.
    pub mailboxes: Vec<MailboxConfig>,
    /// The components that several of them enter and that a fault ends or restarts.
    pub restarts: Vec<RestartConfig>,
    /// For each component its restart; nothing where there are none.
    pub restart_of: Vec<RestartIndex>,
}

/// The objects of one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreObjects {
    /// The objects of its kernel: the description's, then stand-ins and turns.
    pub objects: Objects,
    /// The task of each of the first threads; no task stands behind those that may follow.
    pub tasks: Vec<TaskId>,
    /// The priority that each level stands for; empty: itself.
    pub levels: Vec<Priority>,
    /// For each gate between cores, for each thread: its seat.
    pub seats: Vec<SeatIndex>,
    /// For each mailbox, for each thread: how often it may signal that.
    pub limits: Vec<PostLimit>,
}

/// A gate between cores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// The gate of the description.
    pub gate: GateId,
    /// The rule by which its users wait.
    pub protocol: GlobalProtocol,
    /// The threads that use it.
    pub seats: Vec<RequestSlot>,
    /// The task that each of them is.
    pub tasks: Vec<TaskId>,
    /// The number of further gates that its activation passes.
    pub depth: u8,
}

impl Cores {
    /// Returns the objects of a system whose tasks are released in the given ways, task by task.
    ///
    /// # Errors
    /// Those of [`Objects::of`], core by core; [`TablesError::TooManyCores`],
    /// [`TablesError::Urgencies`], and [`TablesError::Shared`] for what several cores would use and
    /// only one can.
    pub fn of(
        system: &System,
        derived: &Derived,
        capabilities: Capabilities,
        releases: &[kernel::Release],
    ) -> Result<Cores, TablesError> {
        let count = system.cores();
        if count > MOST_CORES {
            return Err(TablesError::TooManyCores(count));
        }
        let globals = globals(system, derived)?;
        if count == 1 && globals.is_empty() {
            let mut objects = Objects::of(system, derived, capabilities, releases)?;
            objects.add_rows(system);
            let cores = vec![CoreObjects::alone(system, objects)];
            let (mailboxes, restarts, restart_of) = Default::default();
            return Ok(Cores { cores, globals, mailboxes, restarts, restart_of });
        }
        shared::check(system, derived)?;
        let core = |core| {
            let (part, tasks) = part((system, derived), core);
            let releases: Vec<_> = tasks.iter().map(|task| releases[task.index()]).collect();
            let own = Derived::of(&part);
            let capabilities = capabilities.clone().on_core((system, derived), core);
            let mut objects = Objects::of(&part, &own, capabilities, &releases)?;
            objects.add_rows(system);
            let mut own = CoreObjects::seated(objects, tasks);
            if !globals.is_empty() {
                own.share((core, system.policy_on(core)), derived, &globals)?;
            }
            Ok(own)
        };
        let mut cores: Vec<CoreObjects> = (0..count).map(core).collect::<Result<_, _>>()?;
        let all: Vec<mail::Own<'_>> = cores
            .iter()
            .map(|core| mail::Own { objects: &core.objects, set_up: &[], others: &[] })
            .collect();
        let mailboxes = mail::mailboxes(system, derived, &all);
        limit(system, &mailboxes, &mut cores);
        let restarts = restarts::restarts(system, derived)?;
        mail::check_looks(globals.len() + mailboxes.len() + restarts.len())?;
        let restart_of = restarts::by_component(&restarts, system.components.len());
        Ok(Cores { cores, globals, mailboxes, restarts, restart_of })
    }

    /// Returns the components' tables, core by core, which the holder of [`tables`](Self::tables)
    /// must keep alive.
    pub fn components(&self) -> Vec<Vec<ComponentConfig<'_>>> {
        self.cores.iter().map(|core| core.objects.components()).collect()
    }

    /// Returns the gates between cores, which the holder of [`tables`](Self::tables) must keep
    /// alive.
    pub fn configs(&self) -> Vec<GlobalConfig<'_>> {
        let all = self.globals.iter();
        all.map(|global| GlobalConfig::of(global.protocol, &global.seats, global.depth)).collect()
    }

    /// Returns the tables themselves, core by core.
    pub fn tables<'t>(
        &'t self,
        components: &'t [Vec<ComponentConfig<'t>>],
        globals: &'t [GlobalConfig<'t>],
    ) -> Vec<(Tables<'t>, CoreTables<'t>)> {
        let all = self.cores.iter().zip(components).enumerate();
        let core = |(number, (core, components)): (usize, (&'t CoreObjects, &'t Vec<_>))| {
            let (first_gate, first_turn) = core.first(globals.len());
            let (core_number, seats) = (number as u8, &core.seats[..]);
            let shared = CoreTables {
                core: core_number,
                first_gate,
                first_turn,
                globals,
                seats,
                mailboxes: &self.mailboxes,
                limits: &core.limits,
                restarts: &self.restarts,
                restart_of: &self.restart_of,
            };
            (core.objects.tables(components), shared)
        };
        all.map(core).collect()
    }
}

impl CoreObjects {
    /// Those of a system of one core.
    fn alone(system: &System, objects: Objects) -> CoreObjects {
        CoreObjects::seated(objects, system.task_ids().map(|(id, _)| id).collect())
    }

    /// Those whose threads are these tasks, without a part in gates between cores yet.
    pub(crate) fn seated(objects: Objects, tasks: Vec<TaskId>) -> CoreObjects {
        let (levels, seats, limits) = Default::default();
        CoreObjects { objects, tasks, levels, seats, limits }
    }

    /// Returns the first stand-in and the first turn, of so many.
    pub fn first(&self, globals: usize) -> (GateIndex, NotificationIndex) {
        let gate = (self.objects.gates.len() - globals) as u16;
        (GateIndex(gate), NotificationIndex((self.objects.notifications.len() - globals) as u16))
    }

    /// Adds what the core has of the gates between cores.
    pub(crate) fn share(
        &mut self,
        (core, policy): (u32, Policy),
        derived: &Derived,
        globals: &[Global],
    ) -> Result<(), TablesError> {
        let asked = |global: &Global| {
            let mut on_cores = derived.gate(global.gate).on_cores.iter();
            on_cores.find(|on_core| on_core.core == core).map(|on_core| on_core.urgency)
        };
        let asked: Vec<Option<Urgency>> = globals.iter().map(asked).collect();
        // Deadlines are no levels: all of them are below what nobody preempts.
        let urgencies = match policy {
            Policy::FixedPriority => self.rank(&asked)?,
            Policy::EarliestDeadline => Vec::new(),
        };
        for (global, urgency) in globals.iter().zip(asked) {
            let own = &mut self.objects.gates[global.gate.index()];
            // A mutex is never entered, and counts one anyway.
            own.stacks = u16::from(own.kind == GateKind::Mutex);
            let ceiling = urgency.and_then(|urgency| level_of(&urgencies, urgency)).unwrap_or(0);
            let protocol = match policy {
                Policy::FixedPriority => kernel::Protocol::Fixed { ceiling },
                Policy::EarliestDeadline => kernel::Protocol::NonPreemptive,
            };
            let (component, kind) = (own.component, own.kind);
            let stand_in = GateConfig { component, protocol, stacks: 1, kind };
            let number = GateIndex(self.objects.gates.len() as u16);
            self.objects.capabilities.lead(gate_index(global.gate), number);
            self.objects.gates.push(stand_in);
            let kind = NotificationKind::Merging;
            let turn = NotificationConfig { kind, releases: ThreadIndex::NONE, initial: 0 };
            self.objects.notifications.push(turn);
            let position = |task: &TaskId| global.tasks.iter().position(|other| other == task);
            let threads = 0..self.objects.threads.len();
            let seats = threads.map(|thread| self.tasks.get(thread).and_then(position));
            self.seats.extend(
                seats.map(|seat| seat.map_or(SeatIndex::NONE, |seat| SeatIndex(seat as u16))),
            );
        }
        self.objects.check_counts()
    }

    /// Numbers the core's urgencies anew; answers them, least first.
    fn rank(&mut self, asked: &[Option<Urgency>]) -> Result<Vec<Urgency>, TablesError> {
        let Objects { threads, gates, .. } = &mut self.objects;
        let mut all: BTreeSet<Urgency> = asked.iter().flatten().copied().collect();
        all.extend(threads.iter().map(|thread| Urgency::Priority(thread.priority)));
        all.extend(gates.iter().filter_map(|gate| ceiling(gate.protocol)));
        let all: Vec<Urgency> = all.into_iter().collect();
        if all.len() > PRIORITIES {
            return Err(TablesError::Urgencies(all.len()));
        }
        for thread in threads.iter_mut() {
            thread.priority = level_of(&all, Urgency::Priority(thread.priority)).unwrap_or(0);
        }
        for gate in gates.iter_mut() {
            if let Some(level) = ceiling(gate.protocol).and_then(|ceiling| level_of(&all, ceiling))
            {
                gate.protocol = kernel::Protocol::Fixed { ceiling: level };
            }
        }
        let priority = |urgency: &Urgency| match *urgency {
            Urgency::Priority(priority) => priority,
            Urgency::Boost(_) | Urgency::Top => TOP_PRIORITY,
        };
        self.levels = all.iter().map(priority).collect();
        Ok(all)
    }
}

/// Limits what the threads of each core signal to others.
fn limit(system: &System, mailboxes: &[MailboxConfig], cores: &mut [CoreObjects]) {
    let tasks = cores.iter().enumerate().flat_map(|(core, own)| {
        let tasks = own.tasks.iter().enumerate();
        tasks.map(move |(thread, &task)| (core as u32, thread, Who::Task(task)))
    });
    let senders = limits::senders(system, (mailboxes, &[]), tasks);
    for (core, own) in cores.iter_mut().enumerate() {
        let counts = (mailboxes.len(), own.objects.threads.len());
        own.limits = limits::dense(&senders, core, counts);
    }
}

/// Returns the urgency of the ceiling of a local gate.
fn ceiling(protocol: kernel::Protocol) -> Option<Urgency> {
    match protocol {
        kernel::Protocol::Fixed { ceiling } => Some(Urgency::of_ceiling(ceiling)),
        _ => None,
    }
}

fn level_of(urgencies: &[Urgency], urgency: Urgency) -> Option<u8> {
    urgencies.binary_search(&urgency).ok().map(|level| level as u8)
}

/// Returns the part of a system on one core, but for the gates between cores, and the tasks in it.
pub(crate) fn part((system, derived): (&System, &Derived), core: u32) -> (System, Vec<TaskId>) {
    let mut part = system.clone();
    // Chains name tasks, which get other numbers here.
    part.chains.clear();
    let policy = system.policy_given(core);
    part.settings.policy = policy;
    part.settings.core_policies.clear();
    // There is one time 0, however early a core could begin by what it has itself.
    let startup = system.startup_time();
    part.settings.startup = Some(Sourced { value: startup, origin: Origin::NONE });
    part.tasks.retain(|task| task.core == core);
    let globals = system.gate_ids().filter(|(_, gate)| gate.protocol.value.is_global());
    for (id, _) in globals {
        part.gates[id.index()].protocol.value = of_one_core(system, id);
    }
    // What nobody here can reach, but perhaps others where priorities decide, is what any kernel
    // has.
    if system.policy_on(core) == Policy::EarliestDeadline && system.common_policy().is_none() {
        for (id, gate) in system.gate_ids() {
            let compares = matches!(gate.protocol.value, Protocol::Fixed | Protocol::Ceiling);
            if compares && !derived.gate(id).cores.contains(&core) {
                part.gates[id.index()].protocol.value = Protocol::Inherited;
            }
        }
    }
    let own = system.task_ids().filter(|(_, task)| task.core == core);
    (part, own.map(|(id, _)| id).collect())
}

/// Returns the protocol of a gate between cores on a core that does not get to it: a mutex excludes
/// others.
fn of_one_core(system: &System, gate: GateId) -> Protocol {
    if system.mutex(gate).is_some() { Protocol::Inherited } else { Protocol::Propagated }
}

/// Returns the gates between cores, in the description's order.
pub(crate) fn globals(system: &System, derived: &Derived) -> Result<Vec<Global>, TablesError> {
    let mut globals = Vec::new();
    for (id, gate) in system.gate_ids().filter(|(_, gate)| !gate.direct) {
        let Some(protocol) = between_cores(gate.protocol.value) else { continue };
        let facts = derived.gate(id);
        let seat = |&task: &TaskId| {
            let described = system.task(task);
            let mates =
                system.tasks[..task.index()].iter().filter(|other| other.core == described.core);
            let thread = ThreadIndex(mates.count() as u16);
            RequestSlot { core: described.core as u8, thread, rank: described.priority.value }
        };
        let seats = facts.tasks.iter().map(seat).collect();
        // A section of a mutex is no activation: it stays in its thread's frames.
        let below = if system.mutex(id).is_some() { 0 } else { facts.depth.saturating_sub(1) };
        let depth = u8::try_from(below).map_err(|_| TablesError::TooDeep)?;
        globals.push(Global { gate: id, protocol, seats, tasks: facts.tasks.clone(), depth });
    }
    Ok(globals)
}
