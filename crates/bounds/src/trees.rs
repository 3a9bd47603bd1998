//! Threads that schedulers dispatch.
//!
//! The kernel gives a tree of schedulers what its root's priority has, and the schedulers give it
//! on. Of those that come with Fusee it is known how.
//!
//! # What a thread has of the core
//!
//! The root has all time, but for what the kernel's own tasks at its priority and above take, and
//! those of other trees there. A `Partitions` gives it on in slots, at times that are fixed once
//! it has begun: whoever has a slot has the core in it whenever it has something to do. So what is
//! given in a slot is a [supply](fusee_analysis::supply), and that of a table in a slot is what
//! both give at the same time. The others give all that they have to whom they choose, as long as
//! anybody is ready.
//!
//! A table begins when its thread runs for the first time. For the root nothing else matters: the
//! time before is taken by those above it, and counts in each window as theirs. A table in a slot
//! of another begins in the first of its slots, later by as much as those above the tree may keep
//! it waiting, once and for all; so of each of its slots only that part is counted which it gives
//! whenever it has begun. A table in a slot of a table that is in a slot has no bound.
//!
//! # Who is in the way
//!
//! In the windows of a thread the members are those at and above the tree's level, outside of it,
//! and those of its own scheduler that may go first: under `FixedPriority` and `PriorityServers`
//! those of its priority and above, under `EarliestDeadline` all, but no more of their jobs than
//! are due by its own deadline, under `RoundRobin` all, in a slot nobody. Whenever one of these is
//! ready none of the scheduler's other threads runs. A job under `RoundRobin` ends with the last of
//! the others at the latest: how long a turn is does not matter.
//!
//! Whoever is of the tree's own level outside of it does not preempt it: so a less urgent thread of
//! the tree may have kept its jobs waiting, and they are under way when a window begins. Where a
//! tree has not all time, a window begins when its scheduler's members become ready, and
//! that may be before a slot; so jobs outside of the tree can be under way then, as when somebody
//! waits suspended (module `suspension`), and whoever is below the level can take what it takes in
//! a window once in each slot.
//!
//! # What others see of a tree
//!
//! To the kernel's own tasks, and to other trees, threads that choosing schedulers dispatch at the
//! root are tasks of its priority: such a tree is never idle while one of them is ready. In a table
//! they wait for their slots, and are under way. What is in a slot takes no more than that: what a
//! scheduler there keeps of it, it uses in its next slot, because the table gives it only what it
//! lacks for a slot, and nobody runs whom the table has not dispatched. That does not hold where
//! somebody's own code is in the tree: it may fund a thread that preempts others, and end its own
//! account so that another one inherits. A deferrable server is one task to them (module
//! `servers`), and so is a thread with time of its own that may use it up (module `own_budget`).
//!
//! # Gates
//!
//! Who waits at an exclusive gate lends what it has to the holder, and stays dispatched. So within
//! a window of threads that go first nobody else of the tree is dispatched, and runs only for one
//! of them: until it is out of the outermost gate that it was in, or waited at, when the window
//! began, or when it got the core again. Of the waiters of one tree that one is served next through
//! which the payer waits, or that has been picked last. Under a `FixedPriority` that has all time
//! this is the most urgent one, as by inheritance: sections are counted by requests as well. Else
//! all of them count, whoever asks (in slots by requests: module `loans`). Under earliest
//! deadline a job that is due later is in the way in the same manner. A gate is shared with tasks
//! above the tree only where none of its threads waits for slots, so that whatever they do there is
//! in their own demand (F0585). In a table it is each slot that others see, since whoever has it
//! may lend it to one of another.
//!
//! Who is in a gate that others find free (`fixed`, `srp`, `non_preemptive`) keeps the core until
//! it has left that: no slot, no end of a budget and no other thread of the tree ends it before. So
//! of all that go later one such section counts, once when a window begins, and in a table once in
//! each slot, which begins later by as much; who was in it has its own next slots all the same. To
//! others a slot takes so much more. A table in a slot of another may run out of time by what its
//! threads have used so, at the end of its own slots.

