//! Tasks that wait suspended: at `mpcp` gates, or until an event comes.
//!
//! A job that waits at such a gate (Rajkumar 1990), or for an event, leaves its core to others, to
//! less urgent ones as well. So there is no window in which the core is always busy with what is as
//! urgent as the job, and three things are not as in other windows.
//!
//! - *Jobs under way.* A job of another task that waits suspended can have begun long before the
//!   window, and nearly all of it can still be to come. If its response is R at most, and it
//!   executes for C, one that executes in the window has come R - C before it at the earliest, or
//!   executes for less by as much (Bletsas et al. 2018): its jitter is R - C.
//! - *Phases.* Between its release and its end a job with k requests at such gates and waits for
//!   events is not suspended in k + 1 phases at most. In each of them lower tasks take what they
//!   take in a window: whoever runs below the job's level runs only raised, one section each. A
//!   section at an `mpcp` gate is raised from its turn on, whoever waits; so each lower task counts
//!   one.
//! - *One job.* All this is about a job whose predecessor is over. So a task that waits suspended
//!   has a bound only if that is not above its period.
//!
//! For a task that waits suspended the window begins with its release, or before it at the last
//! instant at which no job is unfinished of those who are above it and never suspended. In between
//! these keep the core busy, so that no job of the task itself ends there; and they arrive with no
//! more jitter than that of their releases (Chen, Nelissen and Huang 2016, for tasks without
//! suspension). That needs gates that raise who is inside: beside a `fifo` gate the window begins
//! with the release. Equal priorities count as above, and with jobs under way.

use fusee_model::{Protocol, TaskId};

use crate::amount::Amount;
use crate::context::Context;
use crate::obstacle::Obstacle;
use crate::supposed::Supposed;
use crate::trees;
use crate::waiting_suspended::{asks, suspends};

/// Returns those members of a level whose jobs can be under way when a window starts in which no
/// task in question waits suspended.
pub(crate) fn under_way(context: &Context<'_>, members: &[TaskId]) -> Vec<TaskId> {
    let has_carry_in = |task| suspends(context, task) || trees::has_carry_in(context.system, task);
    members.iter().copied().filter(|&task| has_carry_in(task)).collect()
}

/// The same for the window of one that waits suspended.
pub(crate) fn under_way_for(
    context: &Context<'_>,
    (own, level): (TaskId, i16),
    members: &[TaskId],
) -> Vec<TaskId> {
    let base = context.base(own);
    // A window may begin before the release only where those above keep the core busy up to it. At
    // a lower level, or where a gate raises nobody, it begins with the release, and jobs of all
    // others can be under way.
    let with_release = level < base || has_fifo(context);
    let keeps_busy =
        |task: TaskId| !with_release && context.base(task) > base && !suspends(context, task);
    members.iter().copied().filter(|&task| task != own && !keeps_busy(task)).collect()
}

/// Returns `true` if tasks of the core share a gate that raises no task.
fn has_fifo(context: &Context<'_>) -> bool {
    let here = |&task: &TaskId| context.system.task(task).core == context.core;
    context.system.gate_ids().any(|(id, gate)| {
        gate.protocol.value == Protocol::Fifo
            && gate.is_exclusive()
            // A gate with one user of this core keeps nobody here waiting.
            && context.derived.gate(id).tasks.iter().filter(|task| here(task)).count() > 1
    })
}

/// Returns the jitter of a task whose jobs can be under way, if each is over after so long and
/// executes for so long.
///
/// # Errors
/// Why it is unknown when they are over.
pub(crate) fn jitter(
    context: &Context<'_>,
    task: TaskId,
    response: Result<u64, Obstacle>,
    total: Amount,
) -> Result<u64, Obstacle> {
    // A job that came earlier than R - C before the window has executed for a part of C by then, as
    // much as it came earlier. The first supposed response can be below C, therefore the
    // saturation.
    let total = total.0.ok_or(Obstacle::NoEnd)?;
    Ok(over(context, task, response)?.saturating_sub(total))
}

/// When a job of a task is over for others, too, from its arrival, if its response is so long.
///
/// # Errors
/// As for [`jitter`].
pub(crate) fn over(
    context: &Context<'_>,
    task: TaskId,
    response: Result<u64, Obstacle>,
) -> Result<u64, Obstacle> {
    // The path on which a job ends can go on for others.
    let between = context.kernel.between.on(context.core);
    let path = between.map_or(context.kernel.longest_path, |own| own.path);
    let path = path.0.ok_or(Obstacle::NoEnd)?;
    let gate = asks(context, task).next().map(|(gate, _)| gate);
    let because = |cause: Obstacle| gate.map_or(cause, |gate| cause.of(task, gate));
    response.map_err(because)?.checked_add(path).ok_or(Obstacle::NoEnd)
}

/// Checks that all tasks of the system that wait suspended are over within their periods.
///
/// # Errors
/// One that is not known to be.
pub(crate) fn all_within_periods(
    context: &Context<'_>,
    supposed: Supposed<'_>,
) -> Result<(), Obstacle> {
    // Wake-ups are counted with a period of jitter (module `wakes`). That is enough only for jobs
    // which are over before the next release.
    let gates = context.system.gate_ids().map(|(id, _)| id);
    for gate in gates.filter(|&gate| context.system.gate(gate).is_suspending()) {
        for &task in &context.derived.gate(gate).tasks {
            let response =
                supposed.responses[task.index()].map_err(|cause| cause.of(task, gate))?;
            if response > context.arrivals(task).period {
                return Err(Obstacle::Late { task, gate });
            }
        }
    }
    Ok(())
}

/// Returns the reason for which a task that waits suspended for too long has no bound.
pub(crate) fn late(context: &Context<'_>, task: TaskId) -> Obstacle {
    let gate = asks(context, task).next().map(|(gate, _)| gate);
    let event = context.event_waits(task).first().map(|wait| wait.event);
    match (event, gate) {
        (Some(event), _) => Obstacle::LongWait { task, event },
        (None, Some(gate)) => Obstacle::Late { task, gate },
        (None, None) => Obstacle::NoEnd,
    }
}
