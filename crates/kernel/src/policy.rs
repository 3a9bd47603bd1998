//! Who runs: what a policy decides, and what it keeps for that.
//!
//! Gates, frames, notifications, faults and releases are mechanism and the same under every policy.
//! A policy says how urgent a thread is, and keeps the ready threads in that order. The kernel has
//! it as a type parameter, so that a system pays for its own policy only.

use core::fmt::Debug;
use core::hash::Hash;

#[cfg(feature = "checked")]
use crate::Memory;
use crate::ceilings::Ceilings;
use crate::{Core, Protocol, Sizes, Tables, Thread, ThreadConfig, ThreadIndex, Time, Word};

/// A way to choose who runs.
pub trait Policy: Copy + Debug + Eq + Hash + 'static {
    /// How urgent a thread is: more is greater.
    type Urgency: Copy + Debug + Eq + Ord + Hash;
    /// An urgency, or one more, so that it can say that nobody is as urgent.
    type Bound: Copy + Debug + Eq + Ord + Hash;
    /// What a core has at hand of its ready queue, besides how urgent the first is.
    type Words: Copy + Debug + Eq + Hash;
    /// What the ready queue is made of besides.
    type Place: Copy + Debug + Eq + Hash;
    /// What a gate demands of its holder by itself.
    type Ceiling: Copy + Debug + Eq + Hash;

    /// What of that a frame keeps, where it depends on when the gate was taken.
    type Claim: Copy + Debug + Eq + Hash;
    /// What a core keeps of held gates that bar others from more than themselves.
    type Ceilings: Ceilings<Self::Urgency>;

    /// What a mutex has of a word in its component's memory.
    type Word: Word;

    /// Whether there are gates in which nobody takes turns with its equals.
    const PINS: bool = false;
    /// The least urgency.
    const LEAST: Self::Urgency;
    /// Nobody is as urgent as anything.
    const NOTHING: Self::Bound;
    /// Nobody is ready.
    const NO_WORDS: Self::Words;
    /// A place where nobody is.
    const VACANT: Self::Place;
    /// Nothing is demanded.
    const NO_CEILING: Self::Ceiling;
    /// What a frame keeps where nothing is demanded.
    const NO_CLAIM: Self::Claim;

    /// How many places a system needs.
    fn places(sizes: &Sizes) -> usize;

    /// How urgent a thread is before its first job.
    fn base(config: &ThreadConfig) -> Self::Urgency;

    /// A job begins: it says how urgent its thread is, where the policy goes by jobs.
    #[inline(always)]
    fn begin(_: &mut Thread<Self>) {}

    /// Whether gates may have this protocol.
    fn has(protocol: Protocol) -> bool;

    /// Whether a thread keeps the core among its equals while it is inside a gate that claims this.
    #[inline(always)]
    fn pins(_: Self::Claim) -> bool {
        false
    }

    /// Whether a thread of a system may be given this base urgency.
    fn admits(tables: &Tables<'_>, urgency: Self::Urgency) -> bool;

    /// The least bound above an urgency.
    fn above(urgency: Self::Urgency) -> Self::Bound;

    /// The urgency that this is the least bound above, if there is one.
    fn below(bound: Self::Bound) -> Option<Self::Urgency>;

    /// Whether who is below this bound can be more urgent than this.
    fn beats(bound: Self::Bound, urgency: Self::Urgency) -> bool;

    /// Whether who is below this bound is less urgent than this.
    fn is_below(bound: Self::Bound, urgency: Self::Urgency) -> bool;

    /// Whether an urgency is more than another.
    fn exceeds(urgency: Self::Urgency, other: Self::Urgency) -> bool;

    /// Whether an urgency is the same as another.
    fn equals(urgency: Self::Urgency, other: Self::Urgency) -> bool;

    /// An urgency as a record tells it.
    fn told(urgency: Self::Urgency) -> u64;

    /// What a gate of this protocol demands of its holder by itself.
    fn ceiling(tables: &Tables<'_>, protocol: Protocol) -> Self::Ceiling;

    /// How urgent that makes who takes the gate, at an instant after which all releases come that
    /// have not yet come.
    fn demand(ceiling: Self::Ceiling, since: Time) -> Self::Urgency;

    /// What the frame of who takes the gate keeps of that.
    fn claim(ceiling: Self::Ceiling, since: Time) -> Self::Claim;

    /// How urgent a frame of a gate makes its thread.
    fn claimed(claim: Self::Claim, ceiling: Self::Ceiling) -> Self::Urgency;

    /// Puts a released or woken thread behind its equals.
    fn push_back(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex);

    /// Puts a preempted or boosted thread of this effective urgency before its equals.
    fn push_front(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex, urgency: Self::Urgency);

    /// Takes a thread out, wherever it is.
    fn take_out(queue: &mut Queue<'_, '_, Self>, thread: ThreadIndex);

    /// Who is first, if anybody is ready.
    fn first(queue: &Queue<'_, '_, Self>) -> Option<ThreadIndex>;

    /// Takes the first out.
    fn pop(queue: &mut Queue<'_, '_, Self>) -> Option<ThreadIndex>;

    /// How often a thread is in the ready queue, and how often of these in its place.
    #[cfg(feature = "checked")]
    fn count(memory: &Memory<'_, Self>, thread: ThreadIndex) -> (usize, usize);
}

/// A gate's place among those that bar others.
pub(crate) type Place<P> = <<P as Policy>::Ceilings as Ceilings<<P as Policy>::Urgency>>::Place;

/// A core, its ready queue with the places behind it, and who is in them. What works on all of
/// these gets them at once, so that their places are looked up once.
#[derive(Debug)]
pub struct Queue<'q, 'm, P: Policy> {
    pub(crate) core: &'q mut Core<P>,
    /// By way of where they are said to be, which is looked at only by who needs them.
    pub(crate) lists: &'q mut &'m mut [P::Place],
    pub(crate) threads: &'q mut [Thread<P>],
}