use std::collections::BTreeSet;

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{Algorithm, GateId, Scheduler, System, TaskId};

use crate::context::Context;
use crate::lock_sections;
use crate::obstacle::Obstacle;
use crate::own_time;
use crate::servers::Server;
use crate::split::Split;

/// Returns the root of the tree that a task is in, if it is in one.
pub(crate) fn root(system: &System, task: TaskId) -> Option<&Scheduler> {
    system.root_scheduler(task)
}

/// Returns `true` if a task stands for itself in the windows of others: schedulers have no jobs, in
/// a table each slot stands for all that is in it, and a server for all its threads.
pub(crate) fn is_counted(system: &System, task: TaskId) -> bool {
    let is_scheduler = system.scheduler(task).is_some();
    if let Some(server) = root(system, task).filter(|root| Server::of(system, root).is_some()) {
        return server.task == task;
    }
    match (system.scheduler_of(task), root(system, task)) {
        (None, _) | (_, None) => !is_scheduler,
        (Some(own), Some(root)) if root.algorithm == Algorithm::Partitions => own == root,
        _ => !is_scheduler,
    }
}

/// Returns `true` if a task without a period is counted with one job by others: in a table its
/// slots count.
pub(crate) fn has_one_job(system: &System, task: TaskId) -> bool {
    is_counted(system, task) && !has_carry_in(system, task)
}

/// Returns `true` if a task can have something to do while less urgent ones run: it waits for its
/// slot, or until its capacity is filled up.
pub(crate) fn has_carry_in(system: &System, task: TaskId) -> bool {
    let Some(root) = root(system, task) else { return false };
    match root.algorithm {
        Algorithm::Partitions => system.scheduler_of(task).is_some(),
        _ => Server::of(system, root).is_some(),
    }
}

/// Returns `true` if nothing is known of when a scheduler's threads run: it is a user's own code,
/// or has a capacity used in a way for which there is no theorem.
pub(crate) fn is_unknown(system: &System, scheduler: &Scheduler) -> bool {
    match scheduler.algorithm {
        Algorithm::Own => true,
        Algorithm::DeferrableServer => Server::of(system, scheduler).is_none(),
        Algorithm::PriorityServers => !own_time::is_known(system, scheduler),
        _ => false,
    }
}

/// Returns a scheduler at or above a level, outside of a task's own tree, whose decisions are not
/// known.
pub(crate) fn unknown(context: &Context<'_>, task: TaskId, level: i16) -> Option<Obstacle> {
    let system = context.system;
    let own = root(system, task);
    // A tree below the level never runs in the window, whatever it decides. What is unknown in the
    // thread's own tree is asked about where its supply is.
    let mut unknown = system.root_schedulers().filter(|other| {
        is_unknown(system, other)
            && Some(*other) != own
            && i16::from(system.level(other.task)) >= level
    });
    unknown.next().map(|other| Obstacle::Scheduler { task: other.task })
}

/// Returns the tasks that some threads of a tree may lend time to, at exclusive gates or where they
/// wait for locks of components, besides each other; under earliest deadline, to each other as
/// well.
pub(crate) fn borrowers(context: &Context<'_>, own: &Scheduler, members: &[TaskId]) -> Vec<TaskId> {
    let system = context.system;
    // By deadlines a job of any thread may be due later than the one in question, and hold a gate.
    // So all threads of the scheduler can be in the way as less urgent ones.
    let by_deadline = own.algorithm == Algorithm::EarliestDeadline;
    let tree = root(system, own.task);
    let others = context.on_core(context.core).filter(|&task| root(system, task) == tree);
    let waits = |task: &TaskId| is_waited_for(context, *task);
    others.filter(|task| by_deadline || !members.contains(task)).filter(waits).collect()
}

