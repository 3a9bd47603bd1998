//! One level of one core: everything that a busy window of it contains.
//!
//! Tasks at or above the level interfere with each other, whatever the order in
//! which they are served; tasks below it take what [`Blocking`] says; releases of
//! all tasks of the core interrupt; and one kernel path may be in progress when
//! the window starts. The demand of a window is the sum of the four. Whether what
//! arrives at its very end is in it, too, is the matter of [`closing`](crate::closing).

use fusee_analysis::fixed_priority::window::{Arrivals, Horizon, Response};
use fusee_analysis::fixed_priority::window::{least_window, response_time};
use fusee_analysis::supply::Supply;
use fusee_model::{GateId, TaskId};
use std::collections::BTreeSet;

use crate::amount::Amount;
use crate::blocking::Blocking;
use crate::clock::Clock;
use crate::closing::is_closed;
use crate::context::Context;
use crate::enforced;
use crate::interrupt::Interrupt;
use crate::interrupts;
use crate::loans::Loan;
use crate::member::Member;
use crate::obstacle::{Obstacle, unknown_time};
use crate::reach::is_exclusive;
use crate::scheduling::Scheduling;
use crate::split::Split;
use crate::supplied_member::supplied_member;
use crate::supposed::Supposed;
use crate::suspension::{self, under_way, under_way_for};
use crate::trees::split;
use crate::waiting_suspended::{asks, suspends};

/// Everything that a busy window of one level contains.
pub(crate) struct Level {
    pub(crate) members: Vec<Member>,
    pub(crate) blocking: Blocking,
    /// The interrupts of the core, or of another one for which the window waits, and the events
    /// that make schedulers decide, with the cost of each.
    interrupts: Vec<(Arrivals, u64)>,
    /// The kernel path in progress when the window starts, and what schedulers take each time that
    /// it has the core.
    pub(crate) in_progress: u64,
    /// `true` if an arrival at a window's end is in it.
    pub(crate) closed: bool,
    /// `true` if jobs of members can be under way when it starts, because they wait suspended.
    pub(crate) sees_suspension: bool,
    /// The supply of the core to the window, before anything else takes its part.
    pub(crate) supply: Supply,
    /// `true` if a job has steps that take no time: behind its last execution it needs the core for
    /// an instant, which may not be its own any more.
    pub(crate) has_instants: bool,
    /// The time that its members lend at gates, where that does not count as blocking.
    pub(crate) loans: Vec<Loan>,
    /// The times at which windows need to begin, where clocks are known; empty: anywhere.
    pub(crate) starts: Vec<i128>,
}

/// The suspension of a job in a window of some length.
#[derive(Clone, Copy)]
pub(crate) struct Suspensions<'s> {
    /// The number of phases in which it is not suspended.
    pub(crate) phases: &'s dyn Fn(u64) -> Option<u64>,
    /// The time for which it is suspended.
    pub(crate) suspended: &'s dyn Fn(u64) -> Option<u64>,
}

impl Level {
    /// Collects everything.
    ///
    /// # Errors
    /// The first reason why windows of this level have no bound.
    pub(crate) fn of(
        context: &Context<'_>,
        core: u32,
        level: i16,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let (members, below) = split(context, core, level);
        let under_way = under_way(context, &members);
        let split = Split { under_way, ..Split::whole((core, level), members, below) };
        Ok(Self::between(context, &split, supposed)?.with_starts(context))
    }

    /// The same for a task that waits suspended.
    ///
    /// # Errors
    /// As for [`Level::of`].
    pub(crate) fn of_suspending(
        context: &Context<'_>,
        task: TaskId,
        level: i16,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let core = context.core;
        let (members, below) = split(context, core, level);
        let under_way = under_way_for(context, (task, level), &members);
        let suspended = Some(task);
        let split = Split { under_way, suspended, ..Split::whole((core, level), members, below) };
        Self::between(context, &split, supposed)
    }

