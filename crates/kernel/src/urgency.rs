//! The urgency of threads, and the types of a policy's state.
//!
//! This half of a policy sees no thread and no queue: threads, gates and cores are made of its
//! types. The operations of a policy on them are [`Policy`](crate::Policy).

use core::fmt::Debug;
use core::hash::Hash;

use crate::ceiling_stack::HeldCeilings;
use crate::{Protocol, Sizes, Tables, ThreadConfig, Time, Word};

/// The highest effective priority runs, among equals first come first served: what is meant where
/// no other policy is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedPriority;

/// The order of threads under a policy, and the types of its state.
pub trait Urgencies: Copy + Debug + Eq + Hash + 'static {
    /// The urgency of a thread: more is greater.
    type Urgency: Copy + Debug + Eq + Ord + Hash;
    /// An urgency, or one more, so that it can say that no thread is as urgent.
    type Bound: Copy + Debug + Eq + Ord + Hash;
    /// The part of the ready queue that a core has at hand, besides the urgency of the first
    /// thread.
    type Words: Copy + Debug + Eq + Hash;
    /// The further storage of the ready queue.
    type Place: Copy + Debug + Eq + Hash;
    /// The demand that a gate makes of its holder by itself.
    type Ceiling: Copy + Debug + Eq + Hash;

    /// The part of that demand that a frame keeps, where it depends on when the gate was taken.
    type Claim: Copy + Debug + Eq + Hash;
    /// The core's record of held gates that exclude threads from more gates than themselves.
    type Ceilings: HeldCeilings;

    /// The word of a mutex in its component's memory.
    type Word: Word;

    /// `true` if there are gates in which threads of the same urgency do not take the core from the
    /// holder.
    const PINS: bool = false;
    /// The least urgency.
    const LEAST: Self::Urgency;
    /// The bound of an empty set of threads.
    const NOTHING: Self::Bound;
    /// The words of a queue without ready threads.
    const NO_WORDS: Self::Words;
    /// A place of the ready queue without a thread.
    const VACANT: Self::Place;
    /// Nothing is demanded.
    const NO_CEILING: Self::Ceiling;
    /// The claim of a frame whose gate demands nothing.
    const NO_CLAIM: Self::Claim;

    /// Returns the number of places of the ready queue that a system needs.
    fn places(sizes: &Sizes) -> usize;

    /// Returns the urgency of a thread before its first job.
    fn base(config: &ThreadConfig) -> Self::Urgency;

    /// Returns `true` if gates may have this protocol.
    fn has(protocol: Protocol) -> bool;

    /// Returns `true` if a thread keeps the core among its equals while it is inside a gate with
    /// this claim.
    #[inline(always)]
    fn pins(_: Self::Claim) -> bool {
        false
    }

    /// Returns `true` if a thread of a system may be given this base urgency.
    fn admits(tables: &Tables<'_>, urgency: Self::Urgency) -> bool;

    /// Returns the least bound above an urgency.
    fn above(urgency: Self::Urgency) -> Self::Bound;

    /// Returns the urgency that this is the least bound above, if there is one.
    fn below(bound: Self::Bound) -> Option<Self::Urgency>;

    /// Returns `true` if a thread below this bound can be more urgent than this.
    fn beats(bound: Self::Bound, urgency: Self::Urgency) -> bool;

    /// Returns `true` if each thread below this bound is less urgent than this.
    fn is_below(bound: Self::Bound, urgency: Self::Urgency) -> bool;

    /// Returns `true` if an urgency is greater than another.
    fn exceeds(urgency: Self::Urgency, other: Self::Urgency) -> bool;

    /// Returns `true` if an urgency equals another.
    fn equals(urgency: Self::Urgency, other: Self::Urgency) -> bool;

    /// Returns the value of an urgency in a record.
    fn to_record(urgency: Self::Urgency) -> u64;

    /// Returns the demand that a gate of this protocol makes of its holder by itself.
    fn ceiling(tables: &Tables<'_>, protocol: Protocol) -> Self::Ceiling;

    /// Returns the urgency that the demand gives to the thread that takes the gate, at an instant
    /// after which all releases come that have not yet come.
    fn demand(ceiling: Self::Ceiling, since: Time) -> Self::Urgency;

    /// Returns the part of the demand that the frame of the new holder keeps.
    fn claim(ceiling: Self::Ceiling, since: Time) -> Self::Claim;

    /// Returns the urgency that a frame of a gate gives to its thread.
    fn claimed(claim: Self::Claim, ceiling: Self::Ceiling) -> Self::Urgency;
}

/// A gate's place among those that bar others.
pub(crate) type Place<P> = <<P as Urgencies>::Ceilings as HeldCeilings>::Place;
