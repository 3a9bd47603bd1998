//! Page tables as the processor walks them.
//!
//! Bits are those of the RISC-V privileged architecture, chapters Sv32 and Sv39. A
//! walk reads tables with the rights that physical memory protection gives, so a
//! table outside of the opened range is no table.

use super::file::File;
use super::finding::Findings;
use super::names::Names;
use super::page::Page;
use super::protection::Protection;
use super::ranges::{PAGE, Rights};
use fusee_image_format::{PageTableFormat, Platform, System as Tables};

/// The walks through all page tables.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// Pages of each domain by address.
    pub(crate) domains: Vec<Vec<Page>>,
    /// Physical addresses of all tables, in order.
    pub(crate) tables: Vec<u64>,
}

const VALID: u64 = 1;
const READ: u64 = 2;
const WRITE: u64 = 4;
const EXECUTE: u64 = 8;
const USER: u64 = 16;
const GLOBAL: u64 = 32;
const ACCESSED: u64 = 64;
const DIRTY: u64 = 128;
const SOFTWARE: u64 = 3 << 8;

/// More pages in one domain than this are not looked at: 1 GiB.
const MOST_PAGES: usize = 1 << 18;

/// More tables than this are not walked: they lead in circles.
const MOST_TABLES: usize = 1 << 14;

impl Walk {
    /// Walks the address space of every domain.
    pub(crate) fn all(
        file: &File,
        tables: &Tables,
        names: &Names,
        protection: &Protection,
        findings: &mut Findings,
    ) -> Walk {
        let mut walk = Walk { domains: vec![Vec::new(); names.domains.len()], tables: Vec::new() };
        let mut roots: Vec<Option<u64>> = vec![None; names.domains.len()];
        for (component, name) in tables.components.iter().zip(&names.components) {
            let (satp, known) = (component.address_space, &mut roots[name.domain]);
            match *known {
                // A device has no address space, in whichever domain it stands.
                _ if satp == 0 && component.capabilities.is_empty() => {}
                None => *known = Some(satp),
                Some(other) if other == satp => {}
                Some(_) => findings.unsound(format!(
                    "the components of `{}` have different address spaces",
                    name.name
                )),
            }
        }
        for (index, root) in roots.into_iter().enumerate() {
            let Some(satp) = root else { continue };
            let name = &names.domains[index].name;
            let shape = Shape::of(file.platform().page_tables());
            match shape.root(satp) {
                Some((root, number)) if is_own(file.platform(), number, index) => {
                    let mut space =
                        Space { file, protection, shape, name, walk: &mut walk, findings, index };
                    space.table(root, shape.levels - 1, 0);
                }
                _ => findings
                    .unsound(format!("domain `{name}` has no address space of its own: {satp:#x}")),
            }
        }
        walk.tables.sort_unstable();
        let shared = walk.tables.windows(2).find(|pair| pair[0] == pair[1]);
        if let Some(pair) = shared {
            findings.unsound(format!("the page table at {:#x} is used twice", pair[0]));
        }
        walk.tables.dedup();
        walk.domains.iter_mut().for_each(|pages| pages.sort_by_key(|page| page.address));
        walk
    }
}

/// Returns `true` if a number of an address space is that of the domain with this index. Where
/// translations carry none, no bits may be set that a core does not keep.
fn is_own(platform: Platform, number: u16, index: usize) -> bool {
    let own = if platform.traits().tagged_translations { index + 1 } else { 0 };
    usize::from(number) == own
}

/// A form of page tables.
#[derive(Debug, Clone, Copy)]
struct Shape {
    levels: u32,
    entry: u64,
    index_bits: u32,
    number_bits: u32,
}

impl Shape {
    /// Returns the shape that the privileged architecture gives to the form; the build's own
    /// knowledge is not used.
    fn of(form: PageTableFormat) -> Shape {
        match form {
            PageTableFormat::Sv39 => Shape { levels: 3, entry: 8, index_bits: 9, number_bits: 44 },
            PageTableFormat::Sv32 => Shape { levels: 2, entry: 4, index_bits: 10, number_bits: 22 },
        }
    }

