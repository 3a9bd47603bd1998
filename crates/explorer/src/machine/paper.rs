//! The machine on paper, as the flow sees it.

use std::num::NonZero;

use fusee_image_format::{MachineKind, Status};
use fusee_kernel::{
    Changed, ComponentIndex, Error, Flow, GateIndex, Kernel, NextChosen, StackIndex, ThreadIndex,
    Time,
};
use fusee_trap_flow as flow;
use fusee_trap_flow::{Arch, FaultPlace, Host, Registers};

use super::registers::{Kept, Place, Words};
use crate::{Rules, Tape};

/// A stack of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stack {
    /// A thread's own.
    Home(ThreadIndex),
    /// One of a gate's.
    Gate(StackIndex),
}

/// The way by which a trap ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WayOut {
    /// At a stack's entry point, in a frame.
    Entered { frame: usize, stack: Stack, words: Words, who: usize },
    /// Behind the call of a frame.
    Resumed { frame: usize, preserved: usize, words: Words, error: usize },
    /// Behind a return that is refused.
    Refused { error: usize },
    /// The place where an interrupt came.
    Interrupted { frame: usize, preserved: usize, words: Words },
    /// An address with nothing at it: a fault comes next.
    Nowhere { frame: usize },
    /// The core sleeps.
    Idle,
    /// The machine has stopped.
    Halted(Status),
}

/// The machine while it handles a trap.
pub(super) struct Paper<'p, P: Rules> {
    pub(super) kernel: Kernel<'p, P, &'p mut Tape>,
    pub(super) listener: (),
    pub(super) kept: &'p Kept,
    /// The instant that the timer is set to.
    pub(super) armed: &'p mut Time,
    pub(super) now: Time,
    /// The line of the device that interrupts.
    pub(super) line: Option<u16>,
}

impl<'p, P: Rules> Host<'p> for Paper<'p, P> {
    type Policy = P;
    type Sink = &'p mut Tape;
    type Listener = ();

    fn running(&self) -> ThreadIndex {
        self.kernel.current()
    }

    fn flow(&mut self) -> Flow<'_, 'p, P, &'p mut Tape, ()> {
        Flow::over(&mut self.kernel, &mut self.listener)
    }
}

impl<'p, P: Rules> Arch<'p> for Paper<'p, P> {
    type Policy = P;
    type Sink = &'p mut Tape;
    type Listener = ();
    type Context = Place<'p>;
    type Stack = Stack;
    type Exit = WayOut;
    type Return = WayOut;

    const ASKS_AGAIN: bool = true;

    fn kernel(&self) -> &Kernel<'p, P, &'p mut Tape> {
        &self.kernel
    }

    fn flow(&mut self) -> Flow<'_, 'p, P, &'p mut Tape, ()> {
        Flow::over(&mut self.kernel, &mut self.listener)
    }

    fn simple_call(&mut self, now: Time, operation: usize, slot: u16) -> Result<NextChosen, Error> {
        flow::simple(self, now, operation, slot)
    }

    fn now(&self) -> Time {
        self.now
    }

    fn now_for_records(&self) -> Time {
        self.now
    }

    fn deadline(&self) -> Time {
        self.kernel.next_timer()
    }

    fn armed(&self) -> Time {
        *self.armed
    }

    fn set_timer(&mut self, deadline: Time) {
        *self.armed = deadline;
    }

    fn context_of(&self, _thread: ThreadIndex, frame: u16) -> Place<'p> {
        self.kept.of(frame.into())
    }

    fn discarded(&self) -> Place<'p> {
        self.kept.discarded()
    }

    fn home(&self, thread: ThreadIndex) -> Stack {
        Stack::Home(thread)
    }

    fn gate_stack(&self, stack: StackIndex) -> Stack {
        Stack::Gate(stack)
    }

    fn stack_or_home(&self, stack: StackIndex, thread: ThreadIndex) -> Stack {
        if stack.is_some() { Stack::Gate(stack) } else { Stack::Home(thread) }
    }

    fn copy_message(&mut self, _from: Stack, _to: Stack, _words: usize) {}

    fn enter_at(
        self,
        context: Place<'p>,
        stack: Stack,
        words: Words,
        _further: usize,
        who: usize,
    ) -> WayOut {
        WayOut::Entered { frame: context.frame, stack, words, who }
    }

    fn resume_call(
        self,
        context: Place<'p>,
        words: Words,
        _further: usize,
        error: usize,
    ) -> WayOut {
        let (frame, preserved) = (context.frame, context.preserved());
        WayOut::Resumed { frame, preserved, words, error }
    }

    fn resume_interrupted(self, context: Place<'p>) -> WayOut {
        let (frame, preserved) = (context.frame, context.preserved());
        WayOut::Interrupted { frame, preserved, words: context.words() }
    }

    fn nowhere(self, context: Place<'p>) -> WayOut {
        WayOut::Nowhere { frame: context.frame }
    }

    fn idle(self) -> WayOut {
        WayOut::Idle
    }

    fn halt(self, status: Status, _detail: u64, _address: u64) -> WayOut {
        WayOut::Halted(status)
    }

    fn leaves(exit: WayOut) -> WayOut {
        exit
    }

    fn refuse_return(self, _context: Place<'p>, error: usize) -> WayOut {
        WayOut::Refused { error }
    }

    fn go_on_slow(self, gate: GateIndex, context: Place<'p>) -> WayOut {
        flow::invoke_slow(self, gate, context)
    }

    fn out_of_time(self) -> WayOut {
        flow::fault(self)
    }

    fn claim(&mut self) -> Option<NonZero<u16>> {
        self.line.and_then(|line| NonZero::new(line + 1))
    }

    fn line(&self, source: u16) -> Option<u16> {
        let line = source - 1;
        (usize::from(line) < self.kernel.tables().interrupts.len()).then_some(line)
    }

    fn acknowledge(&mut self, _slot: u16) -> Result<(), Error> {
        Err(Error::NoCapability)
    }

    fn restore(&mut self, _component: ComponentIndex) -> bool {
        false
    }

    fn record_restart(&mut self, _now: Time, _thread: ThreadIndex) {}

    fn fault_place(&self) -> FaultPlace {
        FaultPlace { place: 0, address: 0, cause: 0 }
    }

    fn record(
        &mut self,
        _now: Time,
        kind: MachineKind,
        _thread: ThreadIndex,
        _object: u16,
        _value: u64,
    ) {
        self.kernel.sink().is_stray |= kind == MachineKind::StrayInterrupt;
    }

    fn is_due(&self, _now: Time) -> bool {
        false
    }

    fn ends(&self, _now: Time) -> Option<Status> {
        None
    }

    fn end_set_up(&mut self, _now: Time) -> Result<(), Changed> {
        Ok(())
    }

    fn limit(&mut self, _now: Time, _amount: u32) -> Result<NextChosen, Error> {
        Err(Error::NoCapability)
    }
}
