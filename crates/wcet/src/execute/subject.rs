//! The subject of an execution: program, machine, and assumptions.

use super::granted::Facts;
use crate::setting::Setting;

/// A program on a machine, with what may be assumed about it.
#[derive(Debug)]
pub struct Subject<'p, M> {
    /// The program, with what is known of its memory.
    pub setting: Setting<'p>,
    /// The machine whose time is counted.
    pub machine: &'p M,
    /// Facts that may be assumed without proof.
    pub facts: &'p Facts,
}

// Derived, these would ask for machines that can be copied.
impl<M> Clone for Subject<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Subject<'_, M> {}
