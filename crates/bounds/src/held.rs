//! The waits of requests for holders that wait for events.
//!
//! Somebody inside of a gate who waits for an event is suspended, and so is whoever wants the gate:
//! it waits as at an `mpcp` gate (module `suspension`), for whatever of the event's wait is left.
//! The gate is given back to the most urgent waiter; so a request finds one lower holder at most,
//! and higher ones as often as they come. What these execute counts elsewhere: of higher ones as
//! interference, of lower ones as blocking, of which each suspension begins another phase. Here
//! counts what they wait:
//!
//! - of lower users, for each own request, the longest section's waits;
//! - of the others those of all their sections in the window, of jobs that are pending in it.

use fusee_analysis::fixed_priority::window::Arrivals;
use fusee_model::{Duration, GateId, TaskId};

use crate::bound::WaitingPart;
use crate::context::Context;
use crate::event_waits::Section;
use crate::obstacle::Obstacle;
use crate::supposed::Supposed;

/// The waits of a task's requests, gate by gate.
pub(crate) struct Held(Vec<Queue>);

/// Users that may hold one gate while they wait.
struct Queue {
    gate: GateId,
    /// Requests of a job.
    requests: u64,
    /// The lower one with the longest waits, and the most waits of a lower one.
    lower: Option<(Waits, u64)>,
    higher: Vec<(Waits, Arrivals, u64)>,
}

/// The waits of one section of a task.
#[derive(Debug, Clone, Copy)]
struct Waits {
    task: TaskId,
    time: u64,
    count: u64,
}

/// Returns the gates at which a task may be kept out by one that waits, with its requests in a job.
pub(crate) fn gates<'c>(
    context: &'c Context<'_>,
    task: TaskId,
) -> impl Iterator<Item = (GateId, u64)> + 'c {
    let counts = context.reach.counts[task.index()].iter().map(|(&gate, &count)| (gate, count));
    // A job is at one place at a time, so a task never finds itself inside.
    counts.filter(move |&(gate, count)| {
        count > 0 && context.sections(gate).iter().any(|section| section.task != task)
    })
}

impl Held {
    /// Returns the waits of a task.
    ///
    /// # Errors
    /// Why it is unknown how long somebody waits.
    pub(crate) fn of(
        context: &Context<'_>,
        own: TaskId,
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let queue = |(gate, requests)| Queue::of(context, (own, gate, requests), supposed);
        gates(context, own).map(queue).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the time that they wait in a window.
    pub(crate) fn within(&self, window: u64) -> Option<u64> {
        let parts = self.0.iter().map(|queue| queue.parts(window));
        parts
            .flat_map(|parts| parts.map_or(vec![None], |all| all.into_iter().map(Some).collect()))
            .try_fold(0_u64, |sum, part| sum.checked_add(part?.time.ns()))
    }

    /// Returns the number of waits in a window.
    pub(crate) fn suspensions(&self, window: u64) -> Option<u64> {
        self.0.iter().try_fold(0_u64, |sum, queue| {
            let lower = queue.lower.map_or(0, |(_, most)| most).checked_mul(queue.requests)?;
            let sum = sum.checked_add(lower)?;
            queue.higher.iter().try_fold(sum, |sum, (waits, jobs, each)| {
                // While the holder waits, lower tasks may run and enter sections: each of its
                // waits, and not each request, begins a phase.
                let sections = jobs.within(window.max(1))?.checked_mul(*each)?;
                sum.checked_add(sections.checked_mul(waits.count)?)
            })
        })
    }

    /// Returns the waits in a window by the tasks whose sections they are for.
    pub(crate) fn parts(&self, window: u64) -> Option<Vec<WaitingPart>> {
        let parts: Option<Vec<_>> = self.0.iter().map(|queue| queue.parts(window)).collect();
        Some(parts?.into_iter().flatten().collect())
    }
}

impl Queue {
    fn of(
        context: &Context<'_>,
        (own, gate, requests): (TaskId, GateId, u64),
        supposed: Supposed<'_>,
    ) -> Result<Self, Obstacle> {
        let mut lower: Option<(Waits, u64)> = None;
        let mut higher: Vec<(Waits, Arrivals, u64)> = Vec::new();
        for section in context.sections(gate).iter().filter(|section| section.task != own) {
            let waits = longest(context, section, supposed)?;
            if context.base(section.task) < context.base(own) {
                // The longest waits and the most of them may be of two tasks. A request finds one
                // lower holder, of which each is an upper bound by itself.
                let most = lower.map_or(waits.count, |(_, most)| most.max(waits.count));
                let longest = lower.map(|(known, _)| known).filter(|one| one.time >= waits.time);
                lower = Some((longest.unwrap_or(waits), most));
                continue;
            }
            match higher.iter_mut().find(|(known, ..)| known.task == section.task) {
                Some((known, ..)) => {
                    known.time = known.time.max(waits.time);
                    known.count = known.count.max(waits.count);
                }
                None => {
                    let Arrivals { period, .. } = context.arrivals(section.task);
                    // Its job may be inside at any time up to its end, so jobs that are pending
                    // when the window begins count with their whole response as jitter.
                    let jitter = supposed.responses[section.task.index()]?;
                    let counts = &context.reach.counts[section.task.index()];
                    // The section itself shows that it passes once at least.
                    let each = counts.get(&gate).copied().unwrap_or(1);
                    higher.push((waits, Arrivals { period, jitter }, each));
                }
            }
        }
        Ok(Self { gate, requests, lower, higher })
    }

    fn parts(&self, window: u64) -> Option<Vec<WaitingPart>> {
        let part = |task: TaskId, requests: u64, each: u64| {
            let time = Duration(requests.checked_mul(each)?);
            Some(WaitingPart { task, gate: self.gate, requests, time })
        };
        let lower = self.lower.map(|(waits, _)| part(waits.task, self.requests, waits.time));
        let higher = self.higher.iter().map(|(waits, jobs, each)| {
            let sections = jobs.within(window.max(1))?.checked_mul(*each)?;
            part(waits.task, sections, waits.time)
        });
        lower.into_iter().chain(higher).collect()
    }
}

fn longest(
    context: &Context<'_>,
    section: &Section,
    supposed: Supposed<'_>,
) -> Result<Waits, Obstacle> {
    let arrivals = context.event_arrivals(supposed);
    let mut time = 0_u64;
    for wait in &section.waits {
        // The holder may have begun to wait only just now, so each of its waits counts whole.
        let longest = wait.longest(&arrivals)?.time.ns();
        time = time.checked_add(longest).ok_or(Obstacle::NoEnd)?;
    }
    Ok(Waits { task: section.task, time, count: section.waits.len() as u64 })
}
