//! A booted system on several cores: what each core has, and what they share.
//!
//! Each core is a machine of its own with the same components, slots, gates and notifications, and
//! the threads of the tasks that run there. The first one also sets all components up, and each
//! runs the callbacks of its events.

use crate::cores::{CoreObjects, globals, part};
use crate::extend::{Extension, Here, set_up};
use crate::limits::{self, Who};
use crate::machine::{GateRole, Machine, NotificationRole, ThreadRole};
use crate::{Global, Needs, TablesError, kernel_policy, mail, restarts, shared, trees};
use fusee_image_format::{KernelPolicy, TreeSystem};
use fusee_kernel::cores::{MailboxConfig, RestartConfig, Sender};
use fusee_kernel::{GateIndex, NotificationIndex, SeatIndex};
use fusee_model::derived::Derived;
use fusee_model::{NotificationId, Priority, System, TaskId};

/// A booted system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machines {
    /// Its cores, at least one.
    pub cores: Vec<CoreMachine>,
    /// The gates between them.
    pub globals: Vec<Global>,
    /// The notifications that are signalled from other cores.
    pub mailboxes: Vec<MailboxConfig>,
    /// The threads that may signal those, with their limits.
    pub senders: Vec<Sender>,
    /// The components that several of them enter and that a fault ends or restarts.
    pub restarts: Vec<RestartConfig>,
    /// For each of the description's notifications, the core to which it belongs.
    pub owners: Vec<u32>,
    /// The threads that each scheduler dispatches; none where the kernel alone does.
    pub trees: Option<TreeSystem>,
}

/// A system of several cores, as it is described.
struct Whole<'a> {
    system: &'a System,
    derived: &'a Derived,
    needs: &'a Needs,
    globals: &'a [Global],
}

/// One core of a booted system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreMachine {
    /// The scheduling policy on it.
    pub policy: KernelPolicy,
    /// Everything that it has by number.
    pub machine: Machine,
    /// The number of its first thread among those of all cores, which components are told.
    pub first_thread: u16,
    /// The priority that each level stands for; empty: itself.
    pub levels: Vec<Priority>,
    /// For each gate between cores, for each thread: its seat.
    pub seats: Vec<SeatIndex>,
}

impl Machines {
    /// Returns the objects of a system that boots.
    ///
    /// # Errors
    /// Any [`TablesError`].
    pub fn of(system: &System, needs: &Needs) -> Result<Machines, TablesError> {
        let derived = Derived::of(system);
        let count = system.cores();
        if count == 1 {
            let cores = vec![CoreMachine::alone(system, needs)?];
            let (globals, mailboxes, senders) = Default::default();
            let owners = vec![0; system.notifications.len()];
            let restarts = Vec::new();
            let trees = trees::of(system, &cores[0].machine);
            return Ok(Machines { cores, globals, mailboxes, senders, restarts, owners, trees });
        }
        let globals = globals(system, &derived)?;
        if count > crate::cores::MOST_CORES {
            return Err(TablesError::TooManyCores(count));
        }
        shared::check(system, &derived)?;
        let restarts = restarts::restarts(system, &derived)?;
        let mut cores: Vec<CoreMachine> = Vec::new();
        for core in 0..count {
            let first_thread = cores
                .last()
                .map_or(0, |last| usize::from(last.first_thread) + last.machine.threads.len());
            let first_thread =
                u16::try_from(first_thread).map_err(|_| TablesError::TooMany("threads"))?;
            let whole = Whole { system, derived: &derived, needs, globals: &globals };
            cores.push(CoreMachine::of(&whole, core, first_thread)?);
        }
        let others = others((system, &derived), &cores[0].machine)?;
        let own = cores.iter().map(|core| mail::Own {
            objects: &core.machine.objects,
            set_up: &core.machine.set_up,
            others: &others,
        });
        let mailboxes = mail::mailboxes(system, &derived, &own.collect::<Vec<_>>());
        mail::check_looks(globals.len() + mailboxes.len() + restarts.len())?;
        let registrations = registrations(&cores[0].machine);
        let (boxes, threads) = ((&mailboxes[..], &registrations[..]), all_threads(&cores));
        let senders = limits::senders(system, boxes, threads);
        let notifications = (0..system.notifications.len()).map(NotificationId::from);
        let owners = notifications.map(|id| mail::owner(system, &derived, id)).collect();
        Ok(Machines { cores, globals, mailboxes, senders, restarts, owners, trees: None })
    }

