//! Everything that a booted system has by number, the model's own first.

use crate::memory::Window;
use crate::{ComponentSlots, Objects};
use fusee_kernel::{ComponentIndex, GateIndex, NotificationIndex, ThreadIndex};
use fusee_model::{ComponentId, GateId, NotificationId, TaskId};

/// A booted system's objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// The objects that the kernel gets. Release offsets include the start-up time.
    pub objects: Objects,
    /// The role of each thread.
    pub threads: Vec<ThreadRole>,
    /// The role of each gate.
    pub gates: Vec<GateRole>,
    /// The role of each notification.
    pub notifications: Vec<NotificationRole>,
    /// The role of each interrupt.
    pub interrupts: Vec<Interrupt>,
    /// Numbers for each of the model's components.
    pub components: Vec<ComponentSlots>,
    /// The model's domains, then the boot domain.
    pub domains: Vec<Domain>,
    /// Events that the boot thread signals at its end: each begins the first job of a thread that
    /// loops, in which it sets itself up and waits.
    pub set_up: Vec<NotificationIndex>,
    /// Time from power-on to the reported time 0, in nanoseconds.
    pub startup: u64,
    /// Tasks that only something outside of the system could release; they are released as densely
    /// as they may be.
    pub unsignalled: Vec<TaskId>,
}

/// The role of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadRole {
    /// A task's.
    Task(TaskId),
    /// Runs the callbacks of an event.
    Callback {
        /// The component that consumes.
        component: ComponentId,
        /// Position of the consumed interface.
        interface: usize,
    },
    /// Sets all components up.
    Boot,
}

/// The role of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateRole {
    /// Behind a provided interface.
    Interface(GateId),
    /// Sets a component up.
    Init(ComponentId),
    /// Between cores: a request at a provided interface, as its core has it.
    Between(GateId),
    /// A mutex: it is locked, never entered, and has no stack in memory.
    Mutex {
        /// The component of the mutex.
        component: ComponentId,
        /// Position in the component's [`Code::locks`](fusee_model::Code).
        lock: usize,
    },
    /// Threads wait at it that sleep on a thread's account: as a mutex it is never entered.
    Thread {
        /// Through which component.
        component: ComponentId,
        /// The thread on whose account they sleep.
        thread: ThreadIndex,
    },
}

/// The role of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationRole {
    /// A consumed event.
    Event(NotificationId),
    /// The notification of a semaphore.
    Semaphore {
        /// The component of the semaphore.
        component: ComponentId,
        /// Position in the component's [`Code::locks`](fusee_model::Code).
        lock: usize,
        /// The first value.
        initial: u32,
    },
    /// A mutex that outlives the invocation that locked it: a notification with one signal, which
    /// the holder keeps.
    Held {
        /// The component of the event.
        component: ComponentId,
        /// Position in the component's [`Code::locks`](fusee_model::Code).
        lock: usize,
    },
    /// Signalled when a callback was registered.
    Registration {
        /// The component that consumes.
        component: ComponentId,
        /// Position of the consumed interface.
        interface: usize,
    },
    /// The turn of a core's tasks at a gate between cores.
    Turn(GateId),
}

/// An interrupt of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interrupt {
    /// Its number at the interrupt controller.
    pub line: u16,
    /// The event's notification.
    pub notification: NotificationIndex,
}

/// A protection domain of the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// Its name: the group's, or the component's; `boot` for the last.
    pub name: String,
    /// The start of its 16 MiB of addresses.
    pub base: u64,
    /// The kernel's components in it, devices left out.
    pub components: Vec<ComponentIndex>,
    /// Its shared memory, device registers and console buffers.
    pub windows: Vec<Window>,
}

impl Machine {
    /// Returns the boot domain's position.
    pub fn boot_domain(&self) -> usize {
        self.domains.len() - 1
    }

    /// Returns the domain of a kernel's component; a device has none.
    pub fn domain_of(&self, component: ComponentIndex) -> Option<usize> {
        self.domains.iter().position(|domain| domain.components.contains(&component))
    }

    /// Returns the gates that the boot thread passes in each phase: slot i of the boot domain is
    /// the i-th.
    pub fn init_gates(&self) -> impl Iterator<Item = (GateIndex, ComponentId)> + '_ {
        self.gates.iter().enumerate().filter_map(|(index, role)| match role {
            GateRole::Init(component) => Some((GateIndex(index as u16), *component)),
            _ => None,
        })
    }
}
