//! The running thread: the first, or one that must not be interrupted.

use super::{Chain, Core, EndPoint};
use crate::ThreadIndex;
use crate::mutation::seeded;

/// Returns the first member of a chain of threads.
pub(super) fn first(chain: Chain) -> ThreadIndex {
    chain.first().map_or(ThreadIndex::NONE, |thread| ThreadIndex(thread as u16))
}

/// Returns the thread that runs: the first of the queue, or one that must not be interrupted.
/// Constant time.
#[inline(always)]
pub fn running(core: &Core, end_points: &[EndPoint]) -> ThreadIndex {
    let first = first(core.ready);
    // Mostly no thread is late: then one comparison is all.
    match core.late.is_none() {
        true => first,
        false => late_or(core.late, first, end_points),
    }
}

/// Returns the first thread of the queue, if its level is better than that of the section of
/// another one; else that one.
#[inline(never)]
fn late_or(late: ThreadIndex, first: ThreadIndex, end_points: &[EndPoint]) -> ThreadIndex {
    let own = &end_points[late.at()];
    let level = seeded!(LateAtOwn, own.level, own.late);
    // Strictly better: if equals took the core, a gate that is promised to be free would be found
    // held.
    let above = |other: &EndPoint| seeded!(TiePreempts, other.level <= level, other.level < level);
    if end_points.get(first.at()).is_some_and(above) { first } else { late }
}
