//! A wait for an event in the middle of a job, and how long it lasts.

use fusee_model::{Duration, NotificationId, TaskId};

use crate::bound::EventPart;
use crate::event_arrivals::EventArrivals;
use crate::interrupt::arrivals;
use crate::obstacle::Obstacle;

/// A wait, with the ways on which its signal comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventWait {
    pub(crate) waiter: TaskId,
    pub(crate) event: NotificationId,
    /// At least one.
    pub(crate) ways: Vec<Way>,
    /// The tasks that may take signals first, with the number of signals in a job.
    pub(crate) rivals: Vec<(TaskId, u64)>,
}

/// Tasks each of which releases the next; the last one signals the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// `true` if the first arrives by the clock; else the job that waits has signalled it.
    pub(crate) by_clock: bool,
    pub(crate) tasks: Vec<TaskId>,
}

/// Rounds in which a wait for others' signals may grow.
const MOST_ROUNDS: u32 = 1_000;

impl EventWait {
    /// Returns the longest time that it lasts, and the task whose signal ends it then, if jobs are
    /// over as supposed.
    ///
    /// # Errors
    /// Why nobody knows: of the last way, if there are several.
    pub(crate) fn longest(&self, arrivals: &EventArrivals<'_>) -> Result<EventPart, Obstacle> {
        let mut least: Result<EventPart, Obstacle> = Err(Obstacle::NoEnd);
        for way in &self.ways {
            let Some(&task) = way.tasks.last() else { continue };
            let part = |time| EventPart { task, event: self.event, time: Duration(time) };
            let known = self.on_way(way, arrivals).map(part);
            let shorter = |part: EventPart| least.is_ok_and(|least| part.time < least.time);
            // Each way ends the wait by itself, so the shortest one bounds it.
            if least.is_err() || known.is_ok_and(shorter) {
                least = known;
            }
        }
        least
    }

    /// Signal n comes within (n - 1) T of the first, and those before it are taken by others: no
    /// more than they wait for while this wait lasts.
    fn on_way(&self, way: &Way, arrivals: &EventArrivals<'_>) -> Result<u64, Obstacle> {
        let first = way.longest(arrivals, self.waiter)?;
        // A wait beyond the waiter's period leaves no bound anyway, so the search need not go on.
        let (mut time, most) = (first, period(arrivals, self.waiter));
        for _ in 0..MOST_ROUNDS {
            let mut before = 0_u64;
            for &(rival, each) in &self.rivals {
                // A rival that was released before the wait may still come to its own wait in it,
                // so its response counts as jitter.
                let reach = time.saturating_add(arrivals.response(rival)?);
                let jobs = reach.div_ceil(period(arrivals, rival));
                before = before.saturating_add(jobs.saturating_mul(each));
            }
            // Each job of the way brings one of the next at least, so signals are no further apart
            // than jobs of the first.
            let apart = way.tasks.first().map_or(0, |&task| period(arrivals, task));
            let next = before.saturating_mul(apart).saturating_add(first);
            if next == time {
                return Ok(time);
            }
            if next > most {
                break;
            }
            time = next;
        }
        Err(Obstacle::NoEnd)
    }
}

fn period(arrivals: &EventArrivals<'_>, task: TaskId) -> u64 {
    self::arrivals(arrivals.system().task(task)).period
}

impl Way {
    /// Until the first signal comes.
    fn longest(&self, arrivals: &EventArrivals<'_>, waiter: TaskId) -> Result<u64, Obstacle> {
        let mut sum = 0_u64;
        for (at, &task) in self.tasks.iter().enumerate() {
            let before = match (&arrivals.system().task(task).release, self.by_clock && at == 0) {
                // A task that begins later than a period comes for the first time then.
                (Some(release), true) => Some(release.period.value.max(release.offset).ns()),
                _ => arrivals.deferral(task),
            };
            let response = arrivals.response(task)?;
            let next = self.tasks.get(at + 1).copied().unwrap_or(waiter);
            let terms = [before, Some(response), arrivals.look(task, next)];
            let all = terms.into_iter().try_fold(sum, |sum, term| sum.checked_add(term?));
            sum = all.ok_or(Obstacle::NoEnd)?;
        }
        // What the job itself has signalled reaches the first of them.
        let first = self.tasks.first().filter(|_| !self.by_clock);
        let asked = first.map_or(Some(0), |&first| arrivals.look(waiter, first));
        asked.and_then(|asked| sum.checked_add(asked)).ok_or(Obstacle::NoEnd)
    }
}
