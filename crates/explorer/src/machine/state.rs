//! A state of the machine.
//!
//! It is the kernel's state, the registers, what the timer is set to, and where the core is.

use fusee_kernel::{NEVER, Time};

use super::registers::{Kept, Words};
use crate::{Rules, Store, System};

/// The last thing that the code of a frame has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// It has made no call, or has its result.
    Runs,
    /// It has invoked with a slot.
    Invoked(u16),
    /// It has asked for a signal.
    Waited,
    /// It has made a call that gives nothing.
    Called,
    /// It was sent to where nothing is.
    Nowhere,
}

/// The place in user mode at which the core is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At {
    /// The frame in which it runs.
    pub(super) frame: usize,
    /// `true` if traps save registers where nobody needs them.
    pub(super) discards: bool,
}

/// A state of the machine.
#[derive(Debug, Clone)]
pub struct State<P: Rules> {
    /// The kernel's state.
    pub store: Store<P>,
    pub(super) kept: Kept,
    /// The instant that the timer is set to.
    pub(super) armed: Time,
    /// The place at which the core is; none: it sleeps.
    pub(super) at: Option<At>,
    /// The last step of each frame.
    pub(super) last: Vec<Last>,
}

impl<P: Rules> State<P> {
    /// Returns the state in which a system starts: the core sleeps, and the timer is not set.
    pub(super) fn start(system: &System) -> State<P> {
        let tables = &system.tables;
        let store = Store::start(tables).expect("the tables of a system are right");
        let (threads, depth) = (tables.threads.len(), usize::from(tables.depth) + 1);
        let armed = store.expiries.iter().copied().min().unwrap_or(NEVER);
        State {
            store,
            kept: Kept::start(threads, depth),
            armed,
            at: None,
            last: vec![Last::Runs; threads * depth],
        }
    }

    /// Returns `true` if the core is where nothing is.
    pub(super) fn is_nowhere(&self) -> bool {
        self.at.is_some_and(|at| at.discards || self.last[at.frame] == Last::Nowhere)
    }
}

/// Returns the number of the registers that a call of a frame preserves.
pub(super) fn preserved(frame: usize) -> usize {
    1 + frame
}

/// Returns the words in the registers of a frame that is interrupted.
pub(super) fn live(frame: usize) -> Words {
    [1_000 + frame, 1, 2, 3, 4, 5]
}

/// Returns the words with which a frame invokes.
pub(super) fn invoked(frame: usize, slot: u16) -> Words {
    [2_000 + 64 * frame + usize::from(slot), 5, 4, 3, 2, 1]
}

/// Returns the words with which a frame comes back.
pub(super) fn returned(frame: usize) -> Words {
    [4_000 + frame, 6, 7, 8, 9, 10]
}
