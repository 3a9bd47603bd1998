//! The meaning of a policy, written anew.
//!
//! The rules of one core are the same under every policy but for these: the urgency of a job and
//! the demand that a gate makes of its holder, the order of ready threads, the gates that keep
//! threads out of more than themselves, and the equality of states.

mod ceilings;
mod deadlines;
mod levels;

use fusee_kernel::{Policy, Protocol, Tables, Time};

use crate::Store;

/// The grounds for a gate's demand.
#[derive(Debug, Clone, Copy)]
pub struct Held<'h> {
    /// The tables of the system.
    pub tables: &'h Tables<'h>,
    /// The gate's protocol.
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

    /// Returns a base priority that a thread is given.
    fn given(priority: u8) -> Self::Urgency;

    /// Returns the urgency of a thread by itself, given its priority and the deadline of its job;
    /// none: the thread has no job, and its own urgency comes from that.
    fn own(priority: u8, deadline: Option<Time>) -> Option<Self::Urgency>;

    /// Returns the demand that a gate makes of its holder by itself.
    fn demands(held: Held<'_>) -> Self::Urgency;

    /// Returns `true` if threads do not take turns with their equals inside a gate.
    fn keeps_turns(protocol: Protocol) -> bool;

    /// Returns the ready threads, most urgent first, as the kernel's queue has them; a queue that
    /// leads back into itself is cut off.
    fn queued(store: &Store<Self>) -> Vec<usize>;

    /// Returns a defect of the ready queue in itself, if there is one.
    fn flaw(store: &Store<Self>) -> Option<String>;

    /// Returns the held gates that bar others, as the kernel has them, the first entered first,
    /// each with the highest ceiling up to it.
    fn stack(store: &Store<Self>) -> Vec<(usize, u8)>;

    /// Adds to a state's encoding what only this policy has in it. New deadlines come after
    /// `since`.
    fn encode(tables: &Tables<'_>, store: &Store<Self>, since: Time, bytes: &mut Vec<u8>);

    /// Returns an urgency in a word or two.
    fn tell(urgency: Self::Urgency) -> String;
}
