//! Queueing at `mpcp` gates: the time that requests wait for their turn.
//!
//! Requests stand by base priority, but never before the first. So one waits for a lower one at
//! most, the first when it asks; for requests as urgent as itself or more it waits whenever they
//! come (Rajkumar 1990; Lakshmanan, de Niz and Rajkumar 2009).
//!
//! A request is *first* from its turn until it returns. Its owner is boosted then, and ready or
//! running. Another task that runs on its core meanwhile is as urgent, in a section: each other
//! task in one, since to enter another it must run below the boost. That is the blocking of a
//! window at the level of the boost.
//!
//! Higher requests are counted in two ways, and the smaller sum is taken at each gate: in the wait
//! of each request, the least b with b = lower + sum of ceil((b + R) / T) jobs, and in the whole
//! window. A job that asks in a time of length b has come in the R before it or in it, both R as
//! the task's bound (Yang, Chen and Huang 2017 show that none may be left out).

use fusee_analysis::fixed_priority::window::{Arrivals, least_window};
use fusee_model::{Duration, GateId, TaskId};

use crate::amount::Amount;
use crate::blocking::Blocking;
use crate::bound::WaitingPart;
use crate::context::Context;
use crate::level::Level;
use crate::obstacle::{Obstacle, unknown_time};
use crate::supposed::Supposed;
use crate::waiting_suspended::asks;

/// The time that each task's requests are first at each `mpcp` gate.
pub(crate) struct Holds(Vec<Vec<Hold>>);

/// A task's requests at a gate.
struct Hold {
    task: TaskId,
    /// Requests of a job.
    each: u64,
    /// The time that one is first.
    length: Result<u64, Obstacle>,
}

impl Holds {
    /// By gate; for gates with other protocols nothing.
    pub(crate) fn of(contexts: &[Context<'_>]) -> Self {
        let Some(any) = contexts.first() else { return Self(Vec::new()) };
        let of_gate = |gate: GateId| {
            let users = any.derived.gate(gate).tasks.iter().copied();
            let hold = |task: TaskId| {
                let context = contexts.get(any.system.task(task).core as usize)?;
                let each = *context.reach.counts[task.index()].get(&gate)?;
                Some(Hold { task, each, length: first(context, task, gate) })
            };
            users.filter_map(hold).collect()
        };
        let gates = any.system.gate_ids().map(|(gate, _)| gate);
        let suspends = |gate: &GateId| any.system.gate(*gate).is_suspending();
        Self(gates.map(|g| if suspends(&g) { of_gate(g) } else { Vec::new() }).collect())
    }
}

/// From when the request before is over to the return, but for interrupts.
fn first(context: &Context<'_>, task: TaskId, gate: GateId) -> Result<u64, Obstacle> {
    let mut longest = 0;
    let passages = context.reach.passages[task.index()].iter().filter(|p| p.gate == gate);
    for passage in passages {
        let demand = context.demands.inside(gate, passage.method);
        let demand = demand.map_err(|unknown| unknown_time(task, unknown))?;
        // Inside nobody may wait for an event: the request would be first for an unknown time.
        if let Some((body, notification)) = demand.waits {
            return Err(Obstacle::Waits { task, body, notification });
        }
        longest = longest.max(demand.total().0.ok_or(Obstacle::NoEnd)?);
    }
    // A boost is above all base priorities, so every other task of the core counts as a lower one:
    // it runs meanwhile only in a section that is as urgent as the boost.
    let level = context.reach.request[gate.index()];
    let others: Vec<TaskId> =
        context.on_core(context.core).filter(|&other| other != task).collect();
    // Until its turn the core of the next owner must be told, and must look.
    let ahead = context.kernel.between.at(gate).map_or(Amount::ZERO, |at| at.ahead);
    let longest = Amount(Some(longest)).plus(ahead).0;
    let blocking = Blocking::beside(context, level, &others, gate)?.bound(&[]);
    longest.zip(blocking).and_then(|(own, more)| own.checked_add(more)).ok_or(Obstacle::NoEnd)
}

/// Requests that go before one, of one task.
struct Ahead {
    task: TaskId,
    /// The task's jobs, which end so long after their nominal arrival as the jitter says.
    jobs: Arrivals,
    /// Requests of a job.
    each: u64,
    /// The time that one is first.
    length: u64,
}

impl Ahead {
    /// Returns the number of requests that may be ahead in some time.
    fn within(&self, time: u64) -> Option<u64> {
        self.jobs.within(time)?.checked_mul(self.each)
    }
}

/// The requests of a task's job at a gate.
#[derive(Clone, Copy)]
struct Asked {
    gate: GateId,
    requests: u64,
}

/// The requests that a task's requests at one gate wait for.
struct Queue {
    gate: GateId,
    /// Requests of a job.
    requests: u64,
    /// The lower task with the longest section.
    lower: Option<(TaskId, u64)>,
    higher: Vec<Ahead>,
}

impl Queue {
    fn of(
        context: &Context<'_>,
        holds: &Holds,
        own: TaskId,
        Asked { gate, requests }: Asked,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let (mut lower, mut higher) = (None, Vec::new());
        for &Hold { task, each, length } in &holds.0[gate.index()] {
            if task == own {
                continue;
            }
            let length = length?;
            if context.base(task) < context.base(own) {
                // A lower request goes before only if it was first already. So one counts, the
                // longest.
                let longest = lower.filter(|&(_, most)| most >= length);
                lower = longest.or(Some((task, length)));
                continue;
            }
            let Arrivals { period, .. } = context.arrivals(task);
            let response = supposed.responses[task.index()];
            // A job that was pending when this one asks may ask later in the wait, so its whole
            // response is jitter (Yang, Chen and Huang 2017: no carry-in may be left out).
            let jitter = response.map_err(|cause| cause.of(task, gate))?;
            higher.push(Ahead { task, jobs: Arrivals { period, jitter }, each, length });
        }
        Ok(Self { gate, requests, lower, higher })
    }

