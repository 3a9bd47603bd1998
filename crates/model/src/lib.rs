//! The shared vocabulary: tasks, components, gates, connections.
//!
//! A [`System`] is what a description means once everything in it has been
//! resolved: hierarchy flattened, expressions evaluated, connections joined,
//! times in nanoseconds. It knows nothing of text, of machines or of tests. An
//! [`Origin`] leads back to the description, but only the crate that read the
//! text can follow it.
//!
//! All objects live in vectors of the system and refer to each other by index
//! types ([`TaskId`], [`GateId`], ...), so that the whole is plain data.

mod chain;
mod code;
pub mod costs;
mod defaults;
pub mod derived;
mod effects;
mod events;
mod finding;
mod id;
mod lock_component;
mod lock_uses;
mod named;
mod origin;
mod policy;
mod post_limit;
pub mod priorities;
mod priority;
mod protocol;
mod schedulers;
mod system;
mod task;
mod time;
mod trees;
mod trust;

pub use chain::{Chain, ChainLink, ChainStage, Emissions};
pub use code::*;
pub use defaults::{BACKLOG, DEFAULT_TIME_SLICE};
pub use effects::Access;
pub use id::{ComponentId, ConnectionId, DataportId, DomainId, GateId, NotificationId, TaskId};
pub use lock_component::{LockCall, LockComponent, PRETAKE};
pub use origin::{Origin, Sourced};
pub use policy::Policy;
pub use post_limit::PostLimit;
pub use priority::{Priority, TOP_PRIORITY};
pub use protocol::{Descriptor, Protocol, Raise, Scope, Waiting};
pub use schedulers::{Algorithm, Delegation, LEAST_GIVEN, Scheduler};
pub use system::*;
pub use task::*;
pub use time::{Duration, ParseDurationError, TimeColumn};
