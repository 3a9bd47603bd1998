//! The place of a thread's words on the way through a gate.

/// A stack. The kernel copies messages by physical addresses that the build has computed, and needs
/// no pointer of any component. All addresses are in the lowest 4 GiB, or the tables are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(32))]
pub struct Stack {
    /// Virtual address with which the stack pointer begins.
    pub stack_pointer: u32,
    /// Virtual address of the thread-local data.
    pub thread_pointer: u32,
    /// Physical address of the message area.
    pub message: u32,
    /// Virtual address at which a thread begins on it: each stack belongs to one gate, or is one
    /// thread's home.
    pub entry: u32,
    /// The address space there.
    pub space: usize,
}
