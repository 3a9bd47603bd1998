//! Contents of physical memory, as far as they are not zero.

use crate::elf::Load;
use fusee_image_format::virtual_map::PAGE_BYTES;
use std::collections::BTreeMap;

/// Pages by address; what was never written is zero.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pages: BTreeMap<u64, Vec<u8>>,
}

impl Memory {
    /// Writes bytes at an address.
    pub(crate) fn write(&mut self, mut address: u64, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let offset = (address % PAGE_BYTES) as usize;
            let part = bytes.len().min(PAGE_BYTES as usize - offset);
            let page = self
                .pages
                .entry(address - offset as u64)
                .or_insert_with(|| vec![0; PAGE_BYTES as usize]);
            page[offset..offset + part].copy_from_slice(&bytes[..part]);
            address += part as u64;
            bytes = &bytes[part..];
        }
    }

    /// Returns a range as parts to load: each begins with what is not zero and goes on with zeros
    /// up to the next.
    pub(crate) fn loads(&self, start: u64, end: u64, flags: u32) -> Vec<Load> {
        let mut loads: Vec<Load> = Vec::new();
        for (&address, bytes) in self.pages.range(start..end) {
            match loads.last_mut().filter(|load| load.address + load.bytes.len() as u64 == address)
            {
                Some(load) => load.bytes.extend_from_slice(bytes),
                None => loads.push(Load { address, bytes: bytes.clone(), size: 0, flags }),
            }
        }
        if loads.first().is_none_or(|first| first.address > start) && start < end {
            loads.insert(0, Load { address: start, bytes: Vec::new(), size: 0, flags });
        }
        let ends: Vec<u64> = loads.iter().skip(1).map(|load| load.address).chain([end]).collect();
        for (load, end) in loads.iter_mut().zip(ends) {
            load.size = end - load.address;
            load.bytes.truncate(load.size as usize);
        }
        loads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_cover_the_range_and_carry_what_was_written() {
        let mut memory = Memory::default();
        memory.write(0x1ffe, &[1, 2, 3, 4]);
        memory.write(0x5000, &[9]);
        let loads = memory.loads(0, 0x8000, 4);
        let covered: Vec<(u64, u64)> = loads.iter().map(|load| (load.address, load.size)).collect();
        assert_eq!(covered, [(0, 0x1000), (0x1000, 0x4000), (0x5000, 0x3000)]);
        assert_eq!(loads[1].bytes[0xffe..0x1002], [1, 2, 3, 4]);
        assert_eq!(loads[2].bytes[0], 9);
    }
}
