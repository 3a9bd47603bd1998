//! Gates without priority management.
//!
//! Whoever holds a `fifo` gate runs at its own priority, however urgent the
//! threads that wait. So a window of level p is a window only if no such gate can
//! be held below p while somebody who is raised to p waits for it. Where that can
//! be, the window of a lower level is: that of the least urgent user. It has a
//! bound, since the order in which its members run does not matter to it, and the
//! bound holds for everyone above as well.
//!
//! For somebody who can wait for the gate while a third task keeps its holder from
//! running, that number would hide what is wrong: the wait depends on tasks that
//! have nothing to do with the gate. That is the classical unbounded priority
//! inversion; it is named, and no bound is given.

use std::cmp::Reverse;

use fusee_model::{GateId, Protocol, TaskId};

use crate::amount::Amount;
use crate::context::Context;
use crate::obstacle::Obstacle;

/// Returns the level whose windows bound a task, at most its base priority.
///
/// # Errors
/// An inversion of which the task is the victim.
pub(crate) fn level_of(context: &Context<'_>, task: TaskId) -> Result<i16, Obstacle> {
    let mut level = context.base(task);
    // The windows of a lower level can be spoiled by another gate with a still lower user. Each
    // turn goes down, so this ends.
    loop {
        let Some((gate, lowest)) = spoiler(context, context.system.task(task).core, level) else {
            return Ok(level);
        };
        // Who cannot wait for the gate is delayed only by what runs at the lower level, all of
        // which counts there. So it has a bound in any case.
        if can_wait_for(context, task, gate)
            && let Some(obstacle) = inversion(context, task, gate)
        {
            return Err(obstacle);
        }
        level = lowest;
    }
}

/// Returns a `fifo` gate that can be held below the level while a task raised to it waits, with its
/// lowest user.
fn spoiler(context: &Context<'_>, core: u32, level: i16) -> Option<(GateId, i16)> {
    context.system.gate_ids().find_map(|(id, gate)| {
        // Nobody waits for a gate that is passed by a direct call.
        let fifo = gate.protocol.value == Protocol::Fifo && !gate.direct;
        if !fifo || context.reach.rise[id.index()] < level {
            return None;
        }
        let lowest = users(context, id, core).map(|t| context.base(t)).min()?;
        (lowest < level).then_some((id, lowest))
    })
}

fn users<'c>(
    context: &'c Context<'_>,
    gate: GateId,
    core: u32,
) -> impl Iterator<Item = TaskId> + 'c {
    context
        .derived
        .gate(gate)
        .tasks
        .iter()
        .copied()
        .filter(move |&t| context.system.task(t).core == core)
}

/// Returns `true` if a task passes the gate, or one from within which the gate is invoked.
fn can_wait_for(context: &Context<'_>, task: TaskId, gate: GateId) -> bool {
    let mut passed = context.reach.counts[task.index()].keys();
    passed.any(|&outer| outer == gate || context.reach.is_nested_in(gate, outer))
}

/// Returns the inversion with its three tasks, if there is a third one.
fn inversion(context: &Context<'_>, victim: TaskId, gate: GateId) -> Option<Obstacle> {
    let core = context.system.task(victim).core;
    let base = context.base(victim);
    let below = users(context, gate, core).filter(|&t| context.base(t) < base);
    // Most tasks come between the victim and the least urgent user, so that is the one to be shown.
    let holder = below.min_by_key(|&t| (context.base(t), t))?;
    let between = context
        .on_core(core)
        .filter(|&t| context.base(holder) < context.base(t) && context.base(t) < base);
    // The clearest example is a task that has nothing to do with the gate, and of these the
    // longest. A time that nobody gave counts as longest.
    let demand = |t: TaskId| context.demands.tasks[t.index()].map_or(Amount(None), |d| d.total());
    let middle =
        between.max_by_key(|&t| (!context.derived.reaches(t, gate), demand(t), Reverse(t)))?;
    Some(Obstacle::Inversion { gate, victim, middle, holder })
}
