//! The thread that goes on after an event.

/// The thread that goes on after an event. A variant that says how a thread has just taken the core
/// spares reading its state again, and an analysis of the kernel's binary sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[must_use]
pub enum Next {
    /// The thread that ran before the event, where it was; or the core stays idle.
    Same,
    /// The thread that runs now, with [`ResumeReason::Start`](crate::ResumeReason::Start).
    Starts,
    /// The thread that runs now, with [`ResumeReason::Signal`](crate::ResumeReason::Signal).
    Gets,
    /// The thread that runs now, for whatever reason.
    Other,
    /// The next thread is still to be chosen.
    Open,
}