    /// Returns the same where the tasks at or above the level, and those that can be below it, are
    /// given, in order.
    ///
    /// # Errors
    /// As for [`Level::of`].
    pub(crate) fn between(
        context: &Context<'_>,
        split: &Split,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let Split { core, level, ref members, ref below, .. } = *split;
        let ending = supposed.ending;
        for &task in members.iter().chain(below) {
            check_gates(context, level, task)?;
            check_suspension(context, level, task, ending)?;
        }
        enforced::check(context, level, (members, below))?;
        let described = members
            .iter()
            .map(|&task| member(context, split, task, supposed))
            .collect::<Result<_, _>>()?;
        let blocking = Blocking::of(context, level, members, below)?;
        let waits = waited_for(context, split);
        let scheduling = Scheduling::of(context, split)?;
        let in_progress = in_progress(context, core, &waits).plus(scheduling.each);
        let in_progress = in_progress.plus(context.slice_ends(in_progress));
        let in_progress = in_progress.0.ok_or(Obstacle::NoEnd)?;
        let mut interrupts = interrupts(context, split, &waits, supposed)?;
        interrupts.extend(scheduling.decisions);
        let closed = is_closed(context, split, ending);
        let sees_suspension = !split.under_way.is_empty();
        let (members, supply) = (described, split.supply.clone());
        Ok(Self {
            members,
            blocking,
            interrupts,
            in_progress,
            closed,
            sees_suspension,
            supply,
            has_instants: false,
            loans: Vec::new(),
            starts: Vec::new(),
        })
    }

    /// Adds the starts that known offsets leave.
    fn with_starts(self, context: &Context<'_>) -> Self {
        let is_known = context.at_offsets && context.system.schedulers.is_empty();
        let starts = match is_known && !self.sees_suspension {
            true => self.starts(),
            false => Vec::new(),
        };
        Self { starts, ..self }
    }

    /// Returns the length of an open window that holds the same arrivals as one of this level.
    ///
    /// A closed window is an open one that is a tick longer, and nobody executes in that tick.
    pub(crate) fn reach(&self, window: u64) -> Option<u64> {
        window.checked_add(u64::from(self.closed))
    }

    /// Kernel time of the releases in an open window, with the budget ends that they bring.
    pub(crate) fn interruption(&self, window: u64) -> Option<u64> {
        let mut releases = self.interrupts.iter();
        releases.try_fold(0_u64, |sum, &(a, cost)| {
            sum.checked_add(a.within(window)?.checked_mul(cost)?)
        })
    }

    /// Returns the number of jobs of each member in an open window that serves `jobs` of the member
    /// at `own`.
    pub(crate) fn jobs(&self, own: usize, jobs: u64, window: u64) -> Option<Vec<u64>> {
        let members = self.members.iter().enumerate();
        members.map(|(i, m)| if i == own { Some(jobs) } else { m.within(window) }).collect()
    }

    fn demand(&self, own: usize, jobs: u64, window: u64) -> Option<u64> {
        self.load(Some(own), &self.jobs(own, jobs, window)?, window)
    }

    /// Returns all that takes time in an open window with so many jobs of each member, of which one
    /// may be taken at its word. Where the window has not all of the core, lower tasks can take
    /// their part each time that it has it again.
    pub(crate) fn load(&self, own: Option<usize>, jobs: &[u64], window: u64) -> Option<u64> {
        let mut sum = self.interruption(window)?;
        for (at, (member, &count)) in self.members.iter().zip(jobs).enumerate() {
            let beyond = if own == Some(at) { 0 } else { member.beyond };
            let each = member.total()?.checked_add(beyond)?;
            sum = sum.checked_add(count.checked_mul(each)?)?;
        }
        let once = self.in_progress.checked_add(self.blocking.bound(jobs)?)?;
        let phases = self.phases(jobs, window)?;
        for loan in &self.loans {
            let times = loan.times(jobs, phases);
            sum = sum.checked_add(loan.section.length.checked_mul(times)?)?;
        }
        sum.checked_add(once.checked_mul(phases)?)
    }

    /// Returns the number of times that lower tasks can take their part in a window with so many
    /// jobs: each time that it has the core again, and that jobs which counted as if they executed
    /// go on.
    pub(crate) fn phases(&self, jobs: &[u64], window: u64) -> Option<u64> {
        let mut members = self.members.iter().zip(jobs);
        members.try_fold(self.supply.touched(window), |sum, (member, &count)| {
            sum.checked_add(count.checked_mul(member.suspensions)?)
        })
    }

