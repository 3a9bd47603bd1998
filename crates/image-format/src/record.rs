//! Records of what happened, as they lie in memory.
//!
//! The kernel's own kinds are those of `fusee_kernel::Kind`; from 64 on the machine adds what only
//! it knows. Records follow each other right behind the [`ResultBlock`](crate::ResultBlock).

use crate::bytes::{Entry, Reader, Writer};
use fusee_kernel::Record;

fusee_kernel::coded! {
    /// The kinds of records that the machine makes beside the kernel's.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum MachineKind {
        /// A fault, right before the kernel's own record of it; `value`: the program counter,
        /// `object`: the cause as the architecture numbers it.
        FaultAt = 64,
        /// Belongs to the fault before; `value`: the address that was accessed (or the
        /// instruction), `object`: the component.
        FaultAddress = 65,
        /// Belongs to the fault before; `object`: the gate passed last (`u16::MAX`: none), `value`:
        /// the method.
        FaultMethod = 66,
        /// The boot thread has finished.
        Started = 67,
        /// A component has its initial data back; `object`: the component, `value`: bytes written.
        Restarted = 68,
        /// An interrupt without a taker; `object`: its source. It stays masked.
        StrayInterrupt = 69,
    }
}

/// A record of any kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RawRecord {
    /// The instant of the record.
    pub time: u64,
    /// A further number, as the kind says.
    pub value: u64,
    /// `fusee_kernel::Kind` or [`MachineKind`].
    pub kind: u8,
    /// The thread; `u16::MAX`: none.
    pub thread: u16,
    /// The object, as the kind says; `u16::MAX`: none.
    pub object: u16,
}

impl From<Record> for RawRecord {
    fn from(record: Record) -> Self {
        RawRecord {
            time: record.time,
            value: record.value,
            kind: record.kind as u8,
            thread: record.thread.0,
            object: record.object,
        }
    }
}

impl Entry for RawRecord {
    const BYTES: usize = 24;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        let (time, value) = (from.u64()?, from.u64()?);
        let (kind, _, thread, object) = (from.u8()?, from.u8()?, from.u16()?, from.u16()?);
        Some(RawRecord { time, value, kind, thread, object })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u64(self.time).u64(self.value).u8(self.kind).u8(0).u16(self.thread).u16(self.object);
    }
}
