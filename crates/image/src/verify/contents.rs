//! Every byte that a domain finds in its memory comes from its program.
//!
//! What is reached says nothing about what is there. So the linked programs, which
//! lie beside an image, are a fourth witness: pages that a program fills must hold
//! its bytes, thread-local data must stand at each stack's thread pointer, what a
//! component is told of its pool for devices must be what the walk shows, and all
//! else must be zero; the kernel must be the kernel that was linked, and nothing
//! beside it. Byte for byte, through the page tables, as the components will read.

use super::finding::{Finding, Findings};
use super::names::Names;
use super::page::Page;
use super::ranges::PAGE;
use super::{Subject, VerifyError};
use crate::rules;
use fusee_diagnostics::Diagnostic;
use fusee_image_format::{CORE_BYTES, KernelPolicy};
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{
    Endianness, FileKind, Object, ObjectSection, ObjectSegment, ObjectSymbol, RelocationFlags,
};
use std::collections::BTreeSet;

/// The linked programs that an image was made of, as far as they are at hand.
#[derive(Debug, Clone, Default)]
pub struct Programs {
    /// The kernels', core by core.
    pub kernels: Vec<Option<Vec<u8>>>,
    /// Those of the domains, in their order; nothing where a domain has none, or it is not at hand.
    pub domains: Vec<Option<Vec<u8>>>,
}

impl Programs {
    /// Returns the paths of the programs of its domains that an image names, seen from its folder;
    /// nothing for one without.
    ///
    /// # Errors
    /// A [`VerifyError`] for bytes that are no image.
    pub fn paths(image: &[u8]) -> Result<Vec<Option<String>>, VerifyError> {
        let names = Names::read(super::File::read(image)?.manifest())?;
        let path = |domain: super::names::Domain| (!domain.elf.is_empty()).then_some(domain.elf);
        Ok(names.domains.into_iter().map(path).collect())
    }

    /// Returns the digest of the record of all sources of an image, if it has one.
    ///
    /// # Errors
    /// A [`VerifyError`] for bytes that are no image.
    pub fn record(image: &[u8]) -> Result<Option<String>, VerifyError> {
        Ok(Names::read(super::File::read(image)?.manifest())?.record)
    }

    /// Returns the scheduling policy of each core of an image, for which there are as many kernels.
    ///
    /// # Errors
    /// A [`VerifyError`] for bytes that are no image.
    pub fn policies(image: &[u8]) -> Result<Vec<KernelPolicy>, VerifyError> {
        let mut policies = Vec::new();
        super::look(image, &mut Findings::default(), |subject, _| {
            policies.extend(subject.cores.iter().map(|core| core.told.header.policy));
        })?;
        Ok(policies)
    }

    /// Returns the message about a program that is not at hand.
    pub fn not_compared(path: &str) -> Diagnostic {
        let message = format!("`{path}` can't be read, so the image was not compared with it");
        Diagnostic::warning(rules::NOT_COMPARED.code, message)
            .with_note("`fusee build` writes it beside the image")
    }

    /// Compares an image with these programs.
    ///
    /// # Errors
    /// A [`VerifyError`] for bytes that are no image.
    pub fn compare(&self, image: &[u8]) -> Result<Vec<Finding>, VerifyError> {
        let mut findings = Findings::default();
        super::look(image, &mut findings, |subject, findings| {
            for (core, kernel) in self.kernels.iter().enumerate().take(subject.cores.len()) {
                if let Some(kernel) = kernel {
                    compare_kernel(subject, (core, kernel), findings);
                }
            }
            for (index, program) in self.domains.iter().enumerate().take(subject.pages.len()) {
                if let Some(program) = program {
                    compare_domain(subject, index, program, findings);
                }
            }
        })?;
        Ok(findings.into_all())
    }
}

/// The parts of a program.
#[derive(Debug, Default)]
struct Linked {
    /// Address and bytes of each loaded part.
    parts: Vec<(u64, Vec<u8>)>,
    /// The initial thread-local data.
    thread_local: Vec<u8>,
    /// Pools of memory that devices may reach, whose place the program asks for.
    pools: Vec<Pool>,
    /// Bytes of an address.
    word: usize,
}

