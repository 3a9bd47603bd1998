//! Mutexes and semaphores of whose use a description says too little.
//!
//! How often and how long a component's code holds a lock, only its code knows, unless the
//! lists of calls say it: with `lock m` and `unlock m` a mutex is a gate and needs
//! nothing here. For that every body of the component must list its calls, and the mutex
//! must be in one of the lists: one that is in none is rather forgotten than unused. A
//! semaphore has no holder, so nothing bounds a wait for it.
//!
//! Where one thread alone comes to the component, nobody ever waits, but for a semaphore that
//! begins without a signal. Where several do, whoever comes there may wait for unknown time, and
//! the holder may run at the highest of their priorities, or at that of whoever waits for a gate
//! from within which one of them comes; so nobody at or below that has a bound. Tasks above all of
//! them are not concerned.

use fusee_model::derived::Derived;
use fusee_model::{Calls, ComponentId, GateId, InterfaceKind, LockKind, Priority, System, TaskId};

use crate::body::BodyRef;
use crate::context::Context;
use crate::obstacle::Obstacle;

/// Returns for each core the highest priority at which a task may wait for a lock, and the reason.
pub(crate) fn worst(contexts: &[Context<'_>]) -> Vec<(u32, Priority, Obstacle)> {
    let (system, derived) = (contexts[0].system, contexts[0].derived);
    let mut worst: Vec<(u32, Priority, Obstacle)> = Vec::new();
    for (index, component) in
        system.components.iter().enumerate().filter(|(_, c)| !c.code.locks.is_empty())
    {
        let id = ComponentId::from(index);
        let users = users(system, derived, id);
        // Callbacks and interrupts have threads that the model does not show.
        let callbacks = component
            .interfaces
            .iter()
            .filter(|i| matches!(i.kind, InterfaceKind::Consumes(Some(_))));
        let callbacks = callbacks.count();
        // One thread alone never waits for a lock, but for what nobody has signalled.
        let mut locks = component.code.locks.iter();
        let waits_alone = locks.any(|lock| lock.kind != LockKind::Mutex && lock.initial == 0);
        if users.len() + callbacks < 2 && !waits_alone {
            continue;
        }
        let around = around(system, derived, id);
        let unlisted = unlisted(system, derived, id);
        // A callback may lock what no list of calls shows, so lists are complete only without any.
        let Some(lock) = unknown(system, id, unlisted.is_none() && callbacks == 0) else {
            continue;
        };
        for user in users {
            let core = system.task(user).core;
            let rise = &contexts[core as usize].reach.rise;
            let raised = around.iter().map(|gate| rise[gate.index()]).max().unwrap_or(-1);
            let raised = raised.clamp(0, Priority::MAX.into()) as Priority;
            let level = system.level(user).max(raised);
            let obstacle = Obstacle::Lock { component: id, lock, user, unlisted };
            match worst.iter_mut().find(|(other, _, _)| *other == core) {
                // The holder may run at the priority of the most urgent user, which decides who is
                // concerned.
                Some(known) if known.1 < level => *known = (core, level, obstacle),
                Some(_) => {}
                None => worst.push((core, level, obstacle)),
            }
        }
    }
    worst
}

/// Returns the first lock of a component whose holding time is not known; where the lists of calls
/// are `complete`, a mutex that is in one of them is known.
fn unknown(system: &System, id: ComponentId, complete: bool) -> Option<usize> {
    let known = |lock: usize| complete && system.gate_of_mutex(id, lock).is_some();
    let locks = system.component(id).code.locks.iter().enumerate();
    let mut unknown =
        locks.filter(|(lock, described)| described.kind != LockKind::Mutex || !known(*lock));
    unknown.next().map(|(lock, _)| lock)
}

/// Returns a body of a component, one that is run, without a list of its calls.
fn unlisted(system: &System, derived: &Derived, id: ComponentId) -> Option<BodyRef> {
    let is_listed = |calls: Calls| matches!(calls, Calls::Given(_));
    let mut tasks = system.task_ids().filter(|(_, task)| task.component == id);
    let task =
        tasks.find(|(_, task)| !is_listed(task.body.calls)).map(|(task, _)| BodyRef::Task(task));
    task.or_else(|| {
        let gates = system.gate_ids().filter(|(gate, described)| {
            described.component == id && !derived.gate(*gate).tasks.is_empty()
        });
        let methods = gates.flat_map(|(gate, described)| {
            (0..described.methods.len()).map(move |m| (gate, described, m))
        });
        let mut methods =
            methods.filter(|(_, described, m)| !is_listed(described.methods[*m].body.calls));
        methods.next().map(|(gate, _, m)| BodyRef::Method(gate, m))
    })
}

/// Returns the exclusive gates from within which threads run code of a component.
fn around(system: &System, derived: &Derived, id: ComponentId) -> Vec<GateId> {
    let is_own = |gate: &GateId| system.gate(*gate).component == id;
    let exclusive = system.gate_ids().filter(|(_, gate)| gate.is_exclusive()).map(|(gate, _)| gate);
    exclusive.filter(|gate| is_own(gate) || derived.within(*gate).iter().any(is_own)).collect()
}

/// Tasks that run code of a component.
fn users(system: &System, derived: &Derived, id: ComponentId) -> Vec<TaskId> {
    let enters = |task: TaskId| {
        derived.task(task).gates.iter().any(|&gate| system.gate(gate).component == id)
    };
    let all = system.task_ids();
    all.filter(|(task, described)| described.component == id || enters(*task))
        .map(|(task, _)| task)
        .collect()
}
