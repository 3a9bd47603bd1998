//! The virtual addresses of a protection domain.
//!
//! Each domain has a slot of addresses of its own, so that an address alone tells whose it is: in a
//! fault, in a trace, in a debugger that has all of them loaded. A slot holds code and data as
//! linked, then stacks between unmapped guard pages, then what is shared or not of its own: console
//! buffer, dataports, device pages.

/// First address of the first slot.
pub const FIRST_SLOT: u64 = 0x1000_0000;
/// Size of a slot.
pub const SLOT_BYTES: u64 = 0x0100_0000;
/// Most domains: what 32-bit addresses leave room for.
pub const SLOTS: u64 = (0x1_0000_0000 - FIRST_SLOT) / SLOT_BYTES;
/// Code and data, from the slot's start; also the size of the parts before the next.
pub const IMAGE_OFFSET: u64 = 0;
/// Stacks, from the slot's start.
pub const STACKS_OFFSET: u64 = 0x0080_0000;
/// Console buffer, dataports and device pages, from the slot's start.
pub const SHARED_OFFSET: u64 = 0x00c0_0000;
/// The size of a page in bytes.
pub const PAGE_BYTES: u64 = 4096;

/// The page of the kernel's clock, below all slots and a guard page, where components read it from
/// memory.
pub const CLOCK_PAGE: u64 = FIRST_SLOT - 2 * PAGE_BYTES;

/// First address of a domain's slot.
pub const fn slot(domain: u64) -> u64 {
    FIRST_SLOT + domain * SLOT_BYTES
}
