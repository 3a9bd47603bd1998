//! Locks over a scheduler's two services, in every interleaving.
//!
//! The algorithms are those that Parmer and Song (2010) print: the pessimistic lock (Algorithm 1),
//! which is a component that is asked each time, and the optimistic one (Algorithms 2 and 3), a
//! word in the client that is taken without anybody's help while nobody waits. As printed they are
//! wrong in four places. Here they are repaired; each [`Defect`] puts one of the errors back, or
//! is one of our own making.
//!
//! A step is what nothing comes between: a read or a compare-and-swap of the word, a body that runs
//! in the component's critical section, a call of the scheduler. Between steps any thread may go
//! on, or, by fixed priorities, the one that the chain of dependencies from the most urgent ends
//! at.

mod algorithm;
mod defect;
mod optimistic;
mod pessimistic;
mod rule;
mod scheduler;
mod search;
mod shipped;
mod system;

pub use defect::Defect;
pub use rule::{Breach, Checked, Rule};
pub use search::{Report, Violation, explore};
pub use system::{Kind, Order, System, systems};
