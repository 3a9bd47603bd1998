//! The layout: each domain's addresses, and physical memory.
//!
//! Physical memory is handed out in the order of the platform's map: kernel,
//! tables, initial data for restarts (the kernel's own up to here), page tables (one
//! region that walks may read), the domains' memory (one region that page tables
//! divide), records up to the end. The same input always gives the same places.

use crate::ImageError;
use crate::physical::Physical;
use crate::program::Program;
use crate::stacks::Stack;
use crate::virtual_memory::{self, Mapping};
use fusee_image_format::virtual_map::{CLOCK_PAGE, PAGE_BYTES, SHARED_OFFSET, STACKS_OFFSET};
use fusee_image_format::{CORE_BYTES, MemoryMap, PageTableFormat, Permissions, Platform, abi};
use fusee_model::DataportId;
use fusee_tables::{Domain, Machine, WindowKind};
use std::collections::BTreeMap;

/// Everything's place.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// Domains in the machine's order.
    pub(crate) domains: Vec<DomainLayout>,
    /// The memory that cores share.
    pub(crate) shared: (u64, u64),
    /// Initial data for restarts.
    pub(crate) initial: u64,
    /// First page table and the end of the last.
    pub(crate) page_tables: (u64, u64),
    /// The domains' memory.
    pub(crate) user: (u64, u64),
    /// Records and result of each core.
    pub(crate) records: Vec<(u64, u64)>,
}

/// A domain's places.
#[derive(Debug, Clone, Default)]
pub(crate) struct DomainLayout {
    /// All that is mapped.
    pub(crate) mappings: Vec<Mapping>,
    /// Physical addresses of the program's segments.
    pub(crate) segments: Vec<u64>,
    /// Stacks in the plan's order.
    pub(crate) stacks: Vec<PlacedStack>,
    /// Physical addresses of the machine's windows.
    pub(crate) windows: Vec<u64>,
    /// The kernel's clock, where components read it from memory.
    pub(crate) clock: Option<Mapping>,
    /// First of its page tables.
    pub(crate) tables: u64,
}

impl DomainLayout {
    /// Returns all mappings in the order of what they are, the clock last.
    pub(crate) fn all(&self) -> Vec<Mapping> {
        self.mappings.iter().chain(&self.clock).copied().collect()
    }

    /// Returns the number of page tables that it takes.
    fn table_count(&self, format: PageTableFormat) -> u64 {
        let ranges: Vec<(u64, u64)> = self.all().iter().map(|m| (m.address, m.bytes)).collect();
        if ranges.is_empty() { 0 } else { virtual_memory::tables(format, &ranges).len() as u64 }
    }

    /// Returns the physical address of a mapped one.
    pub(crate) fn physical_of(&self, address: u64) -> Option<u64> {
        let within = |mapping: &&Mapping| {
            address.checked_sub(mapping.address).is_some_and(|at| at < mapping.bytes)
        };
        let mapping = self.mappings.iter().find(within)?;
        Some(mapping.physical + (address - mapping.address))
    }
}

/// A stack's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlacedStack {
    /// Virtual address of its lowest byte.
    pub(crate) address: u64,
    /// Physical address of its lowest byte.
    pub(crate) physical: u64,
    /// A multiple of a page.
    pub(crate) bytes: u64,
    /// Virtual address of the thread-local data.
    pub(crate) thread_pointer: u64,
    /// Virtual address below which the stack grows; a multiple of 16.
    pub(crate) stack_pointer: u64,
}

impl PlacedStack {
    /// Returns the physical address that belongs to a virtual one.
    pub(crate) fn physical_of(&self, address: u64) -> u64 {
        self.physical + (address - self.address)
    }
}

/// The parts that are to be placed.
pub(crate) struct Parts<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) platform: Platform,
    /// Programs of the machine's domains.
    pub(crate) programs: &'a [Option<Program>],
    /// Stacks of each domain.
    pub(crate) stacks: &'a [Vec<Stack>],
    /// Bytes of initial data for restarts.
    pub(crate) initial_bytes: u64,
    /// Cores, each with a kernel and tables of its own.
    pub(crate) cores: usize,
    /// Bytes that they share.
    pub(crate) shared_bytes: u64,
}

