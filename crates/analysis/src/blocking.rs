//! Blocking by exclusive resources on one core: the tasks, and the times.
//!
//! [`protocols`] finds the sections that can block under each protocol and adds them
//! up; for priority inheritance that needs a [selection](matching). The tests put
//! the terms into response-time analysis. EDF's blocking depends on the interval and
//! is in [`crate::earliest_deadline::srp`].

pub mod protocols;
mod selection;
mod tests_of_protocols;

pub use selection::{Section, closed_form, matching};
pub use tests_of_protocols::{
    IMMEDIATE_CEILING, NON_PREEMPTIVE_SECTIONS, PRIORITY_CEILING, PRIORITY_INHERITANCE,
    PRIORITY_INHERITANCE_MATCHING, STACK_RESOURCE, TESTS, WithResources,
};

#[cfg(test)]
mod tests;