    /// Returns the longest time until the window has had so much of the core, with the tick that
    /// closes it.
    pub(crate) fn supplied(&self, load: u64) -> Option<u64> {
        if self.has_instants && self.closed {
            return self.supply.needed(load.checked_add(1)?);
        }
        self.reach(self.supply.needed(load)?)
    }

    /// Returns `true` if the members need more than the window has of the core for certain (sums
    /// rounded down), where one may be taken at its word.
    pub(crate) fn is_overloaded(&self, own: Option<usize>) -> bool {
        let members = self.members.iter().enumerate();
        let members = members.map(|(at, member)| member.share(own != Some(at)));
        let share = |cost: u64, period: u64| (u128::from(cost) << 32) / u128::from(period);
        let releases = self.interrupts.iter().map(|&(a, cost)| share(cost, a.period));
        let has =
            (u128::from(self.supply.capacity()) << 32).div_ceil(u128::from(self.supply.period()));
        members.chain(releases).fold(0, u128::saturating_add) > has
    }

    /// Returns a task's place among the members.
    pub(crate) fn position(&self, task: TaskId) -> Option<usize> {
        self.members.binary_search_by_key(&task, |m| m.task).ok()
    }

    /// The response of the one job of a member in the window, which can be so long; `None`: it is
    /// longer.
    pub(crate) fn response_of_one(
        &self,
        own: usize,
        most: u64,
        Suspensions { phases, suspended }: Suspensions<'_>,
    ) -> Option<Response> {
        let demand = |window: u64| {
            let jobs = self.jobs(own, 1, window)?;
            let once = self.load(Some(own), &jobs, window)?;
            let each = self.blocking.bound(&jobs)?.checked_add(self.in_progress)?;
            // The first phase is in `once`.
            let more = each.checked_mul(phases(window)? - 1)?;
            once.checked_add(more)?.checked_add(suspended(window)?)
        };
        let limit = self.reach(most).unwrap_or(most);
        let window = least_window(1, limit, |w| self.reach(demand(w)?.max(1)))?;
        let window = window - u64::from(self.closed);
        let time = window.checked_add(self.members[own].arrivals.jitter)?;
        (time <= most).then_some(Response { time, job: 0, window })
    }

    /// Returns the largest response time of one of the members.
    ///
    /// # Errors
    /// The window has no end, or none in sight.
    pub(crate) fn response(&self, own: TaskId) -> Result<Response, Obstacle> {
        let Some(own) = self.position(own) else { return Err(Obstacle::NoEnd) };
        if self.is_overloaded(Some(own)) {
            return Err(Obstacle::Overload);
        }
        let member = &self.members[own];
        let horizon = Horizon { window: u64::MAX, jobs: MOST_JOBS };
        // A window has at least one tick: jobs released at its first instant are in it even if none
        // executes.
        let demand =
            |jobs, window: u64| self.supplied(self.demand(own, jobs, window.max(1))?.max(1));
        let found = response_time(member.arrivals, horizon, demand).ok_or(Obstacle::NoEnd)?;
        // Nobody executes in the tick that closes a window, so the response does not contain it.
        let tick = u64::from(self.closed);
        Ok(Response { time: found.time - tick, window: found.window - tick, ..found })
    }
}

/// Jobs of one busy window after which the search for its end is given up.
pub(crate) const MOST_JOBS: u64 = 10_000;

/// Returns the gates between cores at which jobs of a window wait without leaving their core, or
/// lower tasks in it; and those of all cores on which a task that waits suspended waits for others.
fn waited_for(context: &Context<'_>, split: &Split) -> BTreeSet<GateId> {
    let Split { level, ref members, ref below, .. } = *split;
    let reach = &context.reach;
    let asked = members.iter().flat_map(|task| reach.counts[task.index()].keys().copied());
    let held = below.iter().flat_map(|&task| context.relevant(level, task));
    let inside = held.flat_map(|(passage, _)| {
        reach.nested[passage.gate.index()].iter().copied().chain([passage.gate])
    });
    let spins = |&gate: &GateId| {
        let described = context.system.gate(gate);
        described.is_global() && !described.is_suspending()
    };
    asked.chain(inside).filter(spins).collect()
}

