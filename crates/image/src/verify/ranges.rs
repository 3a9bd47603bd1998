//! Addresses, pages and rights.

/// Bytes of a page.
pub(crate) const PAGE: u64 = 4096;

/// The rights to use memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rights {
    pub(crate) read: bool,
    pub(crate) write: bool,
    pub(crate) execute: bool,
}

impl Rights {
    pub(crate) const NONE: Rights = Rights { read: false, write: false, execute: false };

    /// Returns the rights that both allow.
    pub(crate) fn and(self, other: Rights) -> Rights {
        Rights {
            read: self.read && other.read,
            write: self.write && other.write,
            execute: self.execute && other.execute,
        }
    }

    /// As `rwx`, a dash for what is missing.
    pub(crate) fn text(self) -> String {
        let letter = |has: bool, letter: char| if has { letter } else { '-' };
        [letter(self.read, 'r'), letter(self.write, 'w'), letter(self.execute, 'x')]
            .iter()
            .collect()
    }
}

/// Returns `true` if two ranges of addresses meet.
pub(crate) fn meet(a: (u64, u64), b: (u64, u64)) -> bool {
    a.0 < b.1 && b.0 < a.1
}
