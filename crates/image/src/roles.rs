//! The roles of an image's objects, as the manifest says them.
//!
//! The build writes the words and the verifier reads them back, of an image that
//! may be anybody's: a word that is none is refused where the names are read.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The role of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ThreadRole {
    /// A task of the description.
    Task,
    /// It serves an event with a callback.
    Callback,
    /// It sets all components up.
    Boot,
}

/// The role of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum GateRole {
    /// A provided interface.
    Interface,
    /// A component is set up through it.
    Init,
    /// A lock of a component.
    Mutex,
    /// Threads wait there that sleep on a thread's account.
    Thread,
    /// Requests of a core at a gate between cores.
    Between,
}

impl fmt::Display for GateRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            GateRole::Interface => "interface",
            GateRole::Init => "init",
            GateRole::Mutex => "mutex",
            GateRole::Thread => "thread",
            GateRole::Between => "between",
        })
    }
}

/// The role of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NotificationRole {
    /// An event of the description.
    Event,
    /// A semaphore of a component.
    Semaphore,
    /// A mutex of a component that outlives the invocation that locked it.
    Held,
    /// A callback was registered.
    Registration,
    /// A core's turn at a gate between cores.
    Turn,
}
