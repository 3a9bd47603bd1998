//! A domain's address space, and its page tables.

use crate::memory::Memory;
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_image_format::{PageTableEntry, PageTableFormat, Permissions};
use std::collections::{BTreeMap, BTreeSet};

/// Consecutive pages with the same rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// The virtual address.
    pub(crate) address: u64,
    /// The physical address.
    pub(crate) physical: u64,
    /// A multiple of a page.
    pub(crate) bytes: u64,
    pub(crate) permissions: Permissions,
}

/// A table by its level and the addresses that it decides on.
type Table = (u32, u64);

/// Returns the tables that mappings at these (address, length) need; the root is the last in order.
pub(crate) fn tables(format: PageTableFormat, ranges: &[(u64, u64)]) -> BTreeSet<Table> {
    let top = format.levels() - 1;
    let mut tables = BTreeSet::from([(top, 0)]);
    for &(address, bytes) in ranges {
        for page in (address..address + bytes).step_by(PAGE_BYTES as usize) {
            tables.extend((0..top).map(|level| (level, page / format.span(level + 1))));
        }
    }
    tables
}

/// Writes the page tables of an address space to consecutive pages from `first` on; answers the
/// root's address.
pub(crate) fn write(
    format: PageTableFormat,
    mappings: &[Mapping],
    first: u64,
    memory: &mut Memory,
) -> u64 {
    let top = format.levels() - 1;
    let ranges: Vec<(u64, u64)> =
        mappings.iter().map(|mapping| (mapping.address, mapping.bytes)).collect();
    let places = tables(format, &ranges).into_iter().zip((first..).step_by(PAGE_BYTES as usize));
    let places: BTreeMap<Table, u64> = places.collect();
    let mut writer = Writer { format, memory };
    for (&(level, prefix), &place) in places.iter().filter(|((level, _), _)| *level < top) {
        let above = (level + 1, prefix * format.span(level + 1) / format.span(level + 2));
        if let Some(&table) = places.get(&above) {
            writer.set(
                table,
                level + 1,
                prefix * format.span(level + 1),
                PageTableEntry::Table(place),
            );
        }
    }
    for mapping in mappings {
        for offset in (0..mapping.bytes).step_by(PAGE_BYTES as usize) {
            let page = mapping.address + offset;
            if let Some(&table) = places.get(&(0, page / format.span(1))) {
                let address = mapping.physical + offset;
                writer.set(
                    table,
                    0,
                    page,
                    PageTableEntry::Page { address, permissions: mapping.permissions },
                );
            }
        }
    }
    places.get(&(top, 0)).copied().unwrap_or(first)
}

struct Writer<'m> {
    format: PageTableFormat,
    memory: &'m mut Memory,
}

impl Writer<'_> {
    fn set(&mut self, table: u64, level: u32, address: u64, entry: PageTableEntry) {
        let bytes = self.format.entry_bytes();
        let place = table + (self.format.index(level, address) * bytes) as u64;
        let bits = self.format.encode(entry).to_le_bytes();
        self.memory.write(place, &bits[..bytes]);
    }
}
