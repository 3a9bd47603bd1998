//! A state with its ledger.

use fusee_kernel::{Frame, GateIndex, GateKind, MutexWord, Store, Tables, Time};

use super::ledger::Ledger;
use super::system::System;
use crate::{Rules, frames};

/// A policy whose mutexes are words.
pub trait Worded: Rules<Word = MutexWord> {}

impl<P: Rules<Word = MutexWord>> Worded for P {}

/// The kernel's state, and the beliefs of threads.
#[derive(Debug, Clone)]
pub struct World<P: Worded> {
    /// The kernel's state.
    pub store: Store<P>,
    /// The ledger beside the kernel's state.
    pub ledger: Ledger,
    /// The time that has passed, in ticks.
    pub now: Time,
    /// Frames of a thread, and one.
    depth: usize,
}

impl<P: Worded> World<P> {
    /// Returns the state at the start.
    pub fn start(system: &System) -> Self {
        let tables = &system.tables;
        let store = Store::start(tables).expect("the tables of a system are right");
        let ledger = Ledger::start(tables.threads.len(), tables.gates.len());
        World { store, ledger, now: 0, depth: usize::from(tables.depth) + 1 }
    }

    /// Returns a thread's frames, its home first.
    pub fn frames(&self, thread: usize) -> &[Frame<P>] {
        frames::of_thread(&self.store, self.depth, thread)
    }

    /// Returns the component in which a thread is.
    pub fn component_of(&self, thread: usize) -> usize {
        frames::top(self.frames(thread)).component.at()
    }

    /// Returns `true` if that has died or been restarted since.
    pub fn is_stale(&self, thread: usize) -> bool {
        self.is_stale_frame(frames::top(self.frames(thread)))
    }

    /// Returns `true` if a frame's component has died or been restarted since.
    pub fn is_stale_frame(&self, frame: &Frame<P>) -> bool {
        frames::is_stale(&self.store, frame)
    }

    /// Returns `true` if it is to be put back first.
    pub fn is_unrestored(&self, thread: usize) -> bool {
        self.store.components[self.component_of(thread)].is_unrestored() && !self.is_stale(thread)
    }

    /// Returns `true` if a thread believes to hold a mutex of the component that it is in.
    pub fn holds_here(&self, thread: usize) -> bool {
        let here = self.component_of(thread);
        let mut owners = self.ledger.owners.iter().enumerate();
        owners.any(|(mutex, owners)| {
            self.store.gates[mutex].component.at() == here && owners.contains(&thread)
        })
    }

    /// Returns `true` if a thread that believes to hold a mutex is in a component that is gone.
    pub fn is_gone(&self, thread: usize, mutex: GateIndex) -> bool {
        let component = self.store.gates[mutex.at()].component;
        let mut frames = self.frames(thread).iter().filter(|frame| frame.component == component);
        frames.all(|frame| self.is_stale_frame(frame))
    }
}

/// Returns the tables' mutexes.
pub(super) fn mutexes(tables: &Tables<'_>) -> Vec<usize> {
    let gates = tables.gates.iter().enumerate();
    let mutexes = gates.filter(|(_, gate)| gate.kind == GateKind::Mutex);
    mutexes.map(|(index, _)| index).collect()
}
