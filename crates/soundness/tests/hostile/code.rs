//! The code of hostile components.
//!
//! The kernel lets them do what their capabilities allow, in any order and as often as they like:
//! execute without end, emit and call in storms, wait, ask for what they may not, fault.

use fusee_generate::Random;
use fusee_model::{Duration, InterfaceKind, NotificationId, Step, System, Task, TaskId};

/// Hostile code for a system.
pub(crate) struct Hostile {
    /// The system with that code where it is not trusted.
    pub(crate) bodies: System,
    /// The tasks whose jobs end with a fault.
    pub(crate) faults: Vec<TaskId>,
}

/// The way in which hostile code spends its time.
#[derive(Clone, Copy)]
enum Way {
    /// It executes without end.
    Spins,
    /// It does nothing but ask for what it may.
    Storms,
    /// Both, in any order.
    Mixes,
}

fn compute(time: u64) -> Step {
    Step::Compute { best: Duration(time), worst: Duration(time) }
}

/// Code for each task and each method that is not trusted.
pub(crate) fn hostile(system: &System, random: &mut Random) -> Hostile {
    let mut bodies = system.clone();
    let mut faults = Vec::new();
    for (id, task) in system.task_ids().filter(|(_, task)| !system.is_trusted(task.component)) {
        let budget = task.budget.as_ref().map_or(1_000_000, |budget| budget.amount.value.ns());
        let mut asks = asked(&task.body.steps);
        asks.extend(waits(system, task));
        asks.extend(random.chance(20).then(|| refused(system)).flatten());
        let faulty = random.chance(30);
        // Endless code does not come to its fault but where it is stopped by nothing else.
        let end = if faulty { random.below(budget) } else { budget.saturating_mul(5) };
        bodies.tasks[id.index()].body.steps = steps(random, (&asks, budget), end);
        faults.extend(faulty.then_some(id));
    }
    for (gate, own) in bodies.gates.iter_mut().zip(&system.gates) {
        if !system.is_trusted(own.component) {
            for (method, own) in gate.methods.iter_mut().zip(&own.methods) {
                let end = random.magnitude(1, 10_000_000);
                method.body.steps = steps(random, (&asked(&own.body.steps), 10_000), end);
            }
        }
    }
    Hostile { bodies, faults }
}

/// Returns the requests to the kernel among these steps.
fn asked(steps: &[Step]) -> Vec<Step> {
    steps.iter().filter(|step| !matches!(step, Step::Compute { .. })).cloned().collect()
}

/// Waits for what a task's component consumes.
fn waits(system: &System, task: &Task) -> Vec<Step> {
    let interfaces = system.component(task.component).interfaces.iter();
    let waits = interfaces.filter_map(|interface| match interface.kind {
        InterfaceKind::Consumes(Some(event)) => Some(Step::Wait(event)),
        _ => None,
    });
    waits.collect()
}

/// Returns a signal for which the task has perhaps no capability.
fn refused(system: &System) -> Option<Step> {
    (!system.notifications.is_empty()).then(|| Step::Emit(NotificationId::from(0)))
}

/// Steps that ask for some of what they may, and execute at the end.
fn steps(random: &mut Random, (asks, budget): (&[Step], u64), end: u64) -> Vec<Step> {
    let way = [Way::Spins, Way::Storms, Way::Mixes][random.below(3) as usize];
    let length = if matches!(way, Way::Spins) { 4 } else { random.between(10, 120) };
    let mut steps = Vec::new();
    for _ in 0..length {
        let chance = match way {
            Way::Spins => 20,
            Way::Storms => 100,
            Way::Mixes => 60,
        };
        let ask = random.pick(asks).filter(|_| random.chance(chance));
        let longest = budget / random.between(1, 40);
        let time = 1 + random.below(longest);
        steps.push(ask.cloned().unwrap_or_else(|| compute(time)));
    }
    steps.push(compute(end));
    steps
}
