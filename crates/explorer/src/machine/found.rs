//! What the thread that goes on finds.

use fusee_image_format::abi;
use fusee_kernel::{Delivery, Error, Failure, Outcome, ThreadIndex};

use super::paper::{Stack, WayOut};
use super::registers::Words;
use super::state::{At, Last, State, invoked, live, preserved, returned};
use crate::rule::{Rule, ensure};
use crate::{Breach, Rules, System};

/// The result of a trap, as it is seen from outside of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The call is refused.
    Refused(Error),
    /// Something has happened.
    Done(Outcome),
}

const NO_WORDS: Words = [0; abi::REGISTER_WORDS];

impl<P: Rules> State<P> {
    /// Follows the way by which a trap has ended: where the core is now, and what it finds there.
    ///
    /// # Errors
    /// The registers are not those that the thread must find.
    pub(super) fn follow(&mut self, system: &System, out: WayOut) -> Result<Found, Breach> {
        let delivery = match out {
            WayOut::Idle => {
                self.at = None;
                return Ok(Found::Done(self.outcome(ThreadIndex::NONE, Delivery::None)));
            }
            WayOut::Refused { error } => return refused(error),
            WayOut::Halted(status) => {
                let what = || format!("the machine stops: {status:?}");
                return Err(ensure(Rule::Registers, false, what).expect_err("it does not hold"));
            }
            WayOut::Nowhere { frame } => self.nowhere(system, frame)?,
            WayOut::Entered { frame, stack, words, who } => {
                self.enters(system, frame, (stack, words, who))?
            }
            WayOut::Resumed { frame, preserved: number, words, error } => {
                owned(frame, number)?;
                if (1..abi::NO_SUCH_OPERATION).contains(&error) {
                    let caller = self.at.is_some_and(|at| at.frame == frame);
                    ensure(Rule::Registers, caller, || {
                        format!("frame {frame} finds error {error} of another one's call")
                    })?;
                    self.last[frame] = Last::Runs;
                    return refused(error);
                }
                self.comes_back(frame, words, error)?
            }
            WayOut::Interrupted { frame, preserved: number, words } => {
                owned(frame, number)?;
                self.goes_on(system, frame, words)?
            }
        };
        let at = self.at.expect("a thread runs").frame;
        let thread = at / (usize::from(system.tables.depth) + 1);
        let topmost = usize::from(self.store.threads[thread].topmost);
        ensure(Rule::Registers, at == topmost, || {
            format!("T{thread} runs in frame {at}, its topmost is {topmost}")
        })?;
        Ok(Found::Done(self.outcome(ThreadIndex(thread as u16), delivery)))
    }

    fn outcome(&self, thread: ThreadIndex, delivery: Delivery) -> Outcome {
        Outcome { thread, delivery, timer: self.armed }
    }

    fn runs_in(&mut self, frame: usize) {
        self.at = Some(At { frame, discards: false });
        self.last[frame] = Last::Runs;
    }

    /// A job begins, or a gate is entered.
    fn enters(
        &mut self,
        system: &System,
        frame: usize,
        (stack, words, who): (Stack, Words, usize),
    ) -> Result<Delivery, Breach> {
        let depth = usize::from(system.tables.depth) + 1;
        self.runs_in(frame);
        match stack {
            Stack::Home(thread) => {
                let own = [thread.at(), 0, 0, 0, 0, 0];
                let right = frame == thread.at() * depth && (words, who) == (own, 0);
                ensure(Rule::Registers, right, || {
                    format!("a job of T{} begins in frame {frame} with {words:?}", thread.0)
                })?;
                Ok(Delivery::Start)
            }
            Stack::Gate(stack) => {
                let caller = frame - 1;
                let call = self.last[caller];
                let right = matches!(call, Last::Invoked(slot) if words == invoked(caller, slot));
                ensure(Rule::Registers, right && who == frame / depth, || {
                    format!("frame {frame} is entered with {words:?} by {who}, not for {call:?}")
                })?;
                let top = self.store.frames[frame];
                ensure(Rule::Registers, top.stack == stack, || {
                    format!("frame {frame} is entered on stack {}", stack.0)
                })?;
                Ok(Delivery::Enter(top.gate))
            }
        }
    }

    /// A call has a result.
    fn comes_back(&mut self, frame: usize, words: Words, error: usize) -> Result<Delivery, Breach> {
        let call = self.last[frame];
        self.runs_in(frame);
        let [bits, rest @ ..] = words;
        let (right, delivery) = match (error, call) {
            (abi::OK, Last::Invoked(_)) => (words == returned(frame + 1), Delivery::Return),
            (abi::OK, Last::Waited) => (rest == [0; 5], Delivery::Signal(bits as u32)),
            (abi::OK, Last::Called) => (words == NO_WORDS, Delivery::None),
            (_, Last::Invoked(_)) if error > abi::FAILURE => {
                let failure = Failure::of((error - abi::FAILURE) as u32);
                (words == NO_WORDS, Delivery::Failed(failure))
            }
            _ => (false, Delivery::None),
        };
        ensure(Rule::Registers, right, || {
            format!("frame {frame} has {call:?} and finds {words:?} with error {error}")
        })?;
        Ok(delivery)
    }

    /// A thread goes on where it was interrupted.
    fn goes_on(&mut self, system: &System, frame: usize, words: Words) -> Result<Delivery, Breach> {
        let last = self.last[frame];
        if last == Last::Nowhere {
            return self.nowhere(system, frame);
        }
        self.runs_in(frame);
        ensure(Rule::Registers, last == Last::Runs && words == live(frame), || {
            format!("frame {frame} has {last:?} and goes on as interrupted, with {words:?}")
        })?;
        Ok(Delivery::None)
    }

    /// A thread is sent to where nothing is.
    fn nowhere(&mut self, system: &System, frame: usize) -> Result<Delivery, Breach> {
        let running = self.store.running();
        let thread = running.ok_or_else(|| Breach {
            rule: Rule::Registers,
            what: "the core is sent where nothing is, and should sleep".to_owned(),
        })?;
        let own = usize::from(self.store.threads[thread].topmost);
        let discards = frame != own;
        self.at = Some(At { frame: own, discards });
        if !discards {
            self.last[own] = Last::Nowhere;
        }
        let tables = &system.tables;
        if self.store.is_stale(tables, thread) {
            return Ok(Delivery::Abort);
        }
        let unrestored = self.store.is_unrestored(tables, thread);
        ensure(Rule::Registers, unrestored, || {
            format!("T{thread} is sent where nothing is, and its component is there")
        })?;
        Ok(Delivery::Restore)
    }
}

/// The registers that a call preserves are the frame's own.
fn owned(frame: usize, number: usize) -> Result<(), Breach> {
    ensure(Rule::Registers, number == preserved(frame), || {
        format!("frame {frame} goes on with the registers {number}")
    })
}

fn refused(error: usize) -> Result<Found, Breach> {
    let known = u8::try_from(error).ok().and_then(Error::from_code);
    known.map(Found::Refused).ok_or_else(|| Breach {
        rule: Rule::Registers,
        what: format!("a call is refused with {error}, which is no error"),
    })
}
