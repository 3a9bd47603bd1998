//! What the flow asks of a machine.

use crate::Registers;
use core::num::NonZero;
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{
    Changed, ComponentIndex, Error, Event, Flow, GateIndex, Heard, Kernel, Listener, NextChosen,
    Policy, ResumeError, ResumeReason, Sink, StackIndex, ThreadIndex, Time,
};

const NO_WORDS: [usize; 6] = [0; 6];

/// The instruction and the address of a fault, and its cause, as the architecture numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultPlace {
    /// The address of the instruction.
    pub place: usize,
    /// The address that was accessed, or the instruction.
    pub address: usize,
    /// The number of the cause.
    pub cause: usize,
}

/// A kernel with its listener, where calls are handled that need nothing of the machine.
pub trait Host<'m> {
    /// The scheduling policy of the kernel.
    type Policy: Policy;
    /// The sink of the kernel's records.
    type Sink: Sink;
    /// The listener to the kernel's events.
    type Listener: Listener<Self::Policy, Self::Sink>;

    /// `true` if threads may sleep on each other's account.
    const HAS_SLEEPERS: bool = false;

    /// Returns the running thread.
    fn running(&self) -> ThreadIndex;

    /// Returns the flow from an event to the thread that goes on.
    fn flow(&mut self) -> Flow<'_, 'm, Self::Policy, Self::Sink, Self::Listener>;

    /// Ends an event: the listener is told, and the most urgent thread runs.
    #[inline(always)]
    fn reschedule(&mut self, now: Time, changed: Changed) -> NextChosen {
        self.flow().reschedule(now, changed)
    }

    /// Notes that a thread's job has ended: the start is over if that is the boot thread's.
    #[inline(always)]
    fn completed(&mut self, _now: Time, _thread: ThreadIndex) {}
}

