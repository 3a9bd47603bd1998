//! Systems beyond what costs hold for, and tasks beyond what the kernel keeps.
//!
//! What a kernel path costs can grow with the number of threads and with how deep gates
//! are nested, how long a chain of holders can be, and how many cores share a memory, and a table
//! that was measured holds for systems no larger than those in which it was. A larger one may still
//! keep its bounds; nobody knows, so it gets none.

use std::collections::BTreeSet;

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{BACKLOG, ComponentId, GateId, InterfaceKind, LockKind, System};

use crate::bound::Bound;
use crate::lock_use;
use crate::obstacle::Obstacle;
use crate::sleep_cost::links;

/// Returns the first size that is larger than the table allows.
pub(crate) fn exceeded(system: &System, derived: &Derived, costs: &CostTable) -> Option<Obstacle> {
    // What has no cost or no theorem at all is told before what is only larger than measured.
    if let Some(obstacle) = schedulers(system, costs) {
        return Some(obstacle);
    }
    if let Some(obstacle) = lock_use::refused(system, derived) {
        return Some(obstacle);
    }
    if let Some(component) = system.lock_services().next().filter(|_| costs.dependencies.is_none())
    {
        return Some(Obstacle::NoServices { component });
    }
    // A kernel without costs has no paths that another policy could make longer.
    let covered = system.policies().into_iter().all(|policy| costs.covers(policy));
    if !covered && !costs.is_zero() {
        return Some(Obstacle::OtherPolicy { known: costs.policy });
    }
    if system.mutex_words().next().is_some() && costs.mutex.uncontended.is_none() {
        return Some(Obstacle::NoWords);
    }
    // One that is of one image is of its system, however large that is.
    let limits = costs.limits.filter(|_| costs.image.is_none())?;
    if let Some(obstacle) = words(system, derived, limits.nesting) {
        return Some(obstacle);
    }
    let (threads, nesting) = (threads(system), nesting(system, derived));
    if threads > limits.threads {
        return Some(Obstacle::Threads { threads, most: limits.threads });
    }
    if nesting > limits.nesting {
        return Some(Obstacle::Nesting { nesting, most: limits.nesting });
    }
    if let Some(most) = limits.cores.filter(|&most| system.cores() > most) {
        return Some(Obstacle::Cores { cores: system.cores(), most });
    }
    let chain = chain(system, derived);
    (chain > limits.nesting).then_some(Obstacle::Chain { chain, most: limits.nesting })
}

/// Returns an obstacle for schedulers whose decisions have unknown costs, or more than the costs
/// are known for.
fn schedulers(system: &System, costs: &CostTable) -> Option<Obstacle> {
    let first = system.schedulers.first()?;
    if costs.schedulers.is_none() {
        return Some(Obstacle::SchedulerCosts { task: first.task });
    }
    let most = costs.limits.filter(|_| !costs.is_zero())?.schedulers?;
    let schedulers = u32::try_from(system.schedulers.len()).unwrap_or(u32::MAX);
    (schedulers > most).then_some(Obstacle::Schedulers { schedulers, most })
}

/// More waiting releases than the kernel keeps for a task.
///
/// Up to the first release that is lost the bound holds. Whatever is pending then was due no longer
/// before than a response, jitter included, and so was the lost one: floor(R / T) + 1 jobs at most.
/// If all of them had room, that release was not lost, so none ever is. A task without a period has
/// one job.
pub(crate) fn backlog(bound: &Bound, period: u64) -> Option<Obstacle> {
    let most = u64::from(BACKLOG);
    let waiting = bound.response.ns() / period + 1;
    (waiting > most).then_some(Obstacle::Backlog { waiting, most })
}

/// Returns how many threads the costs of a system have to hold for: tasks, and a thread for each
/// event that may have a callback, since only its component's code knows whether it has.
pub fn threads(system: &System) -> u32 {
    let interfaces = system.components.iter().flat_map(|component| &component.interfaces);
    let events =
        interfaces.filter(|interface| matches!(interface.kind, InterfaceKind::Consumes(Some(_))));
    u32::try_from(system.tasks.len() + events.count()).unwrap_or(u32::MAX)
}

/// Gates on the longest chain, mutexes with described sections among them, and all other mutexes on
/// a task's way: a held mutex takes a frame as a gate does.
fn nesting(system: &System, derived: &Derived) -> u32 {
    let held = system.task_ids().map(|(id, task)| {
        let gates = derived.task(id).gates.iter();
        let mut passed: Vec<ComponentId> = gates.map(|&gate| system.gate(gate).component).collect();
        // In its own component a task may hold mutexes as well, while it passes gates.
        passed.push(task.component);
        passed.sort_unstable();
        passed.dedup();
        passed.into_iter().map(|id| mutexes(system, id)).fold(0, u32::saturating_add)
    });
    derived.longest_nesting.saturating_add(held.max().unwrap_or(0))
}

/// Gates on the longest way from gate to gate, with all other mutexes that can be held on it, at
/// home too: the kernel follows a chain of threads that wait for each other, each of which has gone
/// only a part of that way.
fn chain(system: &System, derived: &Derived) -> u32 {
    let home = system.tasks.iter().map(|task| mutexes(system, task.component)).max().unwrap_or(0);
    let way =
        derived.longest_way(|gate| mutexes(system, system.gate(gate).component).saturating_add(1));
    way.saturating_add(home).saturating_add(links(system))
}

/// Returns an obstacle for more mutexes that a thread may hold together, or that one component has,
/// than were measured, where some are words, which makes words of all for the kernel: an unlock
/// goes through all of the thread's with waiting threads, a fault through all of the component's.
/// Those without described sections count wherever they are.
fn words(system: &System, derived: &Derived, most: u32) -> Option<Obstacle> {
    system.mutex_words().next()?;
    let (mut described, mut others) = (BTreeSet::new(), 0_u32);
    for index in 0..system.components.len() {
        let id = ComponentId::from(index);
        let all = all_mutexes(system, id);
        // A fault looks at all mutexes of a component, and an unlock at those that its thread
        // holds. So two numbers must be within what was measured.
        if all.len() > most as usize {
            return Some(Obstacle::WordsOf { component: id, has: all.len() as u32, most });
        }
        for gate in all {
            match gate {
                Some(gate) => drop(described.insert(gate)),
                None => others += 1,
            }
        }
    }
    let way = derived.longest_way(|gate| described.contains(&gate).into());
    let held = way.saturating_add(others);
    (held > most).then_some(Obstacle::Words { held, most })
}

/// Returns a component's mutexes; those with described sections by their gates.
fn all_mutexes(system: &System, id: ComponentId) -> Vec<Option<GateId>> {
    let locks = system.component(id).code.locks.iter().enumerate();
    let mutexes = locks.filter(|(_, lock)| lock.kind == LockKind::Mutex);
    mutexes.map(|(lock, _)| system.gate_of_mutex(id, lock)).collect()
}

/// Returns the number of a component's mutexes that have no described sections, and are no gates of
/// the model.
fn mutexes(system: &System, id: ComponentId) -> u32 {
    all_mutexes(system, id).iter().filter(|gate| gate.is_none()).count() as u32
}