    /// Root table and number of the address space.
    fn root(self, satp: u64) -> Option<(u64, u16)> {
        if self.entry == 8 {
            (satp >> 60 == 8).then_some(((satp & ((1 << 44) - 1)) * PAGE, (satp >> 44) as u16))
        } else {
            (satp >> 31 == 1)
                .then_some(((satp & ((1 << 22) - 1)) * PAGE, (satp >> 22) as u16 & 0x1ff))
        }
    }
}

/// One domain's walk.
struct Space<'a> {
    file: &'a File,
    protection: &'a Protection,
    shape: Shape,
    name: &'a str,
    walk: &'a mut Walk,
    findings: &'a mut Findings,
    index: usize,
}

impl Space<'_> {
    fn table(&mut self, table: u64, level: u32, base: u64) {
        if !self.protection.rights(table, PAGE).read {
            let name = self.name;
            self.findings.unsound(format!(
                "domain `{name}` has a page table at {table:#x}, which no walk may read"
            ));
            return;
        }
        if self.walk.tables.len() >= MOST_TABLES {
            return self.findings.unsound(format!("there are more than {MOST_TABLES} page tables"));
        }
        self.walk.tables.push(table);
        let mut bytes = [0u8; PAGE as usize];
        if self.file.read_into(table, &mut bytes).is_none() {
            let name = self.name;
            self.findings.unsound(format!(
                "domain `{name}` has a page table at {table:#x}, where the image loads nothing"
            ));
            return;
        }
        for (position, entry) in bytes.chunks_exact(self.shape.entry as usize).enumerate() {
            let mut word = [0u8; 8];
            word[..entry.len()].copy_from_slice(entry);
            let entry = u64::from_le_bytes(word);
            let span = PAGE << (level * self.shape.index_bits);
            let address = base + position as u64 * span;
            if entry != 0 {
                self.entry(entry, level, address, span);
            }
        }
    }

    fn entry(&mut self, entry: u64, level: u32, address: u64, span: u64) {
        let name = self.name;
        let mut wrong = |what: &str| {
            self.findings.unsound(format!(
                "the page-table entry of domain `{name}` for {address:#x} {what}: {entry:#x}"
            ));
        };
        let number = entry >> 10;
        if entry & VALID == 0 {
            return wrong("is not valid, and not empty");
        }
        if number >> self.shape.number_bits != 0 || entry & (SOFTWARE | GLOBAL) != 0 {
            return wrong("has bits that must be zero");
        }
        let rights = entry & (READ | WRITE | EXECUTE);
        if rights == 0 {
            if level == 0 || entry & (USER | ACCESSED | DIRTY) != 0 {
                return wrong("leads to no page and to no table");
            }
            // Each level is one lower, so this ends whatever tables point to each other.
            return self.table(number * PAGE, level - 1, address);
        }
        if rights & READ == 0 || entry & USER == 0 {
            return wrong("gives rights that no component can use");
        }
        if entry & ACCESSED == 0 || entry & DIRTY == 0 {
            return wrong("would be written by the processor");
        }
        if !(number * PAGE).is_multiple_of(span) {
            return wrong("is a large page that does not start at a multiple of its size");
        }
        self.pages(entry, number * PAGE, address, span);
    }

    fn pages(&mut self, entry: u64, physical: u64, address: u64, span: u64) {
        let table = Rights {
            read: entry & READ != 0,
            write: entry & WRITE != 0,
            execute: entry & EXECUTE != 0,
        };
        for offset in (0..span).step_by(PAGE as usize) {
            if self.walk.domains[self.index].len() >= MOST_PAGES {
                let name = self.name;
                return self.findings.unsound(format!("domain `{name}` reaches more than 1 GiB"));
            }
            let place = physical.saturating_add(offset);
            let rights = table.and(self.protection.rights(place, PAGE));
            if rights != table {
                let (name, table, rights) = (self.name, table.text(), rights.text());
                self.findings.unsound(format!(
                    "domain `{name}` maps {:#x} as {table}, but memory protection gives {rights} \
                     at {place:#x}",
                    address + offset
                ));
            }
            self.walk.domains[self.index].push(Page {
                address: address + offset,
                physical: place,
                rights,
            });
        }
    }
}
