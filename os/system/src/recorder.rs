//! Records in memory, for the host to read.
//!
//! The buffer has a fixed length: records that find no room are counted. The kernel that ships
//! keeps the records of jobs and faults; with the feature `trace` it keeps all. The kinds are known
//! when the kernel is compiled, so that the others cost nothing.

use fusee_image_format::{MachineKind, ResultBlock};
use fusee_kernel::{Kind, Record, Sink, ThreadIndex};

/// 64-bit words of a record.
pub const RECORD_WORDS: usize = 3;
/// 64-bit words of the result block.
pub const RESULT_WORDS: usize = 16;

/// The result block as it lies in memory, word by word as [`ResultBlock`] says.
pub type ResultWords = [u64; RESULT_WORDS];

const RECORDS: usize = 5;
const DROPPED: usize = 6;
const KERNEL_MEMORY: usize = 7;
const STARTED: usize = 8;

/// The buffer that records go to.
#[derive(Debug)]
pub struct Recorder {
    result: &'static mut ResultWords,
    records: &'static mut [[u64; RECORD_WORDS]],
    used: usize,
}

impl Recorder {
    /// An empty buffer.
    pub fn new(
        result: &'static mut ResultWords,
        records: &'static mut [[u64; RECORD_WORDS]],
    ) -> Recorder {
        *result = [0; RESULT_WORDS];
        result[0] = ResultBlock::MAGIC;
        Recorder { result, records, used: 0 }
    }

    /// Notes how much memory the kernel uses.
    pub fn set_kernel_memory(&mut self, bytes: usize) {
        self.result[KERNEL_MEMORY] = bytes as u64;
    }

    /// Notes that the boot thread has finished.
    pub fn set_started(&mut self, time: u64) {
        self.result[STARTED] = time;
    }

    /// Takes a record of the machine's own.
    pub fn machine(
        &mut self,
        time: u64,
        kind: MachineKind,
        thread: ThreadIndex,
        object: u16,
        value: u64,
    ) {
        self.push(time, value, kind as u8, thread.0, object);
    }

    // Without the feature few places keep records, and none of them is a short way.
    #[cfg_attr(feature = "trace", inline)]
    #[cfg_attr(not(feature = "trace"), inline(never))]
    fn push(&mut self, time: u64, value: u64, kind: u8, thread: u16, object: u16) {
        let Some(place) = self.records.get_mut(self.used) else {
            self.result[DROPPED] += 1;
            return;
        };
        *place = [time, value, u64::from(kind) | u64::from(thread) << 16 | u64::from(object) << 32];
        self.used += 1;
        self.result[RECORDS] = self.used as u64;
    }

    /// Returns `true` if this kernel keeps records of this kind.
    const fn keeps(kind: Kind) -> bool {
        match kind {
            Kind::Release | Kind::Queue | Kind::Lose | Kind::Defer | Kind::Complete => true,
            Kind::Miss | Kind::Overrun | Kind::Suspend | Kind::Fault | Kind::Abort => true,
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => {
                cfg!(feature = "trace")
            }
            Kind::Signal | Kind::Wait | Kind::Wake | Kind::Retry => cfg!(feature = "trace"),
            Kind::Post => cfg!(feature = "trace"),
            // So rare that each kernel keeps it: once between two signals that are sent.
            Kind::Throttle => true,
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => {
                cfg!(feature = "trace")
            }
            Kind::Switch | Kind::Lend | Kind::Rotate => cfg!(feature = "trace"),
        }
    }
}

impl Sink for Recorder {
    #[inline(always)]
    fn record(&mut self, record: Record) {
        if Recorder::keeps(record.kind) {
            self.push(record.time, record.value, record.kind as u8, record.thread.0, record.object);
        }
    }
}
