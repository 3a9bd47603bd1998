//! Page-table entries of RISC-V: Sv39 and Sv32.
//!
//! The build makes the page tables, the verifier reads them back, and the kernel only ever loads a
//! root. Accessed and dirty bits are preset, so that no walk ever writes. An entry that grants
//! nothing that the architecture defines (writable but not readable, reserved bits, no permission
//! where a page must be) is an error for the reader.

/// The rights of user code to a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permissions {
    /// It may load.
    pub read: bool,
    /// Store; needs `read`.
    pub write: bool,
    /// It may fetch instructions.
    pub execute: bool,
}

impl Permissions {
    /// Constants and read-only data.
    pub const READ: Permissions = Permissions { read: true, write: false, execute: false };
    /// Data, stacks and devices.
    pub const READ_WRITE: Permissions = Permissions { read: true, write: true, execute: false };
    /// The rights of code.
    pub const READ_EXECUTE: Permissions = Permissions { read: true, write: false, execute: true };

    /// As bits: 1 read, 2 write, 4 execute.
    pub const fn bits(self) -> u8 {
        self.read as u8 | (self.write as u8) << 1 | (self.execute as u8) << 2
    }

    /// From bits as [`bits`](Self::bits) makes them; none for others.
    pub const fn from_bits(bits: u8) -> Option<Permissions> {
        if bits > 7 {
            return None;
        }
        Some(Permissions { read: bits & 1 != 0, write: bits & 2 != 0, execute: bits & 4 != 0 })
    }
}

/// The meaning of a page table's entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageTableEntry {
    /// Nothing is mapped.
    Empty,
    /// The next table is at this physical address.
    Table(u64),
    /// A page (or, above the last level, a larger one) for user code.
    Page {
        /// Its physical address.
        address: u64,
        /// The rights of user code to it.
        permissions: Permissions,
    },
}

/// A form of page tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PageTableFormat {
    /// Three levels of 512 entries of 8 bytes.
    Sv39,
    /// Two levels of 1024 entries of 4 bytes.
    Sv32,
}

const VALID: u64 = 1;
const USER: u64 = 1 << 4;
const ACCESSED: u64 = 1 << 6;
const DIRTY: u64 = 1 << 7;
const PERMISSIONS_SHIFT: u32 = 1;
const NUMBER_SHIFT: u32 = 10;
const OFFSET_BITS: u32 = 12;

impl PageTableFormat {
    /// Levels of tables.
    pub const fn levels(self) -> u32 {
        match self {
            PageTableFormat::Sv39 => 3,
            PageTableFormat::Sv32 => 2,
        }
    }

    /// Bytes of an entry.
    pub const fn entry_bytes(self) -> usize {
        match self {
            PageTableFormat::Sv39 => 8,
            PageTableFormat::Sv32 => 4,
        }
    }

    /// Address bits that a level decides.
    pub const fn index_bits(self) -> u32 {
        match self {
            PageTableFormat::Sv39 => 9,
            PageTableFormat::Sv32 => 10,
        }
    }

    /// Returns the index of the entry of a table for an address; level 0 is the last one.
    pub const fn index(self, level: u32, address: u64) -> usize {
        let shift = OFFSET_BITS + level * self.index_bits();
        (address >> shift) as usize & ((1 << self.index_bits()) - 1)
    }

    /// Bytes that one entry of a level maps.
    pub const fn span(self, level: u32) -> u64 {
        1 << (OFFSET_BITS + level * self.index_bits())
    }

    /// Returns an entry as it stands in memory; for Sv32 the upper half is 0.
    pub const fn encode(self, entry: PageTableEntry) -> u64 {
        match entry {
            PageTableEntry::Empty => 0,
            PageTableEntry::Table(address) => (address >> OFFSET_BITS) << NUMBER_SHIFT | VALID,
            PageTableEntry::Page { address, permissions } => {
                let rights = (permissions.bits() as u64) << PERMISSIONS_SHIFT;
                (address >> OFFSET_BITS) << NUMBER_SHIFT | rights | VALID | USER | ACCESSED | DIRTY
            }
        }
    }

    /// Returns the meaning of an entry in memory; none: one that [`encode`](Self::encode) does not
    /// make.
    pub fn decode(self, bits: u64) -> Option<PageTableEntry> {
        if bits & VALID == 0 {
            return (bits == 0).then_some(PageTableEntry::Empty);
        }
        let number_bits = match self {
            PageTableFormat::Sv39 => 44,
            PageTableFormat::Sv32 => 22,
        };
        let number = bits >> NUMBER_SHIFT;
        if number >> number_bits != 0 {
            return None;
        }
        let address = number << OFFSET_BITS;
        let rights = (bits >> PERMISSIONS_SHIFT) as u8 & 7;
        let entry = match Permissions::from_bits(rights)? {
            Permissions { read: false, write: false, execute: false } => {
                PageTableEntry::Table(address)
            }
            Permissions { read: false, write: true, .. } => return None,
            permissions => PageTableEntry::Page { address, permissions },
        };
        (self.encode(entry) == bits).then_some(entry)
    }

    /// Returns the value of `satp` for a root table and an address-space number.
    pub const fn address_space(self, root: u64, number: u16) -> u64 {
        let page = root >> OFFSET_BITS;
        match self {
            PageTableFormat::Sv39 => 8 << 60 | (number as u64) << 44 | page,
            PageTableFormat::Sv32 => 1 << 31 | ((number & 0x1ff) as u64) << 22 | page,
        }
    }

    /// Root table and address-space number from a value of `satp`; none: translation is off or of
    /// another form.
    pub const fn root(self, satp: u64) -> Option<(u64, u16)> {
        match self {
            PageTableFormat::Sv39 if satp >> 60 == 8 => {
                Some(((satp & ((1 << 44) - 1)) << OFFSET_BITS, (satp >> 44) as u16))
            }
            PageTableFormat::Sv32 if satp >> 31 == 1 => {
                Some(((satp & ((1 << 22) - 1)) << OFFSET_BITS, (satp >> 22) as u16 & 0x1ff))
            }
            _ => None,
        }
    }

    /// Address-space numbers that the form has room for.
    pub const fn address_spaces(self) -> u32 {
        match self {
            PageTableFormat::Sv39 => 1 << 16,
            PageTableFormat::Sv32 => 1 << 9,
        }
    }
}
