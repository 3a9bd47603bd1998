//! A thread's state: one control flow through many components.

use crate::link::Link;
use crate::mutation::seeded;
use crate::urgency::{FixedPriority, Urgencies};
use crate::{
    ComponentIndex, Failure, GateIndex, GateKind, NEVER, NotificationIndex, StackIndex, Time,
};

/// The present state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// It has no job.
    Idle,
    /// It is in its core's ready queue.
    Ready,
    /// It has the core.
    Running,
    /// It waits at the gate [`Thread::waits_at`].
    AtGate,
    /// It waits for the notification [`Thread::waits_at`].
    AtNotification,
    /// It has a job but no budget, and no thread lends it time.
    Suspended,
}

/// The reason for which a thread resumes, as one small number. [`Thread::value`] completes it where
/// there is more to say: a machine reads the two one after the other, and an analysis of the
/// kernel's binary sees which path it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ResumeReason {
    /// It goes on where it was.
    Nothing,
    /// A new job begins.
    Start,
    /// It has entered the gate of its topmost [`Frame`], an interface.
    Enter,
    /// It has entered the gate of its topmost [`Frame`], a mutex: it goes on where it was.
    Lock,
    /// The invocation it made has returned.
    Return,
    /// The invocation it made has ended otherwise; the value is a [`Failure`].
    Failed,
    /// Its wait has ended; the value is [`Delivery::Signal`]'s.
    Signal,
}

/// The reason for which a thread that runs next cannot go on: the state of its component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResumeError {
    /// The component it is in is gone: [`Event::Abort`](crate::Event::Abort) comes instead of its
    /// next instruction.
    Gone,
    /// As [`Delivery::Restore`].
    Unrestored,
}

impl ResumeReason {
    /// Returns the reason for which a thread resumes that has passed a gate of this kind.
    #[inline(always)]
    pub(crate) const fn of_passage(kind: GateKind) -> ResumeReason {
        match kind {
            GateKind::Interface => ResumeReason::Enter,
            GateKind::Mutex => ResumeReason::Lock,
        }
    }
}

/// The reason for which a thread resumes, together with its value, for readers that want both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// It goes on where it was.
    None,
    /// A new job begins.
    Start,
    /// It has entered the gate, on the stack in its topmost [`Frame`].
    Enter(GateIndex),
    /// The invocation it made has returned.
    Return,
    /// The invocation it made has ended otherwise.
    Failed(Failure),
    /// Its wait has got this: bits of a merging notification, 1 for a counting one.
    Signal(u32),
    /// The component it is in is gone: call [`Kernel::abort`](crate::Kernel::abort) instead of
    /// running it.
    Abort,
    /// The component it is in has been restarted: put its initial data back, then call
    /// [`Kernel::restored`](crate::Kernel::restored). Other events may come in between; the thread
    /// that goes on in the component then is told the same, and goes on where the one before it was
    /// interrupted.
    Restore,
}

impl Delivery {
    /// Combines the reason for which a thread resumes with its value and the gate of its topmost
    /// frame.
    pub const fn of(
        reason: Result<ResumeReason, ResumeError>,
        value: u32,
        gate: GateIndex,
    ) -> Delivery {
        match reason {
            Ok(ResumeReason::Nothing) => Delivery::None,
            Ok(ResumeReason::Start) => Delivery::Start,
            Ok(ResumeReason::Enter | ResumeReason::Lock) => Delivery::Enter(gate),
            Ok(ResumeReason::Return) => Delivery::Return,
            Ok(ResumeReason::Failed) => Delivery::Failed(Failure::of(value)),
            Ok(ResumeReason::Signal) => Delivery::Signal(value),
            Err(ResumeError::Gone) => Delivery::Abort,
            Err(ResumeError::Unrestored) => Delivery::Restore,
        }
    }
}

/// One invocation on a thread's invocation stack; the lowest frame stands for the thread's home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(16))]
pub struct Frame<P: Urgencies = FixedPriority> {
    /// The gate that was passed; none: the thread is at home.
    pub gate: GateIndex,
    /// The stack it runs on; none: its own.
    pub stack: StackIndex,
    /// The component it is in.
    pub component: ComponentIndex,
    /// The effective priority that the thread has without this frame and those above: kept right
    /// whenever a waiter changes it, so that a return looks at nothing else.
    pub floor: P::Urgency,
    /// The urgency that the gate gives by itself, where that depends on when it was taken.
    pub claim: P::Claim,
    /// The component's epoch at entry; another epoch now means that the component is gone.
    pub epoch: u32,
}

