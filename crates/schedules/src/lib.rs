//! Legal schedules of task sets, to hold schedulability tests against.
//!
//! A test that accepts a set promises that no legal schedule misses a deadline. Here such
//! schedules are drawn: jobs that come as soon and take as long as they may, all at once or at any
//! offsets, and jobs that come later and take less, under a scheduler with its locks
//! ([`Protocol`]; [`SCHEDULERS`] lists those that are here, anybody's own one will do).
//! [`refute`] looks for one that misses a limit. That it finds none proves nothing; that it finds
//! one proves that the test, or the schedule, is wrong.
//!
//! Nothing is shared with the analysis but what a task set is.

mod base;
mod clusters;
mod mrsp;
mod omlp;
mod phase_fair;
mod program;
mod random;
mod refute;
mod run;
mod schedulers;
mod spin;
mod suspend;
mod world;

pub use base::Base;
pub use clusters::Clusters;
pub use mrsp::{Mrsp, MrspMoving};
pub use omlp::{Donation, Token};
pub use phase_fair::PhaseFair;
pub use random::Random;
pub use refute::{LOADS, Miss, Runs, refute};
pub use run::{Load, simulate};
pub use schedulers::{SCHEDULERS, Scheduler, Unfit, by_name, drawable};
pub use spin::{Order, SpinLock};
pub use suspend::{Dpcp, Fmlp, Mpcp, VirtualSpinning};
pub use world::{Job, Protocol, Rank, Step, World};
