//! The search's view of a lock's algorithm.

use std::hash::Hash;

use super::Defect;
use super::rule::{Breach, Checked};
use super::scheduler::{Scheduler, Thread};
use super::system::System;

/// A lock, its threads, and what each does next.
pub(super) trait Algorithm: Clone + Eq + Hash {
    fn start(system: &System) -> Self;

    fn scheduler(&mut self) -> &mut Scheduler;

    /// Returns `true` if a thread's next step is one in the component's critical section.
    fn is_before_section(&self, thread: Thread) -> bool;

    /// Takes a thread's next step, and returns a description of it.
    fn step(&mut self, thread: Thread, defects: &[Defect]) -> Result<&'static str, Breach>;

    /// Checks the rules on a state.
    fn check(&self) -> Checked;
}
