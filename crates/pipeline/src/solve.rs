//! A choice of priorities, protocols, cores and budgets under which all holds.
//!
//! A search judges choices as changed systems; its answer is written into the text of the
//! description, read again and analyzed again, and that is what is told. Three searches share the
//! work. One over cores and protocols, with Audsley's order inside, decides: it finds a choice or
//! shows that there is none (modules `decide` and `order`, and `class` for what that rests on). One
//! among small changes finds what differs least from the description (module `nearest`), and what a
//! solution from scratch changes without need is taken back (module `back`). Where nothing exists,
//! deadlines that contradict each other are told (module `conflict`). Nobody's work is changed: an
//! execution time that would help is told and never written.
//!
//! The effort is counted in analyses of one task, so that every machine gives the same answer.

mod answer;
mod back;
mod chosen;
mod class;
mod command;
mod conflict;
mod decide;
mod freedom;
mod json;
mod judge;
mod known;
mod nearest;
mod order;
mod packed;
pub(crate) mod placement;
mod refusal;
mod said;
mod setting;
mod suspending;
mod text;
mod written;

pub use answer::{Answer, Asked, Prefer, Promise, Solution, Solved};
pub use command::run;
pub use conflict::{Conflict, Relaxation};
pub use freedom::Names;
pub use refusal::Refusal;
pub use setting::{Choice, KINDS, Setting, Subject};
pub use text::{Edit, Rewritten, Written};