    fn wait(&self, time: u64) -> Option<u64> {
        let lower = self.lower.map_or(0, |(_, length)| length);
        self.higher.iter().try_fold(lower, |sum, ahead| {
            sum.checked_add(ahead.within(time)?.checked_mul(ahead.length)?)
        })
    }

    /// Returns the waits of a job's requests in a window, by the task whose section they are for.
    fn parts(&self, window: u64, level: &Level) -> Option<Vec<WaitingPart>> {
        // Higher requests are counted once over the whole window, or anew in each single wait. Both
        // cover all that can go before, so the smaller one is taken, gate by gate.
        let in_window = self.parts_of(self.requests, 1, window)?;
        // A wait that is longer than the window tells nothing.
        let each = least_window(0, window, |time| {
            // Interrupts keep sections ahead from going on, so a single wait is longer by these,
            // and more requests can come in it. Their own time counts in the window as a whole.
            let time = time.max(1);
            self.wait(time)?.checked_add(level.interruption(time)?)
        });
        let one_by_one = each.and_then(|time| self.parts_of(1, self.requests, time.max(1)));
        let total = |parts: &[WaitingPart]| parts.iter().map(|p| u128::from(p.time.ns())).sum();
        let total_in_window: u128 = total(&in_window);
        Some(one_by_one.filter(|parts| total(parts) < total_in_window).unwrap_or(in_window))
    }

    /// Returns the time that so many requests wait in a time in which so many of them can meet a
    /// lower one, all that so many times.
    fn parts_of(&self, requests: u64, times: u64, time: u64) -> Option<Vec<WaitingPart>> {
        let part = |task: TaskId, requests: u64, length: u64| {
            let requests = requests.checked_mul(times)?;
            let time = Duration(requests.checked_mul(length)?);
            Some(WaitingPart { task, gate: self.gate, requests, time })
        };
        let lower = self.lower.map(|(task, length)| part(task, requests, length));
        let higher =
            self.higher.iter().map(|ahead| part(ahead.task, ahead.within(time)?, ahead.length));
        lower.into_iter().chain(higher).collect()
    }
}

/// The waits of a task's job.
pub(crate) struct Turns(Vec<Queue>);

impl Turns {
    /// Those of a task.
    ///
    /// # Errors
    /// Why it is unknown how long others are first, or how often.
    pub(crate) fn of(
        context: &Context<'_>,
        holds: &Holds,
        own: TaskId,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let queues = asks(context, own).map(|(gate, requests)| {
            Queue::of(context, holds, own, Asked { gate, requests }, supposed)
        });
        queues.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the waits in a window, by gate and by the task whose section they are for; `None`:
    /// it does not fit.
    pub(crate) fn parts(&self, window: u64, level: &Level) -> Option<Vec<WaitingPart>> {
        let mut all = Vec::new();
        for queue in &self.0 {
            all.extend(queue.parts(window, level)?);
        }
        Some(all)
    }

    /// All of it.
    pub(crate) fn within(&self, window: u64, level: &Level) -> Option<u64> {
        self.parts(window, level)?
            .iter()
            .try_fold(0_u64, |sum, part| sum.checked_add(part.time.ns()))
    }
}
