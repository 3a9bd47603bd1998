//! A linked program: of the kernel, or of a protection domain.

use crate::ImageError;
use fusee_image_format::{Permissions, Platform, virtual_map};
use object::elf::{self, FileHeader32, FileHeader64, PF_R, PF_W, PF_X, PT_LOAD, PT_TLS};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{
    Endianness, FileKind, Object, ObjectSection, ObjectSymbol, RelocationFlags, SectionFlags,
    SymbolKind,
};
use std::collections::BTreeMap;

/// A part of a program that is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The virtual address.
    pub(crate) address: u64,
    /// Physical address, for the kernel.
    pub(crate) physical: u64,
    /// Initial contents; zeros follow.
    pub(crate) bytes: Vec<u8>,
    /// Length in memory.
    pub(crate) size: u64,
    /// The rights of code there.
    pub(crate) permissions: Permissions,
}

/// Initial contents of a stack's thread-local data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ThreadLocal {
    pub(crate) bytes: Vec<u8>,
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// A linked program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) segments: Vec<Segment>,
    pub(crate) thread_local: ThreadLocal,
    pub(crate) entry: u64,
    symbols: BTreeMap<String, u64>,
    /// The addresses of words that hold an address of the program's own, as far as the linker
    /// tells.
    addresses: Vec<u64>,
    /// An instruction that holds one, so that the program can be nowhere else.
    fixed: Option<u64>,
}

impl Segment {
    /// The bytes of a word in it.
    fn word(&mut self, address: u64, bytes: u64) -> Option<&mut [u8]> {
        let offset = usize::try_from(address.checked_sub(self.address)?).ok()?;
        self.bytes.get_mut(offset..offset + bytes as usize)
    }
}

impl Program {
    /// Reads an ELF file for a platform; `name` is for messages.
    pub(crate) fn read(
        bytes: &[u8],
        name: &str,
        platform: Platform,
    ) -> Result<Program, ImageError> {
        let damaged = |reason: String| ImageError::Program { name: name.to_owned(), reason };
        let broken = |error: object::Error| damaged(error.to_string());
        let kind = FileKind::parse(bytes).map_err(broken)?;
        let wanted = if platform.word_bytes() == 8 { FileKind::Elf64 } else { FileKind::Elf32 };
        let wrong = || ImageError::WrongMachine { name: name.to_owned(), platform };
        if kind != wanted {
            return Err(wrong());
        }
        let (machine, parts) = match kind {
            FileKind::Elf64 => parts::<FileHeader64<Endianness>>(bytes).map_err(damaged)?,
            _ => parts::<FileHeader32<Endianness>>(bytes).map_err(damaged)?,
        };
        if machine != elf::EM_RISCV.0 {
            return Err(wrong());
        }
        let file = object::File::parse(bytes).map_err(broken)?;
        let mut program = Program {
            segments: Vec::new(),
            thread_local: ThreadLocal { align: 1, ..ThreadLocal::default() },
            entry: file.entry(),
            symbols: symbols(&file),
            addresses: relocated(&file, &[elf::R_RISCV_32, elf::R_RISCV_64]),
            fixed: relocated(&file, &ABSOLUTE).first().copied(),
        };
        for part in parts {
            program.add(part).map_err(damaged)?;
        }
        program.segments.sort_by_key(|segment| segment.address);
        Ok(program)
    }

    fn add(&mut self, part: Part) -> Result<(), String> {
        if part.kind == PT_TLS.0 {
            let align = part.align.max(1);
            if !align.is_power_of_two() || align > virtual_map::PAGE_BYTES {
                return Err(format!("its thread-local data asks for an alignment of {align}"));
            }
            self.thread_local = ThreadLocal { bytes: part.bytes, size: part.size, align };
        } else if part.kind == PT_LOAD.0 && part.size > 0 {
            let Part { address, physical, bytes, size, permissions, .. } = part;
            self.segments.push(Segment { address, physical, bytes, size, permissions });
        }
        Ok(())
    }

