//! MPCP: wait suspended in priority order, hold boosted above all normal work.
//!
//! A global section runs above every normal priority; among the sections of one
//! core, by the highest priority of the users on other cores. Two variants:
//! [`Mpcp`] suspends a waiting job and lets everybody else go on (Rajkumar 1990;
//! Lakshmanan, de Niz, Rajkumar 2009); [`MpcpVirtualSpinning`] does too, but keeps
//! other jobs of the core from requesting anything until the first one has got and
//! released what it waits for, as if it were spinning.
//!
//! Published and unsound, and repaired here: the jitter of higher tasks is R - C,
//! not their waiting time; a window holds one more job than fits into it.

mod suspending;
mod virtual_spinning;

pub use suspending::Mpcp;
pub use virtual_spinning::MpcpVirtualSpinning;

use super::layout::{Access, Layout};
use super::window::{least, times};

/// The longest wait of a request: the least b = `lower` + sum over higher of (ceil(b / T) + 1) `need`.
///
/// Besides the jobs that arrive from the request to the grant, both instants
/// included, one may be pending at the start; no more, if no deadline is missed.
fn wait(layout: &Layout<'_>, i: usize, lower: u64, higher: &[(usize, u64)]) -> Option<u64> {
    least(lower, layout.tasks[i].deadline, |b| {
        higher.iter().fold(lower, |sum, &(h, need)| {
            let jobs = b.div_ceil(layout.tasks[h].period).saturating_add(1);
            sum.saturating_add(times(jobs, need))
        })
    })
}

/// The users of a resource other than a task that come before it, and the others.
fn contenders<'a>(
    layout: &'a Layout<'_>,
    access: &'a Access,
) -> (impl Iterator<Item = &'a Access>, impl Iterator<Item = &'a Access>) {
    let level = layout.tasks[access.task].priority;
    let others = || layout.users(access.resource).iter().filter(|a| a.task != access.task);
    let higher = others().filter(move |a| layout.tasks[a.task].priority >= level);
    let lower = others().filter(move |a| layout.tasks[a.task].priority < level);
    (higher, lower)
}
