//! Schedulers that are components: their tables decoded.

use crate::decode::table;
use crate::{Memory, Policy, Recorder, Refusal};
use fusee_image_format::{Malformed, TreeBlob};
use fusee_kernel::tcaps::{
    Account, Core, EndPoint, Hook, Memory as TreeMemory, Scheduler, Tables, Trees,
};
use fusee_kernel::{AccountIndex, Kernel, NEVER, ThreadIndex};

/// Decodes the tables and starts the schedulers of a kernel that has just started.
pub(crate) fn start(
    memory: &mut impl Memory,
    blob: &TreeBlob<'_>,
    kernel: &mut Kernel<'static, Policy, Recorder>,
) -> Result<Trees<'static>, Refusal> {
    let accounts = table(memory, &blob.accounts, |row| row.account())?;
    let end_points = table(memory, &blob.accounts, |row| row.end_point(0))?;
    for (number, end_point) in end_points.iter_mut().enumerate() {
        end_point.account = AccountIndex(number as u16);
    }
    let schedulers = table(memory, &blob.schedulers, |row| row.0)?;
    let (threads, count) = (end_points.len(), schedulers.len());
    let interrupts = memory.filled(threads, ThreadIndex::NONE)?;
    for (place, thread) in interrupts.iter_mut().enumerate() {
        *thread = ThreadIndex(place as u16);
    }
    let tables = Tables { accounts, schedulers, end_points, interrupts };
    let core = memory.filled(1, Core::EMPTY)?.first_mut().ok_or(Malformed::Count)?;
    let state = TreeMemory {
        core,
        accounts: memory.filled(threads, Account::EMPTY)?,
        schedulers: memory.filled(count, Scheduler::EMPTY)?,
        end_points: memory.filled(threads, EndPoint::EMPTY)?,
        ready: memory.filled(threads, Hook::OUT)?,
        events: memory.filled(threads, Hook::OUT)?,
        activated: memory.filled(threads, Hook::OUT)?,
        funded: memory.filled(threads, Hook::OUT)?,
    };
    let alarms = memory.filled(count, NEVER)?;
    Trees::start(kernel, (tables, state), alarms).map_err(|_| Refusal::Trees)
}
