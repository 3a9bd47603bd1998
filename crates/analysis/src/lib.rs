//! Schedulability tests on task sets, in whole numbers.
//!
//! The mathematics of real-time scheduling without any system around it: a
//! [`TaskSet`] goes in, a [`Verdict`] or response times come out. Three rules
//! hold for everything here.
//!
//! *Whole numbers decide.* Times are `u64` ticks of any clock; sums are checked,
//! and one that does not fit means "not schedulable". Utilizations are compared
//! as exact fractions, never as floats.
//!
//! *A test knows its limits.* Each test is a type that carries its name, source,
//! assumptions and whether it is exact ([`SchedulabilityTest`]). Asking it about a
//! set outside its assumptions is an error that names the task and the
//! assumption; it is not a "no", and certainly not a "yes".
//!
//! *One module for each family.* [`fixed_priority`] has the tests for one core
//! under fixed priorities, [`earliest_deadline`] those under EDF; [`blocking`] has
//! what exclusive resources add; [`generation`] draws random sets;
//! [`partitioned`] has several cores with shared resources, [`global`] jobs that
//! run on any core; [`overheads`] charges what switching and locking cost.
//! [`chains`] adds response times up from end to end; [`compositional`] bounds tasks
//! that release each other, from [`arrivals`] at the sources on.
//! [`supply`] is what is given of a core where somebody else decides about it.
//! [`dag`] has tasks whose jobs are graphs, [`mixed_criticality`] tasks with two execution times,
//! [`event_loops`] threads that serve several sources.
//! [`sensitivity`] says how far times can change; [`registry`] lists all tests by name;
//! [`effort`] ends what takes too long.

pub mod arrivals;
mod assumption;
pub mod blocking;
pub mod chains;
pub mod compositional;
pub mod dag;
pub mod earliest_deadline;
pub mod effort;
pub mod event_loops;
pub mod exact;
pub mod fixed_priority;
pub mod generation;
pub mod global;
pub mod linear;
pub mod mixed_criticality;
pub mod overheads;
pub mod partitioned;
pub mod placement;
pub mod registry;
pub mod sensitivity;
pub mod supply;
mod task_set;
mod test;
mod verdict;
mod windows;

pub use assumption::{Assumption, OutsideAssumptions};
pub use task_set::{InvalidTaskSet, Priority, Request, Section, Task, TaskSet};
pub use test::{Family, Metadata, SchedulabilityTest};
pub use verdict::{Exactness, Verdict};

/// The book's page, so that its example runs.
#[cfg(doctest)]
#[doc = include_str!("../../../book/src/schedulability.md")]
pub struct BookPage;
