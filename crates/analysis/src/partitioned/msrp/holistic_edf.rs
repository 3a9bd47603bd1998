//! MSRP under EDF, requests counted over the whole interval.
//!
//! In an interval of length t the core issues the requests of the jobs due in it,
//! and one more of the job that may block at its start; of another core's task at
//! most ceil((t + D) / T) jobs take part, as long as no deadline was missed before
//! (Biondi and Brandenburg 2016). The sum grows between the core's own deadlines,
//! since other cores issue more requests; every length is looked at, not only
//! deadlines.

use super::classic_edf;
use crate::partitioned::EDF_ASSUMPTIONS;
use crate::partitioned::contention::{Contention, Requests, contention};
use crate::partitioned::demand::{fits, jobs_due};
use crate::partitioned::layout::{Access, Layout};
use crate::windows::{jobs, least, times};
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// dbf(t) + waiting(t) + B(t) <= t, where no request of another core counts twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MsrpHolisticEdf;

/// One core of a set.
struct Core<'a> {
    layout: &'a Layout<'a>,
    core: usize,
    tasks: Vec<usize>,
    /// Global resources that its tasks use, and who requests them.
    wanted: Vec<(usize, &'a [Access])>,
    /// Requests for local resources, each with the shortest deadline among the users of its
    /// resource.
    local: Vec<(Access, u64)>,
}

impl<'a> Core<'a> {
    fn new(layout: &'a Layout<'a>, core: usize) -> Self {
        let tasks = (0..layout.tasks.len()).filter(|&i| layout.tasks[i].core == core).collect();
        let users = |q: usize| layout.users_by_core(q).find(|users| users[0].core == core);
        let used = || (0..layout.resources).filter_map(|q| Some((q, users(q)?)));
        let with_deadline = |(q, users): (usize, &'a [Access])| {
            let shortest = layout.shortest_deadline(q);
            users.iter().map(move |a| (*a, shortest))
        };
        let wanted = used().filter(|&(q, _)| layout.is_global(q)).collect();
        let local = used().filter(|&(q, _)| !layout.is_global(q)).flat_map(with_deadline).collect();
        Self { layout, core, tasks, wanted, local }
    }

    /// Execution, waiting and one blocking section in an interval in which task i has `count(i)`
    /// jobs.
    ///
    /// `blocks(i)`: whether a job of task i may block at the start; `reached(d)`: whether a
    /// section of a local resource may whose shortest deadline is d.
    fn demand(
        &self,
        interval: u64,
        count: impl Fn(usize) -> u64,
        blocks: impl Fn(usize) -> bool,
        reached: impl Fn(u64) -> bool,
    ) -> u64 {
        let need = |&i: &usize| times(count(i), self.layout.tasks[i].wcet);
        let execution = self.tasks.iter().map(need).fold(0, u64::saturating_add);
        execution.saturating_add(self.delay(interval, count, blocks, reached))
    }

    /// The same without execution.
    fn delay(
        &self,
        interval: u64,
        count: impl Fn(usize) -> u64,
        blocks: impl Fn(usize) -> bool,
        reached: impl Fn(u64) -> bool,
    ) -> u64 {
        let tasks = self.layout.tasks;
        let mut sum = 0_u64;
        let mut blocking = 0;
        for (resource, users) in &self.wanted {
            let add = |sum: u64, a: &Access| sum.saturating_add(times(count(a.task), a.count));
            let (resource, number) = (*resource, users.iter().fold(0, add));
            let asked = Requests { resource, core: self.core, number, window: interval };
            let waiting: Contention = contention(self.layout, asked, |j| tasks[j].deadline);
            sum = sum.saturating_add(waiting.total);
            let longest = users
                .iter()
                .filter(|a| blocks(a.task))
                .map(|a| a.length.saturating_add(waiting.one_more));
            blocking = longest.max().unwrap_or(0).max(blocking);
        }
        let local = self.local.iter().filter(|(a, shortest)| reached(*shortest) && blocks(a.task));
        sum.saturating_add(blocking.max(local.map(|(a, _)| a.length).max().unwrap_or(0)))
    }

