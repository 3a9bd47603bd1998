//! The calls of schedulers that are components.

use crate::System;
use fusee_image_format::abi;
use fusee_kernel::tcaps::{Delegation, Dispatch, Error, Slot, Transfer, TreeKernel, Waited};
use fusee_kernel::{AccountIndex, NextChosen, ThreadIndex, Time};

/// The values that a call returns in registers; none: no values.
pub type Answer = Option<[usize; 6]>;

/// A call of a scheduler's: the operation, what its slot names, and the words.
#[derive(Debug, Clone, Copy)]
pub struct SchedulerCall {
    /// The number of the operation.
    pub operation: usize,
    /// A thread or an account.
    pub slot: u16,
    /// The words in registers.
    pub words: [usize; 6],
}

impl System {
    /// Returns `true` if [`decide`](Self::decide) knows the operation.
    pub const fn is_decision(operation: usize) -> bool {
        matches!(operation, abi::RECEIVE..=abi::TRANSFER | abi::YIELD_UNTIL)
    }

    /// Takes a scheduler's call. The next thread is then chosen. Who goes on is then chosen.
    ///
    /// # Errors
    /// What the schedulers' rules refuse.
    #[inline(never)]
    pub fn decide(
        &mut self,
        now: Time,
        call: &SchedulerCall,
    ) -> Result<(Answer, NextChosen), Error> {
        let answer = self.decision(now, call)?;
        Ok((answer, self.flow().decided()))
    }

    #[inline(always)]
    fn decision(&mut self, now: Time, call: &SchedulerCall) -> Result<Answer, Error> {
        let [first, .., fourth, fifth, _] = call.words;
        let [_, low, high, ..] = call.words;
        let (thread, account) = (ThreadIndex(call.slot), AccountIndex(first as u16));
        let (amount, priority) = (time(low, high), fourth as u32 as u64);
        let mut kernel = TreeKernel::over(&mut self.kernel, &mut self.listening);
        if call.operation == abi::RECEIVE {
            return kernel.wait(now, time(first, low)).map(received);
        }
        let gives = !matches!(call.operation, abi::DISPATCH | abi::TRANSFER);
        let given = Delegation { from: account, to: thread, amount, priority };
        kernel.decide_by(now, gives.then_some(thread), |dispatcher| match call.operation {
            abi::DISPATCH => {
                let priority = (fifth as u32 != u32::MAX).then_some(fifth as u32 as u64);
                let (timeout, token) = (amount, fourth as u32);
                dispatcher
                    .dispatch_funded(now, Dispatch { thread, account, priority, timeout, token })
            }
            abi::DELEGATE => dispatcher.delegate_funded(now, given),
            abi::DELEGATE_AND_YIELD => dispatcher.delegate_and_yield_funded(now, given),
            abi::YIELD_UNTIL => {
                let slot = Slot { from: account, to: thread, until: amount, priority };
                dispatcher.yield_until_funded(now, slot)
            }
            _ => {
                let to = AccountIndex(call.slot);
                dispatcher.transfer_funded(now, Transfer { from: account, to, amount, priority })
            }
        })?;
        Ok(None)
    }
}

/// Returns a time in two words of 32 bits.
fn time(low: usize, high: usize) -> Time {
    Time::from(high as u32) << 32 | Time::from(low as u32)
}

fn received(waited: Waited) -> Answer {
    let Waited::Event(event) = waited else { return None };
    let (low, high) = (event.cycles as u32 as usize, (event.cycles >> 32) as u32 as usize);
    Some([1, event.thread.at(), low, high, event.blocked.into(), 0])
}
