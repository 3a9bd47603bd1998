//! Schedulers that are components: their tables decoded, and their calls.

use crate::decode::table;
use crate::{Memory, Policy, Recorder, Refusal, System};
use fusee_image_format::{Malformed, TreeBlob, abi};
use fusee_kernel::tcaps::{
    Account, Core, Delegation, Dispatch, EndPoint, Error, Hook, Memory as TreeMemory, Scheduler,
    Tables, Transfer, TreeKernel, Trees, Waited,
};
use fusee_kernel::{AccountIndex, Kernel, NEVER, ThreadIndex, Time};

/// What a call answers in registers; none: nothing.
pub type Answer = Option<[usize; 6]>;

/// A call of a scheduler's: the operation, what its slot names, and the words.
#[derive(Debug, Clone, Copy)]
pub struct SchedulerCall {
    /// Its number.
    pub operation: usize,
    /// A thread or an account.
    pub slot: u16,
    /// The words in registers.
    pub words: [usize; 6],
}

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

impl System {
    /// Whether [`decide`](Self::decide) knows the operation.
    pub const fn is_decision(operation: usize) -> bool {
        matches!(operation, abi::RECEIVE..=abi::TRANSFER)
    }

    /// A scheduler's call. Who goes on is then settled.
    ///
    /// # Errors
    /// What the schedulers' rules refuse.
    #[inline(never)]
    pub fn decide(&mut self, now: Time, call: &SchedulerCall) -> Result<Answer, Error> {
        let [first, .., fourth, fifth, _] = call.words;
        let [_, low, high, ..] = call.words;
        let (thread, account) = (ThreadIndex(call.slot), AccountIndex(first as u16));
        let (amount, priority) = (time(low, high), fourth as u32 as u64);
        let given = Delegation { from: account, to: thread, amount, priority };
        let mut kernel = TreeKernel::over(&mut self.kernel, &mut self.trees);
        match call.operation {
            abi::RECEIVE => return kernel.wait(now, time(first, low)).map(received),
            abi::DISPATCH => {
                let priority = (fifth as u32 != u32::MAX).then_some(fifth as u32 as u64);
                let timeout = time(low, high);
                let token = fourth as u32;
                kernel.dispatch(now, Dispatch { thread, account, priority, timeout, token })?;
            }
            abi::DELEGATE => kernel.delegate(now, given)?,
            abi::DELEGATE_AND_YIELD => kernel.delegate_and_yield(now, given)?,
            _ => {
                let to = AccountIndex(call.slot);
                kernel.transfer(now, Transfer { from: account, to, amount, priority })?;
            }
        }
        Ok(None)
    }
}

/// A time in two words of 32 bits.
fn time(low: usize, high: usize) -> Time {
    Time::from(high as u32) << 32 | Time::from(low as u32)
}

fn received(waited: Waited) -> Answer {
    let Waited::Event(event) = waited else { return None };
    let (low, high) = (event.cycles as u32 as usize, (event.cycles >> 32) as u32 as usize);
    Some([1, event.thread.at(), low, high, event.blocked.into(), 0])
}
