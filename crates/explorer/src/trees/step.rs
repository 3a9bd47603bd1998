//! The steps that are possible next.

use std::fmt;

use fusee_kernel::tcaps::{Decision, Delegation, Dispatch, Slot, Transfer};
use fusee_kernel::{AccountIndex, Capability, Event, NEVER, ThreadIndex, Time};

use super::{System, TreePolicy, World};

/// The most that an account owes.
const LONGEST_DEBT: i64 = 2;

/// A call of the running thread, or something from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A tick passes.
    Tick,
    /// The kernel takes an event, by the ways that a machine takes.
    Event(Event),
    /// The kernel takes an event by the long way, although there may be a shorter one.
    LongWay(Event),
    /// The running thread receives as a scheduler; from this time on it only asks.
    Receive(Time),
    /// The running thread decides as a scheduler.
    Decide(Decision),
}

impl Step {
    /// Returns all steps worth trying in a state.
    pub fn all<P: TreePolicy>(system: &System, world: &mut World<P>) -> Vec<Step> {
        let timer = world.timer(system);
        let mut steps = Vec::new();
        if timer <= world.now {
            steps.push(Step::Event(Event::Timer));
        } else if (timer != NEVER || world.kernel.running().is_some()) && !is_overdue(world) {
            steps.push(Step::Tick);
        }
        let lines = 0..system.tables.interrupts.len() as u16;
        for event in lines.map(Event::Interrupt) {
            steps.extend([Step::Event(event), Step::LongWay(event)]);
        }
        let idle = |thread: &&ThreadIndex| {
            world.kernel.threads[thread.at()].status == fusee_kernel::Status::Idle
        };
        let releases = system.tries.releases.iter().filter(idle);
        steps.extend(releases.map(|thread| Step::Event(Event::Release(*thread, world.now))));
        if let Some(running) = world.kernel.running() {
            own(system, world, running, &mut steps);
        }
        steps
    }

    /// Returns `true` if it may have been done at once.
    pub(super) fn may_be_at_once(self) -> bool {
        let short = |event: Event| {
            matches!(
                event,
                Event::Invoke(_) | Event::Return | Event::Signal(_) | Event::Interrupt(_)
            )
        };
        matches!(self, Step::Event(event) if short(event))
    }
}

/// Returns `true` if a section that must not be interrupted has lasted for as long after the end of
/// a budget as they do here.
fn is_overdue<P: TreePolicy>(world: &World<P>) -> bool {
    world.ledger.balances.iter().flatten().any(|balance| *balance <= -LONGEST_DEBT)
}

/// Adds the steps that the running thread may take.
fn own<P: TreePolicy>(system: &System, world: &World<P>, running: usize, steps: &mut Vec<Step>) {
    if world.kernel.is_stale(&system.tables, running) {
        return steps.push(Step::Event(Event::Abort));
    }
    if world.kernel.is_unrestored(&system.tables, running) {
        return steps.push(Step::Event(Event::Restored));
    }
    let home = world.kernel.threads[running].depth() == 0;
    let scheduler = system.is_scheduler(running);
    // Whoever has a mutex gives it back first.
    let has_mutex = world.ledger.owners.iter().any(|owners| owners.contains(&running));
    match home {
        _ if has_mutex => {}
        true if scheduler.is_none() || system.tries.ends => {
            steps.push(Step::Event(Event::Complete));
        }
        true => {}
        false => steps.extend([Step::Event(Event::Return), Step::LongWay(Event::Return)]),
    }
    if system.tries.faults {
        steps.push(Step::Event(Event::Fault));
    }
    let component = world.kernel.component_of(&system.tables, running);
    for (slot, capability) in system.tables.components[component].capabilities.iter().enumerate() {
        let slot = slot as u16;
        match capability {
            Capability::Gate(_) => {
                let event = Event::Invoke(slot);
                steps.extend([Step::Event(event), Step::LongWay(event)]);
            }
            Capability::Signal(..) => {
                let event = Event::Signal(slot);
                steps.extend([Step::Event(event), Step::LongWay(event)]);
            }
            Capability::Wait(_) => steps.push(Step::Event(Event::Wait(slot))),
            Capability::Mutex(_) => {
                steps.extend([Event::Lock(slot), Event::Unlock(slot)].map(Step::Event));
            }
            Capability::Thread(..) => {
                steps.extend([Event::Depend(slot), Event::Wake(slot)].map(Step::Event));
            }
            _ => {}
        }
    }
    if let Some(scheduler) = scheduler {
        decisions(system, world, scheduler, steps);
    } else if system.tries.strangers {
        // As whoever has called it, or whoever lends to it, could.
        (0..system.schedulers.len()).for_each(|own| decisions(system, world, own, steps));
    }
}

