//! What a policy means, written anew.
//!
//! The rules of one core are the same under every policy but for these: how urgent a job is and
//! what a gate demands of its holder, in which order threads are ready, which gates keep others
//! out of more than themselves, and when two states are the same.

mod ceilings;
mod deadlines;
mod levels;

use fusee_kernel::{Policy, Protocol, Tables, Time};

use crate::Store;

/// Why a gate demands what.
#[derive(Debug, Clone, Copy)]
pub struct Held<'h> {
    /// The system.
    pub tables: &'h Tables<'h>,
    /// Its protocol.
    pub protocol: Protocol,
    /// The threads that can come to it.
    pub users: &'h [usize],
    /// When it was taken; all releases up to then had come.
    pub since: Time,
}

/// A policy whose rules are known.
pub trait Rules: Policy {
    /// `true` if states count as different by what a thread has behind it that is idle, or has
    /// waited: the kernel does not look at that any more, and so they need not.
    const REMEMBERS: bool;

    /// A base priority that a thread is given.
    fn given(priority: u8) -> Self::Urgency;

    /// How urgent a thread is by itself, given its priority and the deadline of its job; none: it
    /// has no job, and goes by that.
    fn own(priority: u8, deadline: Option<Time>) -> Option<Self::Urgency>;

    /// What a gate by itself demands of its holder.
    fn demands(held: Held<'_>) -> Self::Urgency;

    /// Returns `true` if nobody takes turns with its equals inside a gate.
    fn keeps_turns(protocol: Protocol) -> bool;

    /// Who is ready, most urgent first, as the kernel's queue has it; a queue that bites its own
    /// tail is cut off.
    fn queued(store: &Store<Self>) -> Vec<usize>;

    /// What is wrong with the ready queue in itself.
    fn flaw(store: &Store<Self>) -> Option<String>;

    /// The held gates that bar others, as the kernel has them, the first entered first, each with
    /// the highest ceiling up to it.
    fn stack(store: &Store<Self>) -> Vec<(usize, u8)>;

    /// Adds to a state's encoding what only this policy has in it. New deadlines come after
    /// `since`.
    fn encode(tables: &Tables<'_>, store: &Store<Self>, since: Time, bytes: &mut Vec<u8>);

    /// An urgency in a word or two.
    fn tell(urgency: Self::Urgency) -> String;
}