/// Returns the cores at whose gates a window waits. A task that waits suspended waits also for
/// those that are in the way of a section on its core, and they perhaps for others.
fn waited_on(context: &Context<'_>, split: &Split, waits: &BTreeSet<GateId>) -> BTreeSet<u32> {
    let cores = |gate: GateId| context.derived.gate(gate).cores.iter().copied();
    let mut all: BTreeSet<u32> = waits.iter().flat_map(|&gate| cores(gate)).collect();
    let Some(task) = split.suspended else { return all };
    let holders: BTreeSet<u32> = asks(context, task).flat_map(|(gate, _)| cores(gate)).collect();
    for (gate, described) in context.system.gate_ids() {
        let spins = described.is_global() && !described.is_suspending();
        if spins && cores(gate).any(|core| holders.contains(&core)) {
            all.extend(cores(gate));
        }
    }
    all.extend(holders);
    all
}

/// Returns the kernel path in progress when a window starts; of a core with a part in gates between
/// cores also a turn in progress at one of those that the window waits at, and what requests of
/// others bring.
fn in_progress(context: &Context<'_>, core: u32, waits: &BTreeSet<GateId>) -> Amount {
    let between = &context.kernel.between;
    let Some(own) = between.on(core) else { return context.kernel.longest_path };
    let turn = waits.iter().filter_map(|&gate| Some(between.at(gate)?.turn)).max();
    own.path.plus(own.present).plus(own.aside).plus(turn.unwrap_or(Amount::ZERO))
}

/// Returns the interrupts of a core, and of the others at whose gates its window waits.
fn interrupts(
    context: &Context<'_>,
    split: &Split,
    waits: &BTreeSet<GateId>,
    supposed: Supposed<'_>,
) -> Result<Vec<(Arrivals, u64)>, Obstacle> {
    let between = &context.kernel.between;
    let others = waited_on(context, split, waits);
    let mut all = context.interrupts.clone();
    let woken = between.woken.iter().filter(|wake| wake.core != split.core);
    let woken: Vec<Interrupt> = woken.filter(|wake| others.contains(&wake.core)).copied().collect();
    if !woken.is_empty() {
        suspension::all_within_periods(context, supposed)?;
    }
    all.extend(woken);
    let pending = |core: u32| interrupts::pending(&context.interrupts, &context.kernel, core);
    // The same for all that interrupt this core.
    let pending_here = split.suspended.map(|_| pending(split.core));
    let mut found = Vec::new();
    for interrupt in all {
        let own = interrupt.core == split.core;
        let there = between.on(interrupt.core);
        if !own && !others.contains(&interrupt.core) {
            continue;
        }
        let added = match there {
            Some(own_core) if own && !waits.is_empty() => own_core.own,
            Some(other) if !own => other.elsewhere,
            _ => Amount::ZERO,
        };
        let mut arrivals = interrupt.arrivals;
        // It may have come before the window, and come to its end in it; or before one that does
        // not begin when the core has nothing to do.
        let pending = if own { pending_here } else { Some(pending(interrupt.core)) };
        if let Some(pending) = pending {
            let pending = pending.0.ok_or(Obstacle::NoEnd)?;
            let before = arrivals.jitter.checked_add(pending).ok_or(Obstacle::NoEnd)?;
            let late = before.checked_add(u64::from(pending > 0));
            arrivals.jitter = late.ok_or(Obstacle::NoEnd)?;
        }
        let cost = interrupt.cost.plus(added.times(interrupt.times));
        let cost = cost.plus(context.slice_ends(cost)).0.ok_or(Obstacle::NoEnd)?;
        found.extend((cost > 0).then_some((arrivals, cost)));
    }
    Ok(found)
}

