//! The schedulers of a kernel in vectors, for hosts: to be copied and compared.

use std::vec;
use std::vec::Vec;

use super::{Store, TableError, Tables, Trees};
use crate::policy::Policy;
use crate::{Kernel, NEVER, Sink, ThreadIndex, Time};

/// All that a kernel has besides its own state where there are schedulers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeStore {
    /// The dispatcher's state.
    pub dispatcher: Store,
    /// When each scheduler wants to be woken while it waits.
    pub alarms: Vec<Time>,
    alarm: Time,
    placed: ThreadIndex,
}

impl TreeStore {
    /// Starts the schedulers of a kernel that has just started.
    ///
    /// # Errors
    /// Those of [`Trees::start`].
    pub fn start<P: Policy, S: Sink>(
        kernel: &mut Kernel<'_, P, S>,
        tables: &Tables<'_>,
    ) -> Result<Self, TableError> {
        let mut dispatcher = Store::start(tables)?;
        let mut alarms = vec![NEVER; tables.schedulers.len()];
        let trees = Trees::start(kernel, (*tables, dispatcher.memory()), &mut alarms)?;
        // Copied out: `trees` refers to the vectors, which are moved into the store.
        let (alarm, placed) = (trees.alarm, trees.placed);
        Ok(TreeStore { dispatcher, alarms, alarm, placed })
    }

    /// Runs something on the schedulers, whose tables these are.
    pub fn with<T>(&mut self, tables: &Tables<'_>, run: impl FnOnce(&mut Trees<'_>) -> T) -> T {
        let mut trees = Trees {
            dispatcher: self.dispatcher.dispatcher(tables),
            alarms: &mut self.alarms,
            alarm: self.alarm,
            placed: self.placed,
        };
        let answer = run(&mut trees);
        (self.alarm, self.placed) = (trees.alarm, trees.placed);
        answer
    }
}