    /// Returns the first core, which has all components, as every other.
    pub fn first(&self) -> &Machine {
        &self.cores[0].machine
    }

    /// Returns all threads: the number of the core, the thread's number there, and what it is.
    pub fn threads(&self) -> impl Iterator<Item = (usize, usize, ThreadRole)> {
        let of_core = |(core, machine): (usize, &CoreMachine)| {
            let threads = machine.machine.threads.clone().into_iter().enumerate();
            threads.map(move |(thread, role)| (core, thread, role))
        };
        self.cores.iter().enumerate().flat_map(of_core)
    }

    /// Returns the first stand-in, which is the same on each core.
    pub fn first_gate(&self) -> GateIndex {
        GateIndex((self.first().gates.len() - self.globals.len()) as u16)
    }
}

impl CoreMachine {
    fn alone(system: &System, needs: &Needs) -> Result<CoreMachine, TablesError> {
        let (policy, machine) = (kernel_policy(system, 0), Machine::of(system, needs)?);
        let (levels, seats) = (Vec::new(), Vec::new());
        Ok(CoreMachine { policy, machine, first_thread: 0, levels, seats })
    }

    fn of(whole: &Whole<'_>, core: u32, first_thread: u16) -> Result<CoreMachine, TablesError> {
        let Whole { system, derived, needs, globals } = *whole;
        let (part, tasks) = part((system, derived), core);
        let own = Derived::of(&part);
        let callbacks = needs.callbacks.iter().copied();
        let callbacks = callbacks.filter(|&one| mail::of_callback(system, derived, one) == core);
        let callbacks = callbacks.collect();
        let here = Here { core, callbacks, set_up: set_up(system, needs)?, whole: Some(system) };
        let mut machine = Extension::of(&part, &own, needs, here)?.finish(&own)?;
        let in_whole = |task: TaskId| tasks[task.index()];
        for role in &mut machine.threads {
            if let ThreadRole::Task(task) = role {
                *task = in_whole(*task);
            }
        }
        machine.unsignalled = machine.unsignalled.into_iter().map(in_whole).collect();
        let mut objects = CoreObjects::seated(machine.objects, tasks);
        if !globals.is_empty() {
            objects.share((core, system.policy_on(core)), derived, globals)?;
        }
        machine.gates.extend(globals.iter().map(|global| GateRole::Between(global.gate)));
        machine.notifications.extend(globals.iter().map(|one| NotificationRole::Turn(one.gate)));
        machine.objects = objects.objects;
        let CoreObjects { levels, seats, .. } = objects;
        let policy = kernel_policy(system, core);
        Ok(CoreMachine { policy, machine, first_thread, levels, seats })
    }
}

/// Returns the threads of all cores, each with its core and its number there.
fn all_threads(cores: &[CoreMachine]) -> impl Iterator<Item = (u32, usize, Who)> {
    cores.iter().enumerate().flat_map(|(core, own)| {
        own.machine.threads.iter().enumerate().map(move |(thread, role)| {
            let who = match *role {
                ThreadRole::Task(task) => Who::Task(task),
                ThreadRole::Boot => Who::Boot,
                ThreadRole::Callback { .. } => Who::Callback,
            };
            (core as u32, thread, who)
        })
    })
}

/// Returns the notifications that say that a callback was registered.
fn registrations(machine: &Machine) -> Vec<NotificationIndex> {
    let all = machine.notifications.iter().enumerate();
    let own = all.filter(|(_, role)| matches!(role, NotificationRole::Registration { .. }));
    own.map(|(number, _)| NotificationIndex(number as u16)).collect()
}

/// Returns the notifications that no event stands behind and that code of another core may signal:
/// any core's may register a callback, and post a semaphore where it gets to it, as may the
/// first's, which sets up.
fn others(
    (system, derived): (&System, &Derived),
    machine: &Machine,
) -> Result<Vec<(NotificationIndex, u32)>, TablesError> {
    let mut found = Vec::new();
    for (number, role) in machine.notifications.iter().enumerate() {
        let notification = NotificationIndex(number as u16);
        match *role {
            NotificationRole::Registration { component, interface } => {
                let core = mail::of_callback(system, derived, (component, interface));
                found.push((notification, core));
            }
            NotificationRole::Semaphore { component, lock, .. } => {
                let core = mail::of_semaphore(system, derived, (component, lock))?;
                if core > 0 || mail::running(system, derived, component).len() > 1 {
                    found.push((notification, core));
                }
            }
            _ => {}
        }
    }
    Ok(found)
}