    fn fits(&self) -> bool {
        let tasks = self.layout.tasks;
        let Some(shortest) = self.tasks.iter().map(|&i| tasks[i].deadline).min() else {
            return true;
        };
        if self.surely_overloaded() {
            return false;
        }
        let due = |t: u64| {
            let reached = |shortest: u64| shortest <= t;
            self.demand(t, |i| jobs_due(t, &tasks[i]), |i| tasks[i].deadline > t, reached)
        };
        let released = |w: u64, blocked: bool| {
            self.demand(w, |i| jobs(w, 0, tasks[i].period), |_| blocked, |_| true)
        };
        // Most sets that do not fit fail at the first deadline of some task; busy up to there, and
        // all is said.
        let mut firsts: Vec<u64> = self.tasks.iter().map(|&i| tasks[i].deadline).collect();
        firsts.sort_unstable();
        let failing = firsts.iter().copied().find(|&t| due(t) > t);
        let longest_deadline = firsts.last().copied().unwrap_or(0);
        let requested = |w| released(w, true);
        let horizon = match failing {
            Some(t) => least(1, t - 1, requested),
            // Nothing blocks an interval as long as the longest deadline; beyond it, what is
            // released suffices.
            None => least(1, u64::MAX, |w| released(w, false))
                .map(|busy| busy.max(longest_deadline))
                .map(|horizon| least(1, horizon, requested).unwrap_or(horizon)),
        };
        horizon.is_some_and(|horizon| fits(shortest, horizon, due))
    }

    /// Returns `true` if execution and waiting take more than all of the time in the long run, for
    /// certain.
    fn surely_overloaded(&self) -> bool {
        let tasks = self.layout.tasks;
        let rate = |i: usize, work: u64| work as f64 / tasks[i].period as f64;
        let mut sum: f64 = self.tasks.iter().map(|&i| rate(i, tasks[i].wcet)).sum();
        for (resource, users) in &self.wanted {
            let own: f64 = users.iter().map(|a| rate(a.task, a.count)).sum();
            for others in
                self.layout.users_by_core(*resource).filter(|users| users[0].core != self.core)
            {
                let mut left = own;
                for a in others {
                    let met = left.min(rate(a.task, a.count));
                    left -= met;
                    sum += met * a.length as f64;
                }
            }
        }
        // The sum is off by far less than that.
        sum > 1.0 + 1e-6
    }
}

/// Returns the delay that FIFO spin locks add to a core in an interval under EDF: the optimum of
/// the linear program of Biondi and Brandenburg 2016.
///
/// Execution is not in it. `None`: there is no such core.
pub fn fifo_spin_delay_edf(set: &TaskSet, core: usize, interval: u64) -> Option<u64> {
    if core >= set.cores() {
        return None;
    }
    let layout = Layout::new(set);
    let tasks = layout.tasks;
    let reached = |shortest: u64| shortest <= interval;
    let count = |i: usize| jobs_due(interval, &tasks[i]);
    Some(Core::new(&layout, core).delay(interval, count, |i| tasks[i].deadline > interval, reached))
}

impl MsrpHolisticEdf {
    /// The answer without asking the classic analysis first.
    pub(crate) fn holistic(layout: &Layout<'_>) -> bool {
        (0..layout.cores).all(|core| Core::new(layout, core).fits())
    }
}

impl SchedulabilityTest for MsrpHolisticEdf {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "msrp-holistic-edf",
            title: "MSRP under EDF, requests counted over the interval",
            source: "Biondi and Brandenburg 2016 (optimum of the MSRP program)",
            family: Family::PartitionedEarliestDeadline,
            assumptions: EDF_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    /// Sets that the classic analysis accepts are accepted without the longer way.
    fn decide(&self, set: &TaskSet) -> Verdict {
        let layout = Layout::new(set);
        Verdict::from_condition(classic_edf::accepts(&layout) || Self::holistic(&layout))
    }
}
