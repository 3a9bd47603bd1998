//! `Partitions`: a table of slots (`os/components/partitions/partitions.c`).

use fusee_kernel::tcaps::{self, Error};
use fusee_kernel::{AccountIndex, ThreadIndex, Time};
use fusee_model::Scheduler;

use super::{Answer, Call, dispatch, thread};

/// The point that its code has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Before a slot, which ends so long after the one before.
    Slot,
    /// Yields to the slot's thread until it ends.
    Yield,
    /// Dispatches it, which is no scheduler.
    Run,
    /// Receives, or waits until then.
    Receive(Time),
    /// Behind the last slot.
    Rest,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    thread: ThreadIndex,
    priority: u64,
    amount: Time,
}

/// A scheduler by a table.
#[derive(Debug, Clone)]
pub(crate) struct Partitions {
    own: ThreadIndex,
    slots: Vec<Slot>,
    every: Time,
    /// When the period under way began.
    period: Option<Time>,
    slot: usize,
    /// When the slot under way ends.
    end: Time,
    step: Step,
    token: u32,
}

impl Partitions {
    pub(crate) fn of(scheduler: &Scheduler) -> Self {
        let slots = scheduler.delegates.iter().map(|gift| Slot {
            thread: thread(gift.to),
            priority: fusee_tables::opinion(gift.priority),
            amount: gift.amount.value.ns(),
        });
        Partitions {
            own: thread(scheduler.task),
            slots: slots.collect(),
            every: scheduler.every.map_or(0, |every| every.value.ns()),
            period: None,
            slot: 0,
            end: 0,
            step: Step::Slot,
            token: 0,
        }
    }

    /// Returns its next call.
    pub(crate) fn next(&mut self, now: Time) -> Call {
        let period = *self.period.get_or_insert_with(|| {
            self.end = now;
            now
        });
        loop {
            match self.step {
                Step::Slot if self.slot == self.slots.len() => self.step = Step::Rest,
                Step::Slot => {
                    self.end += self.slots[self.slot].amount;
                    self.step = Step::Yield;
                }
                Step::Yield if now >= self.end => {
                    self.slot += 1;
                    self.step = Step::Slot;
                }
                Step::Yield => {
                    let Slot { thread: to, priority, .. } = self.slots[self.slot];
                    let (from, until) = (AccountIndex(self.own.0), self.end);
                    return Call::Yield(tcaps::Slot { from, to, until, priority: priority + 1 });
                }
                Step::Run => {
                    let thread = self.slots[self.slot].thread;
                    return Call::Dispatch(dispatch((self.own, &mut self.token), thread, self.end));
                }
                Step::Receive(until) => return Call::Receive(until),
                Step::Rest if now < period.saturating_add(self.every) => {
                    return Call::Receive(period.saturating_add(self.every));
                }
                Step::Rest => {
                    let next = period.saturating_add(self.every);
                    (self.period, self.end, self.slot, self.step) =
                        (Some(next), next, 0, Step::Slot);
                    return self.next(now);
                }
            }
        }
    }

    /// Takes the answer of the kernel.
    pub(crate) fn hear(&mut self, answer: Answer) {
        self.step = match (self.step, answer) {
            (Step::Yield, Answer::Refused(Error::NotIts)) => Step::Run,
            (Step::Run, Answer::Refused(Error::Events)) => Step::Receive(0),
            (Step::Yield | Step::Run, Answer::Refused(error)) if error != Error::Past => {
                Step::Receive(self.end)
            }
            (Step::Yield | Step::Run | Step::Receive(_), _) => Step::Yield,
            (step, _) => step,
        };
    }
}
