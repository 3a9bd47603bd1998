//! The ready queue under fixed priorities: a list for each level, and a bitmap.
//!
//! Insertion, removal and the search for the highest level take constant time: the first of four
//! words that is not zero tells which level. Bits stand in reverse, the highest level lowest,
//! because machines without an instruction for it find the lowest bit of a word in a few steps, but
//! not the highest. The highest level is kept at hand, because every return from a gate compares
//! with it.

#[cfg(feature = "checked")]
use crate::Memory;
use crate::ceiling_stack::{CeilingStack, HeldCeilings};
use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::ready::Ready;
use crate::urgency::{FixedPriority, Urgencies};
use crate::{
    List, MutexWord, Protocol, ServiceWord, Sizes, Tables, ThreadConfig, ThreadIndex, Time,
};

/// Fixed priorities, with gates of the priority ceiling protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PriorityCeiling;

/// Fixed priorities, with mutexes that are words until a thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MutexWords;

/// As [`MutexWords`], and components may let threads sleep on others' account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LockServices;

/// Fixed priorities, with gates of the priority ceiling protocol and mutexes that are words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CeilingWords;

/// As [`CeilingWords`], and components may let threads sleep on others' account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CeilingServices;

/// A policy that goes by levels, with what a core keeps of gates that bar others. Each is written
/// out, and none an instance of something generic: that would be compiled where it is used, and
/// the code of the one would depend on there being the other.
macro_rules! by_level {
    ($policy:ident, $ceilings:ty, $word:ty) => {
        impl Ready<$policy> {
            #[inline]
            fn occupy(&mut self, level: u8) {
                // Reversed, because the lowest bit is the one that is found quickly.
                let place = !level;
                let word = (place >> 6) as usize;
                self.words[word] |= 1 << (place & 63);
                self.top =
                    seeded!(LowTop, u16::from(level) + 1, self.top.max(u16::from(level) + 1));
            }

            #[inline(always)]
            fn vacate(&mut self, level: u8) {
                let place = !level;
                let word = (place >> 6) as usize;
                self.words[word] &= !(1 << (place & 63));
                // Only the end of the highest level moves the top, and above it no bit is set: the
                // search begins at its own word.
                if self.top == u16::from(level) + 1 {
                    self.top = self.find_top(word);
                }
            }

            /// One more than the highest occupied level, which is not in a word before this one.
            #[inline(always)]
            fn find_top(&self, first: usize) -> u16 {
                let found = (first..self.words.len()).find(|&word| self.words[word] != 0);
                // The reverse of the place, as a bound: level 255 is at place 0 and has the bound
                // 256.
                found.map_or(0, |word| {
                    256 - (word as u16 * 64 + self.words[word].trailing_zeros() as u16)
                })
            }
        }

        impl Urgencies for $policy {
            type Urgency = u8;
            type Bound = u16;
            type Words = [u64; 4];
            type Place = List;
            type Ceiling = u8;
            type Claim = ();
            type Ceilings = $ceilings;
            type Word = $word;

            const LEAST: u8 = 0;
            const NOTHING: u16 = 0;
            const NO_WORDS: [u64; 4] = [0; 4];
            const VACANT: List = List::EMPTY;
            const NO_CEILING: u8 = 0;
            const NO_CLAIM: () = ();

            fn places(sizes: &Sizes) -> usize {
                sizes.levels
            }

            fn base(config: &ThreadConfig) -> u8 {
                config.priority
            }

            fn admits(tables: &Tables<'_>, priority: u8) -> bool {
                u16::from(priority) < tables.levels
            }

            #[inline(always)]
            fn beats(bound: u16, priority: u8) -> bool {
                // A bound is one more than a level. Sixteen bits hold it for 255 as well.
                bound > u16::from(priority) + 1
            }

            #[inline(always)]
            fn is_below(bound: u16, priority: u8) -> bool {
                bound <= u16::from(priority)
            }

            #[inline(always)]
            fn below(bound: u16) -> Option<u8> {
                bound.checked_sub(1).map(|level| level as u8)
            }

            #[inline(always)]
            fn exceeds(priority: u8, other: u8) -> bool {
                priority > other
            }

            #[inline(always)]
            fn equals(priority: u8, other: u8) -> bool {
                priority == other
            }

            fn has(protocol: Protocol) -> bool {
                match protocol {
                    Protocol::Srp { .. } | Protocol::NonPreemptive => false,
                    // Asked of the record of ceilings: a policy without one would let such a gate
                    // bar no thread.
                    Protocol::Ceiling { .. } => <$ceilings as HeldCeilings>::bars(
                        &<$ceilings as HeldCeilings>::place(protocol),
                    ),
                    _ => true,
                }
            }

            #[inline(always)]
            fn above(priority: u8) -> u16 {
                u16::from(priority) + 1
            }

            #[inline(always)]
            fn to_record(priority: u8) -> u64 {
                u64::from(priority)
            }

            #[inline(always)]
            fn ceiling(_: &Tables<'_>, protocol: Protocol) -> u8 {
                // Not the ceiling: a `ceiling` gate raises its holder only when a thread waits.
                protocol.floor()
            }

            #[inline(always)]
            fn demand(ceiling: u8, _: Time) -> u8 {
                ceiling
            }

            #[inline(always)]
            fn claim(_: u8, _: Time) {}

            #[inline(always)]
            fn claimed((): (), ceiling: u8) -> u8 {
                ceiling
            }
        }

        impl Policy for $policy {
            fn push_back(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex) {
                let level = queue.threads[thread.at()].effective;
                let list = &mut queue.lists[level as usize];
                seeded!(
                    ReleasedInFront,
                    list.push_front(queue.threads, thread),
                    list.push_back(queue.threads, thread)
                );
                queue.core.ready.occupy(level);
            }

            #[inline(always)]
            fn push_front(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex, level: u8) {
                let state = &mut queue.threads[thread.at()];
                let list = &mut queue.lists[level as usize];
                // Where others are ready at this level, its bit is set already.
                if list.is_empty() {
                    list.push_only(state, thread);
                    queue.core.ready.occupy(level);
                } else {
                    list.push_front(queue.threads, thread);
                }
            }

            #[inline(always)]
            fn take_out(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex) {
                // By the present urgency: whoever changes that takes the thread out first.
                let level = queue.threads[thread.at()].effective;
                let list = &mut queue.lists[level as usize];
                list.remove(queue.threads, thread);
                if list.is_empty() {
                    queue.core.ready.vacate(level);
                }
            }

            #[inline(always)]
            fn first(queue: &Queue<'_, '_, Self>) -> Option<ThreadIndex> {
                let level = queue.core.ready.top()?;
                Some(queue.lists.get(level as usize)?.head())
            }

            #[inline(always)]
            fn pop(queue: &mut Queue<'_, '_, Self>) -> Option<ThreadIndex> {
                let level = queue.core.ready.top()?;
                let list = &mut queue.lists[level as usize];
                let thread = list.head();
                list.pop(queue.threads, thread);
                if list.is_empty() {
                    queue.core.ready.vacate(level);
                }
                Some(thread)
            }

            #[cfg(feature = "checked")]
            fn count(memory: &Memory<'_, Self>, thread: ThreadIndex) -> (usize, usize) {
                let level = memory.threads[thread.at()].effective as usize;
                let in_list = |list: &List| list.count(memory.threads, thread);
                (
                    // In all lists, because a thread that is left behind in a second one is the
                    // defect to find.
                    memory.levels.iter().map(in_list).sum(),
                    memory.levels.get(level).map_or(0, in_list),
                )
            }
        }
    };
}

by_level!(FixedPriority, (), ());
by_level!(PriorityCeiling, CeilingStack, ());
by_level!(MutexWords, (), MutexWord);
by_level!(LockServices, (), ServiceWord);
by_level!(CeilingWords, CeilingStack, MutexWord);
by_level!(CeilingServices, CeilingStack, ServiceWord);
