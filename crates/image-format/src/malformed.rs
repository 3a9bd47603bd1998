//! The reasons for which bytes are not a system.

/// The reason for which bytes are not a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Malformed {
    /// They do not begin as a system does.
    Magic = 1,
    /// Another version of the form.
    Version = 2,
    /// No such platform.
    Platform = 3,
    /// They end too early.
    Length = 4,
    /// A table reaches beyond the end.
    Table = 5,
    /// A row means nothing.
    Row = 6,
    /// A component's part of a table, or the number of stacks, does not fit.
    Count = 7,
    /// They are for a kernel of another policy.
    Policy = 8,
}
