//! The steps that are possible next on several cores.

use std::fmt;

use fusee_kernel::cores::{At, CoreTables, Due, Executes, Host, HostCore, OneCore};
use fusee_kernel::{
    Capability, ComponentIndex, Error, Event, GateIndex, GlobalIndex, MailboxIndex, NEVER,
};
use fusee_kernel::{NotificationIndex, OnFault, Status, ThreadIndex, Time, each_store};

use super::system::MOST_SIGNALS;
use super::{System, mutexes};

/// One core's step, or the passing of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A core takes an event, up to the first lock.
    Event(usize, Event),
    /// A core turns to what it has been told to look at, or thinks so.
    Look(usize, At),
    /// A core goes through the section that is due, or the step at a mailbox.
    Section(usize),
    /// A core sends a look.
    Send(usize),
    /// One tick passes and nothing happens.
    Tick,
}

/// No budget or time slice that ends in a history ends later than this.
const SOON: Time = 1 << 32;

impl Step {
    /// Returns the core that takes the step; none: time passes.
    pub fn core(self) -> Option<usize> {
        match self {
            Step::Event(core, _) | Step::Look(core, _) => Some(core),
            Step::Section(core) | Step::Send(core) => Some(core),
            Step::Tick => None,
        }
    }

    /// Returns all steps worth trying in a state.
    pub fn all(system: &System, tables: &[OneCore<'_>], host: &Host, now: Time) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut timer = NEVER;
        for (core, own) in host.cores.iter().enumerate() {
            timer = timer.min(own.store.limit());
            if !own.outbox.is_empty() {
                steps.push(Step::Send(core));
            } else if own.home.due != Due::Nothing {
                steps.push(Step::Section(core));
            } else {
                steps.extend(free_steps(system, &tables[core], (host, core), now));
            }
        }
        if system.ages() || system.limits_posts() || timer > now && timer < now + SOON {
            steps.push(Step::Tick);
        }
        steps
    }

    /// Takes the step; an error leaves the state for comparison.
    ///
    /// # Errors
    /// The kernel's.
    pub fn take(
        self,
        tables: &[OneCore<'_>],
        host: &mut Host,
        now: &mut Time,
    ) -> Result<(), Error> {
        match self {
            Step::Event(core, event) => host.handle(tables, core, (*now, event), ()),
            Step::Look(core, at) => {
                host.look(tables, core, at);
                Ok(())
            }
            Step::Section(core) => host.section(tables, core, *now, ()),
            Step::Send(core) => {
                host.send(core);
                Ok(())
            }
            Step::Tick => {
                *now += 1;
                Ok(())
            }
        }
    }

    /// Returns `true` if the kernel must refuse it: what is not allowed between asking and coming
    /// back, or with a mutex of several cores.
    pub fn is_forbidden(self, tables: &[OneCore<'_>], host: &Host) -> bool {
        let Step::Event(core, event) = self else { return false };
        let inside = host.cores[core].home.inside;
        if inside.global.is_some() {
            return match event {
                Event::Invoke(slot) => is_exclusive(&tables[core].0, (inside.component, slot)),
                Event::Complete | Event::Yield | Event::Wait(_) | Event::Signal(_) => true,
                _ => false,
            };
        }
        mutexes::held_by_running(&tables[core], host).is_some_and(|thread| match event {
            Event::Lock(_) | Event::Wait(_) => true,
            Event::Invoke(slot) => mutexes::waits_at(&tables[core], host, (thread, slot)),
            _ => false,
        })
    }
}

/// Returns `true` if the gate in a component's slot is one that lets one thread in.
fn is_exclusive(
    tables: &fusee_kernel::Tables<'_>,
    (component, slot): (ComponentIndex, u16),
) -> bool {
    match tables.components[component.at()].capabilities[usize::from(slot)] {
        Capability::Gate(gate) => tables.gates[gate.at()].protocol.is_exclusive(),
        _ => false,
    }
}

/// Returns the steps of a core that is on no path.
fn free_steps(
    system: &System,
    one: &OneCore<'_>,
    (host, core): (&Host, usize),
    now: Time,
) -> Vec<Step> {
    let (tables, shared) = one;
    let mut steps = Vec::new();
    let own = &host.cores[core];
    let gates = (0..shared.globals.len() as u16).map(|gate| At::Gate(GlobalIndex(gate)));
    let own_mail = |at: &At| match at {
        At::Gate(_) => true,
        At::Mailbox(mailbox) => {
            // Restarts stand behind the mailboxes, and concern every core.
            let config = shared.mailboxes.get(mailbox.at());
            config.is_none_or(|config| usize::from(config.core) == core)
        }
    };
    let mail = (shared.mailboxes.len() + shared.restarts.len()) as u16;
    let mail = (0..mail).map(|mail| At::Mailbox(MailboxIndex(mail)));
    for at in gates.chain(mail) {
        if own.pending.has(at) || system.spurious && own_mail(&at) {
            steps.push(Step::Look(core, at));
        }
    }
    for thread in 0..tables.threads.len() {
        let limited = tables.threads[thread].budget.is_some();
        let by_event = system.releases(core, thread);
        if !by_event && (own.store.status(thread) == Status::Idle || limited) {
            let thread = ThreadIndex(thread as u16);
            steps.push(Step::Event(core, Event::Release(thread, now)));
        }
    }
    if own.store.limit() <= now {
        steps.push(Step::Event(core, Event::Timer));
    }
    code(system, one, (host, core), &mut |event| steps.push(Step::Event(core, event)));
    steps
}

/// Returns `true` if there is room for one more signal.
fn has_room(host: &Host, shared: &CoreTables<'_>, notification: NotificationIndex) -> bool {
    let at = notification.at();
    let owner = usize::from(shared.mailboxes[at].core);
    let pending = host.cores[owner].store.notifications()[at].pending;
    !shared.mailboxes[at].counts || host.mailboxes[at].signals() + pending < MOST_SIGNALS
}

/// Passes on the calls that the code may make that a core executes.
fn code(
    system: &System,
    one: &OneCore<'_>,
    (host, core): (&Host, usize),
    step: &mut dyn FnMut(Event),
) {
    let (tables, shared) = one;
    let own = &host.cores[core];
    let Some(running) = own.store.running() else { return };
    let slots = |component: usize| tables.components[component].capabilities.len() as u16;
    let inside = own.home.inside;
    if inside.global.is_some() {
        let component = &own.store.components()[inside.component.at()];
        if component.epoch != inside.epoch {
            let waits = component.is_unrestored() && component.entering() == inside.epoch;
            return step(if waits { Event::Restored } else { Event::Abort });
        }
        [Event::Return, Event::Complete, Event::Yield, Event::Wait(0), Event::Signal(0)]
            .into_iter()
            .for_each(&mut *step);
        if inside.depth < system.below {
            (0..slots(inside.component.at())).map(Event::Invoke).for_each(&mut *step);
        }
        if system.faults {
            step(Event::Fault);
        }
    } else if executes(own, running) == Executes::Thread {
        if each_store!(&own.store, store => store.is_stale(tables, running)) {
            return step(Event::Abort);
        }
        if each_store!(&own.store, store => store.is_unrestored(tables, running)) {
            return step(Event::Restored);
        }
        let component = &tables.components[own.store.component_of(tables, running)];
        let locked = mutexes::locked(&(*tables, *shared), host, running);
        if system.faults && (locked.is_some() || component.on_fault != OnFault::Continue) {
            step(Event::Fault);
        }
        for (slot, capability) in component.capabilities.iter().enumerate() {
            let slot = slot as u16;
            match *capability {
                Capability::Signal(notification, _) if !has_room(host, shared, notification) => {}
                Capability::Signal(..) => step(Event::Signal(slot)),
                Capability::Wait(event) if system.events[event.at()].core != core => {}
                Capability::Wait(_) => step(Event::Wait(slot)),
                Capability::Gate(gate) if is_dead(tables, own, gate) => {}
                // All of them are mutexes between cores.
                Capability::Mutex(mutex) if locked == shared.global(mutex) => {
                    step(Event::Unlock(slot));
                }
                Capability::Mutex(_) => step(Event::Lock(slot)),
                Capability::Thread(..) => {
                    [Event::Depend, Event::Wake].into_iter().for_each(|event| step(event(slot)))
                }
                _ if own.store.depth(running) == tables.depth => {}
                _ => step(Event::Invoke(slot)),
            }
        }
        if locked.is_some() {
            return;
        }
        let home = own.store.depth(running) == 0;
        step(if home { Event::Complete } else { Event::Return });
        if system.slice != NEVER {
            step(Event::Yield);
        }
    }
}

/// Returns `true` if the component behind a gate is dead, as far as a core knows.
fn is_dead(tables: &fusee_kernel::Tables<'_>, own: &HostCore, gate: GateIndex) -> bool {
    let component = tables.gates[gate.at()].component;
    own.store.components()[component.at()].is_dead()
}

/// Returns what a core executes outside an activation: its thread, unless that has asked for a
/// gate.
fn executes(own: &HostCore, running: usize) -> Executes {
    if own.home.announced.at() == running { Executes::Nothing } else { Executes::Thread }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Event(core, Event::Release(thread, _)) => {
                write!(out, "core {core}: a job of T{} arrives", thread.0)
            }
            Step::Event(core, event) => write!(out, "core {core}: {event:?}"),
            Step::Look(core, At::Gate(global)) => write!(out, "core {core} looks at g{}", global.0),
            Step::Look(core, At::Mailbox(mailbox)) => {
                write!(out, "core {core} looks into mailbox {}", mailbox.0)
            }
            Step::Section(core) => write!(out, "core {core} goes through the lock or mailbox"),
            Step::Send(core) => write!(out, "core {core} sends a look"),
            Step::Tick => write!(out, "a tick passes"),
        }
    }
}
