//! Fixed-size records of what the kernel decided.
//!
//! The kernel is generic over where records go. `()` takes none, and the calls vanish; a ring in
//! memory, a counter of paths or a file writer are each one small implementation of [`Sink`].

use crate::{ThreadIndex, Time};

/// A receiver of trace records.
pub trait Sink {
    /// Takes one record.
    fn record(&mut self, record: Record);
}

impl Sink for () {
    #[inline(always)]
    fn record(&mut self, _: Record) {}
}

impl<S: Sink> Sink for &mut S {
    #[inline]
    fn record(&mut self, record: Record) {
        (**self).record(record);
    }
}

/// One decision of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The instant of the event, in ticks.
    pub time: Time,
    /// The kind of event.
    pub kind: Kind,
    /// The thread that it concerns; [`ThreadIndex::NONE`]: none, or the idle core.
    pub thread: ThreadIndex,
    /// The gate, notification, component or other thread, as the kind says; `u16::MAX` without one.
    pub object: u16,
    /// A further number, as the kind says; else 0.
    pub value: u64,
}

crate::coded! {
    /// The kind of event that a record tells. `object` and `value` are given where they have a
    /// meaning.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Kind {
        /// A job arrived; `value`: its nominal arrival. It starts at once unless
        /// [`Queue`](Kind::Queue) or [`Lose`](Kind::Lose) follows.
        Release = 1,
        /// The job waits for the one before it; `value`: how many wait now.
        Queue = 2,
        /// The arrival is dropped: too many wait, or the home component is dead.
        Lose = 3,
        /// A sporadic arrival came too early; `value`: when it will count.
        Defer = 4,
        /// The core switches to this thread; `object`, in a run of several cores: which core. The
        /// kernel of a core does not know.
        Switch = 5,
        /// The thread passes a gate; `object`: the gate.
        Enter = 6,
        /// The thread must wait at a gate; `object`: the gate, `value`: its holder.
        Block = 7,
        /// An invocation returned; `object`: the gate.
        Return = 8,
        /// A gate is handed on to this thread, [`Enter`](Kind::Enter) follows; `object`: the gate,
        /// `value`: its former holder.
        HandOver = 9,
        /// The effective priority is derived anew because of a waiter; `object`: the gate, `value`:
        /// the new priority.
        Boost = 10,
        /// The job ended; `value`: its response time from the nominal arrival.
        Complete = 11,
        /// The job missed its deadline; `value`: the deadline.
        Miss = 12,
        /// A budget ended and the thread goes on.
        Overrun = 13,
        /// The thread is suspended: it has no budget and no thread lends it time.
        Suspend = 14,
        /// The thread goes on at another's expense; `object`: the lender.
        Lend = 15,
        /// The time slice ended and another thread of this priority runs.
        Rotate = 16,
        /// The thread faulted; `object`: the component, `value`: how many frames are left.
        Fault = 17,
        /// A frame whose component is gone is removed; `object`: the component, `value`: how many
        /// frames are left.
        Abort = 18,
        /// A notification is signalled; `object`: the notification, `thread`: the thread that
        /// signals.
        Signal = 19,
        /// The thread waits; `object`: the notification.
        Wait = 20,
        /// The thread has what it waited for; `object`: the notification.
        Wake = 21,
        /// The thread asks at a gate between cores; `object`: the gate, `value`: 1 if it must wait,
        /// else 0.
        Ask = 22,
        /// The thread, which has waited suspended at a gate between cores, has its turn; `object`:
        /// the gate.
        Turn = 23,
        /// In the time of this thread, which has asked, its core executes the activation of a gate
        /// between cores from now on; `object`: the gate, `value`: the owner's seat.
        Take = 24,
        /// ... and does so no longer: the section is not at its end.
        LayDown = 25,
        /// ... and does so no longer: the section is at its end.
        Finish = 26,
        /// The holder of a gate that bars others has left it: the thread, which has waited there,
        /// asks again when it runs; `object`: the gate.
        Retry = 27,
        /// A notification of another core is signalled; `object`: the notification, `thread`: the
        /// thread that signals. That core records [`Signal`](Kind::Signal) when it looks.
        Post = 28,
        /// A signal for a notification of another core is refused, because the thread has sent as
        /// many as it may; `object`: the notification. The first one since the last
        /// [`Post`](Kind::Post) is recorded.
        Throttle = 29,
    }
}

/// The kind of object that a record's `object` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// The record has no object.
    Nothing,
    /// The index of a gate.
    Gate,
    /// The index of a notification.
    Notification,
    /// The index of a component.
    Component,
    /// The index of another thread.
    Thread,
    /// The number of a core.
    Core,
}

impl Kind {
    /// Returns the kind of `object` in records of this kind.
    pub const fn object(self) -> Object {
        match self {
            // No arm for the rest: a new kind of record must say here what its object is.
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => Object::Gate,
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => Object::Gate,
            Kind::Retry => Object::Gate,
            Kind::Signal | Kind::Wait | Kind::Wake | Kind::Post => Object::Notification,
            Kind::Throttle => Object::Notification,
            Kind::Fault | Kind::Abort => Object::Component,
            Kind::Lend => Object::Thread,
            Kind::Switch => Object::Core,
            Kind::Release | Kind::Queue | Kind::Lose | Kind::Defer => Object::Nothing,
            Kind::Complete | Kind::Miss | Kind::Overrun => Object::Nothing,
            Kind::Suspend | Kind::Rotate => Object::Nothing,
        }
    }

    /// Returns `true` if `value` is an instant, which is counted from the same zero as the record's
    /// time.
    pub const fn has_instant(self) -> bool {
        match self {
            // All are named here as well: an instant that is taken for a number would be drawn
            // wrongly.
            Kind::Release | Kind::Defer | Kind::Miss => true,
            Kind::Queue | Kind::Lose | Kind::Switch | Kind::Complete => false,
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => false,
            Kind::Overrun | Kind::Suspend | Kind::Lend | Kind::Rotate => false,
            Kind::Fault | Kind::Abort => false,
            Kind::Signal | Kind::Wait | Kind::Wake | Kind::Post | Kind::Throttle => false,
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => false,
            Kind::Retry => false,
        }
    }
}
