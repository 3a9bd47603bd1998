//! The build's tables, which never change.
//!
//! The kernel creates nothing at run time, so all threads, gates, notifications, components,
//! capabilities and limits come as slices that the build has made. They are checked once, by
//! [`Tables::check`] at [`Kernel::start`]; after that every index found in them is trusted.
//!
//! [`Kernel::start`]: crate::Kernel::start

use crate::{ComponentIndex, GateIndex, NotificationIndex, ThreadIndex};

/// An instant or a span of time, in ticks of the platform's clock.
pub type Time = u64;

/// An instant that never comes; as a budget or time slice: no limit.
pub const NEVER: Time = Time::MAX;

/// Number of priorities, 0 (lowest) to 255 (highest).
pub const PRIORITIES: usize = 256;

/// Everything the build knows about a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tables<'t> {
    /// Threads, one for each task.
    pub threads: &'t [ThreadConfig],
    /// The gates of the system.
    pub gates: &'t [GateConfig],
    /// The notifications of the system.
    pub notifications: &'t [NotificationConfig],
    /// Components with their capability tables.
    pub components: &'t [ComponentConfig<'t>],
    /// The notification that each interrupt line signals.
    pub interrupts: &'t [NotificationIndex],
    /// Longest chain of nested invocations; 0 where there is no gate.
    pub depth: u8,
    /// Longest chain of gates of which each is held by the thread that waits at the next: longer
    /// than [`depth`](Self::depth) where several threads wait one behind the other.
    pub chain: u16,
    /// The number of releases that may wait for an unfinished job of the same thread.
    pub backlog: u16,
    /// Time slice among threads of equal priority; [`NEVER`]: a thread runs until it blocks.
    pub time_slice: Time,
    /// Number of cores.
    pub cores: u8,
    /// One more than the highest priority and ceiling in use, at most [`PRIORITIES`].
    pub levels: u16,
}

/// A thread, as the build describes it. Its size is a power of two: the index is then found by a
/// shift, and an analysis of the kernel's binary sees which thread it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct ThreadConfig {
    /// The component in which it starts.
    pub component: ComponentIndex,
    /// The thread's base priority.
    pub priority: u8,
    /// The core on which it runs.
    pub core: u8,
    /// The event that releases its jobs.
    pub release: Release,
    /// Relative deadline; [`NEVER`]: none.
    pub deadline: Time,
    /// Limit on the execution time between two releases.
    pub budget: Option<Budget>,
}

impl ThreadConfig {
    /// Returns the rest of the relative deadline at a job's latest release, in ticks.
    pub fn least_left(&self) -> Time {
        match self.release {
            Release::Sporadic { jitter, .. } if self.deadline != NEVER => {
                self.deadline.saturating_sub(jitter)
            }
            _ => self.deadline,
        }
    }
}

/// The kind of event that releases a thread's jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// One job, at `offset`; it may last for ever.
    Once {
        /// The instant of the release, in ticks.
        offset: Time,
    },
    /// The kernel's timer, at `offset + k * period`.
    Periodic {
        /// Distance of two releases, not 0.
        period: Time,
        /// The instant of the first release, in ticks.
        offset: Time,
    },
    /// [`Kernel::release`](crate::Kernel::release) or a notification. Arrivals closer than
    /// `separation` are deferred to the earliest legal instant; 0: every arrival counts at once.
    Sporadic {
        /// Minimum inter-arrival time.
        separation: Time,
        /// The longest time from a job's nominal arrival to its release, in ticks.
        jitter: Time,
    },
}

impl Release {
    /// Returns the instant of the first release at the latest, in ticks; [`NEVER`] if unknown.
    pub const fn first(&self) -> Time {
        match *self {
            Release::Once { offset } | Release::Periodic { offset, .. } => offset,
            Release::Sporadic { .. } => NEVER,
        }
    }
}

/// A limit on a thread's execution time, replenished at each release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Ticks between two releases, not 0.
    pub amount: Time,
    /// The reaction to its end.
    pub overrun: Overrun,
}

/// The reaction when a budget ends before the job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    /// The thread is suspended until its next release.
    Suspend,
    /// The notification is signalled and the thread goes on.
    Notify(NotificationIndex),
    /// The thread goes on, the overrun is recorded.
    Continue,
}