/// Adds the decisions that a scheduler may make.
fn decisions<P: TreePolicy>(
    system: &System,
    world: &World<P>,
    scheduler: usize,
    steps: &mut Vec<Step>,
) {
    let tries = &system.tries;
    let after = |time: &Time| if *time == NEVER { NEVER } else { world.now + time };
    steps.extend(tries.alarms.iter().map(|alarm| Step::Receive(after(alarm))));
    let own = system.own_account(system.schedulers[scheduler].thread.at());
    let token = world.trees.dispatcher.schedulers[scheduler].token.wrapping_add(1);
    for to in 0..system.end_points.len() {
        let (thread, account) = (ThreadIndex(to as u16), system.own_account(to));
        if system.scheduler_of(to) == Some(scheduler) {
            let accounts = [Some(account), tries.own_account.then_some(own)];
            // A scheduler's own account is its own, and not that of who dispatches it.
            let its = |account: &usize| system.accounts[*account].scheduler.at() == scheduler;
            for account in accounts.into_iter().flatten().filter(its) {
                let account = AccountIndex(account as u16);
                let dispatch = |timeout| {
                    Decision::Dispatch(Dispatch { thread, account, priority: None, timeout, token })
                };
                let timeouts = tries.timeouts.iter().map(after).map(dispatch);
                steps.extend(timeouts.map(Step::Decide));
            }
        }
        if system.is_scheduler(to) != Some(scheduler) && system.scheduler_of(to).is_some() {
            gifts(system, world, (AccountIndex(own as u16), thread), steps);
        }
        let its = system.accounts[account].scheduler.at() == scheduler
            && system.scheduler_of(to) == Some(scheduler)
            && system.is_scheduler(to).is_none();
        for &amount in tries.amounts.iter().filter(|_| its) {
            let (from, to) = (AccountIndex(own as u16), AccountIndex(account as u16));
            let transfer = Transfer { from, to, amount, priority: 1 };
            steps.push(Step::Decide(Decision::Transfer(transfer)));
        }
    }
}

/// Time for a thread.
fn gifts<P: TreePolicy>(
    system: &System,
    world: &World<P>,
    (from, to): (AccountIndex, ThreadIndex),
    steps: &mut Vec<Step>,
) {
    for &amount in system.tries.amounts {
        let gift = Delegation { from, to, amount, priority: 1 };
        steps.push(Step::Decide(Decision::Delegate(gift)));
        if system.tries.yields {
            let slot = Slot { from, to, until: world.now + amount, priority: 1 };
            let yields = [Decision::DelegateAndYield(gift), Decision::YieldUntil(slot)];
            steps.extend(yields.map(Step::Decide));
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Tick => write!(out, "a tick passes"),
            Step::Event(event) => write!(out, "{event:?}"),
            Step::LongWay(event) => write!(out, "{event:?}, the long way"),
            Step::Receive(NEVER) => write!(out, "receives"),
            Step::Receive(alarm) => write!(out, "receives until {alarm}"),
            Step::Decide(decision) => write!(out, "{decision:?}"),
        }
    }
}
