//! Earliest deadline first: a tournament of the ready threads.
//!
//! Each thread has an entry. Inner nodes of a complete binary tree hold the first of their two
//! children, so the root is the thread that runs next. A thread that comes or goes replays the
//! matches above it: exactly log2(threads) steps, whatever the load. Among equal deadlines turns
//! decide: a thread that comes behind its equals gets a turn after all that were given out, one
//! that comes in front a turn before them.

#[cfg(feature = "checked")]
use crate::Memory;
use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::urgency::Urgencies;
use crate::{
    MutexWord, NEVER, Protocol, ServiceWord, Sizes, Tables, Thread, ThreadConfig, ThreadIndex, Time,
};

// One less than the largest number, because `above` adds one and must not wrap around.
/// Above all deadlines.
const TOP: u64 = u64::MAX - 1;

/// The value that records show in place of a deadline where a thread inherits from one that no
/// thread preempts.
pub const NOT_PREEMPTED: Time = NEVER - TOP;

/// Returns the urgency of a deadline: the earlier, the more; no deadline has the least.
const fn urgency(deadline: Time) -> u64 {
    let urgency = NEVER - deadline;
    // A deadline of 0 would come above those that no thread preempts.
    if urgency > TOP { TOP } else { urgency }
}

/// The least urgency that a gate gives to its holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Floor {
    /// The gate demands nothing.
    None,
    /// A deadline no later than this after the gate is taken.
    After(Time),
    /// No thread preempts the holder.
    Top,
}

/// The turns that come next among equals, in front and behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Turns {
    front: i64,
    back: i64,
}

/// A thread's entry, and an inner node of the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct HeapEntry {
    /// The thread's turn among equals; none: it is not ready.
    turn: i64,
    /// The first of those below this node.
    first: ThreadIndex,
}

impl HeapEntry {
    /// Returns the thread's turn among equals: the less, the sooner; none: it is not ready.
    pub fn turn(&self) -> Option<i64> {
        (self.turn != AWAY).then_some(self.turn)
    }

    /// Returns the first of those below this place, taken as an inner node.
    pub fn first(&self) -> ThreadIndex {
        self.first
    }
}

/// No turn: behind all others.
const AWAY: i64 = i64::MAX;

/// The earliest absolute deadline runs, among equals first come first served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EarliestDeadline;

/// Earliest deadline first, with mutexes that are words until a thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeadlineWords;

/// As [`DeadlineWords`], and components may let threads sleep on others' account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeadlineServices;

