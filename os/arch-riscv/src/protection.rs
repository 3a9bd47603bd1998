//! Physical memory protection: the memory that exists below machine mode.
//!
//! Page tables decide what a component reaches; this decides what page tables can name. The image
//! says which memory is open: page tables (read-only, for walks), the components' memory, granted
//! devices. Nothing else is reachable, whatever a page table says. An aligned power of two takes
//! one register, another range one or two.

use crate::csr::{read, write};
use fusee_image_format::{MemoryMap, Opening};

/// Registers that this code sets; others stay off.
const REGISTERS: usize = 16;
const TOP_OF_RANGE: u8 = 1 << 3;
const POWER_OF_TWO: u8 = 3 << 3;

/// The values of the protection registers.
pub(crate) struct Protection {
    addresses: [usize; REGISTERS],
    modes: [u8; REGISTERS],
    used: usize,
}

impl Protection {
    /// Nothing is open.
    pub(crate) const NOTHING: Protection =
        Protection { addresses: [0; REGISTERS], modes: [0; REGISTERS], used: 0 };

    /// Opens a range. If there are too few registers, the number that there would have to be grows
    /// nevertheless.
    pub(crate) fn open(&mut self, opening: &Opening) {
        let (base, bytes) = (opening.base, opening.bytes);
        let rights = opening.permissions.bits();
        if bytes >= 8 && bytes.is_power_of_two() && base % bytes == 0 {
            self.add(base | (bytes / 2 - 1), rights | POWER_OF_TWO);
            return;
        }
        let below = self.used.checked_sub(1).and_then(|last| self.addresses.get(last)).copied();
        let follows = below == Some((base >> 2) as usize)
            && self.modes[self.used - 1] & POWER_OF_TWO == TOP_OF_RANGE;
        if !follows {
            self.add(base, 0);
        }
        self.add(base + bytes, rights | TOP_OF_RANGE);
    }

    fn add(&mut self, address: u64, mode: u8) {
        if let (Some(place), Some(mode_place)) =
            (self.addresses.get_mut(self.used), self.modes.get_mut(self.used))
        {
            *place = (address >> 2) as usize;
            *mode_place = mode;
        }
        self.used += 1;
    }

    /// Returns the number of registers that it takes, if that is more than there are.
    pub(crate) fn excess(&self) -> Option<usize> {
        (self.used > REGISTERS).then_some(self.used)
    }

    fn modes(&self, first: usize) -> usize {
        let bytes = self.modes.iter().skip(first).take(size_of::<usize>()).rev();
        bytes.fold(0, |word, &mode| word << 8 | mode as usize)
    }

    /// Sets the registers.
    pub(crate) fn apply(&self) {
        let address = &self.addresses;
        write!("pmpaddr0", address[0]);
        write!("pmpaddr1", address[1]);
        write!("pmpaddr2", address[2]);
        write!("pmpaddr3", address[3]);
        write!("pmpaddr4", address[4]);
        write!("pmpaddr5", address[5]);
        write!("pmpaddr6", address[6]);
        write!("pmpaddr7", address[7]);
        write!("pmpaddr8", address[8]);
        write!("pmpaddr9", address[9]);
        write!("pmpaddr10", address[10]);
        write!("pmpaddr11", address[11]);
        write!("pmpaddr12", address[12]);
        write!("pmpaddr13", address[13]);
        write!("pmpaddr14", address[14]);
        write!("pmpaddr15", address[15]);
        write!("pmpcfg0", self.modes(0));
        #[cfg(target_pointer_width = "32")]
        {
            write!("pmpcfg1", self.modes(4));
            write!("pmpcfg3", self.modes(12));
        }
        write!("pmpcfg2", self.modes(8));
    }
}

impl Protection {
    /// Bits that the registers have not kept of what [`apply`](Self::apply) has set.
    pub(crate) fn lost(&self) -> usize {
        let address = [
            read!("pmpaddr0"),
            read!("pmpaddr1"),
            read!("pmpaddr2"),
            read!("pmpaddr3"),
            read!("pmpaddr4"),
            read!("pmpaddr5"),
            read!("pmpaddr6"),
            read!("pmpaddr7"),
            read!("pmpaddr8"),
            read!("pmpaddr9"),
            read!("pmpaddr10"),
            read!("pmpaddr11"),
            read!("pmpaddr12"),
            read!("pmpaddr13"),
            read!("pmpaddr14"),
            read!("pmpaddr15"),
        ];
        #[cfg(target_pointer_width = "64")]
        let modes = [(0, read!("pmpcfg0")), (8, read!("pmpcfg2"))];
        #[cfg(target_pointer_width = "32")]
        let modes = [
            (0, read!("pmpcfg0")),
            (4, read!("pmpcfg1")),
            (8, read!("pmpcfg2")),
            (12, read!("pmpcfg3")),
        ];
        let used = self.used.min(REGISTERS);
        let addresses =
            address.iter().zip(&self.addresses).take(used).map(|(found, set)| found ^ set);
        addresses
            .chain(modes.map(|(first, found)| found ^ self.modes(first)))
            .fold(0, |lost, bits| lost | bits)
    }
}

/// Returns `true` if a range may be opened: it wraps nowhere and holds nothing of the kernel's.
pub(crate) fn is_opening(map: &MemoryMap, opening: &Opening, kernel_end: u64) -> bool {
    let Some(end) = opening.base.checked_add(opening.bytes) else { return false };
    let kernel = opening.base < kernel_end && end > map.ram;
    opening.base.is_multiple_of(4) && opening.bytes.is_multiple_of(4) && !kernel
}
