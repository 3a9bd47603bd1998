//! MPCP with virtual spinning: one request of a core at a time.
//!
//! A job that wants a global resource first takes its core's turn, in priority
//! order; it gives the turn back when its section ends. Meanwhile it suspends and
//! other jobs run, but none of them requests anything. So a section is never
//! preempted by another one, and a queue holds at most one request of each core.
//!
//! All the time that a higher job executes or has the turn counts as its demand,
//! as if it were spinning. Lower jobs may have queued for the turn while the job
//! was suspended; each time it resumes each of them may run one section, and one of
//! them may have the turn when the job wants it next: then it waits for that
//! request from its beginning.

use super::wait;
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::response::{ByResponses, Responses, Suspending, suspending_response_times};
use crate::partitioned::window::times;
use crate::{Exactness, Family, Metadata, TaskSet};

/// R = C + sum of N b + lower turns + interference of C_h + waiting of h, with jitter R - C.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MpcpVirtualSpinning;

/// The wait of a request that has its core's turn; only other cores contend.
fn wait_with_turn(layout: &Layout<'_>, access: &Access) -> Option<u64> {
    let task = &layout.tasks[access.task];
    let others = layout.users(access.resource).iter().filter(|a| a.core != access.core);
    let others = others.map(|a| (a, &layout.tasks[a.task]));
    let lower =
        others.clone().filter(|(_, t)| t.priority < task.priority).map(|(a, _)| a.length).max();
    let higher = others.filter(|(_, t)| t.priority >= task.priority);
    let needs: Vec<(u64, u64)> =
        higher.map(|(a, t)| (t.period, times(a.count, a.length))).collect();
    wait(task.deadline, lower.unwrap_or(0), &needs)
}

/// Of one task: its waiting with the turn, and the longest turn of a single request.
#[derive(Debug, Clone, Copy, Default)]
struct Turns {
    waiting: u64,
    longest: u64,
}

fn turns(layout: &Layout<'_>, i: usize) -> Option<Turns> {
    let mut sum = Turns::default();
    for access in layout.global_accesses(i) {
        let wait = wait_with_turn(layout, access)?;
        sum.waiting = sum.waiting.saturating_add(times(access.count, wait));
        sum.longest = sum.longest.max(wait.saturating_add(access.length));
    }
    Some(sum)
}

fn lower_turns(layout: &Layout<'_>, turns: &[Turns], i: usize) -> u64 {
    let requests = layout.global_requests(i);
    let sections =
        layout.lower(i).iter().fold(0_u64, |sum, &l| sum.saturating_add(layout.longest_global(l)));
    let at_resume = sections.saturating_add(layout.local_blocking(i));
    let at_request = layout.lower(i).iter().map(|&l| turns[l].longest).max().unwrap_or(0);
    times(requests.saturating_add(1), at_resume).saturating_add(times(requests, at_request))
}

fn responses(layout: &Layout<'_>) -> Responses {
    let tasks = layout.tasks;
    let Some(turns) = (0..tasks.len()).map(|i| turns(layout, i)).collect::<Option<Vec<Turns>>>()
    else {
        return vec![None; tasks.len()];
    };
    let term = |i: usize| Suspending {
        execution: tasks[i].wcet.saturating_add(turns[i].waiting),
        delay: lower_turns(layout, &turns, i),
    };
    let terms: Vec<Suspending> = (0..tasks.len()).map(term).collect();
    suspending_response_times(layout, &terms)
}

impl ByResponses for MpcpVirtualSpinning {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mpcp-virtual-spinning",
            title: "MPCP with virtual spinning",
            source: "Lakshmanan, de Niz and Rajkumar 2009 (protocol); own bound, see its module",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet) -> Responses {
        responses(&Layout::new(set))
    }
}
