//! The result of a run, at the start of the record buffer.

use crate::bytes::{Entry, Reader, Writer};

/// The status with which a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Status {
    /// It is under way, or the machine was stopped from outside.
    Running = 0,
    /// The end that the header asks for was reached.
    Finished = 1,
    /// The system's tables are malformed, or for another machine; `detail`: the check that failed.
    BadSystem = 2,
    /// The kernel's memory is too small for the system; `detail`: bytes that were wanted.
    OutOfMemory = 3,
    /// The boot thread was not finished when the first jobs were to begin.
    StartLate = 4,
    /// A trap inside the kernel; `detail`: its cause, `address`: where.
    KernelTrap = 5,
    /// The kernel panicked.
    Panic = 6,
    /// An invariant of the kernel's state does not hold (kernels that check themselves); `detail`:
    /// which.
    BrokenInvariant = 7,
    /// More regions than the machine can open to components; `detail`: how many registers they
    /// would take.
    TooManyRegions = 8,
    /// The machine protects no memory, or too little of it; `detail`: 0 if it has no such registers
    /// at all.
    NoProtection = 9,
    /// The machine does not translate addresses as the tables are made, or can't tell as many
    /// address spaces apart as the system has; `detail`: the value of `satp` that it did not keep.
    NoTranslation = 10,
    /// The kernel's clock stands still, or does not tick as the platform says; `detail`: ticks of
    /// the kernel's in seven of the timer's.
    NoClock = 11,
}

impl Status {
    /// Returns the status with this number.
    pub fn from_number(number: u32) -> Option<Status> {
        use Status::*;
        let all = [
            Running,
            Finished,
            BadSystem,
            OutOfMemory,
            StartLate,
            KernelTrap,
            Panic,
            BrokenInvariant,
            TooManyRegions,
            NoProtection,
            NoTranslation,
            NoClock,
        ];
        all.into_iter().find(|status| *status as u32 == number)
    }
}

/// The result block. The kernel keeps it up to date while it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultBlock {
    /// The status with which the run ended.
    pub status: Status,
    /// More on the status.
    pub detail: u64,
    /// More on the status.
    pub address: u64,
    /// The time at which it ended.
    pub time: u64,
    /// Records in the buffer.
    pub records: u64,
    /// Records that found no room.
    pub dropped: u64,
    /// Bytes of memory that the kernel writes to with this system: variables, stack, tables,
    /// registers of threads.
    pub kernel_memory: u64,
    /// When the boot thread had finished; 0: it has not, or there is none.
    pub started: u64,
}

impl ResultBlock {
    /// First bytes of the block, once the kernel has begun.
    pub const MAGIC: u64 = u64::from_le_bytes(*b"FUSEERES");
}

impl Entry for ResultBlock {
    const BYTES: usize = 128;

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader::new(bytes);
        if from.u64()? != ResultBlock::MAGIC {
            return None;
        }
        let status = Status::from_number(from.u32()?)?;
        from.u32()?;
        Some(ResultBlock {
            status,
            detail: from.u64()?,
            address: from.u64()?,
            time: from.u64()?,
            records: from.u64()?,
            dropped: from.u64()?,
            kernel_memory: from.u64()?,
            started: from.u64()?,
        })
    }

    fn encode(&self, bytes: &mut [u8]) {
        let mut to = Writer::new(bytes);
        to.u64(ResultBlock::MAGIC).u32(self.status as u32).u32(0);
        to.u64(self.detail).u64(self.address).u64(self.time).u64(self.records).u64(self.dropped);
        to.u64(self.kernel_memory).u64(self.started);
    }
}
