//! The facts about each interface that generated code needs.

use fusee_kernel::{GateIndex, NotificationIndex, ThreadIndex};

/// A component's numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentSlots {
    /// One entry for each interface of the model's component, in its order.
    pub interfaces: Vec<InterfaceSlots>,
    /// One entry for each lock of the model's component, in its order.
    pub locks: Vec<LockSlots>,
    /// The slot of each thread of the system, where it may let threads sleep: nothing for those
    /// that it may not name.
    pub threads: Vec<Option<u16>>,
    /// The gate that sets it up; `None` for a device.
    pub init: Option<GateIndex>,
    /// Its console buffer's position in its domain's windows; `None` for a device.
    pub console: Option<usize>,
}

/// An interface's numbers. Methods are numbered in the order of the model's gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InterfaceSlots {
    /// A provided procedure.
    Provides {
        /// The gate of the method.
        gate: GateIndex,
        /// Only called directly, so that it needs no gate stub.
        direct: bool,
    },
    /// A used procedure that is connected to nothing, or to a device.
    Unconnected,
    /// A used procedure behind a gate.
    Uses {
        /// The gate of the mutex.
        gate: GateIndex,
        /// The slot to invoke.
        slot: u16,
    },
    /// A used procedure that is called directly.
    Calls {
        /// The gate that is passed by.
        gate: GateIndex,
    },
    /// A source of events.
    Emits {
        /// The slots to signal, one for each consumer.
        slots: Vec<u16>,
    },
    /// A sink of events.
    Consumes {
        /// The notification of the event.
        notification: NotificationIndex,
        /// The slot to wait for it.
        slot: u16,
        /// The slot to acknowledge the interrupt behind it, where a device signals it.
        acknowledge: Option<u16>,
        /// The thread that runs its callbacks.
        callback: Option<Callback>,
    },
    /// Shared memory or a device's registers: the position in its domain's windows; `None`:
    /// unconnected.
    Dataport {
        /// Position in the domain's windows.
        window: Option<usize>,
    },
}

/// The thread that runs an event's callbacks: it waits until one is registered, waits for the
/// event, runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Callback {
    /// The number of the thread.
    pub thread: ThreadIndex,
    /// The slot to signal when a callback was registered.
    pub register: u16,
    /// The slot in which the thread waits for a registration.
    pub registered: u16,
}

/// A lock's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockSlots {
    /// The slot to lock and to unlock.
    Mutex {
        /// The slot of the capability.
        slot: u16,
    },
    /// The slots to post and to wait.
    Semaphore {
        /// Slot to signal.
        post: u16,
        /// Slot to wait or poll.
        wait: u16,
    },
}