/// A pool of memory that devices may reach.
#[derive(Debug)]
struct Pool {
    address: u64,
    bytes: u64,
    /// The address at which the program finds the offset that makes its addresses physical ones.
    told: u64,
}

const LOAD: u32 = 1;
const THREAD_LOCAL: u32 = 7;

impl Linked {
    fn read(bytes: &[u8]) -> Option<Linked> {
        let (linked, word) = match FileKind::parse(bytes).ok()? {
            FileKind::Elf64 => (Linked::parse::<FileHeader64<Endianness>>(bytes)?, 8),
            FileKind::Elf32 => (Linked::parse::<FileHeader32<Endianness>>(bytes)?, 4),
            _ => return None,
        };
        Some(Linked { pools: pools(&object::File::parse(bytes).ok()?), word, ..linked })
    }

    fn parse<H: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Option<Linked> {
        let header = H::parse(bytes).ok()?;
        let endian = header.endian().ok()?;
        let mut linked = Linked::default();
        for entry in header.program_headers(endian, bytes).ok()? {
            let data = || entry.data(endian, bytes).ok().map(<[u8]>::to_vec);
            match entry.p_type(endian).0 {
                LOAD => linked.parts.push((entry.p_vaddr(endian).into(), data()?)),
                THREAD_LOCAL => linked.thread_local = data()?,
                _ => {}
            }
        }
        Some(linked)
    }
}

/// Returns the pools whose place a program asks for.
fn pools(file: &object::File<'_>) -> Vec<Pool> {
    let told = file.symbols().filter(object::ObjectSymbol::is_definition).filter_map(|symbol| {
        let component = symbol.name().ok()?.strip_prefix("__fusee_dma_offset_")?;
        let pool = file.symbol_by_name(&format!("__fusee_dma_pool_{component}"))?;
        Some(Pool { address: pool.address(), bytes: pool.size(), told: symbol.address() })
    });
    told.collect()
}

/// A core's kernel lies where it was linked, that of a further core so many bytes behind, and below
/// the tables nothing else is loaded.
fn compare_kernel(subject: &Subject<'_>, (core, kernel): (usize, &[u8]), findings: &mut Findings) {
    let Some(linked) = Linked::read(kernel) else {
        return findings.differs("the kernel's program is no program");
    };
    let map = subject.tables.header.platform.memory_map();
    let mut expected = vec![0; (map.blob - map.ram) as usize];
    for (start, bytes) in &linked.parts {
        put(&mut expected, map.ram, *start, bytes);
    }
    let by = core as u64 * CORE_BYTES;
    for address in addresses(kernel).unwrap_or_default() {
        let at = address.checked_sub(map.ram).and_then(|at| usize::try_from(at).ok());
        let place = at.and_then(|at| expected.get_mut(at..at + linked.word));
        let Some(place) = place else {
            return findings.differs(format!("the kernel has no word at {address:#x}"));
        };
        let sum = place.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        place.copy_from_slice(&sum.wrapping_add(by).to_le_bytes()[..linked.word]);
    }
    compare_copy(subject, &linked, by, &expected, findings);
}

/// One core's kernel, so many bytes behind where it was linked.
fn compare_copy(
    subject: &Subject<'_>,
    linked: &Linked,
    by: u64,
    expected: &[u8],
    findings: &mut Findings,
) {
    let base = subject.tables.header.platform.memory_map().ram + by;
    for (start, bytes) in subject.file.loaded() {
        let here = start.checked_sub(base).and_then(|offset| expected.get(offset as usize..));
        let difference = here
            .and_then(|here| bytes.iter().zip(here).position(|(found, linked)| found != linked));
        if let Some(offset) = difference {
            let address = start + offset as u64;
            return findings
                .differs(format!("the kernel's memory at {address:#x} is not what was linked"));
        }
    }
    let missing = linked
        .parts
        .iter()
        .find(|(start, bytes)| subject.file.bytes(*start + by, bytes.len() as u64).is_none());
    if let Some((start, _)) = missing {
        let start = start + by;
        findings.differs(format!("the image does not load the kernel's part at {start:#x}"));
    }
}

