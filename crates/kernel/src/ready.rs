//! A core's ready queue: a bitmap of 256 levels over one list for each level.
//!
//! Insertion, removal and the search for the highest level take constant time: the first of four words that is not zero
//! tells which level. Bits stand in reverse, the highest level lowest, because machines without an instruction for it
//! find the lowest bit of a word in a few steps, but not the highest. The highest level is kept at hand, because every
//! return from a gate compares with it.

use crate::mutation::seeded;
use crate::{Core, List, NEVER, Status, Thread, ThreadIndex, Time};

/// Which levels of a core's ready queue are occupied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ready {
    words: [u64; 4],
    /// One more than the highest occupied level; 0: none.
    top: u16,
}

impl Ready {
    /// No level occupied.
    pub const EMPTY: Ready = Ready { words: [0; 4], top: 0 };

    /// The highest occupied level.
    #[inline]
    pub fn top(&self) -> Option<u8> {
        self.top.checked_sub(1).map(|level| level as u8)
    }

    /// Whether a ready thread has a priority above this one.
    #[inline]
    pub(crate) fn beats(&self, priority: u8) -> bool {
        self.top > u16::from(priority) + 1
    }

    /// Whether all ready threads have a priority below this one.
    #[inline]
    pub(crate) fn is_below(&self, priority: u8) -> bool {
        self.top <= u16::from(priority)
    }

    #[inline]
    fn occupy(&mut self, level: u8) {
        let place = !level;
        let word = (place >> 6) as usize;
        self.words[word] |= 1 << (place & 63);
        self.top = seeded!(LowTop, u16::from(level) + 1, self.top.max(u16::from(level) + 1));
    }

    #[inline(always)]
    fn vacate(&mut self, level: u8) {
        let place = !level;
        let word = (place >> 6) as usize;
        self.words[word] &= !(1 << (place & 63));
        if self.top == u16::from(level) + 1 {
            self.top = self.find_top(word);
        }
    }

    /// One more than the highest occupied level, which is not in a word before this one.
    #[inline(always)]
    fn find_top(&self, first: usize) -> u16 {
        let found = (first..self.words.len()).find(|&word| self.words[word] != 0);
        found.map_or(0, |word| 256 - (word as u16 * 64 + self.words[word].trailing_zeros() as u16))
    }
}

/// A core, its ready queue with the lists behind it, and who is in them. What works on all of these gets them at once, so
/// that their places are looked up once.
pub(crate) struct Queue<'q, 'm> {
    pub(crate) core: &'q mut Core,
    /// By way of where they are said to be, which is looked at only by who needs them.
    pub(crate) lists: &'q mut &'m mut [List],
    pub(crate) threads: &'q mut [Thread],
}

impl Queue<'_, '_> {
    /// Puts a released or woken thread behind its equals.
    pub(crate) fn push_back(&mut self, thread: ThreadIndex) {
        let level = self.threads[thread.at()].effective;
        let list = &mut self.lists[level as usize];
        seeded!(ReleasedInFront, list.push_front(self.threads, thread), list.push_back(self.threads, thread));
        self.core.ready.occupy(level);
    }

    /// Puts a preempted or boosted thread of this effective priority before its equals.
    #[inline(always)]
    pub(crate) fn push_front(&mut self, thread: ThreadIndex, level: u8) {
        let state = &mut self.threads[thread.at()];
        let list = &mut self.lists[level as usize];
        if list.is_empty() {
            list.push_only(state, thread);
            self.core.ready.occupy(level);
        } else {
            list.push_front(self.threads, thread);
        }
    }

    /// Takes a thread out, wherever it is.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, thread: ThreadIndex) {
        let level = self.threads[thread.at()].effective;
        let list = &mut self.lists[level as usize];
        list.remove(self.threads, thread);
        if list.is_empty() {
            self.core.ready.vacate(level);
        }
    }

    /// As [`take_out`](Self::take_out), where it does not matter how long it takes to get there.
    #[inline(never)]
    pub(crate) fn remove(&mut self, thread: ThreadIndex) {
        self.take_out(thread);
    }

    /// Who is first, if this thread is ready: then it waits for nobody.
    #[inline(always)]
    pub(crate) fn first_beside(&self, waits_for: ThreadIndex) -> Option<ThreadIndex> {
        if self.threads.get(waits_for.at())?.status != Status::Ready {
            return None;
        }
        let level = self.core.ready.top()?;
        Some(self.lists.get(level as usize)?.head())
    }

    /// Takes the first of the highest level.
    #[inline(never)]
    pub(crate) fn pop(&mut self) -> Option<ThreadIndex> {
        let level = self.core.ready.top()?;
        let list = &mut self.lists[level as usize];
        let thread = list.head();
        list.pop(self.threads, thread);
        if list.is_empty() {
            self.core.ready.vacate(level);
        }
        Some(thread)
    }

    /// Whether a thread, which exists, may take the core from who runs at once: it beats all others, and pays for itself.
    #[inline(always)]
    pub(crate) fn yields_to(&self, thread: ThreadIndex, running: u8) -> bool {
        let next = &self.threads[thread.at()];
        let beats = running < next.effective && self.core.ready.is_below(next.effective);
        beats && !next.is_exhausted()
    }

    /// Takes from the running thread what it owes when it leaves the core now, and answers when the limit of its time
    /// would have been; none: it does not pay for itself, or would have nothing left, and nothing has changed. Constant
    /// time.
    #[inline(always)]
    pub(crate) fn settle_up(&mut self, now: Time) -> Option<Time> {
        let limit = self.core.limit;
        (!self.core.is_limited() || self.spend(now)).then_some(limit)
    }

    /// Takes what the running thread has used from its own budget and time slice, where it pays for itself and has some
    /// of the budget left. Constant time.
    #[inline(always)]
    pub(crate) fn spend(&mut self, now: Time) -> bool {
        let used = now.saturating_sub(self.core.since);
        let Some(running) = self.threads.get_mut(self.core.current.at()) else { return false };
        if self.core.is_lent() || running.budget <= used {
            return false;
        }
        self.core.since = now;
        // Without a limit there is nothing to take from.
        if running.budget != NEVER {
            running.budget -= used;
        }
        if running.slice != NEVER {
            running.slice = seeded!(UnusedSlice, running.slice, running.slice.saturating_sub(used));
        }
        true
    }

    /// Puts a thread that is in no queue, and has a budget left, on the core, on which there was this limit. Answers
    /// whether there was one, or is one now.
    #[inline(always)]
    pub(crate) fn start(&mut self, now: Time, thread: ThreadIndex, before: Time) -> bool {
        let state = &mut self.threads[thread.at()];
        state.status = Status::Running;
        let limited = state.budget & state.slice & before != NEVER;
        self.core.current = thread;
        self.core.lender = ThreadIndex::NONE;
        self.core.since = now;
        if limited {
            self.core.limit = now.saturating_add(seeded!(EndlessSlice, state.budget, state.budget.min(state.slice)));
        }
        limited
    }
}