/// Returns a member's demand in a window; of a task that may be suspended, what its budget lets
/// through.
fn member(
    context: &Context<'_>,
    split: &Split,
    task: TaskId,
    supposed: Supposed<'_>,
) -> Result<Member, Obstacle> {
    if let Some(member) = supplied_member(context, split, task, supposed) {
        return member;
    }
    let mut arrivals = context.arrivals(task);
    if let Some(cause) = supposed.ending[task.index()]
        && context.suspending_budget(task).is_some()
    {
        if suspends(context, task) {
            return Err(cause);
        }
        return capped(context, task, arrivals);
    }
    if let Some(&gate) =
        context.derived.task(task).gates.iter().find(|_| context.derived.task(task).cyclic)
    {
        return Err(Obstacle::Cycle { task, gate });
    }
    let demand =
        context.demands.tasks[task.index()].map_err(|unknown| unknown_time(task, unknown))?;
    if let Some((body, notification)) = demand.waits
        && context.event_waits(task).is_empty()
    {
        return Err(Obstacle::Waits { task, body, notification });
    }
    let signalled = context.event_arrivals(supposed).of_task(task);
    let is_under_way = split.under_way.contains(&task);
    // A budget that suspends it makes it late by a whole period instead (module `enforced`),
    // because nearly all of one budget may be left.
    if is_under_way && context.suspending_budget(task).is_none() {
        let total = demand.execution.plus(demand.waiting).plus(context.job_kernel(&demand));
        let response = supposed.responses[task.index()];
        let jitter = suspension::jitter(context, task, response, total)?;
        arrivals.jitter = jitter.max(arrivals.jitter);
    }
    let amounts = [demand.execution, context.job_kernel(&demand), demand.waiting];
    let [Amount(Some(execution)), Amount(Some(kernel)), Amount(Some(waiting))] = amounts else {
        return Err(Obstacle::NoEnd);
    };
    let stated = Member {
        task,
        arrivals,
        signalled,
        execution,
        kernel,
        waiting,
        awaited: 0,
        suspensions: 0,
        cut: false,
        beyond: 0,
        late: 0,
        old_jobs: false,
        clock: Clock::of(context.system, task).filter(|_| context.at_offsets),
        is_plain: false,
    };
    let member = enforced::member(context, stated, is_under_way)?;
    let is_plain = !is_under_way
        && !member.cut
        && member.late == 0
        && !context.untrusted[task.index()]
        && member.arrivals == context.arrivals(task);
    Ok(Member { is_plain, ..member })
}

/// Between two releases it runs for its budget at most, whatever its jobs need.
///
/// A job may be cut anywhere and go on later, so a window can see the end of one
/// budget and the beginning of the next: one period of jitter more.
fn capped(context: &Context<'_>, task: TaskId, arrivals: Arrivals) -> Result<Member, Obstacle> {
    let jitter = arrivals.jitter.checked_add(arrivals.period).ok_or(Obstacle::NoEnd)?;
    let most = enforced::most(context, task)?.ok_or(Obstacle::NoEnd)?;
    Ok(Member::cut(task, (Arrivals { jitter, ..arrivals }, most), 0))
}

/// Gates of a task that spoil every window of a level: cycles, several cores.
fn check_gates(context: &Context<'_>, level: i16, task: TaskId) -> Result<(), Obstacle> {
    let facts = context.derived.task(task);
    if !facts.cyclic && context.system.cores() == 1 {
        return Ok(());
    }
    for &gate in &facts.gates {
        let matters =
            is_exclusive(context.system, gate) && context.reach.rise[gate.index()] >= level;
        if matters && facts.cyclic {
            return Err(Obstacle::Cycle { task, gate });
        }
        let elsewhere = context.derived.gate(gate).cores.len() > 1;
        if matters && elsewhere && !context.system.gate(gate).is_global() {
            return Err(Obstacle::SeveralCores { gate });
        }
    }
    Ok(())
}

/// A task that may be suspended inside a gate on which the level may wait.
fn check_suspension(
    context: &Context<'_>,
    level: i16,
    task: TaskId,
    ending: &[Option<Obstacle>],
) -> Result<(), Obstacle> {
    let Some(cause) = ending[task.index()].filter(|_| context.suspending_budget(task).is_some())
    else {
        return Ok(());
    };
    let Some((passage, _)) = context.relevant(level, task).next() else { return Ok(()) };
    Err(match cause {
        Obstacle::Suspended { task: own, gate: None } if own == task => {
            Obstacle::Suspended { task, gate: Some(passage.gate) }
        }
        other => other,
    })
}
