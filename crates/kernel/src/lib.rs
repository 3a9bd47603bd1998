//! The kernel's decisions as one pure state machine.
//!
//! A thread invokes a gate, a timer fires, a component faults: each is an event that [`Kernel`]
//! takes with the time at which it happens. Each answers with an [`Outcome`]: the thread that runs
//! next, the reason for which it resumes, and the time at which the timer must fire. The machine
//! around it saves registers, copies messages and switches address spaces. The same code boots on a
//! board, runs under virtual time in the simulator and is explored state by state on the host, so
//! it knows no architecture, allocates nothing and cannot panic on what a component passes to it.
//!
//! A refused operation returns an [`Error`] and has changed nothing. No operation costs more than
//! the declared nesting depth and the waiters of one gate allow; each says so where it is defined.
#![no_std]
#![cfg_attr(
    not(feature = "mutations"),
    allow(
        clippy::no_effect,
        clippy::nonminimal_bool,
        clippy::unnecessary_min_or_max,
        reason = "where no defect can be seeded, what is right stands alone, and may be nothing"
    )
)]

// A machine has no `std`. A seeded defect is kept for each thread of the host, and a host keeps the
// memory in vectors.
#[cfg(any(test, feature = "mutations", feature = "std"))]
extern crate std;

mod adopt;
mod budget;
mod ceiling_stack;
mod ceilings;
mod coded;
pub mod cores;
mod deadlines;
mod depend;
mod error;
pub mod exchange;
mod fault;
mod flow;
mod funding;
mod index;
#[cfg(feature = "checked")]
// It counts queues thread by thread. Only a kernel that checks itself may take so long.
mod invariants;
mod invoke;
mod kernel;
mod layout;
mod levels;
mod link;
mod list;
mod memory;
mod mutation;
mod next;
mod notify;
mod policy;
mod priority;
mod queue;
mod ready;
mod release;
mod return_;
mod schedule;
#[cfg(feature = "std")]
mod store;
mod tables;
pub mod tcaps;
mod thread;
mod timer;
mod trace;
mod urgency;
mod word;
mod word_tables;

pub use ceiling_stack::{CeilingPlace, CeilingStack, HeldCeilings};
pub use ceilings::Ceilings;
pub use deadlines::{
    DeadlineServices, DeadlineWords, EarliestDeadline, Floor, HeapEntry, NOT_PREEMPTED, Turns,
};
pub use error::{Error, Failure};
pub use flow::{Changed, Flow, Heard, Listener, NextChosen};
pub use index::{
    AccountIndex, ComponentIndex, GateIndex, GlobalIndex, MailboxIndex, NotificationIndex,
    RestartIndex, SchedulerIndex, SeatIndex, StackIndex, ThreadIndex,
};
#[cfg(feature = "checked")]
pub use invariants::Broken;
pub use kernel::{ContextSwitch, Event, GateReturn, Kernel, Outcome, Passage};
pub use layout::Layout;
pub use levels::{CeilingServices, CeilingWords, LockServices, MutexWords, PriorityCeiling};
pub use link::Link;
pub use list::List;
pub use memory::{Component, Core, Gate, Memory, Notification};
#[cfg(feature = "mutations")]
pub use mutation::Mutation;
pub use next::Next;
pub use policy::Policy;
pub use ready::Ready;
#[cfg(feature = "std")]
pub use store::Store;
pub use tables::{
    Budget, Capability, ComponentConfig, GateConfig, GateKind, NEVER, NotificationConfig,
    NotificationKind, OnFault, Overrun, PRIORITIES, Protocol, ProtocolKind, Release, Sizes,
    TableError, Tables, ThreadConfig, Time,
};
pub use thread::{Delivery, Frame, ResumeError, ResumeReason, Status, Thread};
pub use trace::{Kind, Object, Record, Sink};
pub use urgency::{FixedPriority, Urgencies};
pub use word::{MutexWord, ServiceWord, Word};