    /// The same program at another place, so many bytes behind. Code finds what it uses by its own
    /// place; what holds an address is named by the linker.
    pub(crate) fn moved(&self, by: u64, word: u64) -> Result<Program, ImageError> {
        if let Some(address) = self.fixed.filter(|_| by > 0) {
            return Err(ImageError::Program {
                name: "the kernel".to_owned(),
                reason: format!(
                    "the instruction at {address:#x} holds an address, so it can't move"
                ),
            });
        }
        let mut moved = self.clone();
        moved.entry += by;
        for segment in &mut moved.segments {
            (segment.address, segment.physical) = (segment.address + by, segment.physical + by);
        }
        for address in moved.addresses.iter_mut() {
            *address += by;
            let segments = moved.segments.iter_mut();
            let Some(place) = segments.filter_map(|segment| segment.word(*address, word)).next()
            else {
                continue;
            };
            let mut wide = [0; 8];
            wide[..place.len()].copy_from_slice(place);
            let sum = u64::from_le_bytes(wide).wrapping_add(by).to_le_bytes();
            place.copy_from_slice(&sum[..place.len()]);
        }
        Ok(moved)
    }

    /// Returns a symbol's address.
    pub(crate) fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.get(name).copied()
    }
}

/// An entry of the program header.
struct Part {
    kind: u32,
    address: u64,
    physical: u64,
    bytes: Vec<u8>,
    size: u64,
    align: u64,
    permissions: Permissions,
}

fn parts<H: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<(u16, Vec<Part>), String> {
    let broken = |error: object::Error| error.to_string();
    let header = H::parse(bytes).map_err(broken)?;
    let endian = header.endian().map_err(broken)?;
    let mut parts = Vec::new();
    for entry in header.program_headers(endian, bytes).map_err(broken)? {
        if ![PT_LOAD, PT_TLS].contains(&entry.p_type(endian)) {
            continue;
        }
        let flags = entry.p_flags(endian);
        let data = entry
            .data(endian, bytes)
            .map_err(|()| "a segment reaches beyond the end of the file".to_owned())?;
        let size: u64 = entry.p_memsz(endian).into();
        if size < data.len() as u64 || size > 1 << 32 {
            return Err("a segment's size makes no sense".to_owned());
        }
        parts.push(Part {
            kind: entry.p_type(endian).0,
            address: entry.p_vaddr(endian).into(),
            physical: entry.p_paddr(endian).into(),
            bytes: data.to_vec(),
            size,
            align: entry.p_align(endian).into(),
            permissions: Permissions {
                read: flags.0 & PF_R.0 != 0,
                write: flags.0 & PF_W.0 != 0,
                execute: flags.0 & PF_X.0 != 0,
            },
        });
    }
    Ok((header.e_machine(endian).0, parts))
}

fn symbols(file: &object::File<'_>) -> BTreeMap<String, u64> {
    let defined =
        file.symbols().filter(|symbol| symbol.is_definition() && symbol.kind() != SymbolKind::Tls);
    defined.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address()))).collect()
}

/// Kinds of relocations by which instructions hold addresses.
const ABSOLUTE: [elf::RelocationType; 4] =
    [elf::R_RISCV_HI20, elf::R_RISCV_LO12_I, elf::R_RISCV_LO12_S, elf::R_RISCV_RVC_LUI];

/// Returns the places at which the linker has put addresses of these kinds into the loaded content.
fn relocated(file: &object::File<'_>, kinds: &[elf::RelocationType]) -> Vec<u64> {
    let loaded = |section: &object::Section<'_, '_>| match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.0 & elf::SHF_ALLOC.0 != 0,
        _ => false,
    };
    let wanted = |relocation: &(u64, object::Relocation)| match relocation.1.flags() {
        RelocationFlags::Elf { r_type } => kinds.contains(&r_type),
        _ => false,
    };
    let of_section = |section: object::Section<'_, '_>| -> Vec<u64> {
        section.relocations().filter(wanted).map(|(at, _)| at).collect()
    };
    file.sections().filter(loaded).flat_map(of_section).collect()
}