/// The right to a machine while it handles one trap.
///
/// There is one such value for each trap, and each way out consumes it. On a processor it is a type
/// without data, so that it costs no register. What a machine decides by itself is only *how*
/// something is done; the hooks of machines with several cores say what they do where one core has
/// nothing to do.
pub trait Arch<'m>: Sized {
    /// The scheduling policy of the kernel.
    type Policy: Policy;
    /// The sink of the kernel's records.
    type Sink: Sink;
    /// The listener to the kernel's events.
    type Listener: Listener<Self::Policy, Self::Sink>;
    /// The registers of a frame.
    type Context: Registers;
    /// A stack with its address space and its entry point.
    type Stack: Copy;
    /// The result of a way out: none on a processor, where nothing comes back from it.
    type Exit;
    /// The result of a return that may be refused: a processor has the registers as they were and
    /// goes on behind the call.
    type Return;

    // The kernel.

    /// Returns the kernel, to look at.
    fn kernel(&self) -> &Kernel<'m, Self::Policy, Self::Sink>;

    /// Returns the flow from an event to the thread that goes on.
    fn flow(&mut self) -> Flow<'_, 'm, Self::Policy, Self::Sink, Self::Listener>;

    /// Takes the reason for which the running thread resumes; a second call finds none.
    ///
    /// # Errors
    /// The thread cannot go on.
    #[inline(always)]
    fn tell(&mut self, thread: ThreadIndex) -> Result<ResumeReason, ResumeError> {
        self.flow().tell(thread)
    }

    /// Tells the listener of an event, the first half of every reschedule.
    #[inline(always)]
    fn hear(&mut self, now: Time, changed: Changed) -> Heard {
        self.flow().hear(now, changed)
    }

    /// `true` if threads may sleep on each other's account.
    const HAS_SLEEPERS: bool = false;

    /// Handles a call without a message that has no fast path, as [`simple`](crate::simple) does
    /// where the kernel is.
    ///
    /// # Errors
    /// Errors of the kernel.
    fn simple_call(&mut self, now: Time, operation: usize, slot: u16) -> Result<NextChosen, Error>;

    /// Ends an invocation otherwise than by a return, or opens a component that has been put back.
    ///
    /// # Errors
    /// Errors of the kernel.
    #[inline(always)]
    fn end_invocation(&mut self, now: Time, event: Event) -> Result<Changed, Error> {
        self.flow().change(now, event)
    }

    /// Checks the kernel's state, where the build does that, and stops the machine if it is broken.
    #[inline(always)]
    fn check(&self) {}

    // Time.

    /// Returns the clock in ticks.
    fn now(&self) -> Time;

    /// Returns the clock where only records look at it.
    fn now_for_records(&self) -> Time;

    /// Returns when the timer must fire.
    fn deadline(&self) -> Time;

    /// Returns what the timer is set to.
    fn armed(&self) -> Time;

    /// Sets the timer.
    fn set_timer(&mut self, deadline: Time);

    // Frames and stacks.

    /// Returns the registers of a frame of a thread, by its place among all frames.
    fn context_of(&self, thread: ThreadIndex, frame: u16) -> Self::Context;

    /// Returns the registers of a thread's topmost frame.
    #[inline(always)]
    fn context(&self, thread: ThreadIndex) -> Self::Context {
        // Not kept in the machine: the kernel alone says which frame is the topmost.
        self.context_of(thread, self.kernel().thread(thread).topmost)
    }

    /// Returns a place for registers that are needed no more.
    fn discarded(&self) -> Self::Context;

    /// Returns the stack on which a thread's jobs begin.
    fn home(&self, thread: ThreadIndex) -> Self::Stack;

    /// Returns a gate's stack.
    fn gate_stack(&self, stack: StackIndex) -> Self::Stack;

    /// Returns a thread's stack: that of a gate, or none for its own.
    fn stack_or_home(&self, stack: StackIndex, thread: ThreadIndex) -> Self::Stack;

    /// Returns the stack on which a thread is.
    #[inline(always)]
    fn stack(&self, thread: ThreadIndex) -> Self::Stack {
        self.stack_or_home(self.kernel().top(thread).stack, thread)
    }

    /// Returns the stack on which a thread was before its topmost invocation, which there is.
    #[inline(always)]
    fn callers_stack(&self, thread: ThreadIndex) -> Self::Stack {
        // The frame below is still there while the callee runs, so nothing was kept of it.
        self.stack_or_home(self.kernel().below(thread).stack, thread)
    }

    /// Copies further words from one message area to another.
    fn copy_message(&mut self, from: Self::Stack, to: Self::Stack, words: usize);

    /// Returns the number by which components know a thread.
    #[inline(always)]
    fn number(&self, thread: ThreadIndex) -> usize {
        thread.at()
    }

    // Ways out.

    /// Begins at a stack's entry point, with words; the frame is `context`.
    fn enter_at(
        self,
        context: Self::Context,
        stack: Self::Stack,
        words: [usize; 6],
        further: usize,
        who: usize,
    ) -> Self::Exit;

    /// Goes on behind the call that the thread made last, with results.
    fn resume_call(
        self,
        context: Self::Context,
        words: [usize; 6],
        further: usize,
        error: usize,
    ) -> Self::Exit;

    /// Goes on where an interrupt came.
    fn resume_interrupted(self, context: Self::Context) -> Self::Exit;

    /// Sends the thread to where nothing is, so that its next instruction is a fault, after what
    /// interrupts are due.
    fn nowhere(self, context: Self::Context) -> Self::Exit;

    /// Sleeps until an interrupt comes, and handles that.
    fn idle(self) -> Self::Exit;

    /// Ends the run.
    fn halt(self, status: Status, detail: u64, address: u64) -> Self::Exit;

    /// Takes a way out as the result of a return.
    fn leaves(exit: Self::Exit) -> Self::Return;

    /// Refuses a return: the thread goes on behind the call, with the registers that a call
    /// preserves as they were.
    fn refuse_return(self, context: Self::Context, error: usize) -> Self::Return;

    /// Goes on with an invocation that is not done at once, whose words are kept.
    fn go_on_slow(self, gate: GateIndex, context: Self::Context) -> Self::Exit;

    // Devices, components' memory and records.

    /// Returns the source of the interrupt that is pending, which is claimed; none: it was
    /// withdrawn.
    fn claim(&mut self) -> Option<NonZero<u16>>;

    /// Returns the interrupt line of a source.
    fn line(&self, source: u16) -> Option<u16>;

    /// Lets the interrupt line that the slot names interrupt again.
    ///
    /// # Errors
    /// The slot names none.
    fn acknowledge(&mut self, slot: u16) -> Result<(), Error>;

    /// Puts one piece of a component's initial data back; `false`: there is none left.
    fn restore(&mut self, component: ComponentIndex) -> bool;

    /// Records that the component that the thread is in is as it was at first.
    fn record_restart(&mut self, now: Time, thread: ThreadIndex);

    /// Returns where the running thread has faulted.
    fn fault_place(&self) -> FaultPlace;

    /// Takes a record of the machine's own.
    fn record(
        &mut self,
        now: Time,
        kind: MachineKind,
        thread: ThreadIndex,
        object: u16,
        value: u64,
    );

    // The run and its start.

    /// Returns `true` if the machine itself has to look at the clock now.
    fn is_due(&self, now: Time) -> bool;

    /// Returns how the run ends now, if it does.
    fn ends(&self, now: Time) -> Option<Status>;

    /// Ends the set-up of a component that has used up its time. An error: nothing is to be ended
    /// now.
    ///
    /// # Errors
    /// The invocation is over already, or it waits.
    fn end_set_up(&mut self, now: Time) -> Result<(), Changed>;

    /// Handles the trap under way as the fault of a component that has used up its time.
    fn out_of_time(self) -> Self::Exit;

    /// Limits what the boot thread calls next, and chooses the next thread.
    ///
    /// # Errors
    /// Another thread asks.
    fn limit(&mut self, now: Time, amount: u32) -> Result<NextChosen, Error>;

    // Hooks of machines that have more than this one core, or other calls.

    /// Returns `true` if [`special_call`](Self::special_call) handles an operation: only some
    /// kernels know it, or handle it in a way of their own.
    #[inline(always)]
    fn is_special(_operation: usize) -> bool {
        false
    }

    /// Handles a call that is special.
    #[inline(always)]
    fn special_call(
        self,
        _operation: usize,
        _slot: u16,
        _words: [usize; 6],
        context: Self::Context,
    ) -> Self::Exit {
        // No machine comes here that has no special operations; the answer is that of any unknown
        // one.
        self.resume_call(context, NO_WORDS, 0, abi::NO_SUCH_OPERATION)
    }

    /// `true` if a slot may lead to another core: then the words of an invocation are kept for it.
    const LEADS_ELSEWHERE: bool = false;

    /// `true` if a call may have to be made again: there are gates of the priority ceiling
    /// protocol.
    const ASKS_AGAIN: bool = false;

    /// Signals with a slot that leads to no notification of this core.
    #[inline(always)]
    fn signal_elsewhere(self, _slot: u16, context: Self::Context) -> Self::Exit {
        self.resume_call(context, NO_WORDS, 0, Error::NoCapability as usize)
    }

    /// Invokes with a slot that leads to no gate of this core.
    #[inline(always)]
    fn invoke_elsewhere(self, context: Self::Context) -> Self::Exit {
        // Looked up only now: the fast path keeps no reason, since most calls need none.
        let refusal = self.kernel().refusal(context.slot());
        self.resume_call(context, NO_WORDS, 0, refusal as usize)
    }

    /// Locks or unlocks with a slot that leads to no mutex of this core.
    #[inline(always)]
    fn lock_elsewhere(self, context: Self::Context, _operation: usize, _slot: u16) -> Self::Exit {
        self.resume_call(context, NO_WORDS, 0, Error::NoCapability as usize)
    }

    /// Keeps the account of a thread that holds a mutex between cores.
    #[inline(always)]
    fn keep_account(&mut self, _now: Time) {}

    /// Returns `true` if by this event the holder of a mutex between cores would wait for another
    /// thread.
    #[inline(always)]
    fn keeps_others_waiting(&mut self, _event: Event) -> bool {
        false
    }

    /// Handles a fault that concerns other cores; an error hands the machine back: it does not.
    ///
    /// # Errors
    /// The machine, if the fault concerns this core only.
    #[inline(always)]
    fn fault_beside_others(self, _now: Time, _thread: ThreadIndex) -> Result<Self::Exit, Self> {
        // Handed back, because the plain flow goes on with it.
        Err(self)
    }

    /// Returns `true` if the thread stands at a gate between cores.
    #[inline(always)]
    fn has_asked(&mut self, _thread: ThreadIndex) -> bool {
        false
    }

    /// Returns `true` if the frame is that of a thread which stands at a gate between cores.
    #[inline(always)]
    fn stands_elsewhere(&self, _context: Self::Context) -> bool {
        false
    }

    /// Settles this core's part of what the running thread has asked at a gate between cores. Only
    /// where [`stands_elsewhere`](Self::stands_elsewhere) or [`has_asked`](Self::has_asked) is
    /// `true`; without other cores no thread comes here.
    #[inline(always)]
    fn come_back(self) -> Self::Exit {
        // Where there are no other cores the kernel is wrong by then, and must not go on.
        self.halt(Status::KernelTrap, 0, 0)
    }

    /// `true` for a seeded defect: a thread whose component is to be restored keeps its registers.
    const LEAKS_WHERE_RESTORED: bool = false;
    /// `true` for a seeded defect: who unlocks a mutex finds the registers of the call.
    const LEAKS_WHERE_UNLOCKED: bool = false;
}