/// Returns the places of words in the loaded content that hold addresses, as far as the linker
/// tells.
fn addresses(program: &[u8]) -> Option<BTreeSet<u64>> {
    let file = object::File::parse(program).ok()?;
    let mut found = BTreeSet::new();
    for section in file.sections() {
        let loaded = file.segments().any(|segment| {
            let (start, bytes) = segment.file_range();
            section.file_range().is_some_and(|(at, _)| at >= start && at < start + bytes)
        });
        let whole = |flags| matches!(flags, RelocationFlags::Elf { r_type } if is_whole(r_type.0));
        let all = section.relocations().filter(|(_, relocation)| whole(relocation.flags()));
        found.extend(all.map(|(at, _)| at).filter(|_| loaded));
    }
    Some(found)
}

/// Returns `true` if a relocation puts a whole address into a word.
const fn is_whole(kind: u32) -> bool {
    const WORD_32: u32 = 1;
    const WORD_64: u32 = 2;
    kind == WORD_32 || kind == WORD_64
}

fn compare_domain(subject: &Subject<'_>, index: usize, program: &[u8], findings: &mut Findings) {
    let name = &subject.names.domains[index].name;
    let Some(mut linked) = Linked::read(program) else {
        return findings.differs(format!("the program of domain `{name}` is no program"));
    };
    for pool in std::mem::take(&mut linked.pools) {
        let Some(offset) = offset(&subject.pages[index], &pool) else {
            let address = pool.address;
            findings.differs(format!(
                "domain `{name}`: devices cannot reach the pool at {address:#x} as one piece"
            ));
            continue;
        };
        linked.parts.push((pool.told, offset.to_le_bytes()[..linked.word].to_vec()));
    }
    super::words::compare(subject, index, program, findings);
    let pointers = super::stacks::thread_pointers(subject, index);
    let platform = subject.tables.header.platform;
    let pages = subject.pages[index].iter();
    for page in pages.filter(|page| !platform.is_device(page.physical)) {
        let expected = expected(page, &linked, &pointers);
        let mut found = [0; PAGE as usize];
        // A page that the image does not fill is as the machine starts: empty.
        let _ = subject.file.read_into(page.physical, &mut found);
        let difference = found.iter().zip(&expected).position(|(found, linked)| found != linked);
        if let Some(offset) = difference {
            let (address, found, linked) =
                (page.address + offset as u64, found[offset], expected[offset]);
            findings.differs(format!(
                "domain `{name}`: the byte at {address:#x} is {found:#04x}, linked was \
                 {linked:#04x}"
            ));
        }
    }
}

/// Returns the distance of the physical addresses of a pool from its own, if it is the same in all
/// of it.
fn offset(pages: &[Page], pool: &Pool) -> Option<u64> {
    let physical =
        |address: u64| pages.iter().find(|page| page.address == address).map(|page| page.physical);
    let first = pool.address / PAGE * PAGE;
    let offset = physical(first)?.wrapping_sub(first);
    let end = pool.address.checked_add(pool.bytes)?;
    let mut all = (first..end).step_by(PAGE as usize);
    all.all(|page| physical(page) == Some(page.wrapping_add(offset))).then_some(offset)
}

/// Returns the initial content of a page.
fn expected(page: &Page, linked: &Linked, pointers: &[u64]) -> Vec<u8> {
    let mut bytes = vec![0; PAGE as usize];
    for (start, part) in &linked.parts {
        put(&mut bytes, page.address, *start, part);
    }
    for pointer in pointers {
        put(&mut bytes, page.address, *pointer, &linked.thread_local);
    }
    bytes
}

/// Puts bytes that begin at an address into those that begin at `base`, as far as they meet.
fn put(into: &mut [u8], base: u64, start: u64, bytes: &[u8]) {
    let skipped = base.saturating_sub(start) as usize;
    let place = start.saturating_sub(base) as usize;
    let (Some(from), Some(to)) = (bytes.get(skipped..), into.get_mut(place..)) else { return };
    let count = from.len().min(to.len());
    to[..count].copy_from_slice(&from[..count]);
}