/// A policy that goes by deadlines, with the word of a mutex. Each is written out, as those that go
/// by levels are: none costs the others anything.
macro_rules! by_deadline {
    ($policy:ident, $word:ty) => {
        impl $policy {
            /// Returns the more urgent of two threads; a thread that is not ready loses. A match of
            /// two ready threads takes equally long whichever wins it: the cost of a path must not
            /// depend on deadlines that happen to be equal.
            #[inline]
            fn winner(
                entries: &[HeapEntry],
                threads: &[Thread<Self>],
                one: ThreadIndex,
                other: ThreadIndex,
            ) -> ThreadIndex {
                let key = |thread: ThreadIndex| match (
                    entries.get(thread.at()),
                    threads.get(thread.at()),
                ) {
                    (Some(&HeapEntry { turn, .. }), Some(state)) if turn != AWAY => {
                        (state.effective, turn)
                    }
                    // A ready thread without a deadline has the least urgency, too, but a turn
                    // before this one.
                    _ => (Self::LEAST, AWAY),
                };
                let ((urgency, turn), (rivals, its)) = (key(one), key(other));
                // `|` and `&` in place of `||` and `&&`: no branch, so the time does not depend on
                // the values.
                let wins = (rivals > urgency) | ((rivals == urgency) & (its < turn));
                if wins { other } else { one }
            }

            /// Plays the matches above a thread's entry; the winner's urgency is then the first's.
            fn replay(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex) {
                let leaves = queue.lists.len();
                let (mut node, mut first) = (leaves + thread.at(), thread);
                while node > 1 {
                    // Leaves are not stored, because a leaf's number says which thread it is.
                    let rival = match (node ^ 1).checked_sub(leaves) {
                        None => queue.lists[node ^ 1].first,
                        Some(leaf) => ThreadIndex(leaf as u16),
                    };
                    first = Self::winner(queue.lists, queue.threads, first, rival);
                    node /= 2;
                    queue.lists[node].first = seeded!(LastLeads, thread, first);
                }
                // Where no thread is ready, one that is away wins all the same.
                let ready = queue.lists.get(first.at()).is_some_and(|entry| entry.turn != AWAY);
                queue.core.ready.top =
                    if ready { Self::above(queue.threads[first.at()].effective) } else { 0 };
            }

            fn enter(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex, turn: i64) {
                queue.lists[thread.at()].turn = turn;
                Self::replay(queue, thread);
            }
        }

        impl Urgencies for $policy {
            type Word = $word;
            type Urgency = u64;
            type Bound = u64;
            type Words = Turns;
            type Place = HeapEntry;
            type Ceiling = Floor;
            type Claim = u64;
            type Ceilings = ();

            const PINS: bool = true;
            const LEAST: u64 = 0;
            const NOTHING: u64 = 0;
            // One apart, so that no turn is given out twice.
            const NO_WORDS: Turns = Turns { front: 0, back: 1 };
            const VACANT: HeapEntry = HeapEntry { turn: AWAY, first: ThreadIndex::NONE };
            const NO_CEILING: Floor = Floor::None;
            // Above all urgencies: a gate with a floor may claim the least, where none of its users
            // has a deadline.
            const NO_CLAIM: u64 = u64::MAX;

            fn places(sizes: &Sizes) -> usize {
                sizes.tree
            }

            fn base(_: &ThreadConfig) -> u64 {
                Self::LEAST
            }

            fn admits(_: &Tables<'_>, urgency: u64) -> bool {
                // The top is that of gates which no thread preempts.
                urgency < TOP
            }

            fn has(protocol: Protocol) -> bool {
                !matches!(protocol, Protocol::Fixed { .. } | Protocol::Ceiling { .. })
            }

            #[inline(always)]
            fn above(urgency: u64) -> u64 {
                urgency + 1
            }

            #[inline(always)]
            fn below(bound: u64) -> Option<u64> {
                bound.checked_sub(1)
            }

            #[inline(always)]
            fn beats(bound: u64, urgency: u64) -> bool {
                bound > urgency + 1
            }

            #[inline(always)]
            fn is_below(bound: u64, urgency: u64) -> bool {
                bound <= urgency
            }

            #[inline(always)]
            fn exceeds(urgency: u64, other: u64) -> bool {
                urgency > other
            }

            #[inline(always)]
            fn equals(urgency: u64, other: u64) -> bool {
                urgency == other
            }

            fn to_record(urgency: u64) -> u64 {
                NEVER - urgency
            }

            fn ceiling(tables: &Tables<'_>, protocol: Protocol) -> Floor {
                match protocol {
                    Protocol::Srp { ceiling } => {
                        // By deadlines a thread's priority is its preemption level, and the ceiling
                        // is the users' highest.
                        let users =
                            tables.threads.iter().filter(|thread| thread.priority == ceiling);
                        Floor::After(users.map(ThreadConfig::least_left).min().unwrap_or(NEVER))
                    }
                    Protocol::NonPreemptive => Floor::Top,
                    Protocol::Propagated
                    | Protocol::Fixed { .. }
                    | Protocol::Ceiling { .. }
                    | Protocol::Inherited
                    | Protocol::Fifo => Floor::None,
                }
            }

            #[inline(always)]
            fn demand(ceiling: Floor, since: Time) -> u64 {
                match ceiling {
                    Floor::None => Self::LEAST,
                    Floor::After(shortest) => {
                        seeded!(LateFloor, Self::LEAST, urgency(since.saturating_add(shortest)))
                    }
                    // Not a deadline of now: a job that wakes with an earlier one, because it is
                    // late, would preempt.
                    Floor::Top => seeded!(NowIsNoTop, urgency(since), TOP),
                }
            }

            #[inline(always)]
            fn claim(ceiling: Floor, since: Time) -> u64 {
                if ceiling == Floor::None { Self::NO_CLAIM } else { Self::demand(ceiling, since) }
            }

            #[inline(always)]
            fn claimed(claim: u64, _: Floor) -> u64 {
                // From the frame and not from the gate: the floor counts from when the gate was
                // taken.
                if claim == Self::NO_CLAIM { Self::LEAST } else { claim }
            }

            #[inline(always)]
            fn pins(claim: u64) -> bool {
                seeded!(RotatedInside, false, claim != Self::NO_CLAIM)
            }
        }

        impl Policy for $policy {
            fn begin(thread: &mut Thread<Self>) {
                thread.base = urgency(thread.deadline);
                // A thread that begins a job is at home and holds nothing, so no other demand
                // counts.
                thread.effective = thread.base;
            }

            fn push_back(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex) {
                let turns = &mut queue.core.ready.words;
                let turn = turns.back;
                // Never given back. Sixty-four bits last longer than any machine runs.
                turns.back += 1;
                Self::enter(queue, thread, turn);
            }

            fn push_front(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex, _: u64) {
                let turns = &mut queue.core.ready.words;
                let turn = turns.front;
                seeded!(FrontIsLast, (), turns.front -= 1);
                Self::enter(queue, thread, turn);
            }

            fn take_out(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex) {
                Self::enter(queue, thread, AWAY);
            }

            fn first(queue: &Queue<'_, '_, Self>) -> Option<ThreadIndex> {
                // The root names a thread also when none is ready.
                queue.core.ready.top()?;
                Some(queue.lists.get(1)?.first)
            }

            fn pop(queue: &mut Queue<'_, '_, Self>) -> Option<ThreadIndex> {
                let first = Self::first(queue)?;
                Self::take_out(queue, first);
                Some(first)
            }

            #[cfg(feature = "checked")]
            fn count(memory: &Memory<'_, Self>, thread: ThreadIndex) -> (usize, usize) {
                let entries = &*memory.levels;
                let (first, ready) = (entries[1].first, entries[thread.at()].turn != AWAY);
                // No ready thread is before the one that is said to be first, which is ready, too.
                let beaten = first == thread
                    || Self::winner(entries, memory.threads, first, thread) == first;
                (usize::from(ready), usize::from(ready && beaten))
            }
        }
    };
}

by_deadline!(EarliestDeadline, ());
by_deadline!(DeadlineWords, MutexWord);
by_deadline!(DeadlineServices, ServiceWord);
