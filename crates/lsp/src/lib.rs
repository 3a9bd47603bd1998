//! The language server: what the commands say, while somebody types.
//!
//! It speaks the Language Server Protocol 3.17 over standard input and output. Messages,
//! repairs and bounds are those of `fusee check` and `fusee analyze` on the platform `sim`:
//! the texts of open files stand in the place of the files, and the same code reads them.
//!
//! [`serve`] reads messages one by one; what they change is understood anew before the next
//! question is answered ([`Workspace`](workspace)). Each feature is a function from what is
//! understood to an answer.

mod features;
mod names;
mod places;
mod server;
mod workspace;

pub use server::{serve, serve_on_standard_streams};
