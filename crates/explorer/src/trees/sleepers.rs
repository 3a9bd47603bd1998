//! Threads that sleep on each other's account, by a ledger of the services.

use fusee_kernel::{Capability, Event, OnFault, Status};

use super::rule::ensure;
use super::{Checked, Rule, Seen, Step, System, TreePolicy, World};
use crate::services::Asked;
use crate::services::systems::row;

/// Follows who sleeps on whose account, and checks that the kernel has the same threads asleep and
/// tells those that go on the same.
pub(super) fn follow<P: TreePolicy>(
    system: &System,
    (before, was): (&World<P>, &Seen),
    after: &mut World<P>,
    step: Step,
) -> Checked {
    let (Step::Event(event) | Step::LongWay(event), Some(runs)) = (step, was.runs) else {
        return Ok(());
    };
    let component = before.kernel.component_of(&system.tables, runs);
    let row = row(&system.tables, component);
    let ledger = &mut after.ledger.sleepers;
    ledger.told.clear();
    if let Some((row, asked)) = row.zip(asked(system, was, (component, event))) {
        ledger.ask((row, runs), asked);
    }
    let gone = event == Event::Fault
        && !before.kernel.is_stale(&system.tables, runs)
        && system.tables.components[component].on_fault != OnFault::Continue;
    if let Some(row) = row.filter(|_| gone) {
        ledger.forget(row);
    }
    let ends = matches!(event, Event::Complete | Event::Fault | Event::Abort);
    if ends && was.depth[runs] == 0 {
        ledger.end_job(runs);
    }
    check(system, after)
}

fn check<P: TreePolicy>(system: &System, after: &World<P>) -> Checked {
    let kernel = &after.kernel;
    let sleeps = |thread: usize| {
        let at = kernel.threads[thread].gate()?.at();
        system.is_about(at).then(|| (at, kernel.gates[at].holder.at()))
    };
    let same = after.ledger.sleepers.compare(sleeps, |thread| kernel.threads[thread].value);
    same.or_else(|difference| ensure(Rule::Sleepers, false, || difference))
}

/// Returns the service that the running thread asks for in a component.
fn asked(system: &System, was: &Seen, (component, event): (usize, Event)) -> Option<Asked> {
    let named = |slot: u16| {
        let capability = system.tables.components[component].capabilities.get(usize::from(slot));
        match capability {
            Some(Capability::Thread(_, thread)) => Some(thread.at()),
            _ => None,
        }
    };
    match event {
        Event::Depend(slot) => {
            let target = named(slot)?;
            Some(Asked::Depend(target, was.status[target] != Status::Idle))
        }
        Event::Wake(slot) => Some(Asked::Wake(named(slot)?)),
        _ => None,
    }
}
