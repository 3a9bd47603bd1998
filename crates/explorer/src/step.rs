//! The steps that are possible next.

use std::fmt;

use fusee_kernel::{
    Error, Event, Kernel, NEVER, OnFault, Outcome, Release, Status, Tables, ThreadIndex, Time,
};

use crate::{Rules, Store, System, Tape};

/// One event, or the passing of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The kernel takes an event.
    Event(Event),
    /// A thread's base priority changes.
    Reprioritise(ThreadIndex, u8),
    /// One tick passes and nothing happens.
    Tick,
}

impl Step {
    /// Returns all steps worth trying in a state; the kernel refuses some of them.
    pub fn all<P: Rules>(system: &System, store: &Store<P>, now: Time) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(running) = store.running() {
            own_steps(system, store, running, &mut steps);
        }
        outer_steps(system, now, &mut steps);
        let timer = store.cores[0].limit.min(store.expiries.iter().copied().min().unwrap_or(NEVER));
        if timer <= now {
            steps.push(Step::Event(Event::Timer));
        }
        let worth = if timer == NEVER { system.ages } else { timer + system.late > now };
        if worth {
            steps.push(Step::Tick);
        }
        steps
    }

    /// Takes the step at `now`; an error of the kernel leaves `store` for comparison.
    pub fn take<P: Rules>(
        self,
        tables: &Tables<'_>,
        store: &mut Store<P>,
        now: &mut Time,
        tape: &mut Tape,
    ) -> Result<Option<Outcome>, Error> {
        let mut kernel = Kernel::resume(*tables, store.memory(), tape);
        match self {
            Step::Event(event) => kernel.handle(*now, event).map(Some),
            Step::Reprioritise(thread, priority) => {
                kernel.reprioritise(*now, thread, P::given(priority)).map(Some)
            }
            Step::Tick => {
                *now += 1;
                Ok(None)
            }
        }
    }
}

fn own_steps<P: Rules>(system: &System, store: &Store<P>, running: usize, steps: &mut Vec<Step>) {
    let tables = &system.tables;
    if store.is_stale(tables, running) {
        steps.push(Step::Event(Event::Abort));
        return;
    }
    if store.is_unrestored(tables, running) {
        steps.push(Step::Event(Event::Restored));
        return;
    }
    let component = store.component_of(tables, running);
    let slots = tables.components[component].capabilities.len() as u16;
    // One slot too many on purpose, and every kind of call on every slot.
    for slot in 0..=slots {
        steps
            .extend([Event::Invoke(slot), Event::Signal(slot), Event::Wait(slot)].map(Step::Event));
    }
    if system.locks {
        for slot in 0..=slots {
            steps.extend(
                [Event::Lock(slot), Event::Unlock(slot), Event::Poll(slot)].map(Step::Event),
            );
        }
    }
    steps.extend([Event::Return, Event::Complete, Event::Abort, Event::Restored].map(Step::Event));
    if system.yields {
        steps.push(Step::Event(Event::Yield));
    }
    let faults = tables.components[component].on_fault != OnFault::Continue || system.faults;
    if faults {
        steps.push(Step::Event(Event::Fault));
    }
}

fn outer_steps(system: &System, now: Time, steps: &mut Vec<Step>) {
    let tables = &system.tables;
    for (thread, config) in tables.threads.iter().enumerate() {
        let thread = ThreadIndex(thread as u16);
        if let Release::Sporadic { jitter, .. } = config.release {
            let told = (0..=jitter.min(now)).map(|late| Event::Release(thread, now - late));
            steps.extend(told.map(Step::Event));
        }
    }
    steps.extend(
        system.priorities.iter().map(|&(thread, priority)| Step::Reprioritise(thread, priority)),
    );
    for line in 0..=tables.interrupts.len() as u16 {
        steps.push(Step::Event(Event::Interrupt(line)));
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Event(event) => write!(out, "{event:?}"),
            Step::Reprioritise(thread, priority) => {
                write!(out, "T{} gets base priority {priority}", thread.0)
            }
            Step::Tick => write!(out, "a tick passes"),
        }
    }
}

/// Returns a status in a word or two.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Idle => "idle",
        Status::Ready => "ready",
        Status::Running => "runs",
        Status::AtGate => "waits at gate",
        Status::AtNotification => "waits for notification",
        Status::Suspended => "suspended",
    }
}