impl Layout {
    /// Places everything behind tables of that length, the longest of a core.
    pub(crate) fn of(parts: &Parts<'_>, blob_bytes: u64) -> Result<Layout, ImageError> {
        let (map, format) = (parts.platform.memory_map(), parts.platform.page_tables());
        let mut physical = Physical::from(behind_tables(parts, blob_bytes)?);
        let shared = physical.take(parts.shared_bytes, PAGE_BYTES);
        let shared = (shared, shared + parts.shared_bytes);
        let initial = physical.take(parts.initial_bytes, PAGE_BYTES);
        let tables = physical.take(0, PAGE_BYTES);
        let mut domains = Vec::new();
        for index in 0..parts.machine.domains.len() {
            domains.push(virtual_layout(parts, index)?);
        }
        for domain in &mut domains {
            let count = domain.table_count(format);
            domain.tables = physical.take(count * PAGE_BYTES, PAGE_BYTES);
        }
        let tables_end = physical.next();
        let user = physical.take(0, PAGE_BYTES);
        place(parts.machine, &mut domains, &mut physical);
        let user_end = physical.take(0, PAGE_BYTES);
        enough(user_end, map)?;
        Ok(Layout {
            domains,
            shared,
            initial,
            page_tables: (tables, tables_end),
            user: (user, user_end),
            records: records((user_end, map.ram_end), parts.cores as u64),
        })
    }
}

/// Returns the end of the tables of which the longest has so many bytes. Each of several cores has
/// a fixed place for them.
fn behind_tables(parts: &Parts<'_>, blob_bytes: u64) -> Result<u64, ImageError> {
    let map = parts.platform.memory_map();
    let room = map.ram + CORE_BYTES - map.blob;
    match parts.cores {
        1 => Ok(map.blob + blob_bytes),
        _ if blob_bytes > room => Err(ImageError::TooLarge {
            what: "the tables of a core".to_owned(),
            needed: blob_bytes,
            room,
        }),
        cores => Ok(map.ram + cores as u64 * CORE_BYTES),
    }
}

/// Returns the memory for records in equal parts.
fn records((start, end): (u64, u64), cores: u64) -> Vec<(u64, u64)> {
    let bytes = (end - start) / cores / PAGE_BYTES * PAGE_BYTES;
    let part = |core: u64| match core + 1 == cores {
        true => (start + core * bytes, end),
        false => (start + core * bytes, start + (core + 1) * bytes),
    };
    (0..cores).map(part).collect()
}

/// The least that is left for records.
const LEAST_RECORDS: u64 = 1 << 20;

fn enough(user_end: u64, map: MemoryMap) -> Result<(), ImageError> {
    let needed = user_end.saturating_add(LEAST_RECORDS);
    match needed <= map.ram_end {
        true => Ok(()),
        false => Err(ImageError::TooLarge {
            what: "the image, with 1 MiB for records,".to_owned(),
            needed: needed - map.ram,
            room: map.ram_end - map.ram,
        }),
    }
}

/// Returns a domain's mappings without physical addresses: segments, stacks, windows, in this
/// order.
fn virtual_layout(parts: &Parts<'_>, index: usize) -> Result<DomainLayout, ImageError> {
    let domain = &parts.machine.domains[index];
    let mut layout = DomainLayout::default();
    if let Some(program) = &parts.programs[index] {
        for segment in &program.segments {
            let bytes = segment.size.next_multiple_of(PAGE_BYTES);
            let permissions = segment.permissions;
            layout.mappings.push(Mapping {
                address: segment.address,
                physical: 0,
                bytes,
                permissions,
            });
        }
        place_stacks(parts, domain, program, &parts.stacks[index], &mut layout)?;
    }
    for window in &domain.windows {
        let permissions = if window.write { Permissions::READ_WRITE } else { Permissions::READ };
        layout.mappings.push(Mapping {
            address: window.address,
            physical: 0,
            bytes: window.size,
            permissions,
        });
    }
    if !layout.mappings.is_empty() {
        layout.clock = parts.platform.clock_page().map(|physical| Mapping {
            address: CLOCK_PAGE,
            physical,
            bytes: PAGE_BYTES,
            permissions: Permissions::READ,
        });
    }
    Ok(layout)
}