/// Returns `true` if others may wait for a task, and it for others: it passes exclusive gates, or
/// takes locks of components.
pub(crate) fn is_waited_for(context: &Context<'_>, task: TaskId) -> bool {
    !context.reach.passages[task.index()].is_empty()
        || lock_sections::has_some(context.system, task)
}

/// Returns `true` if a gate that inherits goes to the most urgent of those that wait there, where a
/// task is one of them: no scheduler dispatches it, or one that has all time and goes by priorities
/// alone. Then whom it has picked is the most urgent, and is served before others of the tree.
pub(crate) fn serves_in_order(system: &System, task: TaskId) -> bool {
    let Some(own) = system.scheduler_of(task) else { return true };
    own.algorithm == Algorithm::FixedPriority && system.scheduler_of(own.task).is_none()
}

/// Returns the time after which a table begins anew.
pub(crate) fn period(table: &Scheduler) -> u64 {
    // A table without a period never begins anew.
    table.every.map_or(u64::MAX, |every| every.value.ns()).max(1)
}

/// Returns the largest part of the core that a slot's thread or a server takes, with all that is
/// below it: so much with each of these arrivals. Windows as long as the table hold each slot once.
/// If a user's own code is in the tree, time that a scheduler keeps may be used outside of its
/// slots: at most as much as its account holds, which is as much, before and behind each slot. Who
/// is in a gate that others find free goes on behind its slot until it has left it.
pub(crate) fn taken(context: &Context<'_>, task: TaskId) -> Option<(Arrivals, u64)> {
    let system = context.system;
    if let Some(server) = Server::by(system, task) {
        return Some(server.taken());
    }
    let period = period(system.scheduler_of(task)?);
    let slots = system.scheduler_of(task)?.delegates.iter().filter(|gift| gift.to == task).count();
    // Each slot may end in a section that nothing may end, so each is counted longer by one.
    let overrun = overrun(context, task).ok()?.checked_mul(slots as u64)?;
    let amount = system.account_limit(task).ns().checked_add(overrun)?;
    let unknown = guests(system, task).any(|guest| is_unknown(system, guest));
    match system.scheduler(task).is_some() && unknown {
        true => Some((Arrivals { period, jitter: period }, amount.checked_mul(2)?)),
        false => Some((Arrivals { period, jitter: 0 }, amount)),
    }
}

/// Returns the schedulers of a task's tree below its root.
pub(crate) fn guests(system: &System, task: TaskId) -> impl Iterator<Item = &Scheduler> {
    let own = root(system, task);
    let schedulers = system.schedulers.iter();
    schedulers.filter(move |other| Some(*other) != own && root(system, other.task) == own)
}

/// Returns the tasks at or above a level, and those that can be below it.
pub(crate) fn split(context: &Context<'_>, core: u32, level: i16) -> (Vec<TaskId>, Vec<TaskId>) {
    let at_least = |&t: &TaskId| context.levels.highest(t) >= level;
    let counted = |&t: &TaskId| is_counted(context.system, t);
    // By deadlines a task that may be released late can be at the level and below it, depending on
    // the job. Then it is in both lists.
    let members = context.on_core(core).filter(counted).filter(at_least).collect();
    // A task in a slot with others is seen by what its sections keep from more urgent tasks.
    let seen = |t: &TaskId| counted(t) || can_be_raised(context, level, *t);
    let below = context.on_core(core).filter(|&t| context.base(t) < level).filter(seen);
    (members, below.collect())
}

/// Returns `true` if a task of a tree can be raised to a level in a section.
fn can_be_raised(context: &Context<'_>, level: i16, task: TaskId) -> bool {
    root(context.system, task).is_some()
        && (context.relevant(level.max(0), task).next().is_some()
            || lock_sections::has_some(context.system, task))
}

