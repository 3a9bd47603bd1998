//! MPCP: wait suspended in priority order, hold boosted above all normal work.
//!
//! A global section runs above every normal priority; among the sections of one
//! core, by the highest priority of the users on other cores. Two variants:
//! [`Mpcp`] suspends a waiting job and lets everybody else go on (Rajkumar 1990;
//! Lakshmanan, de Niz, Rajkumar 2009); [`MpcpVirtualSpinning`] does too, but keeps
//! other jobs of the core from requesting anything until the first one has got and
//! released what it waits for, as if it were spinning.
//! [`MpcpLinear`] bounds the first with a linear program.
//!
//! Published and unsound, and repaired here: the jitter of higher tasks is R - C,
//! not their waiting time; a window holds one more job than fits into it.

mod holding;
mod linear;
mod queues;
mod refined;
mod suspending;
mod virtual_spinning;

pub use linear::MpcpLinear;
pub use suspending::Mpcp;
pub use virtual_spinning::MpcpVirtualSpinning;

use crate::windows::{jobs, least, times};

/// The longest wait of a request: the least b = `lower` + sum over higher of (ceil(b / T) + 1)
/// need.
///
/// `higher` gives (T, need) of each user that comes first. Besides the jobs that
/// arrive from the request to the grant, both instants included, one may be pending
/// at the start; no more, if no deadline is missed. So each counts twice at least.
fn wait(limit: u64, lower: u64, higher: &[(u64, u64)]) -> Option<u64> {
    let once = higher.iter().fold(0, |sum: u64, (_, need)| sum.saturating_add(*need));
    let start = lower.saturating_add(times(2, once));
    least(start, limit, |b| {
        higher.iter().fold(lower, |sum, &(period, need)| {
            sum.saturating_add(times(jobs(b, 0, period).saturating_add(1), need))
        })
    })
}
