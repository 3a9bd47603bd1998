//! Scheduling policies: the order of ready threads, and its data.
//!
//! Gates, frames, notifications, faults and releases are mechanism and the same under every policy.
//! A policy gives each thread an urgency, and keeps the ready threads in that order. The kernel has
//! it as a type parameter, so that a system pays for its own policy only.

#[cfg(feature = "checked")]
use crate::Memory;
use crate::ceilings::Ceilings;
use crate::urgency::Urgencies;
use crate::{Core, Thread, ThreadIndex};

/// A rule that chooses the running thread.
pub trait Policy: Urgencies<Ceilings: Ceilings<<Self as Urgencies>::Urgency>> {
    /// A job begins: it says how urgent its thread is, where the policy goes by jobs.
    #[inline(always)]
    fn begin(_: &mut Thread<Self>) {}

    /// Puts a released or woken thread behind its equals.
    fn push_back(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex);

    /// Puts a preempted or boosted thread of this effective urgency before its equals.
    fn push_front(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex, urgency: Self::Urgency);

    /// Takes a thread out, wherever it is.
    fn take_out(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex);

    /// Returns the first ready thread, or `None` if no thread is ready.
    fn first(queue: &Queue<'_, '_, Self>) -> Option<ThreadIndex>;

    /// Takes the first out.
    fn pop(queue: &mut Queue<'_, '_, Self>) -> Option<ThreadIndex>;

    /// Returns the number of times that a thread is in the ready queue, and how many of these are
    /// in its place.
    #[cfg(feature = "checked")]
    fn count(memory: &Memory<'_, Self>, thread: ThreadIndex) -> (usize, usize);
}

/// Splits the memory into a core, its ready queue with the places behind it, and the threads in
/// them. A function that works on all of these gets them together, so that their places are looked
/// up once.
#[derive(Debug)]
pub struct Queue<'q, 'm, P: Policy> {
    pub(crate) core: &'q mut Core<P>,
    /// Behind two references: the inner one is read only where the lists are used.
    pub(crate) lists: &'q mut &'m mut [P::Place],
    pub(crate) threads: &'q mut [Thread<P>],
}
