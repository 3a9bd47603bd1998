//! A page as page tables and physical memory protection give it.

use super::ranges::Rights;

/// A page that a domain can reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) address: u64,
    pub(crate) physical: u64,
    /// The rights that the page table and physical memory protection allow together.
    pub(crate) rights: Rights,
}