impl<P: Urgencies> Frame<P> {
    /// An unused frame.
    pub const EMPTY: Self = Frame {
        gate: GateIndex::NONE,
        stack: StackIndex::NONE,
        component: ComponentIndex::NONE,
        floor: P::LEAST,
        claim: P::NO_CLAIM,
        epoch: 0,
    };
}

/// A thread's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
// Filled up to a power of two, so that an index is found by a shift; see `ThreadConfig`.
#[repr(align(128))]
pub struct Thread<P: Urgencies = FixedPriority> {
    /// The present state of the thread.
    pub status: Status,
    /// The thread's base priority.
    pub base: P::Urgency,
    /// Effective priority: always max(base, ceilings of gates held, effective priorities of the
    /// threads that wait at them).
    pub effective: P::Urgency,
    /// The index of its first frame: that of its home.
    pub home: u16,
    /// The index of its topmost frame.
    pub topmost: u16,
    /// The index of the deepest frame that it may have.
    pub deepest: u16,
    /// Its place in the one queue it may be in.
    pub link: Link,
    /// Gate or notification it waits at, as its status says.
    pub waits_at: u16,
    /// Releases that wait for the end of the current job.
    pub queued: u16,
    /// The oldest of them in the thread's ring of arrivals.
    pub first: u16,
    /// Sporadic arrivals that came too early.
    pub deferred: u16,
    /// The reason for which it resumes when it runs next.
    pub reason: ResumeReason,
    /// `true` if the signal about the end of its budget is still to come.
    pub overran: bool,
    /// The value that goes with the reason.
    pub value: u32,
    /// Releases lost because too many waited.
    pub lost: u32,
    /// The rest of its time slice in ticks.
    pub slice: Time,
    /// The rest of its budget in ticks; [`NEVER`]: no limit (until the next release, where it has
    /// overrun).
    pub budget: Time,
    /// Ticks that others have paid for it.
    pub debt: Time,
    /// Nominal arrival of the current job.
    pub arrival: Time,
    /// Absolute deadline of the current job; [`NEVER`]: none, or its miss is recorded.
    pub deadline: Time,
    /// From when on a sporadic arrival counts.
    pub earliest: Time,
}

impl<P: Urgencies> Thread<P> {
    /// A thread before the start.
    pub const EMPTY: Self = Thread {
        status: Status::Idle,
        base: P::LEAST,
        effective: P::LEAST,
        home: 0,
        topmost: 0,
        deepest: 0,
        link: Link::NONE,
        waits_at: u16::MAX,
        queued: 0,
        first: 0,
        deferred: 0,
        reason: ResumeReason::Nothing,
        overran: false,
        value: 0,
        lost: 0,
        slice: NEVER,
        budget: NEVER,
        debt: 0,
        arrival: 0,
        deadline: NEVER,
        earliest: 0,
    };

    /// Frames in use, its home left out.
    #[inline]
    pub fn depth(&self) -> u8 {
        // It fits: the declared depth has eight bits.
        (self.topmost - self.home) as u8
    }

    /// Returns the index of its topmost frame.
    #[inline(always)]
    pub(crate) fn top(&self) -> usize {
        self.topmost as usize
    }

    /// Returns `true` if it has passed no gate.
    #[inline(always)]
    pub(crate) fn is_home(&self) -> bool {
        self.topmost <= self.home
    }

    /// Returns `true` if it may go no deeper.
    #[inline(always)]
    pub(crate) fn is_deepest(&self) -> bool {
        self.topmost >= seeded!(EarlyDepth, self.deepest.saturating_sub(1), self.deepest)
    }

    /// Returns the gate at which it waits.
    #[inline]
    pub fn gate(&self) -> Option<GateIndex> {
        // Gates and notifications share the field, and it keeps old numbers: the status says what
        // it is.
        (self.status == Status::AtGate).then_some(GateIndex(self.waits_at))
    }

    /// Returns the notification for which it waits.
    #[inline]
    pub fn notification(&self) -> Option<NotificationIndex> {
        (self.status == Status::AtNotification).then_some(NotificationIndex(self.waits_at))
    }

    /// Sets the reason for which it resumes, and its value.
    #[inline(always)]
    pub(crate) fn promise(&mut self, reason: ResumeReason, value: u32) {
        // Always both: a new reason must not be told with the value of the one before.
        self.reason = reason;
        self.value = seeded!(OldValue, self.value, value);
    }

    /// Returns `true` if its own budget is used up. Only a thread that is suspended at the end of
    /// its budget comes to that: others run without limit until the next release.
    #[inline]
    pub(crate) fn is_exhausted(&self) -> bool {
        seeded!(LastTick, self.budget <= 1, self.budget == 0)
    }
}