/// A gate, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateConfig {
    /// The component behind it.
    pub component: ComponentIndex,
    /// The protocol that rules concurrency and priority.
    pub protocol: Protocol,
    /// Number of stacks: 1 for exclusive protocols.
    pub stacks: u16,
    /// The kind: a thread enters a component through it, or locks something within its own.
    pub kind: GateKind,
}

crate::coded! {
    /// The kind of a gate, which only the machine tells apart: for the kernel's decisions both are
    /// invocations.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum GateKind {
        /// A provided interface: the thread goes on at the gate's entry, on a stack of the gate.
        Interface = 0,
        /// A lock of one component: the thread goes on where it was. Its protocol is exclusive.
        Mutex = 1,
    }
}

/// The effect of a gate on concurrency and priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Reentrant, at the caller's priority.
    Propagated,
    /// Exclusive, at the ceiling from entry to exit.
    Fixed {
        /// The priority ceiling.
        ceiling: u8,
    },
    /// Exclusive; the holder inherits from all waiting threads.
    Inherited,
    /// Exclusive; first come first served, without inheritance.
    Fifo,
    /// Exclusive; the thread that takes it gets a deadline as if a thread of the ceiling were
    /// released then. Under earliest deadline only, where a priority is a preemption level: the
    /// higher, the shorter the rest of the relative deadline at the latest release.
    Srp {
        /// The highest preemption level of its users.
        ceiling: u8,
    },
    /// Exclusive; no thread preempts the holder. Under earliest deadline only.
    NonPreemptive,
    /// Exclusive; a thread enters it if its base priority is above the ceilings of all such gates
    /// that others hold, and the holder of the one entered last inherits from waiting threads.
    /// Under fixed priorities only.
    Ceiling {
        /// The highest base priority of its users.
        ceiling: u8,
    },
}

crate::coded! {
    /// A protocol without what belongs to the single gate.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ProtocolKind {
        /// See [`Protocol::Propagated`].
        Propagated = 0,
        /// See [`Protocol::Fixed`].
        Fixed = 1,
        /// See [`Protocol::Inherited`].
        Inherited = 2,
        /// See [`Protocol::Fifo`].
        Fifo = 3,
        /// See [`Protocol::Ceiling`].
        Ceiling = 4,
        /// See [`Protocol::Srp`].
        Srp = 5,
        /// See [`Protocol::NonPreemptive`].
        NonPreemptive = 6,
    }
}

impl Protocol {
    /// Returns the protocol of this kind; `ceiling` counts where the kind has one.
    #[inline]
    pub const fn of(kind: ProtocolKind, ceiling: u8) -> Protocol {
        match kind {
            ProtocolKind::Propagated => Protocol::Propagated,
            ProtocolKind::Fixed => Protocol::Fixed { ceiling },
            ProtocolKind::Inherited => Protocol::Inherited,
            ProtocolKind::Fifo => Protocol::Fifo,
            ProtocolKind::Srp => Protocol::Srp { ceiling },
            ProtocolKind::NonPreemptive => Protocol::NonPreemptive,
            ProtocolKind::Ceiling => Protocol::Ceiling { ceiling },
        }
    }

    /// Returns the kind of protocol, without the ceiling.
    #[inline]
    pub const fn kind(self) -> ProtocolKind {
        match self {
            Protocol::Propagated => ProtocolKind::Propagated,
            Protocol::Fixed { .. } => ProtocolKind::Fixed,
            Protocol::Inherited => ProtocolKind::Inherited,
            Protocol::Fifo => ProtocolKind::Fifo,
            Protocol::Srp { .. } => ProtocolKind::Srp,
            Protocol::NonPreemptive => ProtocolKind::NonPreemptive,
            Protocol::Ceiling { .. } => ProtocolKind::Ceiling,
        }
    }

    /// Returns `true` if at most one thread is inside.
    #[inline]
    pub const fn is_exclusive(self) -> bool {
        !matches!(self, Protocol::Propagated)
    }

    /// Returns `true` if the holder inherits from waiting threads, and they queue by priority.
    #[inline]
    pub const fn inherits(self) -> bool {
        !matches!(self, Protocol::Propagated | Protocol::Fifo)
    }

