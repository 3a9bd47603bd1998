//! Who goes on after an event.

/// Who goes on after an event. What is said here of who has just taken the core need not be read
/// again from its state, and whoever follows a way through the kernel's binary sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[must_use]
pub enum Next {
    /// Who ran before it, where it was; or the core stays idle.
    Same,
    /// Who runs now, with [`Finds::Start`](crate::Finds::Start).
    Starts,
    /// Who runs now, with [`Finds::Signal`](crate::Finds::Signal).
    Gets,
    /// Who runs now, with whatever it finds.
    Other,
    /// That is still to be settled.
    Open,
}
