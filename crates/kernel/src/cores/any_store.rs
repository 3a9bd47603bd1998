//! The state of one core's kernel, whatever its policy.
//!
//! Each core of a system may have a policy of its own. The state that cores share does not depend
//! on policies, so a host keeps each core's state in the type of its policy, and looks up the
//! policy where it takes a step there.

use core::any::Any;

use crate::{CeilingServices, CeilingWords, Component, DeadlineServices, DeadlineWords};
use crate::{EarliestDeadline, FixedPriority, LockServices, MutexWords, Notification, Policy};
use crate::{PriorityCeiling, ResumeReason, Status, Store, Tables, ThreadIndex, Time};

/// A state under any policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyStore {
    /// The state of a kernel with fixed priorities.
    FixedPriority(Store<FixedPriority>),
    /// Fixed priorities with gates of the priority ceiling protocol.
    PriorityCeiling(Store<PriorityCeiling>),
    /// The state of a kernel with earliest deadline first.
    EarliestDeadline(Store<EarliestDeadline>),
    /// Fixed priorities with mutexes that are words.
    MutexWords(Store<MutexWords>),
    /// The same with components that let threads sleep.
    LockServices(Store<LockServices>),
    /// Mutexes that are words, beside gates of the priority ceiling protocol.
    CeilingWords(Store<CeilingWords>),
    /// The same with components that let threads sleep.
    CeilingServices(Store<CeilingServices>),
    /// Earliest deadline first with mutexes that are words.
    DeadlineWords(Store<DeadlineWords>),
    /// The same with components that let threads sleep.
    DeadlineServices(Store<DeadlineServices>),
}

/// Evaluates an expression on a state, whatever its policy.
#[macro_export]
macro_rules! each_store {
    ($any:expr, $store:ident => $what:expr) => {
        match $any {
            $crate::cores::AnyStore::FixedPriority($store) => $what,
            $crate::cores::AnyStore::PriorityCeiling($store) => $what,
            $crate::cores::AnyStore::EarliestDeadline($store) => $what,
            $crate::cores::AnyStore::MutexWords($store) => $what,
            $crate::cores::AnyStore::LockServices($store) => $what,
            $crate::cores::AnyStore::CeilingWords($store) => $what,
            $crate::cores::AnyStore::CeilingServices($store) => $what,
            $crate::cores::AnyStore::DeadlineWords($store) => $what,
            $crate::cores::AnyStore::DeadlineServices($store) => $what,
        }
    };
}

impl AnyStore {
    /// Becomes as another one, in the memory that it has where both have the same policy.
    pub fn copy_from(&mut self, other: &Self) {
        each_store!(other, source => match self.of_mut(source) {
            Some(store) => store.copy_from(source),
            // Only where the policies differ, which costs new memory.
            None => *self = other.clone(),
        });
    }

    /// This state, if it is under the same policy as another.
    pub fn of<P: Policy>(&self, _: &Store<P>) -> Option<&Store<P>> {
        each_store!(self, store => (store as &dyn Any).downcast_ref())
    }

    fn of_mut<P: Policy>(&mut self, _: &Store<P>) -> Option<&mut Store<P>> {
        each_store!(self, store => (store as &mut dyn Any).downcast_mut())
    }

    /// Returns the running thread.
    pub fn running(&self) -> Option<usize> {
        each_store!(self, store => store.running())
    }

    /// Returns the status of a thread.
    pub fn status(&self, thread: usize) -> Status {
        each_store!(self, store => store.threads[thread].status)
    }

    /// Returns the reason for which a thread resumes when it runs next.
    pub fn reason(&self, thread: usize) -> ResumeReason {
        each_store!(self, store => store.threads[thread].reason)
    }

    /// Returns the number of gates that a thread has passed and not come back from.
    pub fn depth(&self, thread: usize) -> u8 {
        each_store!(self, store => store.threads[thread].depth())
    }

    /// As [`Store::component_of`].
    pub fn component_of(&self, tables: &Tables<'_>, thread: usize) -> usize {
        each_store!(self, store => store.component_of(tables, thread))
    }

    /// Returns the scheduled thread; none: the core idles.
    pub fn current(&self) -> ThreadIndex {
        each_store!(self, store => store.cores[0].current)
    }

    /// When what the running thread may use ends.
    pub fn limit(&self) -> Time {
        each_store!(self, store => store.cores[0].limit)
    }

    /// Returns the state of all notifications.
    pub fn notifications(&self) -> &[Notification] {
        each_store!(self, store => &store.notifications)
    }

    /// Returns the state of all components.
    pub fn components(&self) -> &[Component] {
        each_store!(self, store => &store.components)
    }

    /// As [`Store::asks_again`].
    pub fn asks_again(&self, thread: usize) -> bool {
        each_store!(self, store => store.asks_again(thread))
    }
}

/// One for each policy.
macro_rules! from {
    ($($policy:ident)*) => {
        $(impl From<Store<$policy>> for AnyStore {
            fn from(store: Store<$policy>) -> AnyStore {
                AnyStore::$policy(store)
            }
        })*
    };
}

from!(FixedPriority PriorityCeiling EarliestDeadline MutexWords LockServices);
from!(CeilingWords CeilingServices DeadlineWords DeadlineServices);
