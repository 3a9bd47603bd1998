//! Records and results out of the guest's memory.
//!
//! Times are counted from the system's start: what happened while components
//! initialized themselves is not part of the run, except for faults.

use std::collections::BTreeSet;

use fusee_image_format::{
    Entry, Header, KernelPolicy, MachineKind, Order, RawRecord, ResultBlock, Status,
};
use fusee_kernel::{Kind, NOT_PREEMPTED, Record, ThreadIndex};
use fusee_tables::CoreNumbers;

use crate::{Image, Ram, RunError};

/// The data that the machine wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    /// The result block at its end.
    pub(crate) result: ResultBlock,
    /// The kernel's decisions from the system's start on.
    pub(crate) decisions: Vec<Record>,
    /// Faults, also those before the start.
    pub(crate) faults: Vec<Fault>,
    /// Threads with a job of before the start that was under way at the start.
    pub(crate) late: Vec<u16>,
}

/// A fault as the machine saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// When, from the system's start, in nanoseconds; negative while components initialize
    /// themselves.
    pub time: i64,
    /// The thread that ran.
    pub thread: u16,
    /// The address of the instruction.
    pub instruction: u64,
    /// The cause as the architecture numbers it.
    pub cause: u16,
    /// The address that was accessed, where the cause has such a thing.
    pub address: u64,
    /// The component that faulted.
    pub component: u16,
    /// The gate passed last, and the method.
    pub gate: Option<(u16, u64)>,
}

/// Reads what all cores of a machine left behind, by time; `start`: when the system started.
///
/// # Errors
/// A kernel has not begun to write, or a record is none.
pub(crate) fn read(ram: &Ram, image: &Image, start: u64) -> Result<Written, RunError> {
    let core = |core: usize| -> Result<Written, RunError> {
        let mut one = of_core(ram, &image.cores[core], start)?;
        if image.cores.len() > 1 {
            one.renumber(&image.manifest.numbers(core));
        }
        Ok(one)
    };
    (1..image.cores.len()).try_fold(core(0)?, |all, number| Ok(all.and(core(number)?)))
}

impl Written {
    /// The same in the numbers of the system.
    fn renumber(&mut self, numbers: &CoreNumbers) {
        self.decisions.iter_mut().for_each(|record| *record = numbers.told(*record));
        for fault in &mut self.faults {
            fault.thread = numbers.thread(ThreadIndex(fault.thread));
            fault.gate = fault.gate.map(|(gate, method)| (numbers.gate(gate), method));
        }
        for thread in &mut self.late {
            *thread = numbers.thread(ThreadIndex(*thread));
        }
    }
}

/// Returns the weight of a status: that of a core that was stopped because another had failed says
/// least.
fn weight(status: Status) -> u8 {
    match status {
        Status::Finished => 0,
        Status::Running => 1,
        _ => 2,
    }
}

impl Written {
    /// This and what another core wrote. How the run ended, the one tells that failed.
    fn and(mut self, one: Written) -> Written {
        let (records, dropped) = (self.result.records, self.result.dropped);
        let (memory, started) = (self.result.kernel_memory, self.result.started);
        if weight(one.result.status) > weight(self.result.status) {
            self.result = one.result;
        }
        self.result = ResultBlock {
            records: records.saturating_add(one.result.records),
            dropped: dropped.saturating_add(one.result.dropped),
            kernel_memory: memory.saturating_add(one.result.kernel_memory),
            started,
            ..self.result
        };
        self.decisions.extend(one.decisions);
        self.faults.extend(one.faults);
        self.late.extend(one.late);
        self.decisions.sort_by_key(|record| record.time);
        self.faults.sort_by_key(|fault| fault.time);
        self
    }
}

