//! MPCP with suspension, all terms from fixed points.
//!
//! While a job holds a resource, each other job of its core can run at most one
//! global section of at least that ceiling: afterwards it is back at its normal
//! priority, below. So a section is over W after its grant at the latest. A request
//! waits for one lower section and all higher ones that come meanwhile. Whenever a
//! job resumes, and when it is released, each lower task of its core may have one
//! global section pending that runs first, and one of them may be inside a local
//! section; how often it resumes is limited by what other cores request. For a job that
//! suspends itself there are resumptions without number: all
//! their sections count.

use super::holding::Holding;
use super::refined::refined;
use crate::partitioned::SUSPENDING_ASSUMPTIONS;
use crate::partitioned::contention::longest;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{
    Asked, ByResponses, Responses, Suspending, suspending_response_times,
};
use crate::windows::{jobs, times};
use crate::{Exactness, Family, Metadata, Task, TaskSet};

/// R = C + sum of N b + (N + 1) (lower global sections + one local) + interference with jitter R -
/// C; where that has bounds they are made smaller by counting over windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mpcp;

/// A set whose response times are sought, and tasks of it that may miss their deadlines.
struct Search<'a> {
    layout: &'a Layout<'a>,
    holding: Holding,
    /// By task, its global sections, the longest first.
    sections: Vec<Vec<Access>>,
    late: Vec<bool>,
}

impl Search<'_> {
    /// Returns the time for which one job waits for all its requests; `None`: longer than its
    /// deadline, or for a task that may be late.
    fn remote_blocking(&self, i: usize) -> Option<u64> {
        let Self { layout, late, .. } = self;
        let level = layout.tasks[i].priority;
        let first = |a: &Access| a.task != i && layout.tasks[a.task].priority >= level;
        layout.global_accesses(i).try_fold(0_u64, |sum, access| {
            if layout.users(access.resource).iter().any(|a| late[a.task] && first(a)) {
                return None;
            }
            let wait = self.holding.queues.wait(layout, access)?;
            Some(sum.saturating_add(times(access.count, wait)))
        })
    }

    /// Returns the time for which lower tasks of the core hold up a job each time that it begins to
    /// execute, no section twice.
    fn local_blocking(&self, i: usize) -> u64 {
        let layout = self.layout;
        let begins = layout.resumptions(i, |j| self.pending(i, j)).saturating_add(1);
        let supply = |a: &Access| times(self.pending(i, a.task), a.count);
        let local = longest(&layout.local_sections(i), begins, supply).total;
        layout.lower(i).iter().fold(local, |sum, &l| {
            sum.saturating_add(longest(&self.sections[l], begins, supply).total)
        })
    }

    /// Returns the number of jobs of a task that are pending between the release and the deadline
    /// of another one's job.
    fn pending(&self, i: usize, other: usize) -> u64 {
        let Task { deadline, period, .. } = self.layout.tasks[other];
        let own = &self.layout.tasks[i];
        let reach = if self.late[other] { u64::MAX } else { deadline };
        jobs(own.deadline.saturating_add(own.beyond()), reach, period)
    }

    /// Returns the delay of a job that suspends itself: that time, and in whatever pieces it comes,
    /// all sections of lower tasks that are pending before its deadline.
    fn with_suspension(&self, i: usize) -> u64 {
        let below = self.layout.sections_below(i, |l| self.pending(i, l));
        self.layout.tasks[i].suspension.saturating_add(below)
    }

    fn term(&self, i: usize) -> Suspending {
        let local = match self.layout.tasks[i].suspension {
            0 => self.local_blocking(i),
            _ => self.with_suspension(i),
        };
        let delay = self.remote_blocking(i).map_or(u64::MAX, |b| b.saturating_add(local));
        Suspending { execution: self.layout.tasks[i].wcet, delay }
    }

    /// Bounds if no task but those marked as late misses its deadline.
    fn responses(&self, asked: Asked) -> Responses {
        let tasks = self.layout.tasks;
        let mut terms = vec![Suspending::default(); tasks.len()];
        for &i in &self.layout.order {
            terms[i] = self.term(i);
            let alone = terms[i].execution.saturating_add(terms[i].delay);
            let alone = alone.saturating_add(tasks[i].jitter);
            if asked == Asked::Verdict && alone > tasks[i].deadline {
                return vec![None; terms.len()];
            }
        }
        suspending_response_times(self.layout, &terms, &self.late)
    }
}

/// Returns the bounds of all tasks whose bound does not rest on a task without one.
///
/// The sums decide which tasks have bounds; counting over windows makes those bounds smaller.
pub(super) fn responses(layout: &Layout<'_>, asked: Asked) -> Responses {
    let tasks = layout.tasks.len();
    let by_length = |i: usize| {
        let mut sections: Vec<Access> = layout.global_accesses(i).copied().collect();
        sections.sort_unstable_by_key(|a| std::cmp::Reverse(a.length));
        sections
    };
    let mut search = Search {
        layout,
        holding: Holding::new(layout),
        sections: (0..tasks).map(by_length).collect(),
        late: vec![false; tasks],
    };
    loop {
        let found = search.responses(asked);
        let late: Vec<bool> = found.iter().map(Option::is_none).collect();
        if asked == Asked::Verdict {
            return found;
        }
        if late == search.late {
            return refined(layout, &search.holding, &search.sections, found);
        }
        search.late = late;
    }
}

impl ByResponses for Mpcp {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp",
            title: "MPCP, waiting suspended",
            source: "Rajkumar 1990; Lakshmanan, de Niz and Rajkumar 2009; jitter repaired after \
                     Chen et al. 2019, carry-in after Yang, Chen and Huang 2017",
            family: Family::PartitionedFixedPriority,
            assumptions: SUSPENDING_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        responses(&Layout::new(set), asked)
    }
}