/// Returns `true` if a task of a tree can be in a gate that others find free, at or above a level.
fn is_held_up_by(context: &Context<'_>, level: i16, task: TaskId) -> bool {
    // A gate that others may find held has the ceiling -1, which no level may reach.
    let reaches = |gate: GateId| context.reach.ceiling[gate.index()] >= level.max(0);
    root(context.system, task).is_some()
        && context.reach.passages[task.index()].iter().any(|passage| reaches(passage.gate))
}

/// Returns those of a task's tree that can be in gates which others find free, or in gates that
/// are waited for inside of such a gate, in order.
pub(crate) fn holding_up<'c>(
    context: &'c Context<'_>,
    task: TaskId,
) -> impl Iterator<Item = TaskId> + 'c {
    let inside = waited_for_inside(context, &in_tree(context, task).collect::<Vec<_>>());
    in_tree(context, task).filter(move |&other| {
        let mut passages = context.reach.passages[other.index()].iter();
        is_held_up_by(context, 0, other) || passages.any(|passage| inside.contains(&passage.gate))
    })
}

/// Returns the threads of a task's tree, in order.
fn in_tree<'c>(context: &'c Context<'_>, task: TaskId) -> impl Iterator<Item = TaskId> + 'c {
    let (system, tree) = (context.system, root(context.system, task));
    context.on_core(context.core).filter(move |&other| root(system, other) == tree)
}

/// Returns the gates that some tasks pass within gates which others find free.
fn waited_for_inside(context: &Context<'_>, tasks: &[TaskId]) -> BTreeSet<GateId> {
    let passages = tasks.iter().flat_map(|task| &context.reach.passages[task.index()]);
    let free = passages.filter(|passage| context.reach.ceiling[passage.gate.index()] >= 0);
    free.flat_map(|passage| context.reach.nested[passage.gate.index()].iter().copied()).collect()
}

/// Returns the longest time for which a thread, or one of those below it, goes on in a gate that
/// others find free, when its time has ended.
///
/// # Errors
/// A section whose length is unknown or has no bound.
pub(crate) fn overrun(context: &Context<'_>, task: TaskId) -> Result<u64, Obstacle> {
    let system = context.system;
    let is_below = |other: &TaskId| {
        *other == task || system.schedulers_above(*other).iter().any(|own| own.task == task)
    };
    let mut longest = 0;
    let holds_up = |own: &TaskId| is_below(own) && is_held_up_by(context, 0, *own);
    for own in in_tree(context, task).filter(holds_up) {
        let waits = inside(context, own)?;
        for (_, length) in context.passages(own) {
            longest = longest.max(length?.checked_add(waits).ok_or(Obstacle::NoEnd)?);
        }
    }
    Ok(longest)
}

/// Returns the longest time for which a thread that is in a gate which others find free waits there
/// for others at gates inside: each of them is in one section, and goes on in it for that thread.
fn inside(context: &Context<'_>, own: TaskId) -> Result<u64, Obstacle> {
    let gates = waited_for_inside(context, &[own]);
    let mut sum = 0_u64;
    for other in context.on_core(context.core).filter(|&other| other != own) {
        let mut longest = 0;
        for (_, length) in context.passages(other).filter(|(at, _)| gates.contains(&at.gate)) {
            longest = longest.max(length?);
        }
        sum = sum.checked_add(longest).ok_or(Obstacle::NoEnd)?;
    }
    Ok(sum)
}

/// Those outside of a task's tree at and above its level, and below it.
pub(crate) fn outside(context: &Context<'_>, id: TaskId) -> Split {
    let system = context.system;
    let (core, level) = (context.core, i16::from(system.level(id)));
    let own = root(system, id);
    let (mut members, mut below) = split(context, core, level);
    members.retain(|&task| root(system, task) != own);
    below.retain(|&task| root(system, task) != own);
    // Windows of a thread in slots begin when it becomes ready, and not when the core has nothing
    // more urgent to do. So jobs of all of these can be under way then.
    let (under_way, dispatched) = (members.clone(), Some(id));
    Split { under_way, dispatched, ..Split::whole((core, level), members, below) }
}
