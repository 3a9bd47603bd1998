//! The rows of the system's tables.
//!
//! What the kernel's decisions need is in the types of `fusee_kernel`; each row adds what only the
//! machine needs: entry points, stacks, address spaces.

use crate::bytes::{Entry, Reader, Writer};
use fusee_kernel::{
    Budget, Capability, ComponentIndex, GateConfig, GateIndex, GateKind, NotificationConfig,
    NotificationIndex, NotificationKind, OnFault, Overrun, Protocol, ProtocolKind, Release,
    ThreadConfig, ThreadIndex,
};

/// A row of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadEntry {
    /// For the kernel's decisions.
    pub config: ThreadConfig,
    /// Virtual address at which a job begins.
    pub entry: u64,
}

/// A row of a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateEntry {
    /// For the kernel's decisions.
    pub config: GateConfig,
    /// Virtual address at which a thread enters; 0 for a mutex.
    pub entry: u64,
}

/// A stack: one for each thread's home, and those of the gates in the order of the gates. A mutex
/// has one as well: of zeros, but for the two addresses of its word, if it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StackEntry {
    /// Virtual address with which the stack pointer begins.
    pub stack_pointer: u64,
    /// Virtual address of the thread-local data; the message area ends there. That of a mutex'
    /// word.
    pub thread_pointer: u64,
    /// Physical address of the message area, or of the word.
    pub message: u64,
}

/// A component; its capabilities and initial data stand in tables of all components, one after the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComponentEntry {
    /// The effect of a fault in it.
    pub on_fault: OnFault,
    /// The value of the register that selects its address space.
    pub address_space: u64,
    /// First of its capabilities.
    pub first_capability: u32,
    /// The number of them.
    pub capabilities: u32,
    /// First of the ranges that a restart writes.
    pub first_copy: u32,
    /// The number of them.
    pub copies: u32,
}

/// Memory that a restart of a component writes. All are multiples of 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyRange {
    /// The physical address.
    pub to: u64,
    /// Physical address of the initial data; 0: the range becomes zero.
    pub from: u64,
    /// The length in bytes.
    pub bytes: u64,
}

/// An interrupt line that a component serves. The kernel masks it when it fires, until it is
/// acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterruptLine {
    /// The interrupt controller's number for it.
    pub source: u16,
    /// The notification that it signals.
    pub notification: NotificationIndex,
}

/// Physical memory that is opened to components (within it the page tables decide), or to
/// page-table walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// First address, a multiple of 4.
    pub base: u64,
    /// Length, a multiple of 4.
    pub bytes: u64,
    /// The most that any component may do there.
    pub permissions: crate::Permissions,
}

