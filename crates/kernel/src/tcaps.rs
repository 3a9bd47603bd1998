//! Temporal capabilities: schedulers that give each other time.
//!
//! An *account* is a budget and a [`Quality`]: one priority for each principal that has a say. A
//! *scheduler* is a thread that dispatches other threads on its accounts, and gives time away:
//! [`delegate`](Dispatcher::delegate) moves budget and makes the receiver's quality as bad as the
//! giver's, never better. What becomes ready by a [`send`](Dispatcher::send) or an interrupt
//! preempts only if all principals in both qualities agree; else its scheduler is told.
//!
//! **A dispatched thread is an ordinary kernel thread whose payer is an account and whose level is
//! that account's root entry.** The kernel's fixed priorities are the root's opinion, and so the
//! ready queue is totally ordered: [`Core::ready`] has every activated thread by its level, who was
//! preempted before its equals, and its first runs. Where a thread is the kernel's own, its account
//! is filled by the kernel and its level is a constant; such a thread may be a scheduler. A system
//! of one of these, with infinite budget, is that of the article (Gadepalli, Gifford, Baier,
//! Kelly, Parmer: Temporal Capabilities, RTSS 2017): its account is Chronos.
//!
//! [`Dispatcher`] knows no gates, no components and no registers. A kernel that has them takes its
//! decisions: who is in [`Core::ready`] is what that kernel queues, by its level; the account is
//! where it charges; and a gate's holder runs on the account of whoever lends to it. Object numbers
//! are those that a capability names, so whether a caller may name them is settled before.
//!
//! A refused operation returns an [`Error`] and has changed nothing. Operations on qualities take
//! at most [`ENTRIES`] steps for each; what else a call costs is said where it is defined.

mod account;
mod chain;
mod decision;
mod delegate;
mod dispatch;
mod dispatcher;
mod error;
mod events;
mod expiry;
mod late;
mod memory;
mod quality;
mod ready;
mod running;
mod send;
mod slot;
mod spans;
#[cfg(feature = "std")]
mod store;
mod tables;
#[cfg(feature = "std")]
mod tree_store;
mod trees;

pub use account::{Account, Funds};
pub use chain::{Chain, Hook};
pub use decision::Decision;
pub use delegate::{Delegation, Transfer};
pub use dispatch::Dispatch;
pub use dispatcher::Dispatcher;
pub use error::Error;
pub use events::{SchedulerEvent, Waited};
pub use memory::{Core, EndPoint, Memory, ON_TIME, Scheduler, Span, Standing};
pub use quality::{ENTRIES, Entry, Principal, Priority, Quality};
pub use running::running;
pub use slot::Slot;
#[cfg(feature = "std")]
pub use store::Store;
pub use tables::{
    AccountConfig, EndPointConfig, Funding, LEVELS, SchedulerConfig, TableError, Tables,
};
#[cfg(feature = "std")]
pub use tree_store::TreeStore;
pub use trees::{TreeKernel, Trees};