/// Each stack between two unmapped pages.
fn place_stacks(
    parts: &Parts<'_>,
    domain: &Domain,
    program: &Program,
    stacks: &[Stack],
    layout: &mut DomainLayout,
) -> Result<(), ImageError> {
    let message = abi::MESSAGE_WORDS as u64 * parts.platform.word_bytes();
    let local = &program.thread_local;
    let align = local.align.max(16);
    let mut next = domain.base + STACKS_OFFSET + PAGE_BYTES;
    for stack in stacks {
        let above = local.size.next_multiple_of(align) + message;
        let bytes = (stack.bytes.next_multiple_of(16) + above).next_multiple_of(PAGE_BYTES);
        let thread_pointer = next + bytes - local.size.next_multiple_of(align);
        let stack_pointer = thread_pointer - message;
        layout.stacks.push(PlacedStack {
            address: next,
            physical: 0,
            bytes,
            thread_pointer,
            stack_pointer,
        });
        let permissions = Permissions::READ_WRITE;
        layout.mappings.push(Mapping { address: next, physical: 0, bytes, permissions });
        next += bytes + PAGE_BYTES;
    }
    let (needed, room) = (next - domain.base - STACKS_OFFSET, SHARED_OFFSET - STACKS_OFFSET);
    match needed <= room {
        true => Ok(()),
        false => Err(ImageError::TooLarge {
            what: format!("the stacks of domain `{}`", domain.name),
            needed,
            room,
        }),
    }
}

/// Gives all mappings physical memory; shared memory gets it once, devices have theirs.
fn place(machine: &Machine, domains: &mut [DomainLayout], physical: &mut Physical) {
    let mut shared: BTreeMap<DataportId, u64> = BTreeMap::new();
    let mut sizes: BTreeMap<DataportId, u64> = BTreeMap::new();
    for window in machine.domains.iter().flat_map(|domain| &domain.windows) {
        if let WindowKind::Shared { dataport, .. } = window.kind {
            let size = sizes.entry(dataport).or_default();
            *size = (*size).max(window.size);
        }
    }
    for (domain, layout) in machine.domains.iter().zip(domains) {
        let own = layout.mappings.len() - domain.windows.len();
        for mapping in &mut layout.mappings[..own] {
            mapping.physical = physical.take(mapping.bytes, PAGE_BYTES);
        }
        for (window, mapping) in domain.windows.iter().zip(&mut layout.mappings[own..]) {
            mapping.physical = match window.kind {
                WindowKind::Console => physical.take(window.size, PAGE_BYTES),
                WindowKind::Device { physical, .. } => physical,
                WindowKind::Shared { dataport, .. } => {
                    let size = sizes.get(&dataport).copied().unwrap_or(window.size);
                    *shared.entry(dataport).or_insert_with(|| physical.take(size, PAGE_BYTES))
                }
            };
        }
        let segments = own - layout.stacks.len();
        layout.segments =
            layout.mappings[..segments].iter().map(|mapping| mapping.physical).collect();
        for (stack, mapping) in layout.stacks.iter_mut().zip(&layout.mappings[segments..own]) {
            stack.physical = mapping.physical;
        }
        layout.windows = layout.mappings[own..].iter().map(|mapping| mapping.physical).collect();
    }
}

/// Returns the value that selects a domain's address space; 0: it has none.
pub(crate) fn address_space(platform: Platform, index: usize, layout: &DomainLayout) -> u64 {
    let format = platform.page_tables();
    if layout.mappings.is_empty() {
        0
    } else {
        format.address_space(root(format, layout), platform.address_space_number(index as u16))
    }
}

/// The root is the last table: tables come in the order of levels.
fn root(format: PageTableFormat, layout: &DomainLayout) -> u64 {
    layout.tables + (layout.table_count(format) - 1) * PAGE_BYTES
}