impl Entry for ThreadEntry {
    const BYTES: usize = 48;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (component, priority, core) = (from.u16()?, from.u8()?, from.u8()?);
        let (release, overrun, notification) = (from.u8()?, from.u8()?, from.u16()?);
        let (first, second, deadline, amount, entry) =
            (from.u64()?, from.u64()?, from.u64()?, from.u64()?, from.u64()?);
        let release = match release {
            0 => Release::Once { offset: second },
            1 => Release::Periodic { period: first, offset: second },
            2 => Release::Sporadic { separation: first, jitter: second },
            _ => return None,
        };
        let overrun = match overrun {
            0 => None,
            1 => Some(Overrun::Suspend),
            2 => Some(Overrun::Notify(NotificationIndex(notification))),
            3 => Some(Overrun::Continue),
            _ => return None,
        };
        let budget = overrun.map(|overrun| Budget { amount, overrun });
        let component = ComponentIndex(component);
        Some(ThreadEntry {
            config: ThreadConfig { component, priority, core, release, deadline, budget },
            entry,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let config = &self.config;
        let (release, first, second) = match config.release {
            Release::Once { offset } => (0, 0, offset),
            Release::Periodic { period, offset } => (1, period, offset),
            Release::Sporadic { separation, jitter } => (2, separation, jitter),
        };
        let (overrun, notification) = match config.budget.map(|budget| budget.overrun) {
            None => (0, 0),
            Some(Overrun::Suspend) => (1, 0),
            Some(Overrun::Notify(notification)) => (2, notification.0),
            Some(Overrun::Continue) => (3, 0),
        };
        let amount = config.budget.map_or(0, |budget| budget.amount);
        let mut to = Writer::new(bytes);
        to.u16(config.component.0)
            .u8(config.priority)
            .u8(config.core)
            .u8(release)
            .u8(overrun)
            .u16(notification);
        to.u64(first).u64(second).u64(config.deadline).u64(amount).u64(self.entry);
    }
}

impl Entry for GateEntry {
    const BYTES: usize = 16;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (component, protocol, ceiling) = (from.u16()?, from.u8()?, from.u8()?);
        let (stacks, kind, _, entry) = (from.u16()?, from.u8()?, from.u8()?, from.u64()?);
        let protocol = Protocol::of(ProtocolKind::from_code(protocol)?, ceiling);
        let kind = GateKind::from_code(kind)?;
        Some(GateEntry {
            config: GateConfig { component: ComponentIndex(component), protocol, stacks, kind },
            entry,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let config = &self.config;
        let (protocol, ceiling) = (config.protocol.kind().code(), config.protocol.ceiling());
        let mut to = Writer::new(bytes);
        to.u16(config.component.0).u8(protocol).u8(ceiling).u16(config.stacks);
        to.u8(config.kind.code()).u8(0);
        to.u64(self.entry);
    }
}

impl Entry for StackEntry {
    const BYTES: usize = 24;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        Some(StackEntry {
            stack_pointer: from.u64()?,
            thread_pointer: from.u64()?,
            message: from.u64()?,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u64(self.stack_pointer).u64(self.thread_pointer).u64(self.message);
    }
}

impl Entry for NotificationConfig {
    const BYTES: usize = 12;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (kind, _, releases, limit, initial) =
            (from.u8()?, from.u8()?, from.u16()?, from.u32()?, from.u32()?);
        let kind = match kind {
            0 => NotificationKind::Merging,
            1 => NotificationKind::Counting { limit },
            _ => return None,
        };
        Some(NotificationConfig { kind, releases: ThreadIndex(releases), initial })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let (kind, limit) = match self.kind {
            NotificationKind::Merging => (0, 0),
            NotificationKind::Counting { limit } => (1, limit),
        };
        Writer::new(bytes).u8(kind).u8(0).u16(self.releases.0).u32(limit).u32(self.initial);
    }
}

impl Entry for ComponentEntry {
    const BYTES: usize = 32;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let address_space = from.u64()?;
        let (first_capability, capabilities) = (from.u32()?, from.u32()?);
        let (first_copy, copies) = (from.u32()?, from.u32()?);
        let on_fault = OnFault::from_code(from.u8()?)?;
        Some(ComponentEntry {
            on_fault,
            address_space,
            first_capability,
            capabilities,
            first_copy,
            copies,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u64(self.address_space).u32(self.first_capability).u32(self.capabilities);
        to.u32(self.first_copy).u32(self.copies).u8(self.on_fault.code());
    }
}

impl Entry for Capability {
    const BYTES: usize = 8;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (kind, _, object, bits) = (from.u8()?, from.u8()?, from.u16()?, from.u32()?);
        Some(match kind {
            0 => Capability::Empty,
            1 => Capability::Gate(GateIndex(object)),
            2 => Capability::Signal(NotificationIndex(object), bits),
            3 => Capability::Wait(NotificationIndex(object)),
            4 => Capability::Mutex(GateIndex(object)),
            5 => Capability::Acknowledge(object),
            6 => Capability::Thread(GateIndex(object), ThreadIndex(u16::try_from(bits).ok()?)),
            _ => return None,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let (kind, object, bits) = match *self {
            Capability::Empty => (0, 0, 0),
            Capability::Gate(gate) => (1, gate.0, 0),
            Capability::Signal(notification, bits) => (2, notification.0, bits),
            Capability::Wait(notification) => (3, notification.0, 0),
            Capability::Mutex(gate) => (4, gate.0, 0),
            Capability::Acknowledge(line) => (5, line, 0),
            Capability::Thread(gate, thread) => (6, gate.0, u32::from(thread.0)),
        };
        Writer::new(bytes).u8(kind).u8(0).u16(object).u32(bits);
    }
}

impl Entry for CopyRange {
    const BYTES: usize = 24;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        Some(CopyRange { to: from.u64()?, from: from.u64()?, bytes: from.u64()? })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u64(self.to).u64(self.from).u64(self.bytes);
    }
}

impl Entry for InterruptLine {
    const BYTES: usize = 4;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        Some(InterruptLine { source: from.u16()?, notification: NotificationIndex(from.u16()?) })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u16(self.source).u16(self.notification.0);
    }
}

impl Entry for Opening {
    const BYTES: usize = 24;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (base, bytes) = (from.u64()?, from.u64()?);
        Some(Opening { base, bytes, permissions: crate::Permissions::from_bits(from.u8()?)? })
    }

    fn encode(&self, bytes: &mut [u8]) {
        Writer::new(bytes).u64(self.base).u64(self.bytes).u8(self.permissions.bits());
    }
}
