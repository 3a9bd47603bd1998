//! The result of a step.

use fusee_kernel::tcaps::{Error, Waited};

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is done.
    Done,
    /// A scheduler has received.
    Received(Waited),
    /// The kernel has refused it.
    Refused,
    /// The schedulers' rules have.
    Denied(Error),
}