    /// Returns the ceiling; 0 where the protocol has none.
    #[inline]
    pub const fn ceiling(self) -> u8 {
        match self {
            Protocol::Fixed { ceiling }
            | Protocol::Srp { ceiling }
            | Protocol::Ceiling { ceiling } => ceiling,
            _ => 0,
        }
    }

    /// Returns the priority to which it raises a thread that enters; 0 where it raises no thread
    /// before another one waits.
    #[inline]
    pub const fn floor(self) -> u8 {
        if let Protocol::Fixed { ceiling } = self { ceiling } else { 0 }
    }
}

/// A notification, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotificationConfig {
    /// The rule by which signals add up while no thread waits.
    pub kind: NotificationKind,
    /// The thread whose jobs it releases; no thread may wait for it then.
    pub releases: ThreadIndex,
    /// The pending value at the start: bits, or a count within the limit.
    pub initial: u32,
}

/// The rule by which signals add up while no thread waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationKind {
    /// Their bits are merged; one wait takes them all.
    Merging,
    /// They are counted up to a limit; each wait takes one.
    Counting {
        /// Largest count, not 0.
        limit: u32,
    },
}

/// A component, as the build describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct ComponentConfig<'t> {
    /// The reaction to a fault in it.
    pub on_fault: OnFault,
    /// The objects that its code may name in system calls, by slot.
    pub capabilities: &'t [Capability],
}

crate::coded! {
    /// The effect of a fault on the component that it happens in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum OnFault {
        /// The invocation or job ends; the component goes on.
        Continue = 0,
        /// No thread enters it again; frames elsewhere in it are aborted when they come to run.
        Dead = 1,
        /// It is put back to its initial data; frames elsewhere in it are aborted when they come to
        /// run.
        Restart = 2,
    }
}

/// Something that a component's code may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// May invoke the gate.
    Gate(GateIndex),
    /// The slot names no object.
    Empty,
    /// May signal the notification with these bits.
    Signal(NotificationIndex, u32),
    /// May wait for the notification, and ask whether something is pending.
    Wait(NotificationIndex),
    /// May lock and unlock the gate, which is a mutex.
    Mutex(GateIndex),
    /// May acknowledge the interrupt line. The machine's affair: the kernel takes no event for it.
    Acknowledge(u16),
    /// May sleep on the thread's account, and wake the thread. The gate is of a row with one for
    /// each thread, in their order.
    Thread(GateIndex, ThreadIndex),
}

/// A reason for which [`Tables::check`] refuses a set of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableError {
    /// 32,767 objects of a kind or more, a backlog above 32,767, no core, no level, or a time slice
    /// of 0.
    Count,
    /// A thread names a component, core, priority or notification that does not exist.
    Thread(ThreadIndex),
    /// A gate names a component or ceiling that does not exist, has the wrong number of stacks, or
    /// is a mutex that excludes no thread.
    Gate(GateIndex),
    /// A notification has a limit of 0 or begins above it, or releases a thread that is not
    /// sporadic.
    Notification(NotificationIndex),
    /// A component has a capability for an object that does not exist, or for a signal without
    /// bits.
    Component(ComponentIndex),
    /// An interrupt line names a notification that does not exist.
    Interrupt(usize),
    /// The memory handed over has not the lengths of [`Tables::sizes`].
    Memory,
}

/// The lengths that the slices of [`Memory`](crate::Memory) must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The number of cores.
    pub cores: usize,
    /// Ready lists: cores x levels.
    pub levels: usize,
    /// Threads, also of timer expiries.
    pub threads: usize,
    /// Frames: threads x (depth + 1), the lowest for a thread's home.
    pub frames: usize,
    /// The number of gates.
    pub gates: usize,
    /// Stacks of all gates.
    pub stacks: usize,
    /// The number of notifications.
    pub notifications: usize,
    /// The number of components.
    pub components: usize,
    /// Waiting releases: threads x backlog.
    pub arrivals: usize,
    /// Inner nodes of the timer tree.
    pub tree: usize,
}

