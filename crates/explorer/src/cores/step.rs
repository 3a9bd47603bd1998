//! What may happen next on several cores.

use std::fmt;

use fusee_kernel::cores::{Due, Executes, Host, OneCore};
use fusee_kernel::{Error, Event, GlobalIndex, NEVER, Status, ThreadIndex, Time};

use super::System;

/// One core's step, or the passing of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A core takes an event, up to the first lock.
    Event(usize, Event),
    /// A core turns to a gate at which it has been told to look, or thinks so.
    Look(usize, GlobalIndex),
    /// A core goes through the section that is due.
    Section(usize),
    /// A core sends a look.
    Send(usize),
    /// One tick passes and nothing happens.
    Tick,
}

/// No budget or time slice that ends in a history ends later than this.
const SOON: Time = 1 << 32;

impl Step {
    /// Who steps; none: time passes.
    pub fn core(self) -> Option<usize> {
        match self {
            Step::Event(core, _) | Step::Look(core, _) => Some(core),
            Step::Section(core) | Step::Send(core) => Some(core),
            Step::Tick => None,
        }
    }

    /// All steps worth trying in a state.
    pub fn all(system: &System, tables: &[OneCore<'_>], host: &Host, now: Time) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut timer = NEVER;
        for (core, own) in host.cores.iter().enumerate() {
            timer = timer.min(own.store.cores[0].limit);
            if !own.outbox.is_empty() {
                steps.push(Step::Send(core));
            } else if own.home.due != Due::Nothing {
                steps.push(Step::Section(core));
            } else {
                free_steps(system, &tables[core], (host, core), now, &mut steps);
            }
        }
        if timer > now && timer < now + SOON {
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
            Step::Look(core, global) => {
                host.look(tables, core, global);
                Ok(())
            }
            Step::Section(core) => {
                host.section(tables, core, *now, ());
                Ok(())
            }
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

    /// Whether the kernel must refuse it: what is not allowed between asking and coming back.
    pub fn is_forbidden(self, host: &Host) -> bool {
        let Step::Event(core, event) = self else { return false };
        let inside = host.cores[core].home.inside.global.is_some();
        inside && matches!(event, Event::Complete | Event::Yield | Event::Wait(_))
    }
}

/// What a core may do that is on no path.
fn free_steps(
    system: &System,
    (tables, shared): &OneCore<'_>,
    (host, core): (&Host, usize),
    now: Time,
    steps: &mut Vec<Step>,
) {
    let own = &host.cores[core];
    for global in (0..shared.globals.len() as u16).map(GlobalIndex) {
        if own.pending.has(global) || system.spurious {
            steps.push(Step::Look(core, global));
        }
    }
    for (thread, state) in own.store.threads.iter().enumerate() {
        let limited = tables.threads[thread].budget.is_some();
        if state.status == Status::Idle || limited {
            let thread = ThreadIndex(thread as u16);
            steps.push(Step::Event(core, Event::Release(thread, now)));
        }
    }
    if own.store.cores[0].limit <= now {
        steps.push(Step::Event(core, Event::Timer));
    }
    code(system, (tables, shared), own, &mut |event| steps.push(Step::Event(core, event)));
}

/// What the code that a core executes may call.
fn code(
    system: &System,
    (tables, _): (&fusee_kernel::Tables<'_>, &fusee_kernel::cores::CoreTables<'_>),
    own: &fusee_kernel::cores::HostCore,
    step: &mut dyn FnMut(Event),
) {
    let Some(running) = own.store.running() else { return };
    let slots = |component: usize| tables.components[component].capabilities.len() as u16;
    let inside = own.home.inside;
    if inside.global.is_some() {
        [Event::Return, Event::Complete, Event::Yield, Event::Wait(0)]
            .into_iter()
            .for_each(&mut *step);
        if inside.depth < system.below {
            (0..slots(inside.component.at())).map(Event::Invoke).for_each(&mut *step);
        }
        if system.faults {
            step(Event::Fault);
        }
    } else if executes(own, running) == Executes::Thread {
        (0..slots(own.store.component_of(tables, running))).map(Event::Invoke).for_each(&mut *step);
        let home = own.store.threads[running].depth() == 0;
        step(if home { Event::Complete } else { Event::Return });
        if system.slice != NEVER {
            step(Event::Yield);
        }
    }
}

/// Whether a core that executes no activation executes its thread: who has asked is announced.
fn executes(own: &fusee_kernel::cores::HostCore, running: usize) -> Executes {
    if own.home.announced.at() == running { Executes::Nothing } else { Executes::Thread }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Event(core, Event::Release(thread, _)) => {
                write!(out, "core {core}: a job of T{} arrives", thread.0)
            }
            Step::Event(core, event) => write!(out, "core {core}: {event:?}"),
            Step::Look(core, global) => write!(out, "core {core} looks at g{}", global.0),
            Step::Section(core) => write!(out, "core {core} goes through the lock"),
            Step::Send(core) => write!(out, "core {core} sends a look"),
            Step::Tick => write!(out, "a tick passes"),
        }
    }
}
