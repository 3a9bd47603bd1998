//! Preemption thresholds, and no preemption at all.
//!
//! A started job is preempted only by priorities above its threshold. Then a
//! response has two parts: until the job starts, everything of at least its
//! priority interferes, and one lower job that was started before and whose
//! threshold keeps it going blocks; from the start on only what exceeds the
//! threshold preempts. Because a job pushes work of others behind its own start,
//! the worst case need not be the first job of a busy period (the error of the
//! first analyses of CAN, Davis et al. 2007): all jobs of the busy period count.
//!
//! A blocking job has executed for at least one tick when the window starts: at
//! most C - 1 of it is left.

use std::cell::Cell;

use super::window::Arrivals;
use crate::{
    Assumption, Exactness, Family, Metadata, Priority, SchedulabilityTest, Task, TaskSet, Verdict,
    effort,
};

const ASSUMPTIONS: &[Assumption] =
    &[Assumption::NoBlocking, Assumption::NoSuspension, Assumption::NoResources];

/// Response times with the tasks' preemption thresholds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PreemptionThresholds;

impl SchedulabilityTest for PreemptionThresholds {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-thresholds",
            title: "response-time analysis with preemption thresholds",
            source: "Wang and Saksena 1999; Keskin, Bril and Lukkien 2010",
            family: Family::FixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::of_bounds(&responses(set, Task::effective_threshold))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(responses(set, Task::effective_threshold))
    }
}

/// Response times when no started job is preempted; thresholds of the tasks are ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NonPreemptive;

impl SchedulabilityTest for NonPreemptive {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fp-non-preemptive",
            title: "non-preemptive response-time analysis",
            source: "George, Rivierre and Spuri 1996; Davis, Burns, Bril and Lukkien 2007",
            family: Family::FixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        Verdict::of_bounds(&responses(set, |_| Priority::MAX))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        Some(responses(set, |_| Priority::MAX))
    }
}

fn responses(set: &TaskSet, threshold: fn(&Task) -> Priority) -> Vec<Option<u64>> {
    let within = |i: usize| response(set, i, threshold).filter(|&r| r <= set.tasks()[i].deadline);
    (0..set.tasks().len()).map(within).collect()
}

/// Steps of the search for one task before its response counts as unbounded.
const PATIENCE: u64 = 1_000_000;

/// The response of one task, for which the thresholds of lower tasks count and its own.
pub(super) fn response(
    set: &TaskSet,
    index: usize,
    threshold: fn(&Task) -> Priority,
) -> Option<u64> {
    if super::response_time::surely_overloaded(set, index) {
        return None;
    }
    let own = &set.tasks()[index];
    let blocking = set.lower(index).filter(|(_, t)| threshold(t) >= own.priority);
    let blocking = blocking.map(|(_, t)| t.wcet.saturating_sub(1)).max().unwrap_or(0);
    let level = Level {
        own,
        blocking,
        above: set.interfering(index).map(|(_, t)| t).collect(),
        threshold: threshold(own).max(own.priority),
        patience: Cell::new(PATIENCE),
    };
    let busy = level.busy_period()?;
    let arrivals = arrivals(own);
    let jobs = arrivals.within(busy)?.max(1);
    let mut worst = 0;
    for job in 0..jobs {
        let finish = level.finish(level.start(job)?)?;
        let arrival = job.checked_mul(own.period)?;
        worst = worst.max(finish.checked_add(own.jitter)?.saturating_sub(arrival));
    }
    Some(worst)
}

fn arrivals(task: &Task) -> Arrivals {
    Arrivals { period: task.period, jitter: task.jitter }
}

/// One task with what delays it.
struct Level<'a> {
    own: &'a Task,
    blocking: u64,
    /// The other tasks of at least its priority.
    above: Vec<&'a Task>,
    threshold: Priority,
    /// Steps that are left.
    patience: Cell<u64>,
}

impl Level<'_> {
    /// The least w with w = demand(w), from a start below it.
    fn least(&self, mut w: u64, demand: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        loop {
            self.patience.set(self.patience.get().checked_sub(1).filter(|_| effort::step())?);
            let next = demand(w)?;
            if next <= w {
                return Some(w);
            }
            w = next;
        }
    }

    /// Returns the time for which the core is busy with this level.
    fn busy_period(&self) -> Option<u64> {
        let demand = |w| {
            let all = self.above.iter().copied().chain([self.own]);
            all.clone().try_fold(self.blocking, |sum, t| {
                sum.checked_add(arrivals(t).within(w)?.checked_mul(t.wcet)?)
            })
        };
        self.least(1, demand)
    }

    /// Jobs of a task released up to and including time w.
    fn until(task: &Task, w: u64) -> Option<u64> {
        (w.checked_add(task.jitter)? / task.period).checked_add(1)
    }

    /// When job number `job` of the busy period starts.
    fn start(&self, job: u64) -> Option<u64> {
        let before = job.checked_mul(self.own.wcet)?.checked_add(self.blocking)?;
        self.least(before, |w| {
            self.above
                .iter()
                .try_fold(before, |sum, t| sum.checked_add(Self::until(t, w)?.checked_mul(t.wcet)?))
        })
    }

    /// When a job that starts at `start` finishes.
    fn finish(&self, start: u64) -> Option<u64> {
        let alone = start.checked_add(self.own.wcet)?;
        self.least(alone, |w| {
            let mut sum = alone;
            for task in self.above.iter().filter(|t| t.priority > self.threshold) {
                let later = arrivals(task).within(w)?.saturating_sub(Self::until(task, start)?);
                sum = sum.checked_add(later.checked_mul(task.wcet)?)?;
            }
            Some(sum)
        })
    }
}
