//! Fixed priorities.

/// A fixed priority, 0 (lowest) to 255 (highest), as on seL4.
pub type Priority = u8;

/// The highest priority.
pub const TOP_PRIORITY: Priority = 255;