impl Tables<'_> {
    /// Returns the amount of memory that the system needs.
    pub fn sizes(&self) -> Sizes {
        let threads = self.threads.len();
        Sizes {
            cores: self.cores as usize,
            levels: self.cores as usize * self.levels as usize,
            threads,
            frames: threads * (self.depth as usize + 1),
            gates: self.gates.len(),
            stacks: self.gates.iter().map(|gate| gate.stacks as usize).sum(),
            notifications: self.notifications.len(),
            components: self.components.len(),
            arrivals: threads * self.backlog as usize,
            tree: threads.next_power_of_two().max(2),
        }
    }

    /// Checks that every index, priority and limit is in range.
    pub fn check(&self) -> Result<(), TableError> {
        self.check_counts()?;
        for (index, thread) in self.threads.iter().enumerate() {
            self.check_thread(thread).ok_or(TableError::Thread(ThreadIndex(index as u16)))?;
        }
        for (index, gate) in self.gates.iter().enumerate() {
            let right = gate.component.at() < self.components.len()
                && u16::from(gate.protocol.ceiling()) < self.levels
                && (!gate.protocol.is_exclusive() || gate.stacks == 1)
                && (gate.protocol.is_exclusive() || gate.kind == GateKind::Interface);
            right.then_some(()).ok_or(TableError::Gate(GateIndex(index as u16)))?;
        }
        for (index, notification) in self.notifications.iter().enumerate() {
            let index = NotificationIndex(index as u16);
            self.check_notification(notification).ok_or(TableError::Notification(index))?;
        }
        for (index, component) in self.components.iter().enumerate() {
            let right =
                component.capabilities.iter().all(|&capability| self.has_object(capability));
            right.then_some(()).ok_or(TableError::Component(ComponentIndex(index as u16)))?;
        }
        match self.interrupts.iter().position(|line| line.at() >= self.notifications.len()) {
            Some(line) => Err(TableError::Interrupt(line)),
            None => Ok(()),
        }
    }

    fn check_counts(&self) -> Result<(), TableError> {
        let sizes = self.sizes();
        let limit = i16::MAX as usize;
        let counts = [
            sizes.threads,
            sizes.frames,
            sizes.gates,
            sizes.stacks,
            sizes.notifications,
            sizes.components,
        ];
        let right = counts.iter().all(|&count| count < limit)
            && sizes.cores > 0
            && (1..=PRIORITIES).contains(&(self.levels as usize))
            && self.backlog <= u16::MAX / 2
            && self.time_slice > 0;
        right.then_some(()).ok_or(TableError::Count)
    }

    fn check_thread(&self, thread: &ThreadConfig) -> Option<()> {
        let budget = match thread.budget {
            None => true,
            Some(Budget { amount, overrun: Overrun::Notify(notification) }) => {
                amount > 0 && notification.at() < self.notifications.len()
            }
            Some(budget) => budget.amount > 0,
        };
        let right = budget
            && thread.component.at() < self.components.len()
            && thread.core < self.cores
            && u16::from(thread.priority) < self.levels
            && !matches!(thread.release, Release::Periodic { period: 0, .. });
        right.then_some(())
    }

    fn check_notification(&self, notification: &NotificationConfig) -> Option<()> {
        let limit = match notification.kind {
            NotificationKind::Merging => true,
            NotificationKind::Counting { limit } => limit > 0 && notification.initial <= limit,
        };
        let released = notification.releases.is_none()
            || self
                .threads
                .get(notification.releases.at())
                .is_some_and(|thread| matches!(thread.release, Release::Sporadic { .. }));
        let silent = notification.initial == 0 || notification.releases.is_none();
        (limit && released && silent).then_some(())
    }

    fn has_object(&self, capability: Capability) -> bool {
        match capability {
            // Where there are such, `adopt::check` looks at them.
            Capability::Empty | Capability::Thread(..) => true,
            Capability::Gate(gate) => self.has_gate(gate, GateKind::Interface),
            Capability::Mutex(gate) => self.has_gate(gate, GateKind::Mutex),
            Capability::Acknowledge(line) => (line as usize) < self.interrupts.len(),
            // A signal without a bit would be lost while no thread waits.
            Capability::Signal(notification, bits) => {
                bits != 0 && notification.at() < self.notifications.len()
            }
            Capability::Wait(notification) => notification.at() < self.notifications.len(),
        }
    }

    fn has_gate(&self, gate: GateIndex, kind: GateKind) -> bool {
        self.gates.get(gate.at()).is_some_and(|config| config.kind == kind)
    }
}
