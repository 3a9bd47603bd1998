//! The supply that tables of slots and servers give for certain.
//!
//! See the modules `trees` and `servers` for what it rests on.

use fusee_analysis::fixed_priority::window::least_window;
use fusee_analysis::supply::{Slot, Supply};
use fusee_model::{Algorithm, Duration, Scheduler, TaskId};

use crate::bound::SupplyBound;
use crate::context::Context;
use crate::level::Level;
use crate::obstacle::Obstacle;
use crate::own_time::OwnTime;
use crate::servers::Server;
use crate::supposed::Supposed;
use crate::trees::{self, outside};

/// Returns the certain supply of each task to which a table gives slots, directly or through a
/// scheduler above it, and of each server.
pub(crate) fn supplies(context: &Context<'_>, supposed: Supposed<'_>) -> Vec<SupplyBound> {
    let system = context.system;
    let tasks = system.task_ids().map(|(id, _)| id);
    let all = tasks.filter_map(|task| {
        let server = Server::by(system, task);
        let giver = system.scheduler_of(task);
        let has_slots = giver.is_some_and(|own| own.algorithm == Algorithm::Partitions);
        // All may be used up right behind a filling, and then there is nothing up to the next. The
        // last of one period and the first of the next may follow each other, and count as taken
        // from others.
        if let Some(OwnTime { every, amount }) = OwnTime::of(system, task) {
            return Some(SupplyBound {
                task,
                every: Duration(every),
                least: Duration(amount),
                gap: Duration(every - amount),
                interference: Some(Duration(amount.saturating_mul(2).min(every))),
            });
        }
        let supply = match server {
            Some(server) => server.supply(context.kernel.is_free)?,
            None => supply(context, task, supposed).ok()?,
        };
        // Who has all of the time is given no part of it.
        if supply.is_full() {
            return None;
        }
        let every = Duration(supply.period());
        let takes = trees::taken(context, task)
            .filter(|_| server.is_some() || has_slots)
            .and_then(|(arrivals, each)| arrivals.within(every.ns())?.checked_mul(each));
        Some(SupplyBound {
            task,
            every,
            least: Duration(supply.capacity()),
            gap: Duration(supply.needed(1)? - 1),
            interference: takes.map(|takes| Duration(takes.min(every.ns()))),
        })
    });
    all.collect()
}

/// Returns the supply of the core to a task, but for the time of tasks outside of its tree.
///
/// # Errors
/// Nobody knows, or it is nothing.
pub(crate) fn supply(
    context: &Context<'_>,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Result<Supply, Obstacle> {
    let system = context.system;
    let Some(giver) = system.scheduler_of(task) else { return Ok(Supply::full()) };
    if trees::is_unknown(system, giver) {
        return Err(Obstacle::Scheduler { task: giver.task });
    }
    if let Some(server) = Server::of(system, giver) {
        return server.supply(context.kernel.is_free).ok_or(Obstacle::NoSupply { task });
    }
    let given = supply(context, giver.task, supposed)?;
    // One that chooses passes on all that it has. Those whom it may choose first are members of the
    // window, so their time does not count here.
    if giver.algorithm != Algorithm::Partitions {
        return Ok(given);
    }
    // A table in a slot begins when it first runs, which others may delay. The delay stays for
    // ever, and its length is not known: so each slot counts only with what it has for any of them.
    let (first, late) = match system.scheduler_of(giver.task) {
        None => (0, 0),
        Some(above) if system.scheduler_of(above.task).is_none() => {
            let first = slots(above, giver.task).first().map_or(0, |slot| slot.start);
            (first, wait(context, task, supposed)?)
        }
        Some(_) => return Err(Obstacle::Scheduler { task: giver.task }),
    };
    let owed = owed(context, giver)?;
    // What the table owes is missing at the end of its own slot. That may be in any slot that it
    // gives.
    let certain = slots(giver, task).into_iter().map(|slot| Slot {
        start: slot.start.saturating_add(first).saturating_add(late),
        length: slot.length.saturating_sub(late).saturating_sub(owed),
    });
    let period = giver.every.map_or(0, |every| every.value.ns());
    let own = Supply::table(period, &certain.collect::<Vec<_>>());
    own.and_then(|own| given.both(&own)).ok_or(Obstacle::NoSupply { task })
}

/// Returns the time that a table in a slot of another may lack at the end, because it pays for what
/// its threads have used in sections behind their slots; the kernel's own has all.
///
/// # Errors
/// A section whose length is unknown or has no bound.
fn owed(context: &Context<'_>, table: &Scheduler) -> Result<u64, Obstacle> {
    if context.system.scheduler_of(table.task).is_none() {
        return Ok(0);
    }
    let threads = table.threads.iter();
    threads
        .map(|thread| trees::overrun(context, thread.value))
        .try_fold(0_u64, |sum, own| sum.checked_add(own?).ok_or(Obstacle::NoEnd))
}

/// Returns the slots that a table has for a thread, in order.
fn slots(giver: &Scheduler, task: TaskId) -> Vec<Slot> {
    let mut start = 0_u64;
    let all = giver.delegates.iter().map(|gift| {
        let slot = Slot { start, length: gift.amount.value.ns() };
        start = start.saturating_add(slot.length);
        (gift.to, slot)
    });
    all.filter(|&(to, _)| to == task).map(|(_, slot)| slot).collect()
}

/// Returns the longest time that tasks outside of a tree can keep it from running.
fn wait(context: &Context<'_>, task: TaskId, supposed: Supposed<'_>) -> Result<u64, Obstacle> {
    let mut split = outside(context, task);
    // A thread of the tree itself may be in a section that nothing ends, and the slot waits for it.
    split.below.extend(trees::holding_up(context, task));
    split.below.sort_unstable();
    split.below.dedup();
    let level = Level::between(context, &split, supposed)?;
    // Without this test the search for a window that has no end would go on for very long.
    if level.is_overloaded(None) {
        return Err(Obstacle::Overload);
    }
    let demand = |window: u64| {
        let come = level.members.iter().map(|member| member.within(window));
        level.supplied(level.load(None, &come.collect::<Option<Vec<_>>>()?, window)?)
    };
    // Where nobody takes anything the table begins at once, and not a tick later.
    match demand(1) {
        Some(0) => Ok(0),
        _ => least_window(1, u64::MAX, demand).ok_or(Obstacle::NoEnd),
    }
}