/// Reads what a core with this header left behind.
fn of_core(ram: &Ram, header: &Header, start: u64) -> Result<Written, RunError> {
    let block = ram.read(header.records, ResultBlock::BYTES as u64)?;
    let result = ResultBlock::decode(&block).ok_or(RunError::Silent)?;
    let room = header.records_bytes.saturating_sub(ResultBlock::BYTES as u64);
    let bytes = result.records.saturating_mul(RawRecord::BYTES as u64).min(room);
    let bytes = ram.read(header.records + ResultBlock::BYTES as u64, bytes)?;
    let records: Option<Vec<RawRecord>> =
        bytes.chunks_exact(RawRecord::BYTES).map(RawRecord::decode).collect();
    let records = records.ok_or(RunError::Records)?;
    let decisions = records.iter().map(|record| relative(*record, header.policy, start));
    let decisions = decisions.filter_map(|record| decision(&record, start).transpose());
    let decisions = decisions.collect::<Result<_, _>>()?;
    Ok(Written { result, decisions, faults: faults(&records, start), late: late(&records, start) })
}

/// Threads with a job that began before the start and did not end before it.
fn late(records: &[RawRecord], start: u64) -> Vec<u16> {
    let mut under_way: BTreeSet<u16> = BTreeSet::new();
    for record in records.iter().take_while(|record| record.time < start) {
        match Kind::from_code(record.kind) {
            Some(Kind::Release) => under_way.insert(record.thread),
            // A fault is told of anyway, and whatever comes after it is no set-up.
            Some(Kind::Complete | Kind::Fault | Kind::Abort) => under_way.remove(&record.thread),
            Some(Kind::Queue | Kind::Lose | Kind::Defer | Kind::Miss) => continue,
            Some(Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost) => {
                continue;
            }
            Some(Kind::Switch | Kind::Overrun | Kind::Suspend | Kind::Lend | Kind::Rotate) => {
                continue;
            }
            Some(Kind::Signal | Kind::Wait | Kind::Wake) => continue,
            Some(Kind::Post | Kind::Throttle) => continue,
            Some(Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish) => continue,
            Some(Kind::Retry) => continue,
            // The machine's own.
            None => continue,
        };
    }
    under_way.into_iter().collect()
}

/// The same record, where a deadline that a thread inherits is counted from the start, too.
fn relative(raw: RawRecord, policy: KernelPolicy, start: u64) -> RawRecord {
    let deadline = policy.order() == Order::Deadline
        && Kind::from_code(raw.kind) == Some(Kind::Boost)
        && raw.value != NOT_PREEMPTED;
    RawRecord { value: if deadline { raw.value.saturating_sub(start) } else { raw.value }, ..raw }
}

/// Returns a record of the kernel's that belongs to the run.
fn decision(raw: &RawRecord, start: u64) -> Result<Option<Record>, RunError> {
    if raw.kind >= MachineKind::FaultAt as u8 {
        return Ok(None);
    }
    let kind = Kind::from_code(raw.kind).ok_or(RunError::Records)?;
    let value = if kind.has_instant() { raw.value.checked_sub(start) } else { Some(raw.value) };
    // A job that was due before the start belongs to the start.
    let (Some(time), Some(value)) = (raw.time.checked_sub(start), value) else { return Ok(None) };
    Ok(Some(Record { time, kind, thread: ThreadIndex(raw.thread), object: raw.object, value }))
}

/// The faults, each from the records that describe it.
fn faults(records: &[RawRecord], start: u64) -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for record in records {
        let last = faults.last_mut();
        match record.kind {
            kind if kind == MachineKind::FaultAt as u8 => faults.push(Fault {
                time: record.time.wrapping_sub(start) as i64,
                thread: record.thread,
                instruction: record.value,
                cause: record.object,
                address: 0,
                component: u16::MAX,
                gate: None,
            }),
            kind if kind == MachineKind::FaultAddress as u8 => {
                if let Some(fault) = last {
                    (fault.address, fault.component) = (record.value, record.object);
                }
            }
            kind if kind == MachineKind::FaultMethod as u8 => {
                if let Some(fault) = last.filter(|_| record.object != u16::MAX) {
                    fault.gate = Some((record.object, record.value));
                }
            }
            _ => {}
        }
    }
    faults
}
