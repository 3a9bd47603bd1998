//! Doubly-linked lists of threads, by index.
//!
//! A thread waits in at most one place, so one pair of links in each thread serves every queue of
//! the kernel: ready lists, waiters at gates, waiters for notifications. All operations take
//! constant time but [`List::insert_by_priority`], which passes the waiters of higher or equal
//! priority.

use crate::link::Link;
use crate::mutation::seeded;
use crate::urgency::Urgencies;
use crate::{Thread, ThreadIndex};

/// A queue of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct List {
    head: ThreadIndex,
    tail: ThreadIndex,
}

impl List {
    /// A queue without threads.
    pub const EMPTY: List = List { head: ThreadIndex::NONE, tail: ThreadIndex::NONE };

    /// Returns the first thread.
    #[inline]
    pub fn head(&self) -> ThreadIndex {
        self.head
    }

    /// Returns `true` if there is no thread in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head.is_none()
    }

    pub(crate) fn push_back<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
    ) {
        self.insert_before(threads, thread, ThreadIndex::NONE);
    }

    #[inline(always)]
    pub(crate) fn push_front<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
    ) {
        // Not by `insert_before`: fast paths come here, and the front has only one neighbor to
        // join.
        let second = self.head;
        threads[thread.at()].link = Link { next: second, previous: ThreadIndex::NONE };
        self.head = thread;
        if second.is_some() {
            threads[second.at()].link.previous = thread;
        } else {
            self.tail = thread;
        }
    }

    /// Puts a thread, which is in no queue, into an empty list.
    #[inline(always)]
    pub(crate) fn push_only<P: Urgencies>(&mut self, state: &mut Thread<P>, thread: ThreadIndex) {
        // It takes the thread's state and not the table, which its callers have borrowed already.
        state.link = Link::NONE;
        *self = List { head: thread, tail: thread };
    }

    /// Takes the first out, which there is, and which this is.
    #[inline(always)]
    pub(crate) fn pop<P: Urgencies>(&mut self, threads: &mut [Thread<P>], first: ThreadIndex) {
        let first = &mut threads[first.at()];
        // Not by `remove`: the first has no thread before it, so one look-up less is needed.
        let second = first.link.next;
        first.link = Link::NONE;
        self.head = second;
        if second.is_some() {
            threads[second.at()].link.previous = ThreadIndex::NONE;
        } else {
            self.tail = ThreadIndex::NONE;
        }
    }

    /// Returns `true` if a thread of this effective priority comes before all threads that wait in
    /// order of priority. Constant time.
    #[inline(always)]
    pub(crate) fn is_led_by<P: Urgencies>(
        &self,
        threads: &[Thread<P>],
        priority: P::Urgency,
    ) -> bool {
        // Strictly less: among equals the one that came first stays first.
        self.is_empty() || threads[self.head.at()].effective < priority
    }

    /// Puts the thread behind all of higher or equal effective priority. Steps: those threads.
    pub(crate) fn insert_by_priority<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
    ) {
        // Mostly no thread waits yet. Then nothing is compared.
        if self.is_empty() {
            return self.push_front(threads, thread);
        }
        let priority = threads[thread.at()].effective;
        let mut place = self.head;
        // Equals stay in front, or the last that asks would overtake those that wait longer.
        let before =
            |other: P::Urgency| seeded!(AheadOfEquals, other > priority, other >= priority);
        while place.is_some() && before(threads[place.at()].effective) {
            place = threads[place.at()].link.next;
        }
        self.insert_before(threads, thread, place);
    }

    /// Gives a thread in it another effective priority, and its place by that. Steps: as
    /// [`insert_by_priority`](Self::insert_by_priority); one where the first is raised, which it
    /// stays.
    #[inline(always)]
    pub(crate) fn change_priority<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
        priority: P::Urgency,
    ) {
        let state = &mut threads[thread.at()];
        // The first that is raised is still the first: the walk would find the same place.
        let stays = self.head == thread && state.effective <= priority;
        // Set before the thread is sorted, because the sorting goes by it.
        state.effective = priority;
        if seeded!(UnsortedChange, false, !stays) {
            self.sort_anew(threads, thread);
        }
    }

    /// Raises a thread in it to an effective priority, and takes it to the front if it comes before
    /// all others then; says whether it does. Steps: as
    /// [`insert_by_priority`](Self::insert_by_priority), one if it does.
    #[inline(always)]
    pub(crate) fn raise<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
        priority: P::Urgency,
    ) -> bool {
        let leads = self.is_led_by(threads, priority);
        threads[thread.at()].effective = priority;
        // `leads` compares with the head, and that is this thread: a raised head stays where it is.
        if self.head == thread {
            return true;
        }
        if leads {
            self.remove(threads, thread);
            self.push_front(threads, thread);
        } else {
            self.sort_anew(threads, thread);
        }
        leads
    }

    /// Puts a thread in it before its equals. Steps: the threads that go before those.
    #[inline(never)]
    pub(crate) fn lead<P: Urgencies>(&mut self, threads: &mut [Thread<P>], thread: ThreadIndex) {
        let priority = threads[thread.at()].effective;
        let mut place = self.head;
        // Strictly greater: it goes in front of its equals. Among the threads of one tree of
        // schedulers, the one that was picked last is served next.
        while place.is_some() && threads[place.at()].effective > priority {
            place = threads[place.at()].link.next;
        }
        // The place is never behind the thread. So it is still in the list when the thread is taken
        // out.
        if place != thread {
            self.remove(threads, thread);
            self.insert_before(threads, thread, place);
        }
    }

    #[inline(never)]
    fn sort_anew<P: Urgencies>(&mut self, threads: &mut [Thread<P>], thread: ThreadIndex) {
        self.remove(threads, thread);
        self.insert_by_priority(threads, thread);
    }

    /// Puts the thread where those of a gate wait: in order of priority, or of arrival. Steps: as
    /// [`insert_by_priority`](Self::insert_by_priority), or one.
    #[inline(never)]
    pub(crate) fn insert<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
        by_priority: bool,
    ) {
        if by_priority {
            self.insert_by_priority(threads, thread)
        } else {
            self.push_back(threads, thread)
        }
    }

    fn insert_before<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        thread: ThreadIndex,
        next: ThreadIndex,
    ) {
        let previous = if next.is_some() { threads[next.at()].link.previous } else { self.tail };
        threads[thread.at()].link = Link { next, previous };
        self.join(threads, previous, thread);
        self.join(threads, thread, next);
    }

    /// Takes a thread out, wherever it is.
    #[inline(always)]
    pub(crate) fn remove<P: Urgencies>(&mut self, threads: &mut [Thread<P>], thread: ThreadIndex) {
        let Link { next, previous } = threads[thread.at()].link;
        // Cleared, so that memories with the same queues are equal, byte for byte.
        threads[thread.at()].link = Link::NONE;
        seeded!(
            LostTail,
            self.join(threads, previous, ThreadIndex::NONE),
            self.join(threads, previous, next)
        );
    }

    /// Makes `next` follow `previous`; none stands for the list itself.
    #[inline]
    fn join<P: Urgencies>(
        &mut self,
        threads: &mut [Thread<P>],
        previous: ThreadIndex,
        next: ThreadIndex,
    ) {
        if previous.is_some() {
            threads[previous.at()].link.next = next;
        } else {
            self.head = next;
        }
        if next.is_some() {
            threads[next.at()].link.previous = previous;
        } else {
            self.tail = previous;
        }
    }

    /// Returns the number of times that a thread is in it; a list that leads back into itself is
    /// cut off.
    #[cfg(feature = "checked")]
    pub(crate) fn count<P: Urgencies>(&self, threads: &[Thread<P>], thread: ThreadIndex) -> usize {
        self.iter(threads).take(threads.len() + 1).filter(|member| *member == thread).count()
    }

    /// Returns the threads in order.
    pub fn iter<'t, P: Urgencies>(
        &self,
        threads: &'t [Thread<P>],
    ) -> impl Iterator<Item = ThreadIndex> + use<'t, P> {
        let some = |thread: ThreadIndex| thread.is_some().then_some(thread);
        core::iter::successors(some(self.head), move |thread| some(threads[thread.at()].link.next))
    }
}
