//! How urgent a thread is, and of what the state is made that goes by that.
//!
//! This half of a policy sees no thread and no queue: threads, gates and cores are made of its
//! types. What a policy does with them is [`Policy`](crate::Policy).

use core::fmt::Debug;
use core::hash::Hash;

use crate::ceiling_stack::HeldCeilings;
use crate::{Protocol, Sizes, Tables, ThreadConfig, Time, Word};

/// The highest effective priority runs, among equals first come first served: what is meant where
/// no other policy is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FixedPriority;

/// How urgent threads are under a policy, and of what its state is made.
pub trait Urgencies: Copy + Debug + Eq + Hash + 'static {
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
    type Ceilings: HeldCeilings;

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
}

/// A gate's place among those that bar others.
pub(crate) type Place<P> = <<P as Urgencies>::Ceilings as HeldCeilings>::Place;
